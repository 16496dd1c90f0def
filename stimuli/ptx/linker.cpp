#include <fermata/stimuli/ptx/linker.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <unordered_map>

#include <cxxabi.h>
#include <fmt/format.h>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/linker_symbols.h>
#include <fermata/stimuli/ptx/runtime_names.h>

namespace fermata::ptx {
namespace {

using Linkage = LinkItem::Linkage;
using Kind = LinkItem::Kind;

/// Clang's list of what host code uses; it only keeps symbols alive.
constexpr std::string_view kKeptAlive = "__clang_gpu_used_external";

std::string readable(std::string_view name) {
  const std::string text(name);
  if (text.compare(0, 2, "_Z") != 0) return text;  // "f" would be the type float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> made(
      abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? made.get() : text;
}

/// A unit that is being linked.
struct Part {
  const LinkUnit* unit = nullptr;
  std::vector<Token> tokens;
  std::vector<LinkItem> items;
  std::map<std::string, std::string> renamed;  ///< names as they stand in the text
  unsigned firstFile = 0;                      ///< added to numbers of source files
};

/// Returns whether other units see the item. A suffixed name is a static one, which clang shows to
/// its host side only.
bool isShown(const LinkItem& item) {
  return item.linkage != Linkage::Own && baseName(item.name) == item.name;
}

class Linking {
 public:
  explicit Linking(const std::vector<LinkUnit>& units) {
    for (const LinkUnit& unit : units) {
      Part part;
      part.unit = &unit;
      part.tokens = tokenize(unit.text, unit.name);
      part.items = itemsOf(part.tokens, unit.name);
      parts_.push_back(std::move(part));
    }
  }

  LinkedModule link() {
    define();
    rename();
    requireDefinitions();
    LinkedModule made;
    made.text = header();
    unsigned files = 0;
    for (Part& part : parts_) {
      part.firstFile = files;
      files += fileCount(part);
      write(part, made.text);
      std::map<std::string, std::string> names;
      for (const auto& [from, to] : part.renamed) names[std::string(baseName(from))] = to;
      made.renamed.push_back(std::move(names));
    }
    return made;
  }

 private:
  struct Definition {
    const Part* part = nullptr;
    const LinkItem* item = nullptr;
  };

  void define() {
    for (const Part& part : parts_) {
      for (const LinkItem& item : part.items) {
        if (item.isDefined && isShown(item)) define(part, item);
      }
    }
  }
  void define(const Part& part, const LinkItem& item) {
    Definition& kept = definitions_[item.name];
    const auto isStrong = [](const LinkItem& one) { return one.linkage == Linkage::Visible; };
    if (kept.item == nullptr || (isStrong(item) && !isStrong(*kept.item))) {
      kept = {&part, &item};
    } else if (isStrong(item)) {
      throw InputError(fmt::format("'{}' is defined in {} and in {}; expected one definition",
                                   readable(item.name), kept.part->unit->name, part.unit->name));
    }
  }

  /// Gives each unit's own symbols names that no other unit uses.
  void rename() {
    std::set<std::string> taken;
    for (const auto& [name, definition] : definitions_) taken.insert(std::string(name));
    for (Part& part : parts_) {
      std::map<std::string, std::string> given;  // by base name
      for (const LinkItem& item : part.items) {
        if (item.isDefined && !isShown(item) && item.name != kKeptAlive)
          nameOwn(part, item, taken, given);
      }
      // Clang calls a static symbol by its plain name before it knows that the host uses it.
      for (const LinkItem& item : part.items) {
        const auto own = given.find(std::string(item.name));
        if (own != given.end() && own->second != item.name) part.renamed.insert(*own);
      }
    }
  }
  static void nameOwn(Part& part, const LinkItem& item, std::set<std::string>& taken,
                      std::map<std::string, std::string>& given) {
    const std::string base(baseName(item.name));
    if (given.count(base) != 0) return;
    std::string name = base;
    for (unsigned k = 2; !taken.insert(name).second; ++k) name = base + "__" + std::to_string(k);
    given[base] = name;
    if (name != item.name) part.renamed[std::string(item.name)] = name;
  }

  bool isOwn(const Part& part, const LinkItem& item) const {
    if (part.renamed.count(std::string(item.name)) != 0) return true;
    return std::any_of(part.items.begin(), part.items.end(), [&](const LinkItem& other) {
      return other.isDefined && baseName(other.name) == item.name;
    });
  }

  void requireDefinitions() const {
    std::string missing;
    std::set<std::string_view> told;
    for (const Part& part : parts_) {
      for (const LinkItem& item : part.items) {
        if (item.linkage != Linkage::Extern || item.isDefined || item.isShared ||
            (part.unit->ofLibrary && item.kind == Kind::Function) ||
            isOfRuntimeLibrary(item.name) || definitions_.count(item.name) != 0 ||
            isOwn(part, item) || !told.insert(item.name).second)
          continue;
        missing += fmt::format("{}'{}' of {}", missing.empty() ? "" : ", ", readable(item.name),
                               part.unit->name);
      }
    }
    if (!missing.empty())
      throw InputError("not defined: " + missing +
                       "; expected a definition in another object or library, compiled with -dc");
  }

  static unsigned fileCount(const Part& part) {
    std::uint64_t most = 0;
    for (std::size_t k = 0; k + 1 < part.tokens.size(); ++k) {
      if (part.tokens[k].isDirective(".file")) most = std::max(most, part.tokens[k + 1].integer);
    }
    return static_cast<unsigned>(most);
  }

  /// Returns the newest version and target of all units.
  std::string header() const {
    double version = 0;
    unsigned target = 0;
    std::string_view versionText = "7.0", targetText = "sm_30", bits = "64";
    for (const Part& part : parts_) {
      for (std::size_t k = 0; k + 1 < part.tokens.size(); ++k) {
        const Token& next = part.tokens[k + 1];
        if (part.tokens[k].isDirective(".version") && next.real > version) {
          version = next.real;
          versionText = next.text;
        } else if (part.tokens[k].isDirective(".target")) {
          const std::size_t digits = next.text.find_first_of("0123456789");
          const std::string number(digits == std::string_view::npos ? "0"
                                                                    : next.text.substr(digits));
          const auto value = static_cast<unsigned>(std::strtoul(number.c_str(), nullptr, 10));
          if (value > target) {
            target = value;
            targetText = next.text;
          }
        } else if (part.tokens[k].isDirective(".address_size")) {
          bits = next.text;
        }
      }
    }
    return fmt::format(".version {}\n.target {}\n.address_size {}\n", versionText, targetText,
                       bits);
  }

  void write(const Part& part, std::string& text) const {
    for (const LinkItem& item : part.items) {
      if (item.kind == Kind::Header || item.kind == Kind::Section || item.name == kKeptAlive)
        continue;
      if (item.kind == Kind::Variable && isPlainAlias(part, item)) continue;
      writeItem(part, item, text);
    }
  }
  /// Returns whether the item is an .extern declaration of a static variable of its own unit.
  static bool isPlainAlias(const Part& part, const LinkItem& item) {
    return item.linkage == Linkage::Extern && !item.isShared &&
           std::any_of(part.items.begin(), part.items.end(), [&](const LinkItem& other) {
             return other.isDefined && &other != &item && other.name != item.name &&
                    baseName(other.name) == item.name;
           });
  }

  void writeItem(const Part& part, const LinkItem& item, std::string& text) const {
    const bool dropped =
        item.isDefined && isShown(item) && definitions_.at(item.name).item != &item;
    if (!dropped) {
      copy(part, item.tokens, text);
    } else if (item.kind == Kind::Function) {
      copy(part, {item.tokens.begin, item.body}, text);
      text += ";";
    } else {
      text += ".extern ";
      copy(part, {item.tokens.begin + 1, item.body}, text);
      text += ";";
    }
    text += "\n";
  }

  /// Appends tokens with their spaces; lines stay lines. Names of the unit and numbers of source
  /// files change.
  void copy(const Part& part, TokenRange range, std::string& text) const {
    const std::vector<Token>& tokens = part.tokens;
    const char* done = startOf(tokens[range.begin]);
    for (std::size_t k = range.begin; k < range.end; ++k) {
      const Token& token = tokens[k];
      std::string instead;
      if (token.kind == Token::Kind::Word) {
        const auto found = part.renamed.find(std::string(token.text));
        if (found == part.renamed.end()) continue;
        instead = found->second;
      } else if (token.kind == Token::Kind::Integer && part.firstFile != 0 && k != 0 &&
                 namesFile(tokens[k - 1])) {
        instead = std::to_string(token.integer + part.firstFile);
      } else {
        continue;
      }
      text.append(done, startOf(token));
      text += instead;
      done = startOf(token) + token.text.size();
    }
    text.append(done, endOf(tokens[range.end - 1]));
  }
  static const char* startOf(const Token& token) {
    // A string's text is within its quotes.
    return token.text.data() - (token.kind == Token::Kind::String ? 1 : 0);
  }
  static const char* endOf(const Token& last) {
    return last.text.data() + last.text.size() + (last.kind == Token::Kind::String ? 1 : 0);
  }
  static bool namesFile(const Token& before) {
    return before.isDirective(".file") || before.isDirective(".loc") || before.text == "inlined_at";
  }

  std::vector<Part> parts_;
  std::unordered_map<std::string_view, Definition> definitions_;
};

}  // namespace

std::string_view baseName(std::string_view name) {
  constexpr std::size_t kDigits = 16;
  for (const std::string_view mark :
       {std::string_view("__static__"), std::string_view("__intern__")}) {
    const std::size_t at = name.rfind(mark);
    if (at != std::string_view::npos && at != 0 && name.size() - at - mark.size() == kDigits)
      return name.substr(0, at);
  }
  return name;
}

LinkedModule link(const std::vector<LinkUnit>& units) {
  return Linking(units).link();
}

}  // namespace fermata::ptx
