#include <fermata/models/core/instruction_cache.h>

#include <algorithm>
#include <systemc>

namespace fermata {

namespace {

bool isPowerOfTwo(unsigned value) {
  return value != 0 && (value & (value - 1)) == 0;
}

unsigned log2Of(unsigned powerOfTwo) {
  return static_cast<unsigned>(__builtin_ctz(powerOfTwo));
}

const InstructionCache::Parameters& checked(const InstructionCache::Parameters& p) {
  const bool possible =
      p.bytes == 0 || (isPowerOfTwo(p.instructionBytes) && isPowerOfTwo(p.lineBytes) &&
                       p.lineBytes >= p.instructionBytes && p.ways != 0 && p.mshrs != 0 &&
                       p.bytes % (p.lineBytes * p.ways) == 0);
  if (!possible)
    SC_REPORT_FATAL("fermata/core",
                    "the instruction cache must be whole sets of whole lines, with an MSHR");
  return p;
}

}  // namespace

InstructionCache::InstructionCache(const Parameters& parameters)
    : parameters_(checked(parameters)),
      tables_(parameters.constantMshrs, parameters.constantReaders),
      sets_(parameters.bytes == 0 ? 0
                                  : parameters.bytes / (parameters.lineBytes * parameters.ways)),
      lines_(sets_ * parameters.ways) {
  if (!exists()) return;
  lineShift_ = log2Of(parameters.lineBytes);
  pcShift_ = log2Of(parameters.lineBytes / parameters.instructionBytes);
}

void InstructionCache::clear() {
  std::fill(lines_.begin(), lines_.end(), Line{});
  flights_.clear();
  queue_.clear();
  programs_.clear();
  tables_.clear();
  misses_ = 0;
  ahead_ = 0;
  last_.fill(0);
  waiting_ = 0;
  clock_ = 0;
  buffers_.fill(Buffer{});
  lastFetched_ = 0;
  places_.fill(Places{});
  end_ = kBase >> lineShift_;
}

void InstructionCache::beginGrid(const Grid& grid) {
  if (!exists()) return;
  layOut(grid);
  const Program& program = programs_[grid.program];
  const std::uint64_t preloaded =
      std::min<std::uint64_t>(program.lines, parameters_.preload >> lineShift_);
  for (std::uint64_t line = program.first; line < program.first + preloaded; ++line) {
    if (find(line) == nullptr) place(line, false);
  }
}

void InstructionCache::layOut(const Grid& grid) {
  if (!exists()) return;
  if (programs_.size() <= grid.program) programs_.resize(grid.program + 1);
  Program& program = programs_[grid.program];
  if (program.lines != 0) return;
  if (grid.codeOf) {
    program = programs_[*grid.codeOf];
    return;
  }
  program.first = end_;
  const std::uint64_t before =
      parameters_.packed ? grid.instructionsBefore & ((1U << pcShift_) - 1) : 0;
  program.begin = (end_ << pcShift_) + before;
  program.lines = ((before + std::max(grid.instructionCount, 1U) - 1) >> pcShift_) + 1;
  end_ += program.lines;
  if (parameters_.constants) program.constants = end_++;
}

InstructionCache::Line* InstructionCache::find(std::uint64_t number) {
  Line* const first = &lines_[number % sets_ * parameters_.ways];
  Line* const last = first + parameters_.ways;
  Line* const found =
      std::find_if(first, last, [&](const Line& line) { return line.number == number; });
  return found == last ? nullptr : found;
}

InstructionCache::Flight* InstructionCache::underWay(std::uint64_t number) {
  const auto found = std::find_if(flights_.begin(), flights_.end(),
                                  [&](const Flight& flight) { return flight.number == number; });
  return found == flights_.end() ? nullptr : &*found;
}

/// Lets the warp wait for an absent line.
void InstructionCache::miss(unsigned slot, std::uint64_t number, Cycle now) {
  waiting_ |= slotBit(slot);
  if (Flight* const flight = underWay(number); flight != nullptr) {
    flight->waiting |= slotBit(slot);
    return;
  }
  if (misses_ == parameters_.mshrs) {
    queue_.push_back(slot);
    return;
  }
  ++misses_;
  flights_.push_back({number, slotBit(slot), false});
  const Wait& wait = waits_[slot];
  memory_->fetch({number << lineShift_, wait.program, wait.pc}, now);
  runAhead(wait.program, number, now);
}

/// Asks for the lines behind `number`, as far as they are absent and the program reaches.
void InstructionCache::runAhead(std::uint32_t id, std::uint64_t number, Cycle now) {
  const Program program = programs_[id];
  const std::uint64_t end = program.first + program.lines;
  const std::uint64_t last = std::min(end, number + 1 + parameters_.prefetch);
  for (std::uint64_t next = number + 1; next < last && ahead_ < parameters_.prefetch; ++next) {
    if (find(next) != nullptr || underWay(next) != nullptr) continue;
    ++ahead_;
    flights_.push_back({next, 0, true});
    const auto pc = static_cast<std::uint32_t>((next << pcShift_) - program.begin);
    memory_->fetch({next << lineShift_, id, pc}, now);
  }
}

/// Returns the slots that waited for the line. A line of an earlier workload is dropped.
SlotMask InstructionCache::arrive(std::uint64_t number) {
  Flight* const flight = underWay(number);
  if (flight == nullptr || --flight->parts != 0) return 0;
  const Flight over = *flight;
  *flight = flights_.back();
  flights_.pop_back();
  if (over.constants) {
    takeConstants(number);
    return 0;
  }
  --(over.ahead ? ahead_ : misses_);
  place(number, over.ahead);
  return over.waiting;
}

bool InstructionCache::askConstants(std::uint32_t id, std::uint32_t pc, Cycle now) {
  const Program& program = programs_[id];
  if (program.constantsHere) return true;
  if (underWay(program.constants) != nullptr) return false;
  const unsigned parts = parameters_.constantParts;
  flights_.push_back({program.constants, 0, false, true, parts});
  for (unsigned part = 0; part < parts; ++part)
    memory_->fetch({program.constants << lineShift_, id, pc, part, parts}, now);
  return false;
}

/// Takes a line that holds the constants of programs.
void InstructionCache::takeConstants(std::uint64_t number) {
  for (Program& program : programs_) {
    if (program.lines == 0 || program.constants != number) continue;
    program.constantsHere = true;
  }
}

void InstructionCache::place(std::uint64_t number, bool ahead) {
  Line* const first = &lines_[number % sets_ * parameters_.ways];
  *std::min_element(first, first + parameters_.ways, [](const Line& a, const Line& b) {
    return a.used < b.used;
  }) = {number, ++clock_, ahead};
}

}  // namespace fermata
