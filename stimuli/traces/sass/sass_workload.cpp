#include <fermata/stimuli/traces/sass/sass_workload.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <fermata/stimuli/traces/sass/row_coding.h>

namespace fermata::sass {

namespace {

constexpr std::size_t kReadBytes = 8192;
constexpr std::size_t kBufferBytes = kReadBytes + kMostRow;
constexpr std::size_t kBehind = 8;  ///< readable bytes behind a row: takeDistances40()
/// Local memory in the timing model lies above all addresses of a device.
constexpr std::uint64_t kLocalBase = std::uint64_t{1} << 56;
constexpr std::uint64_t kLocalRow = 128;  ///< bytes of one word of each lane

std::uint64_t roundedUp(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

Shape shapeOf(std::uint32_t head) {
  return static_cast<Shape>(head >> kShapeBit & 7U);
}

}  // namespace

SassWorkload::SassWorkload(const std::string& path, SassOptions options)
    : options_(std::move(options)), ownOpcodes_(std::in_place, options_.opcodeFile) {
  opcodes_ = &*ownOpcodes_;
  if (isListName(path)) {
    list_ = readKernelList(path);
  } else {
    list_.kernels.push_back({path, 0});
  }
}

SassWorkload::SassWorkload(OpenKernel kernel, const OpcodeTable& opcodes, SassOptions options)
    : options_(std::move(options)), opcodes_(&opcodes), kernel_(std::move(kernel)), given_(true) {}

void SassWorkload::setWarpSlots(unsigned slots) {
  slots_.clear();
  slots_.resize(slots);
}

const Grid* SassWorkload::nextGrid() {
  if (std::exchange(given_, false)) {
    use(std::move(kernel_));
  } else if (nextKernel_ != list_.kernels.size()) {
    const std::string& path = list_.kernels[nextKernel_].path;
    grid_.where = path;
    use(openKernel(path, *opcodes_, options_));
    ++nextKernel_;
  } else {
    return nullptr;
  }
  return &grid_;
}

SassWorkload::Program& SassWorkload::programOf(const std::string& name) {
  for (Program& program : programs_) {
    if (program.name == name) return program;
  }
  programs_.emplace_back().name = name;
  return programs_.back();
}

std::uint32_t SassWorkload::numberOf(Program& program, const TracedInstruction& traced) {
  const std::string key =
      fmt::format("{:x} {} {} {} {}", traced.address, traced.text, traced.immediate,
                  traced.addressed, kernel_.form.header.architecture);
  const auto [at, isNew] =
      program.numbers.emplace(key, static_cast<std::uint32_t>(program.statics.size()));
  if (!isNew) return at->second;
  program.statics.push_back(traced.decoded.instruction);
  program.statics.back().pc = at->second;
  InstructionText text;
  text.opcode = fmt::format("/*{:04x}*/ {}", traced.address, traced.opcode);
  // A trace names no file. The kernel's name stands for it, so that lines have a place.
  if (traced.line != 0) text.file = program.name;
  text.line = traced.line;
  program.texts.push_back(std::move(text));
  return at->second;
}

void SassWorkload::use(OpenKernel kernel) {
  kernel_ = std::move(kernel);
  const KernelForm& form = kernel_.form;
  const KernelHeader& head = form.header;
  Program& program = programOf(head.name);
  const std::vector<TracedInstruction>& traced = form.instructions;
  std::vector<std::uint32_t> byAddress(traced.size());
  for (std::uint32_t i = 0; i < traced.size(); ++i) byAddress[i] = i;
  std::stable_sort(byAddress.begin(), byAddress.end(), [&](std::uint32_t a, std::uint32_t b) {
    return traced[a].address < traced[b].address;
  });
  statics_.assign(traced.size(), nullptr);
  grid_.registerCount = 1;
  for (const std::uint32_t i : byAddress) {
    const StaticInstruction& one = program.statics[numberOf(program, traced[i])];
    statics_[i] = &one;
    for (unsigned k = 0; k < one.readCount; ++k)
      grid_.registerCount = std::max<std::uint32_t>(grid_.registerCount, one.reads[k] + 1U);
    for (unsigned k = 0; k < one.writeCount; ++k)
      grid_.registerCount = std::max<std::uint32_t>(grid_.registerCount, one.writes[k] + 1U);
  }
  const auto found = std::find_if(programs_.begin(), programs_.end(),
                                  [&](const Program& one) { return &one == &program; });
  grid_.program = static_cast<unsigned>(found - programs_.begin());
  grid_.kernel = head.name;
  grid_.ctas = form.blocks.size();
  grid_.threadsPerCta = head.threads();
  grid_.registersPerThread =
      options_.settings.registers.value_or(static_cast<std::uint32_t>(head.registers));
  const std::uint64_t shared =
      options_.settings.shared.value_or(head.accessesAlone ? 0 : head.shared);
  grid_.sharedBytesPerCta = static_cast<std::uint32_t>(std::max(shared, form.sharedEnd));
  grid_.instructionCount = static_cast<std::uint32_t>(program.statics.size());
  localBytes_ = form.localEnd == 0
                    ? 0
                    : roundedUp(kWarpLanes * (form.localEnd - form.localFirst / 4 * 4), kLocalRow);
  streams_.insert(head.stream);
  addTallies(form.tallies);
}

void SassWorkload::startCta(std::uint64_t cta, unsigned firstSlot) {
  const unsigned warps = grid_.warpsPerCta();
  if (cta >= kernel_.form.blocks.size() || firstSlot + warps > slots_.size())
    throw std::logic_error("a CTA outside the grid or the warp slots was started");
  auto [piece, last] = kernel_.form.piecesOf(cta);
  for (unsigned warp = 0; warp < warps; ++warp) {
    Slot& slot = slots_[firstSlot + warp];
    if (slot.buffer == nullptr) slot.buffer = std::make_unique<char[]>(kBufferBytes + kBehind);
    slot.at = slot.end = slot.buffer.get();
    slot.piece = piece;
    while (piece != last && kernel_.form.pieces[piece].warp == warp) ++piece;
    slot.pieceEnd = piece;
    slot.read = 0;
    slot.copies.clear();
    slot.begun = slot.groups = 0;
    fetch(slot);
  }
}

void SassWorkload::endCta(unsigned firstSlot) {
  for (unsigned warp = 0; warp < grid_.warpsPerCta(); ++warp)
    slots_[firstSlot + warp].next = nullptr;
}

void SassWorkload::refill(Slot& slot) {
  char* const begin = slot.buffer.get();
  const auto held = static_cast<std::size_t>(slot.end - slot.at);
  std::memmove(begin, slot.at, held);
  slot.at = begin;
  std::size_t filled = held;
  while (slot.piece != slot.pieceEnd && filled < kBufferBytes) {
    const KernelForm::Piece& piece = kernel_.form.pieces[slot.piece];
    const std::size_t size = std::min<std::size_t>(piece.bytes - slot.read, kBufferBytes - filled);
    kernel_.pieces->read(begin + filled, size, piece.place + slot.read);
    filled += size;
    slot.read += static_cast<std::uint32_t>(size);
    if (slot.read != piece.bytes) break;
    ++slot.piece;
    slot.read = 0;
  }
  slot.end = begin + filled;
}

// Finds the instruction of the next row.
inline void SassWorkload::fetch(Slot& slot) {
  if (slot.end - slot.at < static_cast<std::ptrdiff_t>(kMostRow) && slot.piece != slot.pieceEnd)
    refill(slot);
  slot.next = nullptr;
  if (slot.at >= slot.end) return;
  slot.head = takeValue<std::uint32_t>(slot.at);
  const std::uint32_t index = slot.head & kIndexMask;
  if (index >= statics_.size()) throw std::logic_error("a row of a compiled trace is damaged");
  slot.next = statics_[index];
}

void SassWorkload::execute(unsigned number, WarpInstruction& out) {
  Slot& slot = slots_[number];
  if (slot.next == nullptr) throw std::logic_error("a warp that has exited was executed");
  const StaticInstruction& one = *slot.next;
  const std::uint32_t head = slot.head;
  out.pc = one.pc;
  out.active = (head & kMasked) != 0 ? takeValue<LaneMask>(slot.at) : kAllLanes;
  out.hasData = false;
  if (one.instructionClass == InstructionClass::Memory) {
    constexpr std::array<MemorySpace, 4> kSpaces{MemorySpace::Global, MemorySpace::Shared,
                                                 MemorySpace::Global, MemorySpace::Local};
    out.space = one.space == MemorySpace::Generic ? kSpaces[head >> kSpaceBit & 3U] : one.space;
    out.operation = one.operation;
    out.bytesPerLane = one.bytesPerLane;
    slot.at = takeAddresses(slot.at, shapeOf(head), out.active, out.address);
    if (__builtin_expect(static_cast<long>(out.space == MemorySpace::Local), 0) != 0)
      interleave(number, out);
    if (one.beginsCopy()) takeTarget(slot, one, out, (head & kTarget) != 0);
  } else if (one.instructionClass == InstructionClass::Barrier) {
    takeBarrier(slot, out);
  } else if (one.copyStep == CopyStep::Commit && out.active != 0) {
    ++slot.groups;
  }
  fetch(slot);
}

// Lays the words of the lanes side by side, as hardware does with the addresses that each thread
// has for itself.
void SassWorkload::interleave(unsigned slot, WarpInstruction& out) const {
  const std::uint64_t first = kernel_.form.localFirst / 4 * 4;
  const std::uint64_t base = kLocalBase + slot * localBytes_;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint64_t offset = out.address[lane] - first;
    out.address[lane] = base + offset / 4 * kLocalRow + lane * 4 + offset % 4;
  }
}

void SassWorkload::takeBarrier(Slot& slot, WarpInstruction& out) const {
  out.barrierThreads = takeValue<std::uint16_t>(slot.at);
  out.barrier = takeValue<std::uint8_t>(slot.at);
  out.barrierWaits = takeValue<std::uint8_t>(slot.at) != 0;
  if (out.barrierThreads != 0 || out.barrier == 0) return;
  // The trace does not say how many threads take part: those whose warps ever do.
  const unsigned warps = laneCount(kernel_.form.barrierWarps[out.barrier]);
  if (warps < grid_.warpsPerCta() || !out.barrierWaits) out.barrierThreads = warps * kWarpLanes;
}

void SassWorkload::takeTarget(Slot& slot, const StaticInstruction& one, WarpInstruction& out,
                              bool given) {
  out.copy = WarpInstruction::kNoCopy;
  if (!given && out.active == 0) return;  // predicated off
  Copy& copy = slot.copies.emplace_back();
  copy.number = out.copy = slot.begun++;
  WarpInstruction& target = copy.target;
  target.pc = one.pc;
  target.space = MemorySpace::Shared;
  target.operation = MemoryOperation::Store;
  target.bytesPerLane = one.bytesPerLane;
  target.active = 0;
  if (!given) return;
  const auto head = takeValue<std::uint32_t>(slot.at);
  target.active = (head & kMasked) != 0 ? takeValue<LaneMask>(slot.at) : kAllLanes;
  slot.at = takeAddresses(slot.at, shapeOf(head), target.active, target.address);
}

void SassWorkload::copyTarget(unsigned number, std::uint64_t copy, WarpInstruction& out) const {
  out.active = 0;
  for (const Copy& one : slots_[number].copies) {
    if (one.number != copy) continue;
    out.pc = one.target.pc;
    out.active = one.target.active;
    out.space = one.target.space;
    out.operation = one.target.operation;
    out.bytesPerLane = one.target.bytesPerLane;
    out.hasData = false;
    out.address = one.target.address;
    return;
  }
}

void SassWorkload::storeCopy(unsigned number, std::uint64_t copy, WarpInstruction& out) {
  copyTarget(number, copy, out);
  std::vector<Copy>& copies = slots_[number].copies;
  copies.erase(std::remove_if(copies.begin(), copies.end(),
                              [&](const Copy& one) { return one.number == copy; }),
               copies.end());
}

std::vector<DeviceBytes> SassWorkload::deviceMemory() const {
  if (nextKernel_ == 0) return {};
  const std::size_t count = list_.kernels[nextKernel_ - 1].copies;
  return {list_.copies.begin(), list_.copies.begin() + static_cast<std::ptrdiff_t>(count)};
}

InstructionText SassWorkload::instructionText(unsigned program, std::uint32_t pc) const {
  const Program& from = programs_[program];
  return pc < from.texts.size() ? from.texts[pc] : InstructionText{};
}

}  // namespace fermata::sass
