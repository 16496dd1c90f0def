#include "tests/traces/fake_workload.h"

namespace fermata::test {

namespace {

constexpr std::uint32_t kShared = 4096;

StaticInstruction access(MemorySpace space, MemoryOperation operation, std::uint8_t bytes) {
  StaticInstruction instruction;
  instruction.instructionClass = InstructionClass::Memory;
  instruction.space = space;
  instruction.operation = operation;
  instruction.bytesPerLane = bytes;
  return instruction;
}

StaticInstruction plain(CopyStep step, std::uint8_t groupsLeft, bool fence) {
  StaticInstruction instruction;
  instruction.copyStep = step;
  instruction.groupsLeft = groupsLeft;
  instruction.fence = fence;
  return instruction;
}

StaticInstruction copy(StaticInstruction access, CopyStep step) {
  access.copyStep = step;
  return access;
}

/// Adds asynchronous copies, instructions that close and await their groups, a fence and a pause.
void addCopies(std::vector<StaticInstruction>& program) {
  constexpr std::uint8_t kAny = StaticInstruction::kAnyGroups;
  for (const std::uint8_t bytes : {4, 16}) {
    program.push_back(
        copy(access(MemorySpace::Global, MemoryOperation::Load, bytes), CopyStep::Begin));
  }
  program.push_back(copy(access(MemorySpace::Shared, MemoryOperation::Store, 8), CopyStep::Arrive));
  program.push_back(plain(CopyStep::Commit, kAny, false));
  program.push_back(plain(CopyStep::None, 0, false));
  program.push_back(plain(CopyStep::None, 254, false));
  program.push_back(plain(CopyStep::None, kAny, true));
  program.emplace_back().suspends = true;
}

/// Returns one instruction of each class, then copies, then accesses of every space, operation and
/// width.
std::vector<StaticInstruction> makeProgram(bool loadsAlone) {
  std::vector<StaticInstruction> program;
  for (unsigned kind = 0; kind < kInstructionClasses; ++kind) {
    StaticInstruction instruction;
    instruction.instructionClass = static_cast<InstructionClass>(kind);
    if (instruction.instructionClass == InstructionClass::Tensor) {
      instruction.tensorWork = 5;
      instruction.floatSums = true;
    }
    if (instruction.instructionClass != InstructionClass::Memory) program.push_back(instruction);
  }
  if (!loadsAlone) addCopies(program);
  for (unsigned space = 1; space <= 7; ++space) {
    for (unsigned i = 0; i < 5; ++i) {
      program.push_back(access(static_cast<MemorySpace>(space),
                               static_cast<MemoryOperation>((space + i) % 3),
                               static_cast<std::uint8_t>(space == 6 ? 0 : 1U << i)));
      program.back().polls = i % 2 == 1;
      if (program.back().operation != MemoryOperation::Atomic || loadsAlone) continue;
      program.back().form = static_cast<AtomicForm>((space + 2 * i) % 7);
      program.back().unread = true;  // a trace says it of atomics with a result alone
    }
  }
  for (std::uint32_t pc = 0; pc < program.size(); ++pc) {
    StaticInstruction& instruction = program[pc];
    if (loadsAlone) {
      instruction.operation = MemoryOperation::Load;
      if (instruction.space == MemorySpace::Local) instruction.space = MemorySpace::Constant;
    }
    instruction.pc = pc;
    instruction.readCount = static_cast<std::uint8_t>(pc % (StaticInstruction::kMaxReads + 1));
    instruction.writeCount = static_cast<std::uint8_t>(pc % (StaticInstruction::kMaxWrites + 1));
    for (unsigned i = 0; i < instruction.readCount; ++i) {
      instruction.reads[i] = static_cast<RegisterId>(pc + 3 * i);
    }
    for (unsigned i = 0; i < instruction.writeCount; ++i) {
      instruction.writes[i] = static_cast<RegisterId>(99 - pc - i);
    }
  }
  return program;
}

}  // namespace

FakeWorkload::FakeWorkload(const Shape& shape) : shape_(shape) {
  programs_.push_back(makeProgram(shape.loadsAlone));
  programs_.push_back(makeProgram(shape.loadsAlone));
  programs_[1].resize(27);
  for (const unsigned program : {1U, 0U, 1U}) {  // not in numeric order
    Grid grid;
    grid.kernel = kernelName(program) + (grids_.size() == 2 ? " again" : "");
    grid.program = program;
    grid.ctas = shape.ctas;
    grid.threadsPerCta = program == 1 ? shape.threads : 32;
    grid.registersPerThread = 20 + program;
    grid.sharedBytesPerCta = kShared;
    grid.instructionCount = instructionCount(program);
    grid.registerCount = 100;
    grids_.push_back(grid);
  }
}

const Grid* FakeWorkload::nextGrid() {
  return grid_ < grids_.size() ? &grids_[grid_++] : nullptr;
}

std::uint64_t FakeWorkload::random(Warp& warp) {
  warp.state = warp.state * 6364136223846793005U + 1442695040888963407U;
  return (warp.state ^ warp.state >> 29) >> 20;
}

void FakeWorkload::choose(Warp& warp) {
  warp.pc = static_cast<std::uint32_t>(random(warp) % programs_[grids_[grid_ - 1].program].size());
}

void FakeWorkload::startCta(std::uint64_t cta, unsigned firstSlot) {
  const Grid& grid = grids_[grid_ - 1];
  for (std::uint32_t w = 0; w < grid.warpsPerCta(); ++w) {
    Warp& warp = warps_[firstSlot + w];
    warp.state = ((shape_.seed * 8 + grid_) << 40) + (cta << 8) + w;
    for (int i = 0; i < 4; ++i) random(warp);
    warp.copies.clear();
    warp.begun = 7;
    warp.groups = 0;
    const std::uint32_t threads = grid.threadsPerCta - w * kWarpLanes;
    warp.lanes = threads >= kWarpLanes ? kAllLanes : (1U << threads) - 1;
    // Some warps execute nothing.
    warp.left = static_cast<unsigned>(random(warp) % (shape_.longest + 1));
    choose(warp);
  }
}

const StaticInstruction* FakeWorkload::peek(unsigned slot) {
  const Warp& warp = warps_[slot];
  return warp.left == 0 ? nullptr : &programs_[grids_[grid_ - 1].program][warp.pc];
}

void FakeWorkload::setAddresses(Warp& warp, const StaticInstruction& instruction,
                                WarpInstruction& out) {
  static constexpr std::uint64_t kBases[] = {0, 1U << 20, 0xfffffff0U, 0x7f0000000000U};
  const bool shared = out.space == MemorySpace::Shared;
  const std::uint64_t base = shared ? 0 : kBases[random(warp) % 4];
  const std::uint64_t limit = kShared - instruction.bytesPerLane + 1;
  const auto form = random(warp) % 5;
  const std::uint64_t step = 1 + random(warp) % 100;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint64_t offset = form == 0   ? lane * step
                                 : form == 1 ? (kWarpLanes - lane) * step
                                 : form == 2 ? (lane % 8) * step + lane / 8 * 512
                                 : form == 3 ? step
                                             : random(warp);
    const std::uint64_t address = base + (shared ? offset % limit : offset);
    out.address[lane] = address / out.bytesPerLane * out.bytesPerLane;
  }
}

void FakeWorkload::execute(unsigned slot, WarpInstruction& out) {
  Warp& warp = warps_[slot];
  const StaticInstruction instruction = *peek(slot);
  static constexpr LaneMask kMasks[] = {kAllLanes, 0, 0x55555555U, 0x0000ffffU, 0x00f0f0f1U};
  const auto form = random(warp) % 7;
  out.pc = instruction.pc;
  out.active = warp.lanes & (form < 5 ? kMasks[form] : static_cast<LaneMask>(random(warp)));
  out.operation = instruction.operation;
  out.bytesPerLane = instruction.bytesPerLane;
  out.space = instruction.space;
  if (instruction.space == MemorySpace::Texture) {
    out.bytesPerLane = static_cast<std::uint8_t>(1U << random(warp) % 5);
  }
  if (instruction.space == MemorySpace::Generic) {
    out.space = static_cast<MemorySpace>(1 + random(warp) % (shape_.loadsAlone ? 2 : 3));
  }
  out.hasData = false;
  if (instruction.instructionClass == InstructionClass::Memory) {
    setAddresses(warp, instruction, out);
  }
  if (instruction.beginsCopy()) beginCopy(warp, out);
  if (instruction.copyStep == CopyStep::Commit && out.active != 0) ++warp.groups;
  const auto barrier = random(warp);
  out.barrier = static_cast<std::uint16_t>(barrier % 3 == 0 ? 0 : barrier % 16);
  out.barrierThreads = barrier % 5 == 0 ? kWarpLanes : 0;
  out.barrierWaits = shape_.loadsAlone || out.barrierThreads == 0 || barrier % 7 != 0;
  --warp.left;
  choose(warp);
}

// A copy of a block needs no threads. A lane may store only zeros and read nothing, and an
// instruction may begin no copy at all.
void FakeWorkload::beginCopy(Warp& warp, WarpInstruction& out) {
  const auto form = random(warp) % 5;
  if (form == 0) {
    out.active = 0;
    return;
  }
  WarpInstruction& target = warp.copies[warp.begun];
  target.pc = out.pc;
  target.space = MemorySpace::Shared;
  target.operation = MemoryOperation::Store;
  target.bytesPerLane = out.bytesPerLane;
  target.active = form == 1 ? kAllLanes : static_cast<LaneMask>(random(warp)) | 1U;
  if (form != 2) out.active = target.active;
  if (form == 3) out.active &= static_cast<LaneMask>(random(warp));
  if (out.space == MemorySpace::Shared) out.active = 0;
  setAddresses(warp, programs_[grids_[grid_ - 1].program][out.pc], target);
  out.copy = warp.begun++;
}

void FakeWorkload::copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const {
  out = warps_[slot].copies.at(copy);
}

void FakeWorkload::storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out) {
  copyTarget(slot, copy, out);
  warps_[slot].copies.erase(copy);
}

std::string FakeWorkload::kernelName(unsigned program) const {
  return program == 0 ? "sum<int, \"quoted\">" : "second";
}

std::uint32_t FakeWorkload::instructionCount(unsigned program) const {
  return static_cast<std::uint32_t>(programs_[program].size());
}

InstructionText FakeWorkload::instructionText(unsigned program, std::uint32_t pc) const {
  if (pc % 7 == 6) return {};
  return {"op." + std::to_string(program) + (pc % 2 == 0 ? "" : ", \"x\""),
          pc % 3 == 0 ? "" : "a file, with comma.cu", pc % 3 == 0 ? 0 : pc + 1};
}

}  // namespace fermata::test
