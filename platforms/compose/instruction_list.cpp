#include <fermata/platforms/compose/instruction_list.h>

#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace fermata::platforms {

namespace {

constexpr std::uint32_t kMostMark = 63;
constexpr std::uint32_t kMostPlace = 0x7fffffff;

/// Parses the whole text as a number; false if it is not one, or is above `most`.
bool number(const std::string& text, std::uint32_t most, std::uint32_t& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end && value <= most;
}

std::string withoutFolder(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

InstructionList::InstructionList(const char* parameter, Marks marks, const std::string& text,
                                 const SourceLocation& place)
    : parameter_(parameter), marks_(marks), text_(text), place_(place) {
  constexpr const char* kBlanks = " \t\r\n";
  std::size_t start = text.find_first_not_of(kBlanks);
  while (start != std::string::npos) {
    const std::size_t stop = std::min(text.find_first_of(kBlanks, start), text.size());
    entries_.push_back(read(text.substr(start, stop - start), start + 1));
    start = text.find_first_not_of(kBlanks, stop);
  }
}

void InstructionList::fail(const std::string& what, std::size_t column) const {
  const std::string where = column == 0 ? "" : fmt::format(" (column {})", column);
  refuse(place_, "{} = \"{}\"{}: {}", parameter_, text_, where, what);
}

std::string InstructionList::syntax() const {
  return marks_ == Marks::Numbers
             ? "KERNEL=N, KERNEL:PC=N, KERNEL:PC-PC=N, FILE@LINE=N or FILE@LINE-LINE=N"
             : "KERNEL, KERNEL:PC, KERNEL:PC-PC, FILE@LINE or FILE@LINE-LINE";
}

InstructionList::Entry InstructionList::read(const std::string& word, std::size_t column) const {
  Entry entry;
  entry.text = word;
  std::size_t equals = word.size();
  entry.mark = 1;
  if (marks_ == Marks::Numbers) {
    equals = word.rfind('=');
    if (equals == std::string::npos)
      fail(fmt::format("'{}' has no hash; expected {}", word, syntax()), column);
    readMark(entry, equals, column);
  }
  readPlace(entry, word.substr(0, equals), column);
  return entry;
}

void InstructionList::readMark(Entry& entry, std::size_t equals, std::size_t column) const {
  std::uint32_t mark = 0;
  if (!number(entry.text.substr(equals + 1), kMostMark, mark))
    fail(fmt::format("the hash of '{}' is none; expected a number from 0 to {}", entry.text,
                     kMostMark),
         column + equals + 1);
  entry.mark = static_cast<std::uint8_t>(mark);
}

void InstructionList::readPlace(Entry& entry, const std::string& where, std::size_t column) const {
  std::size_t mark = where.rfind('@');
  entry.lines = mark != std::string::npos;
  if (!entry.lines) mark = where.rfind(':');
  const bool inName = mark != std::string::npos && mark != 0 && where[mark - 1] == ':';
  if (!entry.lines && inName) mark = std::string::npos;  // the colons of ns::kernel
  entry.everything = mark == std::string::npos;
  entry.name = where.substr(0, mark);
  if (entry.name.empty())
    fail(fmt::format("'{}' names nothing; expected {}", entry.text, syntax()), column);
  if (entry.everything) return;
  const std::string range = where.substr(mark + 1);
  const std::size_t dash = range.find('-');
  const std::string last = dash == std::string::npos ? range : range.substr(dash + 1);
  if (!number(range.substr(0, dash), kMostPlace, entry.first) ||
      !number(last, kMostPlace, entry.last) || entry.first > entry.last) {
    fail(fmt::format("'{}' is no {} and no rising range of them; expected {}", range,
                     entry.lines ? "line" : "PC", syntax()),
         column + mark + 1);
  }
}

bool InstructionList::names(const Entry& entry, const std::string& kernel,
                            const InstructionText& text, std::uint32_t pc) const {
  if (entry.everything) return entry.name == kernel;
  const std::uint32_t place = entry.lines ? text.line : pc;
  const bool same = entry.lines ? entry.name == withoutFolder(text.file) : entry.name == kernel;
  return same && entry.first <= place && place <= entry.last;
}

std::vector<std::uint8_t> InstructionList::resolve(const Workload& workload,
                                                   std::uint32_t program) {
  const std::uint32_t count = workload.instructionCount(program);
  const std::string kernel = workload.kernelName(program);
  std::vector<std::uint8_t> marks(count);
  for (const Entry& entry : entries_) {
    if (entry.everything || entry.lines || entry.name != kernel || entry.last < count) continue;
    fail(fmt::format("'{}': the kernel has {} instructions; expected PCs from 0 to {}", entry.text,
                     count, count - 1));
  }
  for (std::uint32_t pc = 0; pc < count; ++pc) {
    const InstructionText text = workload.instructionText(program, pc);
    const Entry* found = nullptr;
    for (Entry& entry : entries_) {
      if (!names(entry, kernel, text, pc)) continue;
      entry.used = true;
      if (found != nullptr && found->mark != entry.mark)
        fail(fmt::format("'{}' and '{}' both name pc {} of kernel '{}'; expected one of them",
                         found->text, entry.text, pc, kernel));
      found = &entry;
    }
    if (found != nullptr) marks[pc] = found->mark;
  }
  return marks;
}

void InstructionList::checkUsed() const {
  for (const Entry& entry : entries_) {
    if (entry.used) continue;
    fail(
        fmt::format("'{}' names no instruction of a kernel that ran and uses shared memory; "
                    "expected the names and numbers of instructions.csv",
                    entry.text));
  }
}

}  // namespace fermata::platforms
