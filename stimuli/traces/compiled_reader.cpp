#include <fermata/stimuli/traces/compiled_reader.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/traces/cluster_words.h>
#include <fermata/stimuli/traces/tensor_words.h>

namespace fermata::traces {

namespace {

using Damaged = CompiledInput::Damaged;

void require(bool holds) {
  if (!holds) throw Damaged();
}

}  // namespace

std::unique_ptr<CompiledReader> CompiledReader::open(const std::string& trace,
                                                     const ContentHash& hash) {
  const std::string file = trace + kCompiledSuffix;
  std::error_code error;  // skip a FIFO, which would block the reader
  if (!std::filesystem::is_regular_file(file, error)) return nullptr;
  return open(std::make_unique<std::ifstream>(file, std::ios::binary), file, hash);
}

std::unique_ptr<CompiledReader> CompiledReader::open(std::unique_ptr<std::istream> in,
                                                     const std::string& file,
                                                     const ContentHash& hash) {
  CompiledHeader expected;
  expected.trace = hash;
  if (!*in) return nullptr;
  std::unique_ptr<CompiledReader> reader(
      new CompiledReader(file, std::make_unique<std::istringstream>()));
  return reader->in_.open(std::move(in), expected) ? std::move(reader) : nullptr;
}

CompiledReader::CompiledReader(const std::string& file, std::unique_ptr<std::istringstream> line)
    : file_(file), line_(line.get()), rows_(std::move(line), file) {}

CompiledReader::Event CompiledReader::next() {
  try {
    return read();
  } catch (const Damaged&) {
    throw InputError({file_},
                     "the compiled trace is damaged or was changed while it was read; expected "
                     "what a replay wrote: remove it");
  }
}

CompiledReader::Event CompiledReader::read() {
  while (!ended_) {
    in_.beginRecord();
    const auto kind = in_.take<std::uint8_t>();
    constexpr auto kRow = static_cast<std::uint8_t>(Record::Row);
    if ((kind & kRow) != 0) return readRow(kind);
    switch (static_cast<Record>(kind)) {
      case Record::Line:
        if (readLine()) return Event::Grid;
        break;
      case Record::Start:
        start();
        break;
      case Record::Exit:
        readWarp();
        ctas_.exit(cta_, warp_);
        return Event::Exit;
      case Record::End:
        end();
        break;
      default:
        throw Damaged();
    }
  }
  return Event::End;
}

void CompiledReader::readWarp() {
  cta_ = in_.takeNumber();
  warp_ = in_.take<std::uint8_t>();
  require(ctas_.isOpen(cta_) && warp_ < grid_.warpsPerCta() && !ctas_.hasExited(cta_, warp_));
}

CompiledReader::Event CompiledReader::readRow(std::uint8_t flags) {
  readWarp();
  RowHead& head = row_.head;
  head = RowHead{};
  target_.head = RowHead{};
  const std::uint64_t pc = in_.takeNumber();
  const Program& program = tables_[grid_.program];
  require(pc < grid_.instructionCount && program.knows(static_cast<std::uint32_t>(pc)));
  head.pc = static_cast<std::uint32_t>(pc);
  head.active = (flags & kMasked) != 0 ? in_.take<LaneMask>() : kAllLanes;
  const StaticInstruction& instruction = program.instructions[head.pc];
  require((head.active & ~warpLanes()) == 0 || instruction.beginsCopy());
  const bool memory = instruction.instructionClass == InstructionClass::Memory;
  require(memory == ((flags & kAccess) != 0));
  if (memory) {
    head.space = in_.take<MemorySpace>();
    head.bytes = in_.take<std::uint8_t>();
    readAddresses(row_);
    require(accessFits(instruction));
  }
  if ((flags & kBarrier) != 0) readBarrier(head, instruction);
  if ((flags & kCopy) != 0) {
    require(namesTarget(instruction));
    readTarget();
  }
  require(!changesColumns(instruction) || head.active == 0 || (flags & kBarrier) != 0);
  require(!asksForClusters(instruction) || head.active == target_.head.active);
  return Event::Row;
}

void CompiledReader::readTarget() {
  RowHead& head = target_.head;
  head.pc = row_.head.pc;
  head.active = in_.take<LaneMask>();
  head.space = tables_[grid_.program].instructions[head.pc].targetSpace();
  const bool answers = asksForClusters(tables_[grid_.program].instructions[head.pc]);
  head.bytes = answers ? kBarrierBytes : row_.head.bytes;
  readAddresses(target_);
  require(head.active != 0 && addressesAre(target_, true));
}

void CompiledReader::readAddresses(Row& row) {
  RowHead& head = row.head;
  head.runs = in_.take<std::uint8_t>();
  head.offsetBytes = in_.take<std::uint8_t>();
  const std::size_t size = addressBytes(head);
  require(size <= Row::kMaxAddressBytes);
  std::memcpy(row.addresses.data(), in_.takeBytes(size), size);
}

bool CompiledReader::accessFits(const StaticInstruction& instruction) const {
  const RowHead& head = row_.head;
  const bool generic = instruction.space == MemorySpace::Generic;
  if (generic ? head.space == MemorySpace::None || head.space >= MemorySpace::Generic
              : head.space != instruction.space) {
    return false;
  }
  if (head.active == 0) {
    return addressBytes(head) == 0 && (head.bytes == 0 || isAccessSize(head.bytes));
  }
  return addressesAre(row_, false);
}

bool CompiledReader::addressesAre(const Row& row, bool target) const {
  const RowHead& head = row.head;
  if (head.space == MemorySpace::Shared && grid_.clusterCtas > 1) {
    if (!isAccessSize(head.bytes) || !addressesFit(row, ~std::uint64_t{0})) return false;
    LaneAddresses address;
    unpackAddresses(head, row.addresses.data(), address);
    return firstLaneOutside(grid_, address, head.active, head.bytes, target) == kWarpLanes;
  }
  const std::uint64_t window = head.space == MemorySpace::Shared
                                   ? grid_.sharedBytesPerCta
                                   : std::numeric_limits<std::uint64_t>::max();
  return isAccessSize(head.bytes) && head.bytes <= window && addressesFit(row, window - head.bytes);
}

void CompiledReader::readBarrier(RowHead& head, const StaticInstruction& instruction) {
  head.barrierThreads = in_.take<std::uint16_t>();
  head.barrier = in_.take<std::uint8_t>();
  head.barrierWaits = in_.take<std::uint8_t>() != 0;
  if (changesColumns(instruction))
    return require(isColumnChange(columnChangeOf(head), takesColumns(instruction), grid_));
  if (asksForClusters(instruction))
    return require(head.barrier == 0 && head.barrierWaits &&
                   head.barrierThreads <= laneCount(head.active) &&
                   ctas_.take(std::uint64_t{head.barrierThreads} * grid_.clusterCtas));
  if (instruction.suspends && instruction.instructionClass == InstructionClass::Integer) return;
  require(instruction.instructionClass == InstructionClass::Barrier);
  if (grid_.clusterCtas > 1 && isOfCluster(head.barrier))
    return require(head.barrierThreads == 0 && head.barrierWaits == (head.barrier == kClusterWait));
  require(head.barrier < kMaxBarriers);
  require(head.barrierThreads <= grid_.warpsPerCta() * kWarpLanes);
  require(head.barrierThreads % kWarpLanes == 0);
  require(head.barrierWaits || head.barrierThreads != 0);
}

bool CompiledReader::readLine() {
  const auto size = in_.take<std::uint32_t>();
  require(size <= CompiledInput::kBufferBytes);
  line_->clear();
  line_->str(std::string(in_.takeBytes(size), size));
  require(rows_.next());
  const std::string_view keyword = rows_[0];
  if (keyword == "memory" || keyword == "grid") require(ctas_.allEnded());
  if (keyword != "grid") {
    require(tables_.read(rows_, grid_));
    return false;
  }
  grid_ = tables_.readGrid(rows_);
  ctas_.begin(grid_);
  return true;
}

void CompiledReader::start() {
  require(ctas_.next() < ctas_.ctas());
  ctas_.start();
}

void CompiledReader::end() {
  require(ctas_.allEnded() && in_.atEnd());
  ended_ = true;
}

}  // namespace fermata::traces
