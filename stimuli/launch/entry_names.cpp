#include <fermata/stimuli/launch/entry_names.h>

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

constexpr std::size_t kMostListed = 20;

bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Returns the C++ name, "void ns::kernel<float, 4>(float*)"; empty for a name that is not mangled.
std::string demangled(const std::string& entry) {
  if (entry.rfind("_Z", 0) != 0) return "";  // the demangler takes "i" for a type
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(entry.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : "";
}

/// Returns the normal form of one word, written by the demangler or by a person.
std::string normalWord(std::string word, std::string_view behind) {
  if (isDigit(word[0])) {  // 32u, 7ul
    const std::size_t end = word.find_first_not_of("0123456789");
    return end != std::string::npos && word.find_first_not_of("uUlL", end) == std::string::npos
               ? word.substr(0, end)
               : word;
  }
  if (word == "true") return "1";
  if (word == "false") return "0";
  if (word != "unsigned") return word;
  behind.remove_prefix(std::min(behind.find_first_not_of(' '), behind.size()));
  for (const std::string_view type : {"char", "short", "int", "long"}) {
    if (behind.substr(0, type.size()) == type) return word;
  }
  return "unsigned int";
}

/// Returns the length of a cast before a number at the front of `text`, such as "(Mode)1"; 0: none.
std::size_t castLength(std::string_view text) {
  const std::size_t close = text.find_first_of("()<>,", 1);
  if (text[0] != '(' || close == std::string_view::npos || text[close] != ')') return 0;
  std::size_t next = close + 1;
  if (next < text.size() && text[next] == '-') ++next;
  return next < text.size() && isDigit(text[next]) ? close + 1 : 0;
}

/// Returns one text for all ways to write a name: blanks stand only between words.
std::string normal(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t cast = castLength(text.substr(at)); cast != 0) {
      at += cast;
    } else if (isWord(text[at])) {
      std::size_t end = at;
      while (end < text.size() && isWord(text[end])) ++end;
      if (!result.empty() && isWord(result.back())) result += ' ';
      result += normalWord(std::string(text.substr(at, end - at)), text.substr(end));
      at = end;
    } else {
      if (text[at] != ' ' && text[at] != '\t') result += text[at];
      ++at;
    }
  }
  return result;
}

/// Returns the place of the bracket that the last character closes; npos if it closes none.
std::size_t openingOf(const std::string& text, char open, char close) {
  if (text.empty() || text.back() != close) return std::string::npos;
  unsigned depth = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    if (text[at] == close) ++depth;
    if (text[at] == open && --depth == 0) return at;
  }
  return std::string::npos;
}

struct Entry {
  std::string name;       ///< name in the PTX
  std::string text;       ///< demangled, for people
  std::string signature;  ///< normal forms: "ns::kernel<float,4>(float*)"
  std::string qualified;  ///< "ns::kernel<float,4>"
  std::string bare;       ///< "ns::kernel"
};

Entry entryOf(const std::string& name) {
  Entry entry{name, demangled(name), "", name, name};
  if (entry.text.empty()) return entry;
  constexpr std::string_view kReturns = "void ";  // a kernel template's only return type
  if (entry.text.compare(0, kReturns.size(), kReturns) == 0) entry.text.erase(0, kReturns.size());
  entry.signature = normal(entry.text);
  entry.qualified = entry.signature.substr(0, openingOf(entry.signature, '(', ')'));
  entry.bare = entry.qualified.substr(0, openingOf(entry.qualified, '<', '>'));
  return entry;
}

bool endsInScope(const std::string& text, const std::string& name) {
  const std::string end = "::" + name;
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Returns how directly the name means the entry: 1 to 4, the order of entry_names.h; 0: not at
/// all.
unsigned rank(const Entry& entry, const std::string& written, const std::string& name) {
  if (entry.name == written) return 1;
  if (entry.text.empty()) return 0;
  if (entry.signature == name || entry.qualified == name) return 2;
  if (entry.bare == name) return 3;
  const bool inScope = endsInScope(entry.signature, name) || endsInScope(entry.qualified, name) ||
                       endsInScope(entry.bare, name);
  return inScope ? 4 : 0;
}

std::string listed(const std::vector<Entry>& entries) {
  std::string text;
  for (std::size_t i = 0; i < entries.size() && i < kMostListed; ++i) {
    const Entry& entry = entries[i];
    if (i != 0) text += ", ";
    text += entry.text.empty() ? entry.name : entry.text + " (" + entry.name + ")";
  }
  if (entries.size() > kMostListed) {
    text += " and " + std::to_string(entries.size() - kMostListed) + " more";
  }
  return text;
}

}  // namespace

std::string findEntry(const std::vector<std::string>& entries, const std::string& name,
                      const std::string& file, const SourceLocation& where) {
  const std::string wanted = normal(name);
  std::vector<Entry> all;
  std::vector<Entry> found;
  unsigned best = 0;
  for (const std::string& each : entries) {
    all.push_back(entryOf(each));
    const unsigned here = rank(all.back(), name, wanted);
    if (here == 0 || (best != 0 && here > best)) continue;
    if (here != best) found.clear();
    best = here;
    found.push_back(all.back());
  }
  if (found.size() == 1) return found.front().name;
  if (!found.empty()) {
    refuse(where, "'{}' is the name of {} kernels in '{}'; expected one of {}", name, found.size(),
           file, listed(found));
  }
  const std::string expected =
      all.empty() ? "a __global__ function; a template has none before it is instantiated"
                  : "one of " + listed(all);
  const std::string hint =
      name.find('<') == std::string::npos
          ? ""
          : "; a template is compiled where the file instantiates it: template __global__ void " +
                name + "(parameters);";
  refuse(where, "no kernel '{}' in '{}'; expected {}{}", name, file, expected, hint);
}

std::string writtenName(const std::string& entry) {
  return entryOf(entry).qualified;
}

}  // namespace fermata::launch
