#include <fermata/platforms/program/cc/source_guides.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fermata/platforms/program/cc/source_words.h>

namespace fermata::platforms {

namespace {

/// A half-open range of words.
struct Span {
  std::size_t begin = 0, end = 0;
};

/// `template <parameters> struct name { body };`
struct ClassTemplate {
  Span parameters, body;  ///< without brackets
  std::string_view name;
  bool isSpecial = false;  ///< a specialisation
};

class Words : public SourceWords {
 public:
  using SourceWords::SourceWords;
  std::string_view operator[](std::size_t k) const { return at(k); }

  /// Returns the number of the bracket that closes the one at `open`; size(): there is none.
  std::size_t closing(std::size_t open) const {
    const bool angled = (*this)[open] == "<";
    unsigned depth = 0;
    for (std::size_t k = open; k < size(); ++k) {
      const std::string_view word = (*this)[k];
      if (angled && k != open && word == "(") {
        k = closing(k);
        continue;
      }
      if (angled && (word == ";" || word == "{")) break;
      if (word == (angled ? "<" : (*this)[open])) ++depth;
      if (word == closer((*this)[open]) && --depth == 0) return k;
    }
    return size();
  }

  /// Returns the text of a span in one line, without comments.
  std::string lineOf(Span span) const {
    std::string line;
    for (std::size_t k = span.begin; k < span.end; ++k) {
      const bool apart = k > span.begin && beginOf(k) != endOf(k - 1);
      line += (apart ? " " : "") + std::string((*this)[k]);
    }
    return line;
  }

 private:
  static std::string_view closer(std::string_view open) {
    return open == "<" ? ">" : open == "(" ? ")" : "}";
  }
};

/// Returns the class template whose `template` stands at `at`.
std::optional<ClassTemplate> classTemplateAt(const Words& words, std::size_t at) {
  if (words[at] != "template" || words[at + 1] != "<") return std::nullopt;
  const std::size_t close = words.closing(at + 1);
  const std::string_view key = words[close + 1];
  if ((key != "struct" && key != "class") || !words.isName(close + 2)) return std::nullopt;
  ClassTemplate made;
  made.parameters = {at + 2, close};
  made.name = words[close + 2];
  made.isSpecial = words[close + 3] == "<";
  std::size_t open = close + 3;
  while (open < words.size() && words[open] != "{" && words[open] != ";") ++open;
  if (words[open] != "{") return std::nullopt;
  made.body = {open + 1, words.closing(open)};
  if (made.body.end == words.size()) return std::nullopt;
  return made;
}

/// Returns the names of template parameters, as arguments; empty: one has none.
std::string argumentsOf(const Words& words, Span parameters) {
  std::string arguments;
  std::size_t begin = parameters.begin;
  unsigned depth = 0;
  for (std::size_t k = begin; k <= parameters.end; ++k) {
    const std::string_view word = words[k];
    if (k < parameters.end && (word == "<" || word == "(")) ++depth;
    if (k < parameters.end && (word == ">" || word == ")")) --depth;
    if (k < parameters.end && (word != "," || depth != 0)) continue;
    std::size_t end = begin;
    while (end < k && words[end] != "=") ++end;
    if (end < begin + 2 || !words.isName(end - 1)) return {};
    arguments += (arguments.empty() ? "" : ", ") + std::string(words[end - 1]);
    if (words[end - 2] == ".") arguments += "...";
    begin = k + 1;
  }
  return arguments;
}

/// Returns whether the source lets the arguments of the template be deduced, and has no guide.
bool needsGuides(const Words& words, const ClassTemplate& one) {
  bool deduced = false;
  for (std::size_t k = 1; k + 1 < words.size(); ++k) {
    if (words[k] != one.name) continue;
    if (words[k - 1] == ">" && words[k - 2] == "-") return false;
    const bool isValue = words[k - 1] == "return" || words[k - 1] == "=";
    deduced = deduced || (isValue && (words[k + 1] == "(" || words[k + 1] == "{"));
  }
  return deduced;
}

/// Returns the parameters of the constructor whose name stands at `at` in the body of a class.
std::optional<Span> constructorAt(const Words& words, const ClassTemplate& one, std::size_t at) {
  if (words[at] != one.name || words[at + 1] != "(" || words[at - 1] == "~") return std::nullopt;
  const Span parameters = {at + 2, words.closing(at + 1)};
  const std::string_view next = words[parameters.end + 1];
  if (next != ":" && next != "{" && next != ";" && next != "noexcept") return std::nullopt;
  if (parameters.begin == parameters.end) return std::nullopt;
  for (std::size_t k = parameters.begin; k < parameters.end; ++k) {
    if (words[k] == one.name || words[k] == "#") return std::nullopt;  // a copy; a directive
  }
  for (std::size_t k = at - 1; k >= one.body.begin; --k) {
    if (words[k] == ";" || words[k] == "}" || words[k] == "{") break;
    if (words[k] == "template") return std::nullopt;
  }
  return parameters;
}

std::string guidesOf(const Words& words, const ClassTemplate& one) {
  const std::string arguments = argumentsOf(words, one.parameters);
  std::string guides;
  if (arguments.empty()) return guides;
  for (std::size_t k = one.body.begin; k < one.body.end; ++k) {
    if (const auto parameters = constructorAt(words, one, k)) {
      const std::string name(one.name);
      guides += " template <" + words.lineOf(one.parameters) + "> __host__ __device__ " + name +
                "(" + words.lineOf(*parameters) + ") -> " + name + "<" + arguments + ">;";
      k = parameters->end;
    } else if (words[k] == "{" || words[k] == "(") {
      k = words.closing(k);
    }
  }
  return guides;
}

}  // namespace

std::string withDeductionGuides(const std::string& source) {
  // Most sources have no such class.
  if (source.find("template") == source.rfind("template")) return source;
  const Words words(source);
  std::vector<Span> outer;                                 // bodies of class templates
  std::vector<std::pair<std::size_t, std::string>> added;  // texts, by place
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::optional<ClassTemplate> found = classTemplateAt(words, k);
    if (!found) continue;
    const bool nested =
        std::any_of(outer.begin(), outer.end(), [&](const Span& body) { return k < body.end; });
    const std::size_t semicolon = found->body.end + 1;
    if (found->parameters.begin != found->parameters.end) outer.push_back(found->body);
    if (nested && !found->isSpecial && words[semicolon] == ";" && needsGuides(words, *found))
      added.emplace_back(words.endOf(semicolon), guidesOf(words, *found));
  }
  std::sort(added.begin(), added.end());
  std::string made;
  std::size_t copied = 0;
  for (const auto& [place, guides] : added) {
    made += source.substr(copied, place - copied) + guides;
    copied = place;
  }
  return made + source.substr(copied);
}

}  // namespace fermata::platforms
