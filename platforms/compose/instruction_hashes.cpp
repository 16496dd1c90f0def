#include <fermata/platforms/compose/instruction_hashes.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace fermata::platforms {

namespace {

constexpr const char* kSyntax =
    "KERNEL=N, KERNEL:PC=N, KERNEL:PC-PC=N, FILE@LINE=N or FILE@LINE-LINE=N";
constexpr std::uint32_t kMostHash = 63;
constexpr std::uint32_t kMostPlace = 0x7fffffff;

/// The whole text as a number of at most `most`.
bool number(const std::string& text, std::uint32_t most, std::uint32_t& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end && value <= most;
}

std::string withoutFolder(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

InstructionHashes::InstructionHashes(const std::string& text, const SourceLocation& place)
    : text_(text), place_(place) {
  constexpr const char* kBlanks = " \t\r\n";
  std::size_t start = text.find_first_not_of(kBlanks);
  while (start != std::string::npos) {
    const std::size_t stop = std::min(text.find_first_of(kBlanks, start), text.size());
    entries_.push_back(read(text.substr(start, stop - start), start + 1));
    start = text.find_first_not_of(kBlanks, stop);
  }
}

void InstructionHashes::fail(const std::string& what, std::size_t column) const {
  const std::string where = column == 0 ? "" : fmt::format(" (column {})", column);
  throw InputError(place_,
                   fmt::format("scratchpad.instruction_hashes = \"{}\"{}: {}", text_, where, what));
}

InstructionHashes::Entry InstructionHashes::read(const std::string& word,
                                                 std::size_t column) const {
  Entry entry;
  entry.text = word;
  const std::size_t equals = word.rfind('=');
  if (equals == std::string::npos)
    fail(fmt::format("'{}' has no hash; expected {}", word, kSyntax), column);
  std::uint32_t hash = 0;
  if (!number(word.substr(equals + 1), kMostHash, hash)) {
    fail(fmt::format("the hash of '{}' is none; expected a number from 0 to {}", word, kMostHash),
         column + equals + 1);
  }
  entry.hash = static_cast<std::uint8_t>(hash);
  const std::string where = word.substr(0, equals);
  std::size_t mark = where.rfind('@');
  entry.lines = mark != std::string::npos;
  if (!entry.lines) mark = where.rfind(':');
  const bool inName = mark != std::string::npos && mark != 0 && where[mark - 1] == ':';
  if (!entry.lines && inName) mark = std::string::npos;  // ns::kernel
  entry.everything = mark == std::string::npos;
  entry.name = where.substr(0, mark);
  if (entry.name.empty())
    fail(fmt::format("'{}' names nothing; expected {}", word, kSyntax), column);
  if (entry.everything) return entry;
  const std::string range = where.substr(mark + 1);
  const std::size_t dash = range.find('-');
  const std::string last = dash == std::string::npos ? range : range.substr(dash + 1);
  if (!number(range.substr(0, dash), kMostPlace, entry.first) ||
      !number(last, kMostPlace, entry.last) || entry.first > entry.last) {
    fail(fmt::format("'{}' is no {} and no rising range of them; expected {}", range,
                     entry.lines ? "line" : "PC", kSyntax),
         column + mark + 1);
  }
  return entry;
}

void InstructionHashes::check(const indexing::Indexer& indexer) const {
  const auto* regions = dynamic_cast<const indexing::RegionIndexer*>(&indexer);
  const std::uint32_t count = regions == nullptr ? 1 : regions->regions();
  for (const Entry& entry : entries_) {
    if (entry.hash < count) continue;
    if (regions == nullptr) {
      fail(
          fmt::format("hashes 0 and {} could reach one word, for the indexer '{}' has no regions; "
                      "expected scratchpad.indexer='regions | MAPPING | MAPPING'",
                      entry.hash, indexer.text()));
    }
    fail(
        fmt::format("hash {} of '{}' has no region; expected a hash from 0 to {}, for the indexer "
                    "has {} regions",
                    entry.hash, entry.text, count - 1, count));
  }
}

bool InstructionHashes::names(const Entry& entry, const std::string& kernel,
                              const InstructionText& text, std::uint32_t pc) const {
  if (entry.everything) return entry.name == kernel;
  const std::uint32_t place = entry.lines ? text.line : pc;
  const bool same = entry.lines ? entry.name == withoutFolder(text.file) : entry.name == kernel;
  return same && entry.first <= place && place <= entry.last;
}

HashedProgram InstructionHashes::resolve(const Workload& workload, std::uint32_t program) {
  const std::uint32_t count = workload.instructionCount(program);
  HashedProgram hashed{workload.kernelName(program), std::vector<std::uint8_t>(count)};
  for (const Entry& entry : entries_) {
    if (entry.everything || entry.lines || entry.name != hashed.kernel || entry.last < count)
      continue;
    fail(fmt::format("'{}': the kernel has {} instructions; expected PCs from 0 to {}", entry.text,
                     count, count - 1));
  }
  for (std::uint32_t pc = 0; pc < count; ++pc) {
    const InstructionText text = workload.instructionText(program, pc);
    const Entry* found = nullptr;
    for (Entry& entry : entries_) {
      if (!names(entry, hashed.kernel, text, pc)) continue;
      entry.used = true;
      if (found != nullptr && found->hash != entry.hash) {
        fail(fmt::format("'{}' and '{}' both name pc {} of kernel '{}'; expected one hash",
                         found->text, entry.text, pc, hashed.kernel));
      }
      found = &entry;
    }
    if (found != nullptr) hashed.hash[pc] = found->hash;
  }
  return hashed;
}

void InstructionHashes::checkUsed() const {
  for (const Entry& entry : entries_) {
    if (entry.used) continue;
    fail(
        fmt::format("'{}' names no instruction of a kernel that ran and uses shared memory; "
                    "expected the names and numbers of instructions.csv",
                    entry.text));
  }
}

}  // namespace fermata::platforms
