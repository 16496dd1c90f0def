#include <fermata/models/core/instruction_cache.h>

#include <algorithm>
#include <systemc>

namespace fermata {

namespace {

const InstructionCache::Parameters& checked(const InstructionCache::Parameters& p) {
  const bool possible = p.bytes == 0 || (p.instructionBytes != 0 && p.ways != 0 &&
                                         p.lineBytes % p.instructionBytes == 0 &&
                                         p.lineBytes != 0 && p.bytes % (p.lineBytes * p.ways) == 0);
  if (!possible)
    SC_REPORT_FATAL("fermata/core", "the instruction cache must be whole sets of whole lines");
  return p;
}

}  // namespace

InstructionCache::InstructionCache(const Parameters& parameters)
    : parameters_(checked(parameters)),
      perLine_(parameters.bytes == 0 ? 1 : parameters.lineBytes / parameters.instructionBytes),
      sets_(parameters.bytes == 0 ? 0
                                  : parameters.bytes / (parameters.lineBytes * parameters.ways)),
      lines_(std::size_t{sets_} * parameters.ways) {}

void InstructionCache::clear() {
  std::fill(lines_.begin(), lines_.end(), Line{});
  fetched_.clear();
  clock_ = 0;
}

Cycle InstructionCache::fetch(std::uint32_t program, std::uint32_t pc, Cycle now) {
  const std::uint64_t number = std::uint64_t{program} << 32 | pc / perLine_;
  // Programs lie one behind the other in memory, so each begins at a different set.
  const std::size_t set = (pc / perLine_ + program) % sets_;
  Line* const first = &lines_[set * parameters_.ways];
  Line* victim = first;
  for (Line* line = first; line != first + parameters_.ways; ++line) {
    if (line->number == number) {
      line->used = ++clock_;
      return std::max(now, line->there);
    }
    if (line->used < victim->used) victim = line;
  }
  *victim = {number, now + latencyOf(number), ++clock_};
  return victim->there;
}

Cycle InstructionCache::latencyOf(std::uint64_t number) {
  const auto place = std::lower_bound(fetched_.begin(), fetched_.end(), number);
  if (place != fetched_.end() && *place == number) return parameters_.latency;
  fetched_.insert(place, number);
  return parameters_.firstLatency;
}

}  // namespace fermata
