#include <fermata/platforms/program/cc/product_fusion.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace fermata::platforms {

// A namespace of its own: other files of the library have such names, and are compiled together.
namespace fusion {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}
bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

struct Statement {
  std::size_t begin = 0, end = 0;  ///< in the body; without the semicolon
  std::string_view opcode;         ///< empty: guarded, or no instruction
  std::vector<std::string_view> operands;
  unsigned block = 0;
};

/// Splits at commas outside of braces and brackets.
std::vector<std::string_view> operandsOf(std::string_view text) {
  std::vector<std::string_view> all;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '[' || text[i] == '(') ++depth;
    if (text[i] == '}' || text[i] == ']' || text[i] == ')') --depth;
    if (text[i] != ',' || depth != 0) continue;
    all.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  all.push_back(trimmed(text.substr(begin)));
  return all;
}

/// A function's body as statements in basic blocks.
std::vector<Statement> statementsOf(std::string_view body) {
  static constexpr std::array<std::string_view, 6> kEnds = {"bra",  "brx",  "ret",
                                                            "exit", "call", "trap"};
  std::vector<Statement> all;
  unsigned block = 0;
  std::size_t at = 0;
  while (at < body.size()) {
    std::size_t end = body.find_first_of(";\n", at);
    if (end == std::string_view::npos) end = body.size();
    std::string_view text = body.substr(at, end - at);
    const std::size_t comment = text.find("//");
    if (comment != std::string_view::npos) {
      text = text.substr(0, comment);
      end = std::min(body.find('\n', at + comment), body.size());
    }
    Statement one{at, at + text.size(), {}, {}, block};
    at = end + 1;
    text = trimmed(text);
    while (!text.empty() && (text.front() == '{' || text.front() == '}'))
      text = trimmed(text.substr(1));
    if (text.empty() || text.front() == '.') continue;
    if (text.back() == ':') {
      ++block;
      continue;
    }
    const bool guarded = text.front() == '@';
    if (guarded) text = trimmed(text.substr(std::min(text.find_first_of(kBlanks), text.size())));
    const std::size_t word = std::min(text.find_first_of(kBlanks), text.size());
    const std::string_view opcode = text.substr(0, word);
    if (!guarded) one.opcode = opcode;
    one.operands = operandsOf(text.substr(word));
    const std::string_view mnemonic = opcode.substr(0, opcode.find('.'));
    if (std::find(kEnds.begin(), kEnds.end(), mnemonic) != kEnds.end()) ++block;
    all.push_back(std::move(one));
  }
  return all;
}

bool isFloatRegister(std::string_view text) {
  return text.substr(0, 2) == "%f";
}
bool isImmediate(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'd');
}
/// Calls visit(register) for each register of the text.
template <class Visit>
void eachRegister(std::string_view text, Visit visit) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at)) {
    std::size_t end = at + 1;
    while (end < text.size() && isNameCharacter(text[end])) ++end;
    visit(text.substr(at, end - at));
    at = end;
  }
}

struct Product {
  std::size_t statement = 0;
  std::set<std::size_t> sums;  ///< statements that add or subtract it, and are not fused
  bool held = false;           ///< its value is needed otherwise
};

class Body {
 public:
  explicit Body(std::string_view text) : text_(text), statements_(statementsOf(text)) {
    for (std::size_t k = 0; k < statements_.size(); ++k) addProduct(k);
    for (std::size_t k = 0; k < statements_.size(); ++k) addUses(k);
  }

  std::string fused() {
    for (std::size_t k = 0; k < statements_.size(); ++k) {
      if (isSum(statements_[k])) fuse(k);
    }
    for (const auto& [name, product] : products_) {
      if (product.sums.empty() && !product.held && used_.count(name) != 0)
        changed_[product.statement] = "";
    }
    return assembled();
  }

 private:
  static bool isProduct(const Statement& one) {
    return (one.opcode == "mul.f32" || one.opcode == "mul.ftz.f32" || one.opcode == "mul.f64") &&
           one.operands.size() == 3;
  }
  static bool isSum(const Statement& one) {
    const std::string_view kind = one.opcode.substr(0, 3);
    const std::string_view type = one.opcode.substr(std::min<std::size_t>(3, one.opcode.size()));
    return (kind == "add" || kind == "sub") && one.operands.size() == 3 &&
           (type == ".f32" || type == ".ftz.f32" || type == ".f64");
  }

  void addProduct(std::size_t k) {
    const Statement& one = statements_[k];
    if (!isProduct(one)) return;
    const auto [place, fresh] = products_.insert({one.operands[0], {}});
    place->second.statement = k;
    place->second.held = !fresh;  // a register with two values
  }

  void addUses(std::size_t k) {
    const Statement& one = statements_[k];
    const bool sum = isSum(one);
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
      eachRegister(one.operands[i], [&](std::string_view name) {
        if (i == 0) ++writes_[name];  // or reads, as a store does: then a factor is left alone
        const auto found = products_.find(name);
        if (found == products_.end() || found->second.statement == k) return;
        Product& product = found->second;
        const Statement& factor = statements_[product.statement];
        const bool plain = sum && i > 0 && factor.opcode.substr(3) == one.opcode.substr(3) &&
                           factor.block == one.block && product.statement < k &&
                           one.operands[1] != one.operands[2];
        product.held |= !plain;
        product.sums.insert(k);
      });
    }
  }

  /// True if the value of a factor is the same wherever the product is used.
  bool isFixed(std::string_view factor) const {
    if (isImmediate(factor)) return true;
    const auto found = writes_.find(factor);
    return isFloatRegister(factor) && (found == writes_.end() || found->second == 1);
  }

  Product* candidate(std::string_view name) {
    const auto found = products_.find(name);
    if (found == products_.end() || found->second.held) return nullptr;
    const Statement& factor = statements_[found->second.statement];
    return isFixed(factor.operands[1]) && isFixed(factor.operands[2]) ? &found->second : nullptr;
  }

  /// Makes an addition or a subtraction a fused one, if an operand is a product to be fused.
  void fuse(std::size_t k) {
    const Statement& sum = statements_[k];
    std::size_t which = 1;
    Product* product = candidate(sum.operands[1]);
    if (product == nullptr) product = candidate(sum.operands[which = 2]);
    if (product == nullptr) return;
    const Statement& factors = statements_[product->statement];
    const bool subtracts = sum.opcode[0] == 's';
    std::string before;
    std::string x(factors.operands[1]), addend(sum.operands[3 - which]);
    if (subtracts) {
      std::string& negated = which == 1 ? addend : x;
      negated = negative(negated, sum.opcode.substr(3), before);
    }
    std::string line = before + "fma.rn";
    line.append(sum.opcode.substr(3)).append(" \t").append(sum.operands[0]).append(", ");
    line.append(x).append(", ").append(factors.operands[2]).append(", ").append(addend);
    changed_[k] = line;
    used_.insert(sum.operands[which]);
    product->sums.erase(k);
    const auto other = products_.find(sum.operands[3 - which]);
    if (other != products_.end()) other->second.held = true;
  }

  /// Returns the negated operand: an immediate, or a new register that `before` sets.
  std::string negative(const std::string& operand, std::string_view type, std::string& before) {
    if (isImmediate(operand)) {
      std::string other = operand;
      static constexpr std::string_view kDigits = "0123456789ABCDEF";
      const char digit = static_cast<char>(std::toupper(static_cast<unsigned char>(operand[2])));
      other[2] = kDigits[kDigits.find(digit) ^ 8U];
      return other;
    }
    unsigned& count = negatives_[type == ".f64" ? 1 : 0];
    const std::string name = (type == ".f64" ? "%nd" : "%n") + std::to_string(count++);
    before.append("neg").append(type).append(" \t").append(name).append(", ");
    before.append(operand).append(";\n\t");
    return name;
  }

  std::string assembled() const {
    std::string made;
    std::size_t at = text_.find('{') + 1;
    made.append(text_.substr(0, at));
    for (const std::size_t wide : {0U, 1U}) {
      if (negatives_[wide] == 0) continue;
      made.append(wide != 0 ? "\n\t.reg .f64 \t%nd<" : "\n\t.reg .f32 \t%n<");
      made.append(std::to_string(negatives_[wide])).append(">;");
    }
    for (const auto& [k, line] : changed_) {
      const Statement& one = statements_[k];
      const std::size_t first = text_.find_first_not_of(kBlanks, one.begin);
      made.append(text_.substr(at, first - at)).append(line);
      at = line.empty() ? one.end + 1 : one.end;  // with its semicolon
    }
    return made.append(text_.substr(at));
  }

  std::string_view text_;
  std::vector<Statement> statements_;
  std::map<std::string_view, Product> products_;  ///< by register
  std::map<std::string_view, unsigned> writes_;
  std::map<std::size_t, std::string> changed_;  ///< by statement; empty: it goes
  std::set<std::string_view> used_;             ///< products that were fused
  std::array<unsigned, 2> negatives_{};
};

/// Returns the end of the body that begins with the brace at `open`.
std::size_t endOfBody(std::string_view ptx, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < ptx.size(); ++at) {
    if (ptx[at] == '/' && ptx.substr(at, 2) == "//")
      at = std::min(ptx.find('\n', at), ptx.size() - 1);
    if (ptx[at] == '{') ++depth;
    if (ptx[at] == '}' && --depth == 0) return at + 1;
  }
  return ptx.size();
}

}  // namespace
}  // namespace fusion

std::string withFusedProducts(const std::string& ptx) {
  const std::string_view text = ptx;
  std::string made;
  std::size_t at = 0;
  // The compiler begins the body of a function with a brace on a line of its own.
  for (std::size_t open = text.find("\n{"); open != std::string_view::npos;
       open = text.find("\n{", at)) {
    const std::size_t end = fusion::endOfBody(text, open + 1);
    made.append(text.substr(at, open + 1 - at));
    made.append(fusion::Body(text.substr(open + 1, end - open - 1)).fused());
    at = end;
  }
  return made.append(text.substr(at));
}

}  // namespace fermata::platforms
