#include <fermata/platforms/program/cc/source_members.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include <fermata/platforms/program/cc/source_words.h>

namespace fermata::platforms {

namespace {

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

class Members : public SourceWords {
 public:
  explicit Members(const std::string& text) : SourceWords(text) {
    for (std::size_t k = 1; k < size(); ++k) {
      const std::string_view before = at(k - 1), behind = at(k + 1);
      const bool isParameter = before == "typename" || before == "class";
      if ((isParameter && (behind == "," || behind == ">" || behind == "=")) ||
          (before == "using" && behind == "="))
        types_.insert(at(k));
      if (at(k) == "<" && before == "template") addParameters(k);
      const bool isClass = before == "struct" || before == "class";
      if ((before == "using" && behind == "=") || (isClass && (behind == "{" || behind == ":")))
        memberTypes_.insert(at(k));
    }
  }

  /// True if a member type is a template argument or measured by sizeof, without the keyword, and
  /// the word is the class's name or its decltype.
  bool lacksTypename(std::size_t k) const {
    const bool isArgument = at(k - 1) == "<" || at(k - 1) == ",";
    const bool isMeasured = at(k - 1) == "(" && (at(k - 2) == "sizeof" || at(k - 2) == "alignof");
    const bool ends = isMeasured ? at(k + 4) == ")" : at(k + 4) == ">" || at(k + 4) == ",";
    if ((isArgument || isMeasured) && ends && types_.count(at(k)) != 0 && at(k + 1) == ":" &&
        at(k + 2) == ":")
      return isMemberType(at(k + 3));
    if (at(k) != "decltype" || at(k + 1) != "(" || !isArgument) return false;
    std::size_t name = k + 2;
    for (unsigned depth = 1; depth != 0 && name < size(); ++name)
      depth += at(name) == "(" ? 1 : at(name) == ")" ? -1 : 0;
    if (at(name) != ":" || at(name + 1) != ":" || (at(name + 3) != ">" && at(name + 3) != ","))
      return false;
    return endsWith(at(name + 2), "type");
  }
  /// True if the word is a member that is called with template arguments, in an expression and
  /// without the keyword.
  bool lacksKeyword(std::size_t k) const {
    if (!isName(k) || at(k) == "template" || at(k) == "operator" || at(k + 1) != "<") return false;
    const std::string_view before = at(k - 1);
    if (before == "." ? at(k - 2) == "." : before == ">" ? at(k - 2) != "-" : before != ":")
      return false;
    if (before == ":" && (at(k - 2) != ":" || !isType(k - 3) || !beginsExpression(k - 3)))
      return false;
    const std::size_t close = closing(k + 1);
    return close < size() && at(close + 1) == "(";
  }

 private:
  /// Adds the names of a template's parameters, types or not, those of a concept among them.
  void addParameters(std::size_t open) {
    unsigned depth = 0;
    for (std::size_t k = open; k < size(); ++k) {
      const std::string_view word = at(k);
      depth += word == "<" ? 1 : 0;
      const bool ends = word == "," || word == "=" || word == ">";
      if (depth == 1 && ends && isName(k - 1)) types_.insert(at(k - 1));
      if (word == ">" && --depth == 0) return;
      if (word == ";" || word == "{") return;
    }
  }
  /// True if a member of that name is taken to be a type: it is called like one, or the source
  /// declares a type by that name.
  bool isMemberType(std::string_view name) const {
    return name == "T" || endsWith(name, "_t") || endsWith(name, "type") ||
           memberTypes_.count(name) != 0;
  }
  /// True if the name that ends here may be a class: it ends with template arguments, or is a
  /// parameter of a template or an alias.
  bool isType(std::size_t k) const { return at(k) == ">" || types_.count(at(k)) != 0; }
  /// Returns the number of the > that closes the < at `open`, if only names, numbers and commas
  /// are between them; size() otherwise.
  std::size_t closing(std::size_t open) const {
    unsigned depth = 0;
    for (std::size_t k = open; k < size(); ++k) {
      const std::string_view word = at(k);
      if (word == "<") ++depth;
      if (word == ">" && --depth == 0) return k;
      const bool simple = piece(k).kind == Piece::Kind::Word || word == "<" || word == ">" ||
                          word == "," || word == ":";
      if (!simple) break;
    }
    return size();
  }
  /// True if the name that ends with the > at `close`, such as a::b<c>, begins an expression. In a
  /// declaration a type is before it.
  bool beginsExpression(std::size_t close) const {
    std::size_t k = close;
    while (true) {
      if (at(k) == ">") {
        unsigned depth = 0;
        for (;; --k) {
          if (at(k) == ">") ++depth;
          if (at(k) == "<" && --depth == 0) break;
          if (k == 0) return false;
        }
        --k;
      }
      if (k < 3 || !isName(k)) return false;
      if (at(k - 1) != ":" || at(k - 2) != ":") break;
      k -= 3;
    }
    constexpr std::string_view kBefore[] = {";", "{", "}", "(", ",", "=",      "?",   ":",
                                            "|", "+", "-", "!", "[", "return", "else"};
    return std::find(std::begin(kBefore), std::end(kBefore), at(k - 1)) != std::end(kBefore);
  }

  std::set<std::string_view> types_;        ///< names of parameters of templates and of aliases
  std::set<std::string_view> memberTypes_;  ///< names of aliases and classes
};

}  // namespace

std::string withTemplateKeywords(const std::string& source) {
  if (source.find("template") == std::string::npos) return source;
  const Members members(source);
  std::string made;
  std::size_t copied = 0;
  for (std::size_t k = 3; k < members.size(); ++k) {
    const bool named = members.lacksTypename(k);
    if (!named && !members.lacksKeyword(k)) continue;
    made += source.substr(copied, members.beginOf(k) - copied);
    made += named ? "typename " : "template ";
    copied = members.beginOf(k);
  }
  return made + source.substr(copied);
}

}  // namespace fermata::platforms
