#include <fermata/stimuli/traces/memory_trace.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace fermata::traces {

namespace {

/// Size of the blocks that hold a warp's rows; each is twice as large as the one before, up to a
/// limit.
constexpr std::size_t kFirstBlock = 256;
constexpr std::size_t kLargestBlock = 8192;

/// Marks in place of a RowHead, behind the rows of a block: no program has so many instructions.
constexpr std::uint32_t kNextBlock = ~0U;  ///< the address of the next block's rows follows
constexpr std::uint32_t kExit = ~0U - 1;   ///< the warp has exited
constexpr std::size_t kLinkBytes = sizeof(RowHead) + sizeof(const std::byte*);

struct Text {
  const char* begin;
  std::size_t size;
  std::string string() const { return {begin, size}; }
};

struct TracedText {
  Text opcode;
  Text file;
  std::uint32_t line;
  std::uint32_t nearLine;
};

struct TracedParameter {
  Text name;
  Text value;
};

/// Thrown if the trace has no more room.
struct Full {};

template <class Plain>
Plain* make(SharedArena& arena, std::size_t count = 1) {
  Plain* const made = arena.make<Plain>(count);
  if (made == nullptr) throw Full();
  return made;
}

Text copy(SharedArena& arena, std::string_view text) {
  char* const to = make<char>(arena, text.size());
  std::memcpy(to, text.data(), text.size());
  return {to, text.size()};
}

}  // namespace

struct TracedProgram {
  Text name;
  std::uint32_t count;
  StaticInstruction* instructions;  ///< by PC; valid once a warp has executed it
  TracedText* texts;                ///< by PC
  TracedProgram* next;
};

struct TracedWarp {
  const std::byte* rows;  ///< rows of the first block
  std::byte* end;         ///< end of the rows so far
  std::byte* limit;       ///< end of the last block, less the room for its link
  std::size_t block;      ///< bytes of the last block
};

struct TracedGrid {
  Text kernel;
  Text where;
  std::uint64_t ctas;
  std::uint32_t program, threads, registers, shared, instructions, before, scoreboard;
  std::int32_t carveout;
  std::uint32_t programsSeen;
  std::uint32_t rangeCount;
  DeviceBytes* ranges;  ///< ranges of device memory, without data
  TracedWarp* warps;    ///< warps of each CTA in turn
  TracedGrid* next;
};

struct MemoryTrace::Root {
  std::atomic<State> state;  ///< Ready: everything is written
  std::atomic<std::uint32_t> replays;
  MachineLevel code;
  std::uint64_t bufferGap;
  TracedProgram* programs;
  TracedGrid* grids;
  TracedParameter* parameters;
  std::size_t parameterCount;
};

MemoryTrace::MemoryTrace(std::size_t limit) : arena_(limit), root_(arena_.make<Root>()) {
  if (root_ == nullptr) throw std::bad_alloc();
}

MemoryTrace::State MemoryTrace::state() const {
  return root_->state.load(std::memory_order_acquire);
}

std::uint32_t MemoryTrace::replays() const {
  return root_->replays.load(std::memory_order_relaxed);
}

std::map<std::string, std::string> MemoryTrace::parameters() const {
  std::map<std::string, std::string> all;
  for (std::size_t i = 0; i < root_->parameterCount; ++i)
    all[root_->parameters[i].name.string()] = root_->parameters[i].value.string();
  return all;
}

MemoryTraceRecorder::MemoryTraceRecorder(Workload& inner, MemoryTrace& trace)
    : WorkloadDecorator(inner), trace_(trace) {}

MemoryTraceRecorder::~MemoryTraceRecorder() = default;

void MemoryTraceRecorder::refuse() {
  check_.reset();
  trace_.root().state.store(MemoryTrace::State::Unfit, std::memory_order_release);
}

MachineLevel MemoryTrace::code() const {
  return root().code;
}

std::uint64_t MemoryTrace::bufferGap() const {
  return root().bufferGap;
}

void MemoryTraceRecorder::finish(const std::map<std::string, std::string>& parameters,
                                 MachineLevel code, std::uint64_t bufferGap) {
  if (!recording()) return;
  try {
    auto* to = make<TracedParameter>(trace_.arena_, parameters.size());
    trace_.root().parameters = to;
    trace_.root().code = code;
    trace_.root().bufferGap = bufferGap;
    trace_.root().parameterCount = parameters.size();
    for (const auto& [name, value] : parameters)
      *to++ = {copy(trace_.arena_, name), copy(trace_.arena_, value)};
    trace_.root().state.store(MemoryTrace::State::Ready, std::memory_order_release);
  } catch (const Full&) {
    refuse();
  }
}

void MemoryTraceRecorder::setWarpSlots(unsigned slots) {
  if (trace_.state() == MemoryTrace::State::Empty) check_ = std::make_unique<OrderCheck>(slots);
  warps_.assign(slots, nullptr);
  inner_.setWarpSlots(slots);
}

const Grid* MemoryTraceRecorder::nextGrid() {
  const Grid* const grid = inner_.nextGrid();
  if (!recording()) return grid;
  if (grid != nullptr && grid->clusterCtas > 1) {  // CTAs that see each other's shared memory
    refuse();
    return grid;
  }
  try {
    addPrograms();
    if (grid != nullptr) addGrid(*grid);
  } catch (const Full&) {
    refuse();
  }
  return grid;
}

void MemoryTraceRecorder::addPrograms() {
  while (programs_.size() < inner_.programCount()) {
    const auto number = static_cast<unsigned>(programs_.size());
    auto* const program = make<TracedProgram>(trace_.arena_);
    program->name = copy(trace_.arena_, inner_.kernelName(number));
    program->count = inner_.instructionCount(number);
    program->instructions = make<StaticInstruction>(trace_.arena_, program->count);
    program->texts = make<TracedText>(trace_.arena_, program->count);
    for (std::uint32_t pc = 0; pc < program->count; ++pc) {
      const InstructionText text = inner_.instructionText(number, pc);
      program->texts[pc] = {copy(trace_.arena_, text.opcode), copy(trace_.arena_, text.file),
                            text.line, text.nearLine};
      program->instructions[pc].pc = kExit;  // marks: not executed yet
    }
    (lastProgram_ == nullptr ? trace_.root().programs : lastProgram_->next) = program;
    lastProgram_ = program;
    programs_.push_back(program);
  }
}

void MemoryTraceRecorder::addGrid(const Grid& grid) {
  std::vector<DeviceBytes> ranges = inner_.deviceMemory();
  for (DeviceBytes& range : ranges) range.data = nullptr;
  auto* const traced = make<TracedGrid>(trace_.arena_);
  *traced = {copy(trace_.arena_, grid.kernel),
             copy(trace_.arena_, grid.where),
             grid.ctas,
             grid.program,
             grid.threadsPerCta,
             grid.registersPerThread,
             grid.sharedBytesPerCta,
             grid.instructionCount,
             grid.instructionsBefore,
             grid.registerCount,
             grid.carveout,
             static_cast<std::uint32_t>(programs_.size()),
             static_cast<std::uint32_t>(ranges.size()),
             make<DeviceBytes>(trace_.arena_, ranges.size()),
             make<TracedWarp>(trace_.arena_, grid.ctas * grid.warpsPerCta()),
             nullptr};
  std::copy(ranges.begin(), ranges.end(), traced->ranges);
  (grid_ == nullptr ? trace_.root().grids : grid_->next) = traced;
  grid_ = traced;
  check_->gridStarted(grid);
}

namespace {

void link(TracedWarp& warp, std::uint32_t mark, const std::byte* to) {
  RowHead head;
  head.pc = mark;
  std::memcpy(warp.end, &head, sizeof head);
  std::memcpy(warp.end + sizeof head, &to, sizeof to);
}

/// Makes room for a row, and writes an exit behind it until there is another row.
std::byte* append(SharedArena& arena, TracedWarp& warp, std::size_t bytes) {
  if (warp.rows == nullptr || bytes > static_cast<std::size_t>(warp.limit - warp.end)) {
    const std::size_t size =
        warp.rows == nullptr ? kFirstBlock : std::min(2 * warp.block, kLargestBlock);
    auto* const block = make<std::byte>(arena, std::max(size, bytes + kLinkBytes));
    if (warp.rows == nullptr) {
      warp.rows = block;
    } else {
      link(warp, kNextBlock, block);
    }
    warp.block = std::max(size, bytes + kLinkBytes);
    warp.end = block;
    warp.limit = block + warp.block - kLinkBytes;
  }
  std::byte* const row = warp.end;
  warp.end += bytes;
  link(warp, kExit, nullptr);
  return row;
}

}  // namespace

void MemoryTraceRecorder::startCta(std::uint64_t cta, unsigned firstSlot) {
  inner_.startCta(cta, firstSlot);
  if (!recording()) return;
  check_->ctaStarted(cta, firstSlot);
  const std::uint32_t warps = (grid_->threads + kWarpLanes - 1) / kWarpLanes;
  try {
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
      TracedWarp& traced = grid_->warps[cta * warps + warp];
      append(trace_.arena_, traced, 0);  // a warp may exit before it executes anything
      warps_[firstSlot + warp] = &traced;
    }
  } catch (const Full&) {
    refuse();
  }
}

void MemoryTraceRecorder::execute(unsigned slot, WarpInstruction& out) {
  if (!recording()) return inner_.execute(slot, out);
  const StaticInstruction instruction = *inner_.peek(slot);  // a copy: execute() may move it
  inner_.execute(slot, out);
  record(slot, instruction, out);
}

void MemoryTraceRecorder::beginAtomic(unsigned slot, WarpInstruction& out) {
  refuse();
  inner_.beginAtomic(slot, out);
}

void MemoryTraceRecorder::record(unsigned slot, const StaticInstruction& instruction,
                                 const WarpInstruction& out) {
  check_->executed(slot, instruction, out);
  // An address of local memory tells where the warp was placed.
  const bool placed = instruction.instructionClass == InstructionClass::Memory && out.active != 0 &&
                      out.space == MemorySpace::Local;
  if (!check_->orderFree() || placed || instruction.beginsCopy()) return refuse();
  programs_[grid_->program]->instructions[instruction.pc] = instruction;
  RowHead& head = row_.head;
  head = {};
  head.pc = out.pc;
  head.active = out.active;
  if (instruction.instructionClass == InstructionClass::Memory) {
    head.space = out.space;
    head.bytes = out.bytesPerLane;
    AddressRuns runs;
    const unsigned count = findRuns(out.address, out.active, runs);
    if (count != 0) packRuns(runs, count, row_);
  } else if (instruction.instructionClass == InstructionClass::Barrier) {
    head.barrier = static_cast<std::uint8_t>(out.barrier);
    head.barrierThreads = static_cast<std::uint16_t>(out.barrierThreads);
    head.barrierWaits = out.barrierWaits;
  }
  try {
    const std::size_t addresses = addressBytes(head);
    std::byte* const to = append(trace_.arena_, *warps_[slot], sizeof head + addresses);
    std::memcpy(to, &head, sizeof head);
    std::memcpy(to + sizeof head, row_.addresses.data(), addresses);
  } catch (const Full&) {
    refuse();
  }
}

MemoryTraceWorkload::MemoryTraceWorkload(const MemoryTrace& trace)
    : following_(trace.root().grids) {
  if (trace.state() != MemoryTrace::State::Ready)
    throw std::logic_error("a trace is replayed that is not ready");
  trace.root().replays.fetch_add(1, std::memory_order_relaxed);
  for (const TracedProgram* one = trace.root().programs; one != nullptr; one = one->next)
    programs_.push_back(one);
}

const Grid* MemoryTraceWorkload::nextGrid() {
  traced_ = following_;
  if (traced_ == nullptr) {
    seen_ = programs_.size();
    return nullptr;
  }
  following_ = traced_->next;
  seen_ = traced_->programsSeen;
  instructions_ = programs_[traced_->program]->instructions;
  grid_.kernel = traced_->kernel.string();
  grid_.where = traced_->where.string();
  grid_.program = traced_->program;
  grid_.ctas = traced_->ctas;
  grid_.threadsPerCta = traced_->threads;
  grid_.registersPerThread = traced_->registers;
  grid_.sharedBytesPerCta = traced_->shared;
  grid_.instructionCount = traced_->instructions;
  grid_.instructionsBefore = traced_->before;
  grid_.registerCount = traced_->scoreboard;
  grid_.carveout = traced_->carveout;
  return &grid_;
}

std::vector<DeviceBytes> MemoryTraceWorkload::deviceMemory() const {
  if (traced_ == nullptr) return {};
  return {traced_->ranges, traced_->ranges + traced_->rangeCount};
}

void MemoryTraceWorkload::startCta(std::uint64_t cta, unsigned firstSlot) {
  const std::uint32_t warps = grid_.warpsPerCta();
  for (std::uint32_t warp = 0; warp < warps; ++warp)
    point(slots_[firstSlot + warp], traced_->warps[cta * warps + warp].rows);
}

void MemoryTraceWorkload::point(Slot& slot, const std::byte* row) const {
  RowHead head;
  std::memcpy(&head, row, sizeof head);
  if (head.pc == kNextBlock) {
    std::memcpy(&row, row + sizeof head, sizeof row);
    std::memcpy(&head, row, sizeof head);
  }
  slot.row = row;
  slot.next = head.pc == kExit ? nullptr : instructions_ + head.pc;
}

void MemoryTraceWorkload::execute(unsigned slot, WarpInstruction& out) {
  Slot& warp = slots_[slot];
  RowHead head;
  std::memcpy(&head, warp.row, sizeof head);
  const std::byte* const addresses = warp.row + sizeof head;
  unpack(head, addresses, warp.next->operation, out);
  point(warp, addresses + addressBytes(head));
}

std::string MemoryTraceWorkload::kernelName(unsigned program) const {
  return programs_[program]->name.string();
}

std::uint32_t MemoryTraceWorkload::instructionCount(unsigned program) const {
  return programs_[program]->count;
}

InstructionText MemoryTraceWorkload::instructionText(unsigned program, std::uint32_t pc) const {
  const TracedProgram& from = *programs_[program];
  if (pc >= from.count) return {};
  const TracedText& text = from.texts[pc];
  return {text.opcode.string(), text.file.string(), text.line, text.nearLine};
}

}  // namespace fermata::traces
