// Says what traces lack, and what that does to the figures.
#include <fmt/format.h>

#include <fermata/stimuli/traces/sass/sass_workload.h>

namespace fermata::sass {

namespace {

void addWords(std::string& words, const std::string& more) {
  std::size_t at = 0;
  while (at < more.size()) {
    const std::size_t end = std::min(more.find(' ', at), more.size());
    const std::string word = more.substr(at, end - at);
    if ((' ' + words + ' ').find(' ' + word + ' ') == std::string::npos)
      words += (words.empty() ? "" : " ") + word;
    at = end + 1;
  }
}

}  // namespace

void SassWorkload::addTallies(const Tallies& more) {
  tallies_.rows += more.rows;
  tallies_.halfCopies += more.halfCopies;
  tallies_.unaddressed += more.unaddressed;
  tallies_.misaligned += more.misaligned;
  tallies_.split += more.split;
  tallies_.unknownBarriers += more.unknownBarriers;
  addWords(tallies_.unaddressedOpcodes, more.unaddressedOpcodes);
  addWords(tallies_.unknownOpcodes, more.unknownOpcodes);
}

std::string SassWorkload::warning() const {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : "; ") + one; };
  if (!list_.missing.empty())
    add(fmt::format("{} of {} kernels of the list have no file and are left out, the first is {}",
                    list_.missing.size(), list_.missing.size() + list_.kernels.size(),
                    list_.missing.front()));
  if (kernel_.form.header.accessesAlone)
    add("a list of accesses: conflicts only, no cycles; lanes that took no part may count in a "
        ".memtrace, which has no mask");
  if (tallies_.halfCopies != 0)
    add(
        fmt::format("{} asynchronous copies have no shared address in the trace: their stores and "
                    "conflicts in shared memory are not counted (raw .trace files have them)",
                    tallies_.halfCopies));
  if (tallies_.unaddressed != 0)
    add(
        fmt::format("{} instructions move data without an address in the trace ({}): they issue "
                    "and access nothing",
                    tallies_.unaddressed, tallies_.unaddressedOpcodes));
  if (tallies_.misaligned != 0)
    add(
        fmt::format("{} accesses have an address that is no multiple of their width: the multiple "
                    "below counts",
                    tallies_.misaligned));
  if (tallies_.unknownBarriers != 0)
    add(
        fmt::format("{} barriers do not say how many threads take part: the warps that ever use "
                    "them count",
                    tallies_.unknownBarriers));
  if (!tallies_.unknownOpcodes.empty())
    add(fmt::format("unknown opcodes count as class integer: {}", tallies_.unknownOpcodes));
  if (streams_.size() > 1)
    add(fmt::format("kernels of {} streams run one after another", streams_.size()));
  return text;
}

}  // namespace fermata::sass
