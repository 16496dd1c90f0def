#include <fermata/platforms/program/cc/source_wide_operands.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <fermata/platforms/program/cc/source_words.h>

namespace fermata::platforms {

namespace {

/// An operand: its constraint, and its expression without parentheses, as places in the source.
struct AsmOperand {
  Piece constraint;
  std::size_t begin = 0, end = 0;
};

struct AsmStatement {
  std::vector<Piece> texts;  ///< literals of the template
  std::vector<AsmOperand> operands;
  std::size_t inputsEnd = 0;  ///< end of the last input
};

class Statements : public SourceWords {
 public:
  using SourceWords::SourceWords;

  /// Returns the statement whose `asm` stands at `k`, if its operands have no names.
  std::optional<AsmStatement> statementAt(std::size_t k) const {
    if (at(k) != "asm" && at(k) != "__asm__" && at(k) != "__asm") return std::nullopt;
    for (++k; at(k) == "volatile" || at(k) == "__volatile__";) ++k;
    if (at(k) != "(") return std::nullopt;
    AsmStatement made;
    unsigned section = 0;
    for (++k; k < size() && at(k) != ")"; ++k) {
      const bool literal = piece(k).kind == Piece::Kind::Literal;
      if (at(k) == ":") {
        ++section;
      } else if (at(k) == "[") {
        return std::nullopt;
      } else if (literal && section == 0) {
        made.texts.push_back(piece(k));
      } else if (literal && section <= 2 && at(k + 1) == "(") {
        const std::size_t close = closing(k + 1);
        if (close == size()) return std::nullopt;
        made.operands.push_back({piece(k), endOf(k + 1), beginOf(close)});
        made.inputsEnd = endOf(close);
        k = close;
      }
    }
    return made;
  }

 private:
  std::size_t closing(std::size_t open) const {
    unsigned depth = 0;
    for (std::size_t k = open; k < size(); ++k) {
      if (at(k) == "(") ++depth;
      if (at(k) == ")" && --depth == 0) return k;
    }
    return size();
  }
};

std::string nameOf(std::size_t operand) {
  return "fermata_q" + std::to_string(operand);
}

/// Returns a literal of the template with names for the wide operands.
std::string named(std::string_view literal, const std::vector<std::size_t>& wide) {
  std::string made;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    std::size_t end = i + 1;
    while (literal[i] == '%' && end < literal.size() && isDigit(literal[end])) ++end;
    bool found = false;
    for (const std::size_t operand : wide)
      found = found || literal.substr(i + 1, end - i - 1) == std::to_string(operand);
    if (found) {
      made += nameOf(std::stoul(std::string(literal.substr(i + 1, end - i - 1))));
      i = end - 1;
    } else {
      made += literal[i];
    }
  }
  return made;
}

/// Adds what stands instead of parts of the source, by their begins.
void addChanges(std::string_view source, const AsmStatement& statement,
                std::map<std::size_t, std::pair<std::size_t, std::string>>& changes) {
  std::vector<std::size_t> wide;
  std::string registers = "{ ", highs;
  for (std::size_t k = 0; k < statement.operands.size(); ++k) {
    const AsmOperand& one = statement.operands[k];
    const std::string_view constraint =
        source.substr(one.constraint.begin, one.constraint.end - one.constraint.begin);
    if (constraint == "\"=q\"" || constraint == "\"+q\"") return;
    if (constraint != "\"q\"") continue;
    const std::size_t high = statement.operands.size() + wide.size();
    wide.push_back(k);
    registers += ".reg .b128 " + nameOf(k) + "; mov.b128 " + nameOf(k) + ", {%" +
                 std::to_string(k) + ", %" + std::to_string(high) + "}; ";
    highs += ", \"l\"((unsigned long long)((unsigned __int128)(" +
             std::string(source.substr(one.begin, one.end - one.begin)) + ") >> 64))";
  }
  if (wide.empty() || statement.texts.empty()) return;
  for (const std::size_t k : wide) {
    const AsmOperand& one = statement.operands[k];
    const std::string low = "\"l\"((unsigned long long)(" +
                            std::string(source.substr(one.begin, one.end - one.begin)) + "))";
    changes[one.constraint.begin] = {one.end + 1, low};
  }
  for (std::size_t k = 0; k < statement.texts.size(); ++k) {
    const Piece& piece = statement.texts[k];
    std::string text = named(source.substr(piece.begin, piece.end - piece.begin), wide);
    if (k == 0) text.insert(1, registers);
    if (k + 1 == statement.texts.size()) text.insert(text.size() - 1, " }");
    changes[piece.begin] = {piece.end, text};
  }
  const auto last = changes.find(statement.operands.back().constraint.begin);
  if (last != changes.end())
    last->second.second += highs;
  else
    changes[statement.inputsEnd] = {statement.inputsEnd, highs};
}

}  // namespace

std::string withWideOperands(const std::string& source) {
  if (source.find("\"q\"") == std::string::npos) return source;
  const Statements statements(source);
  std::map<std::size_t, std::pair<std::size_t, std::string>> changes;
  for (std::size_t k = 0; k < statements.size(); ++k) {
    if (const auto found = statements.statementAt(k)) addChanges(source, *found, changes);
  }
  std::string made;
  std::size_t copied = 0;
  for (const auto& [begin, change] : changes) {
    made += source.substr(copied, begin - copied) + change.second;
    copied = change.first;
  }
  return made + source.substr(copied);
}

}  // namespace fermata::platforms
