#include <fermata/stimuli/traces/trace_recorder.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include <fermata/stimuli/refuse.h>
#include <fermata/stimuli/traces/cluster_words.h>
#include <fermata/stimuli/traces/tensor_words.h>
#include <fermata/stimuli/traces/trace_format.h>

namespace fermata::traces {
namespace {

template <std::size_t N>
std::string registerList(const std::array<RegisterId, N>& registers, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    if (i != 0) text += ';';
    appendNumber(text, registers[i]);
  }
  return text;
}

template <std::size_t N>
bool allBelow(const std::array<RegisterId, N>& registers, unsigned count, std::uint32_t limit) {
  return count <= N && std::all_of(registers.begin(), registers.begin() + count,
                                   [limit](RegisterId id) { return id < limit; });
}

}  // namespace

TraceRecorder::TraceRecorder(Workload& inner, const std::string& path)
    : WorkloadDecorator(inner), out_(path) {
  writeHeader();
}

TraceRecorder::TraceRecorder(Workload& inner, files::OutputFile& file)
    : WorkloadDecorator(inner), out_(file) {
  writeHeader();
}

void TraceRecorder::writeHeader() {
  std::string& row = out_.row();
  row += kMagic;
  row += ',';
  appendNumber(row, kVersion);
  out_.endRow();
  for (const std::string_view column : kColumns) {
    if (column != kColumns.front()) row += ',';
    row += column;
  }
  out_.endRow();
}

void TraceRecorder::finish() {
  if (!ended_) throw std::logic_error("a recording was finished before the last grid had ended");
  out_.row() += "end,";
  appendNumber(out_.row(), count_);
  out_.endRow();
  out_.finish();
}

void TraceRecorder::refuse(std::uint32_t pc, const std::string& what) const {
  fermata::refuse("kernel {}, pc {} cannot be recorded: {}", grid_->kernel, pc, what);
}

void TraceRecorder::setWarpSlots(unsigned slots) {
  slots_.assign(slots, Slot{});
  inner_.setWarpSlots(slots);
}

const Grid* TraceRecorder::nextGrid() {
  grid_ = inner_.nextGrid();
  writePrograms();
  writeMemory();
  if (grid_ != nullptr) writeGrid();
  ended_ = grid_ == nullptr;
  return grid_;
}

void TraceRecorder::writePrograms() {
  for (auto program = static_cast<unsigned>(written_.size()); program < inner_.programCount();
       ++program) {
    const std::uint32_t instructions = inner_.instructionCount(program);
    out_.row() += "program";
    out_.field("index", program);
    out_.field("name", inner_.kernelName(program));
    out_.field("instructions", instructions);
    out_.endRow();
    written_.emplace_back(instructions);
    for (std::uint32_t pc = 0; pc < instructions; ++pc) {
      const InstructionText text = inner_.instructionText(program, pc);
      if (text.opcode.empty() && text.file.empty() && text.line == 0) continue;
      out_.row() += "text";
      out_.field("program", program);
      out_.field("pc", pc);
      out_.field("opcode", text.opcode);
      if (!text.file.empty()) out_.field("file", text.file);
      if (text.line != 0) out_.field("line", text.line);
      if (text.nearLine != 0) out_.field("near_line", text.nearLine);
      out_.endRow();
    }
  }
}

/// Writes the ranges that the host has copied to the device since the grid before.
void TraceRecorder::writeMemory() {
  const std::vector<DeviceBytes> ranges = inner_.deviceMemory();
  for (; ranges_ < ranges.size(); ++ranges_) {
    const DeviceBytes& range = ranges[ranges_];
    if (!range.copied || range.bytes == 0) continue;
    out_.row() += "memory";
    out_.field("address", range.address);
    out_.field("bytes", range.bytes);
    out_.endRow();
  }
}

void TraceRecorder::writeGrid() {
  out_.row() += "grid";
  out_.field("program", grid_->program);
  out_.field("kernel", grid_->kernel);
  out_.field("ctas", grid_->ctas);
  if (grid_->clusterCtas > 1) out_.field("cluster", grid_->clusterCtas);
  out_.field("threads", grid_->threadsPerCta);
  out_.field("registers", grid_->registersPerThread);
  out_.field("shared", grid_->sharedBytesPerCta);
  if (grid_->carveout != kNoCarveout) out_.field("carveout", grid_->carveout);
  if (grid_->instructionsBefore != 0) out_.field("before", grid_->instructionsBefore);
  out_.field("scoreboard", grid_->registerCount);
  out_.endRow();
}

void TraceRecorder::startCta(std::uint64_t cta, unsigned firstSlot) {
  inner_.startCta(cta, firstSlot);
  out_.row() += "start,";
  appendNumber(out_.row(), cta);
  out_.endRow();
  for (std::uint32_t warp = 0; warp < grid_->warpsPerCta(); ++warp) {
    const std::uint32_t threads = grid_->threadsPerCta - warp * kWarpLanes;
    slots_[firstSlot + warp] = {cta, warp, threads >= kWarpLanes ? kAllLanes : (1U << threads) - 1};
    if (inner_.peek(firstSlot + warp) == nullptr) writeExit(firstSlot + warp);
  }
}

void TraceRecorder::writeExit(unsigned slot) {
  std::string& row = out_.row();
  row += "exit,";
  appendNumber(row, slots_[slot].cta);
  row += ',';
  appendNumber(row, slots_[slot].warp);
  out_.endRow();
}

void TraceRecorder::execute(unsigned slot, WarpInstruction& out) {
  const StaticInstruction instruction = next(slot);
  if (instruction.beginsCopy()) out.copy = WarpInstruction::kNoCopy;
  if (instruction.suspends && instruction.instructionClass == InstructionClass::Integer)
    pause_ = inner_.sleep(slot);
  const std::uint64_t ctas = grid_->ctas;
  inner_.execute(slot, out);
  taken_ = (ctas - grid_->ctas) / grid_->clusterCtas;
  record(slot, instruction, out);
}

// Records an atomic as issued by the warp; a trace does not tell its steps.
void TraceRecorder::beginAtomic(unsigned slot, WarpInstruction& out) {
  const StaticInstruction instruction = next(slot);
  inner_.beginAtomic(slot, out);
  record(slot, instruction, out);
}

// Returns a copy, because execute() may move the original.
StaticInstruction TraceRecorder::next(unsigned slot) {
  const StaticInstruction* const instruction = inner_.peek(slot);
  if (instruction == nullptr) throw std::logic_error("a warp that has exited was executed");
  return *instruction;
}

void TraceRecorder::record(unsigned slot, const StaticInstruction& instruction,
                           const WarpInstruction& out) {
  // A replay looks for room by itself.
  if (takesColumns(instruction) && out.active != 0 && columnChangeOf(out).columns == 0) return;
  auto written = written_[grid_->program].begin() + instruction.pc;
  if (!*written) {
    check(instruction);
    writeInstruction(instruction);
    *written = true;
  }
  check(instruction, slots_[slot], out);
  target_.active = 0;
  if (asksForClusters(instruction)) {
    takeBarriers(out);
  } else if (namesTarget(instruction) && out.copy != WarpInstruction::kNoCopy) {
    inner_.copyTarget(slot, out.copy, target_);
    checkTarget(instruction, out);
  }
  writeWarpInstruction(slots_[slot], instruction, out);
  ++count_;
  if (inner_.peek(slot) == nullptr) writeExit(slot);
}

// Takes the mbarriers of a request for clusters.
void TraceRecorder::takeBarriers(const WarpInstruction& executed) {
  target_.active = executed.active;
  target_.space = MemorySpace::Shared;
  target_.bytesPerLane = kBarrierBytes;
  for (LaneMask left = executed.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    target_.address[lane] = answerBarrier(executed, lane);
  }
  checkAddresses(target_, true);
}

void TraceRecorder::check(const StaticInstruction& instruction) const {
  const bool memory = instruction.instructionClass == InstructionClass::Memory;
  const unsigned bytes = instruction.bytesPerLane;
  if (memory && (instruction.space == MemorySpace::None || (bytes != 0 && !isAccessSize(bytes))))
    refuse(instruction.pc, "an access without a space, or not of 1, 2, 4, 8 or 16 bytes");
  const bool plain = instruction.instructionClass == InstructionClass::Integer;
  const bool awaits = instruction.fence || instruction.groupsLeft != StaticInstruction::kAnyGroups;
  const bool copies = memory && instruction.space != MemorySpace::Generic && bytes != 0;
  if ((awaits && !plain) || (instruction.copyStep == CopyStep::Commit && !plain) ||
      (instruction.beginsCopy() && !copies)) {
    refuse(instruction.pc,
           "a fence, a wait for copies or a commit of them that is not of class "
           "integer, or a copy without a space or a size");
  }
  if (!allBelow(instruction.reads, instruction.readCount, grid_->registerCount) ||
      !allBelow(instruction.writes, instruction.writeCount, grid_->registerCount)) {
    refuse(instruction.pc,
           fmt::format("a register beyond the {} of the grid's scoreboard", grid_->registerCount));
  }
}

void TraceRecorder::check(const StaticInstruction& instruction, const Slot& slot,
                          const WarpInstruction& executed) const {
  if (executed.pc != instruction.pc ||
      ((executed.active & ~slot.lanes) != 0 && !instruction.beginsCopy())) {
    refuse(instruction.pc, "it executed another pc, or lanes without a thread");
  }
  if (instruction.instructionClass == InstructionClass::Barrier &&
      isOfWave(executed.barrier, executed.barrierThreads))
    refuse(instruction.pc, "a barrier of a wave64, which a trace does not tell");
  if (instruction.instructionClass == InstructionClass::Barrier &&
      executed.barrierThreads % kWarpLanes != 0) {
    refuse(instruction.pc, fmt::format("a barrier of {} threads, which are no whole warps",
                                       executed.barrierThreads));
  }
  if (changesColumns(instruction) && executed.active != 0 &&
      !isColumnChange(columnChangeOf(executed), takesColumns(instruction), *grid_))
    refuse(instruction.pc, "columns of tensor memory that tcgen05 does not take");
  if (instruction.instructionClass != InstructionClass::Memory || executed.active == 0) return;
  const bool generic = instruction.space == MemorySpace::Generic;
  if (executed.operation != instruction.operation || !isAccessSize(executed.bytesPerLane) ||
      (generic ? executed.space == MemorySpace::Generic || executed.space == MemorySpace::None
               : executed.space != instruction.space)) {
    refuse(
        instruction.pc,
        "its operation or space is not what was announced, or its size not 1, 2, 4, 8 or 16 bytes");
  }
  checkAddresses(executed, false);
}

// Checks the target: the trace states its addresses, and implies a store of the same size.
void TraceRecorder::checkTarget(const StaticInstruction& instruction,
                                const WarpInstruction& executed) const {
  if (target_.active == 0 || target_.space != instruction.targetSpace() ||
      target_.operation != MemoryOperation::Store ||
      target_.bytesPerLane != executed.bytesPerLane || !isAccessSize(target_.bytesPerLane)) {
    refuse(executed.pc,
           "a copy that is no store into its target's space of the size that it reads");
  }
  checkAddresses(target_, true);
}

void TraceRecorder::checkAddresses(const WarpInstruction& executed, bool target) const {
  std::uint64_t offsets = 0;
  for (LaneMask left = executed.active; left != 0; left &= left - 1)
    offsets |= executed.address[static_cast<unsigned>(__builtin_ctz(left))];
  if ((offsets & (executed.bytesPerLane - 1U)) != 0)
    refuse(executed.pc, "an address is no multiple of the access's size");
  if (executed.space != MemorySpace::Shared) return;
  const unsigned lane =
      firstLaneOutside(*grid_, executed.address, executed.active, executed.bytesPerLane, target);
  if (lane != kWarpLanes)
    refuse(executed.pc, fmt::format("shared address {} is outside the CTA's {} bytes",
                                    executed.address[lane], grid_->sharedBytesPerCta));
}

void TraceRecorder::writeInstruction(const StaticInstruction& instruction) {
  out_.row() += "instruction";
  out_.field("program", grid_->program);
  out_.field("pc", instruction.pc);
  out_.field("class", name(instruction.instructionClass));
  if (instruction.instructionClass == InstructionClass::Memory) {
    out_.field("space", name(instruction.space));
    out_.field("operation", name(instruction.operation));
    out_.field("bytes", instruction.bytesPerLane);
    if (instruction.polls) out_.field("polls", 1);
    if (instruction.arrives) out_.field("arrives", 1);
    if (instruction.streams) out_.field("streams", 1);
    if (instruction.matrices != 0) out_.field("matrices", instruction.matrices);
    if (instruction.form != AtomicForm::Plain) out_.field("form", name(instruction.form));
    if (instruction.unread && instruction.writeCount != 0) out_.field("unread", 1);
    if (instruction.operation == MemoryOperation::Atomic && !instruction.addressRead)
      out_.field("fixed_address", 1);
    if (instruction.tensorWork != 0) out_.field("work", instruction.tensorWork);
  }
  if (instruction.instructionClass == InstructionClass::Tensor) {
    if (instruction.space != MemorySpace::None) out_.field("space", name(instruction.space));
    out_.field("work", instruction.tensorWork);
    if (instruction.floatSums) out_.field("float_sums", 1);
    if (instruction.streams) out_.field("streams", 1);
    const bool stores = instruction.streams && instruction.operation == MemoryOperation::Store;
    if (stores) out_.field("operation", name(instruction.operation));
    if (instruction.arrives) out_.field("arrives", 1);
  }
  if (instruction.copyStep != CopyStep::None) out_.field("copies", name(instruction.copyStep));
  if (instruction.groupsLeft != StaticInstruction::kAnyGroups)
    out_.field("groups_left", instruction.groupsLeft);
  if (instruction.fence) out_.field("fence", 1);
  if (instruction.suspends) out_.field("suspends", 1);
  if (instruction.readCount != 0)
    out_.field("reads", registerList(instruction.reads, instruction.readCount));
  if (instruction.writeCount != 0)
    out_.field("writes", registerList(instruction.writes, instruction.writeCount));
  if (instruction.guard != StaticInstruction::kNoGuard) out_.field("guard", instruction.guard);
  out_.endRow();
}

void TraceRecorder::writeWarpInstruction(const Slot& slot, const StaticInstruction& instruction,
                                         const WarpInstruction& executed) {
  std::string& row = out_.row();
  appendNumber(row, slot.cta);
  row += ',';
  appendNumber(row, slot.warp);
  row += ',';
  appendNumber(row, executed.pc);
  std::size_t keep = row.size();  // omits empty fields at the end
  row += ',';
  if (executed.active != slot.lanes) {
    writeMask(executed.active);
    keep = row.size();
  }
  row += ',';
  const std::size_t operand = row.size();
  if (instruction.instructionClass == InstructionClass::Memory) {
    writeAccess(instruction, executed);
  } else if (instruction.instructionClass == InstructionClass::Barrier) {
    appendBarrier(row, executed);
  } else if (changesColumns(instruction)) {
    if (executed.active != 0) appendColumns(row, columnChangeOf(executed));
  } else if (instruction.suspends && executed.active != 0) {
    appendNumber(row, std::min<std::uint64_t>(pause_, kMostPause));
  }
  row.resize(row.size() > operand ? row.size() : keep);
  out_.endRow();
}

void TraceRecorder::writeMask(LaneMask lanes) {
  std::array<char, 8> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), lanes, 16);
  out_.row().append(digits.data(), end.ptr);
}

void TraceRecorder::writeTarget(const WarpInstruction& executed) {
  std::string& row = out_.row();
  row += '>';
  if (target_.active != executed.active) {
    writeMask(target_.active);
    row += ':';
  }
  appendRuns(row, target_.address, target_.active);
}

void TraceRecorder::writeAccess(const StaticInstruction& instruction,
                                const WarpInstruction& executed) {
  appendRuns(out_.row(), executed.address, executed.active);
  if (target_.active != 0) writeTarget(executed);
  if (taken_ != 0) {
    out_.row() += '>';
    appendNumber(out_.row(), taken_);
  }
  // Write space and size even without active lanes if they differ: they choose a pipeline.
  const bool generic = instruction.space == MemorySpace::Generic &&
                       executed.space != MemorySpace::Generic &&
                       executed.space != MemorySpace::None;
  const bool sized =
      executed.bytesPerLane != instruction.bytesPerLane && isAccessSize(executed.bytesPerLane);
  std::string& row = out_.row();
  if (generic || sized) row += ',';
  if (generic) row += name(executed.space);
  if (!sized) return;
  row += ',';
  appendNumber(row, executed.bytesPerLane);
}

}  // namespace fermata::traces
