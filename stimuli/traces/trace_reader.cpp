#include <fermata/stimuli/traces/trace_reader.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include <fermata/stimuli/traces/cluster_words.h>
#include <fermata/stimuli/traces/tensor_words.h>

namespace fermata::traces {

namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
enum Column : std::size_t { kCta, kWarp, kPc, kLanes, kOperand, kSpace, kBytes };

}  // namespace

TraceReader::TraceReader(std::unique_ptr<std::istream> in, const std::string& file,
                         std::unique_ptr<CompiledWriter> copy)
    : rows_(std::move(in), file), copy_(std::move(copy)) {
  readHeader();
}

void TraceReader::readHeader() {
  const std::string expected = fmt::format("; expected the line '{},{}'", kMagic, kVersion);
  if (!rows_.next()) rows_.failLine("the trace is empty{}", expected);
  if (rows_[0] != kMagic) rows_.fail(0, 0, "not a trace{}", expected);
  if (rows_.size() != 2 || rows_[1] != std::to_string(kVersion))
    rows_.fail(rows_.size() > 1 ? 1 : 0, 0, "unknown version of the trace format{}", expected);
  if (!rows_.next()) rows_.failLine("the trace ends early; expected the line of column names");
  for (std::size_t i = 0; i < std::max(rows_.size(), kColumns.size()); ++i) {
    if (i < rows_.size() && i < kColumns.size() && rows_[i] == kColumns[i]) continue;
    const std::string names = fmt::format("{}", fmt::join(kColumns, ","));
    if (i < rows_.size()) rows_.fail(i, 0, "unknown column '{}'; expected {}", rows_[i], names);
    rows_.fail(rows_.size() - 1, 0, "a column is missing; expected {}", names);
  }
}

TraceReader::Event TraceReader::next() {
  while (!ended_) {
    if (!rows_.next())
      rows_.failLine("the trace ends without its trailer, it is cut off; expected 'end,{}'",
                     count_);
    const std::string_view first = rows_[kCta];
    if (!first.empty() && first[0] >= '0' && first[0] <= '9') {
      readWarpInstruction();
      if (copy_) copy_->row(cta_, warp_, row_, target_);
      return Event::Row;
    }
    Event event = Event::End;
    if (readKeyword(event)) return event;
  }
  return Event::End;
}

bool TraceReader::readKeyword(Event& event) {
  const std::string_view keyword = rows_[0];
  if (keyword == "exit") {
    readExit();
    event = Event::Exit;
    return true;
  }
  if (keyword == "end") {
    readEnd();
    event = Event::End;
    return true;
  }
  if (keyword == "start") {
    readStart();
    return false;
  }
  const bool grid = keyword == "grid";
  if (grid || keyword == "memory") checkGridEnded();
  if (grid) {
    grid_ = tables_.readGrid(rows_);
    ctas_.begin(grid_);
  } else if (!tables_.read(rows_, grid_)) {
    rows_.fail(0, 0,
               "unknown row '{}'; expected a CTA's number, exit, start, instruction, text, "
               "program, memory, grid or end",
               keyword);
  }
  if (copy_) copy_->line(rows_.text());
  event = Event::Grid;
  return grid;
}

template <class Parse>
auto TraceReader::at(std::size_t field, std::size_t start, Parse parse) const {
  try {
    return parse();
  } catch (const FormatError& wrong) {
    if (field >= rows_.size()) rows_.failLine("{}", wrong.what);
    rows_.fail(field, start + wrong.offset, "{}", wrong.what);
  }
}

std::uint64_t TraceReader::number(std::size_t field, std::uint64_t limit,
                                  const char* quantity) const {
  const std::string_view text = rows_[field];
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end && value <= limit) return value;
  return at(field, 0, [&] { return parseNumber(text, limit, quantity); });  // says what is wrong
}

void TraceReader::expectFields(std::size_t least, std::size_t most) const {
  if (rows_.size() >= least && rows_.size() <= most) return;
  const std::string range =
      least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  rows_.failLine("the row has {} fields; expected {}", rows_.size(), range);
}

void TraceReader::readWarp(std::size_t ctaField) {
  cta_ = number(ctaField, kNoLimit, "cta");
  if (!ctas_.isOpen(cta_))
    rows_.fail(ctaField, 0,
               "CTA {} has {}; expected rows between 'start' and the last 'exit' of their CTA",
               cta_, cta_ < ctas_.first() ? "ended" : "not started");
  warp_ = static_cast<std::uint32_t>(number(ctaField + 1, grid_.warpsPerCta() - 1, "warp"));
  if (ctas_.hasExited(cta_, warp_))
    rows_.fail(ctaField + 1, 0, "warp {} of CTA {} has exited; expected no row behind its 'exit'",
               warp_, cta_);
}

void TraceReader::readWarpInstruction() {
  expectFields(kPc + 1, kColumns.size());
  readWarp(kCta);
  RowHead& head = row_.head;
  head = RowHead{};
  target_.head = RowHead{};
  head.pc = static_cast<std::uint32_t>(number(kPc, grid_.instructionCount - 1, "pc"));
  const Program& program = tables_[grid_.program];
  if (!program.knows(head.pc))
    rows_.fail(kPc, 0, "pc {} of {} is not known; expected its 'instruction' row before", head.pc,
               program.name);
  readLanes(program.instructions[head.pc]);
  readOperand(program.instructions[head.pc]);
  ++count_;
}

void TraceReader::readLanes(const StaticInstruction& instruction) {
  LaneMask& active = row_.head.active;
  active = warpLanes();
  if (rows_.size() <= kLanes || rows_[kLanes].empty()) return;
  active = at(kLanes, 0, [&] { return parseMask(rows_[kLanes]); });
  if ((active & ~warpLanes()) == 0 || instruction.beginsCopy()) return;
  rows_.fail(kLanes, 0,
             "the mask has lanes without a thread; expected lanes of a warp of {} threads",
             laneCount(warpLanes()));
}

void TraceReader::readOperand(const StaticInstruction& instruction) {
  if (instruction.instructionClass == InstructionClass::Memory) {
    readSpace(instruction);
    readBytes(instruction);
    const std::string_view text = rows_.size() > kOperand ? rows_[kOperand] : std::string_view();
    const std::size_t from = namesTarget(instruction) ? text.find('>') : std::string_view::npos;
    readAddresses(text.substr(0, from), row_, false);
    if (asksForClusters(instruction)) return readAnswers(text, from);
    if (from != std::string_view::npos) readTarget(text.substr(from + 1));
    return;
  }
  for (std::size_t field = kSpace; field < rows_.size(); ++field) {
    if (rows_[field].empty()) continue;
    rows_.fail(field, 0, "a memory space or size on an instruction that is not class=memory");
  }
  if (changesColumns(instruction) && row_.head.active != 0) return readColumns(instruction);
  if (rows_.size() <= kOperand || rows_[kOperand].empty()) return;
  if (instruction.suspends && !takesColumns(instruction))
    return row_.head.setNanoseconds(
        static_cast<std::uint32_t>(number(kOperand, kMostPause, "the nanoseconds of a pause")));
  if (instruction.instructionClass != InstructionClass::Barrier)
    rows_.fail(kOperand, 0,
               "an operand on an instruction that is neither class=memory nor class=barrier");
  readBarrier();
}

void TraceReader::readSpace(const StaticInstruction& instruction) {
  row_.head.space = instruction.space;
  const std::string_view text = rows_.size() > kSpace ? rows_[kSpace] : std::string_view();
  if (!text.empty()) {
    row_.head.space = at(kSpace, 0, [&] { return spaceNamed(text); });
    const bool fits = instruction.space == MemorySpace::Generic
                          ? row_.head.space != MemorySpace::Generic
                          : row_.head.space == instruction.space;
    if (!fits)
      rows_.fail(kSpace, 0,
                 "space '{}' does not fit an instruction of space={}; expected the space that was "
                 "accessed",
                 text, name(instruction.space));
  }
  if (row_.head.space != MemorySpace::Generic) return;
  if (row_.head.active != 0)
    rows_.failLine("a generic access without its space; expected it in column 'space'");
  row_.head.space = MemorySpace::Global;  // no lane accesses anything
}

void TraceReader::readBytes(const StaticInstruction& instruction) {
  row_.head.bytes = instruction.bytesPerLane;
  if (rows_.size() > kBytes && !rows_[kBytes].empty())
    row_.head.bytes = at(kBytes, 0, [&] { return parseBytes(rows_[kBytes], false); });
  if (row_.head.bytes == 0 && row_.head.active != 0)
    rows_.failLine("an access of bytes=0 without its size; expected it in column 'bytes'");
}

void TraceReader::readAddresses(std::string_view text, Row& row, bool target) {
  const bool has = rows_.size() > kOperand;
  const auto start = static_cast<std::size_t>(has ? text.data() - rows_[kOperand].data() : 0);
  const RowHead& head = row.head;
  const ParsedRuns parsed =
      at(kOperand, start, [&] { return parseRuns(text, head.active, runs_); });
  if (parsed.count == 0) return;
  checkRange(parsed, row.head, start, target);
  // PTX demands it. A lane then lies in one segment and in whole bank words.
  if (!areAligned(runs_.data(), parsed.count, head.active, head.bytes))
    rows_.fail(kOperand, start,
               "misaligned address; expected a multiple of the access's {} bytes in every lane",
               head.bytes);
  packRuns(runs_, parsed.count, row);
}

void TraceReader::checkRange(const ParsedRuns& parsed, const RowHead& head, std::size_t start,
                             bool target) const {
  const bool shared = head.space == MemorySpace::Shared;
  const std::uint64_t last = shared ? grid_.sharedBytesPerCta : kNoLimit;
  std::uint64_t wrong = parsed.highest;
  if (head.bytes <= last && wrong <= last - head.bytes) return;
  if (shared && grid_.clusterCtas > 1) {
    LaneAddresses address;
    expandRuns(runs_.data(), parsed.count, head.active, address);
    const unsigned lane = firstLaneOutside(grid_, address, head.active, head.bytes, target);
    if (lane == kWarpLanes) return;
    wrong = address[lane];
  }
  rows_.fail(kOperand, start, "{}address {} is out of range; expected {} bytes within {}",
             shared ? "shared " : "", wrong, unsigned{head.bytes},
             shared ? sharedPlaces(grid_) : "64-bit addresses");
}

// Reads "addresses", of the lanes that read, or "mask:addresses".
void TraceReader::readTarget(std::string_view text) {
  RowHead& head = target_.head;
  head.pc = row_.head.pc;
  head.active = row_.head.active;
  head.space = tables_[grid_.program].instructions[head.pc].targetSpace();
  const bool answers = asksForClusters(tables_[grid_.program].instructions[head.pc]);
  head.bytes = answers ? kBarrierBytes : row_.head.bytes;
  const auto start = static_cast<std::size_t>(text.data() - rows_[kOperand].data());
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    head.active = at(kOperand, start, [&] { return parseMask(text.substr(0, colon)); });
    text.remove_prefix(colon + 1);
  }
  if (head.active == 0)
    rows_.fail(kOperand, start,
               "a copy that stores in no lane; expected '>mask:addresses' where no lane reads");
  readAddresses(text, target_, true);
}

// Reads what stands behind the places of answers about clusters, from `from` on:
// ">mbarriers>clusters", the latter if any were taken.
void TraceReader::readAnswers(std::string_view text, std::size_t from) {
  if (row_.head.active == 0 && from == std::string_view::npos) return;
  if (from == std::string_view::npos)
    rows_.failLine("a request for clusters without its mbarriers; expected 'answers>mbarriers'");
  text.remove_prefix(from + 1);
  const auto start = static_cast<std::size_t>(text.data() - rows_[kOperand].data());
  const std::size_t behind = text.find('>');
  readTarget(text.substr(0, behind));
  if (target_.head.active != row_.head.active)
    rows_.fail(kOperand, start, "mbarriers of other lanes than ask; expected one of each lane");
  if (behind == std::string_view::npos) return;
  const auto clusters = static_cast<std::uint16_t>(at(kOperand, start + behind + 1, [&] {
    return parseNumber(text.substr(behind + 1), laneCount(row_.head.active), "clusters taken");
  }));
  const std::uint64_t left = (ctas_.ctas() - ctas_.next()) / grid_.clusterCtas;
  if (!ctas_.take(std::uint64_t{clusters} * grid_.clusterCtas))
    rows_.fail(kOperand, start + behind + 1,
               "{} clusters are taken; expected at most the {} that have not begun", clusters,
               left);
  row_.head.barrierThreads = clusters;
}

void TraceReader::readColumns(const StaticInstruction& instruction) {
  const std::string_view text = rows_.size() > kOperand ? rows_[kOperand] : std::string_view();
  setColumns(row_.head,
             at(kOperand, 0, [&] { return parseColumns(text, takesColumns(instruction), grid_); }));
}

void TraceReader::readBarrier() {
  const std::string_view text = rows_[kOperand];
  if (const auto cluster = clusterBarrierNamed(text)) {
    if (grid_.clusterCtas == 1)
      rows_.fail(kOperand, 0,
                 "the barrier of a cluster in a grid without clusters; expected its 'grid' row to "
                 "have cluster=2 or more");
    row_.head.barrier = *cluster;
    row_.head.barrierWaits = *cluster == kClusterWait;
    return;
  }
  const auto fail = [&](std::size_t offset) {
    rows_.fail(kOperand, offset,
               "bad barrier '{}'; expected number, number/threads or number/threads/arrive, number "
               "below {}, threads a multiple of 32 and no more than the CTA's warps hold",
               text, kMaxBarriers);
  };
  const std::size_t slash = std::min(text.find('/'), text.size());
  try {
    row_.head.barrier =
        static_cast<std::uint8_t>(parseNumber(text.substr(0, slash), kMaxBarriers - 1, "barrier"));
    if (slash == text.size()) return;
    const std::string_view rest = text.substr(slash + 1);
    const std::size_t second = std::min(rest.find('/'), rest.size());
    row_.head.barrierThreads = static_cast<std::uint16_t>(parseNumber(
        rest.substr(0, second), std::uint64_t{grid_.warpsPerCta()} * kWarpLanes, "threads"));
    if (row_.head.barrierThreads % kWarpLanes != 0) fail(slash + 1);  // PTX ISA, bar
    if (second == rest.size()) return;
    if (rest.substr(second) != "/arrive") fail(slash + 1 + second);
    // PTX ISA, bar.arrive: the count is required.
    if (row_.head.barrierThreads == 0) fail(slash + 1);
    row_.head.barrierWaits = false;
  } catch (const FormatError&) {
    fail(0);
  }
}

void TraceReader::readStart() {
  expectFields(2, 2);
  if (grid_.ctas == 0) rows_.failLine("a CTA before the first grid; expected a 'grid' row");
  const std::uint64_t cta = number(1, grid_.ctas - 1, "cta");
  const bool over = ctas_.next() == ctas_.ctas();
  if (over || cta != ctas_.next())
    rows_.fail(1, 0, "CTA {} out of order; expected {}", cta,
               over ? "no more" : std::to_string(ctas_.next()));
  ctas_.start();
  if (copy_) copy_->start();
}

void TraceReader::readExit() {
  expectFields(3, 3);
  readWarp(1);
  ctas_.exit(cta_, warp_);
  if (copy_) copy_->exit(cta_, warp_);
}

void TraceReader::checkGridEnded() const {
  if (ctas_.allEnded()) return;
  rows_.failLine(
      "CTA {} of {} of the grid has not ended; expected an 'exit' row for each warp of each CTA",
      ctas_.first(), grid_.ctas);
}

void TraceReader::readEnd() {
  expectFields(2, 2);
  checkGridEnded();
  const std::uint64_t count = number(1, kNoLimit, "count");
  if (count != count_)
    rows_.fail(1, 0, "the trailer counts {} warp instructions; expected the {} that the trace has",
               count, count_);
  if (rows_.next()) rows_.failLine("a row behind the trailer; expected the end of the file");
  if (copy_) copy_->finish();
  ended_ = true;
}

}  // namespace fermata::traces
