#include <fermata/stimuli/software_hash/rewrite.h>

#include <algorithm>
#include <memory>
#include <set>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/software_hash/address_emitter.h>
#include <fermata/stimuli/software_hash/address_plan.h>
#include <fermata/stimuli/software_hash/known_bits.h>
#include <fermata/stimuli/software_hash/rewritten_access.h>
#include <fermata/stimuli/software_hash/shared_access.h>
#include <fermata/stimuli/software_hash/shared_layout.h>

namespace fermata::software_hash {
namespace {

using ptx::Function;
using ptx::Operand;
using ptx::Statement;
using ptx::Token;

/// A text with replacements for some of its ranges.
class Edits {
 public:
  explicit Edits(std::string_view text) : text_(text) {}

  void replace(std::size_t begin, std::size_t end, std::string with) {
    edits_.push_back({begin, end, std::move(with)});
  }
  /// Applies all. Insertions at one place keep their order and come before a replacement there.
  std::string apply() {
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) {
      return std::make_pair(a.begin, a.end) < std::make_pair(b.begin, b.end);
    });
    std::string out;
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      out += text_.substr(at, edit.begin - at);
      out += edit.with;
      at = edit.end;
    }
    out += text_.substr(at);
    return out;
  }

 private:
  struct Edit {
    std::size_t begin, end;
    std::string with;
  };
  std::string_view text_;
  std::vector<Edit> edits_;
};

/// The tokens of a file, found by their places.
class Source {
 public:
  explicit Source(const ptx::Ast& ast)
      : text_(ast.text), tokens_(ptx::tokenize(ast.text, ast.fileName)) {}

  std::size_t at(const ptx::Position& position) const {
    const auto found = std::lower_bound(
        tokens_.begin(), tokens_.end(), position, [](const Token& token, const ptx::Position& p) {
          return token.at.line != p.line ? token.at.line < p.line : token.at.column < p.column;
        });
    return static_cast<std::size_t>(found - tokens_.begin());
  }
  const Token& operator[](std::size_t k) const { return tokens_[k]; }
  std::size_t begin(std::size_t k) const {
    return static_cast<std::size_t>(tokens_[k].text.data() - text_.data());
  }
  std::size_t end(std::size_t k) const { return begin(k) + tokens_[k].text.size(); }
  std::string between(std::size_t first, std::size_t behind) const {
    return std::string(text_.substr(begin(first), end(behind - 1) - begin(first)));
  }
  /// Returns the next token of this punctuation, from `k` on.
  std::size_t next(std::size_t k, char punctuation) const {
    while (!tokens_[k].is(punctuation)) ++k;
    return k;
  }
  /// Returns, for each statement of a function, the innermost braces around it.
  std::vector<std::uint32_t> scopes(const Function& function) const {
    std::vector<std::uint32_t> scopes;
    std::vector<std::uint32_t> open;
    std::uint32_t count = 0;
    if (function.statements.empty()) return scopes;
    for (std::size_t k = next(at(function.at), '{'); scopes.size() < function.statements.size();
         ++k) {
      if (tokens_[k].is('{')) open.push_back(opensScope(k) ? count++ : open.back());
      if (tokens_[k].is('}')) open.pop_back();
      if (k == at(function.statements[scopes.size()].at)) scopes.push_back(open.back());
    }
    return scopes;
  }
  bool hasWordWith(const std::string& prefix) const {
    return std::any_of(tokens_.begin(), tokens_.end(), [&](const Token& token) {
      return token.text.substr(0, prefix.size()) == prefix;
    });
  }

 private:
  /// Returns true for a brace that starts a statement; others belong to vectors and initialisers.
  bool opensScope(std::size_t k) const {
    const Token& before = tokens_[k - 1];
    return before.is(';') || before.is('{') || before.is('}') || before.is(':') || before.is(')');
  }

  std::string_view text_;
  std::vector<Token> tokens_;
};

/// Rewrites an entry or function: its accesses, and the text in their place.
class FunctionRewriter {
 public:
  FunctionRewriter(const ptx::Ast& ast, const Function& function, const Source& source,
                   const SharedLayout& layout, const SoftwareHash& hash, const std::string& prefix,
                   bool reuse, Lines lines, Edits& edits)
      : ast_(ast),
        function_(function),
        source_(source),
        layout_(layout),
        hash_(hash),
        emitter_(hash, prefix),
        plan_(function, hash, emitter_, knownBits(function, layout), source.scopes(function)),
        reuse_(reuse),
        lines_(lines),
        edits_(edits) {}

  FunctionChange run() {
    change_.name = function_.name;
    change_.isEntry = function_.isEntry;
    for (std::size_t k = 0; k < function_.statements.size(); ++k) {
      const Statement& statement = function_.statements[k];
      plan_.startStatement(k);
      const auto access = sharedAccess(ast_, statement, hash_.bankBytes());
      if (access) rewriteAccess(statement, *access);
      for (const std::uint32_t reg : writtenRegisters(statement)) plan_.written(reg);
    }
    for (const Insertion& insertion : plan_.insertions()) insert(insertion);
    declareRegisters();
    return change_;
  }

 private:
  void insert(const Insertion& insertion) {
    const Statement& statement = function_.statements[insertion.statement];
    change_.inserted += static_cast<int>(insertion.instructions.size());
    std::string text;
    for (const std::string& each : insertion.instructions) {
      text += insertion.behind ? separator() + each : each + separator();
    }
    const std::size_t place = insertion.behind
                                  ? source_.end(source_.next(source_.at(statement.at), ';'))
                                  : source_.begin(firstToken(statement));
    edits_.replace(place, place, text);
  }

  /// Returns the first token of the statement: its guard or its opcode.
  std::size_t firstToken(const Statement& statement) const {
    std::size_t first = source_.at(statement.at);
    if (statement.guarded) {
      while (!source_[first].is('@')) --first;
    }
    return first;
  }

  void rewriteAccess(const Statement& statement, const SharedAccess& access) {
    ++change_.accesses;
    if (hash_.isIdentity()) return;
    const Operand& address = statement.operands[access.addressOperand];
    const std::size_t opcode = source_.at(statement.at);
    const std::size_t first = firstToken(statement);
    const AddressSource hashed = [&](std::int64_t more, std::vector<std::string>& instructions) {
      return hashedAddress(address, more, instructions);
    };
    std::vector<std::string> instructions;
    if (access.bytes() <= hash_.bankBytes()) {
      const std::string place = hashed(0, instructions);
      const std::size_t open = source_.at(address.at);
      edits_.replace(source_.end(open), source_.begin(source_.next(open, ']')), place);
      change_.inserted += static_cast<int>(instructions.size());
      std::string before;
      for (const std::string& each : instructions) before += each + separator();
      edits_.replace(source_.begin(first), source_.begin(first), before);
      return;
    }
    const std::size_t last = source_.next(opcode, ';');
    AccessText text;
    if (statement.guarded) text.guard = source_.between(first, opcode) + " ";
    text.data = dataTexts(statement.operands[access.dataOperand]);
    instructions = splitAccess(ast_, statement, access, text, hashed, emitter_, hash_.bankBytes());
    change_.inserted += static_cast<int>(instructions.size()) - 1;
    std::string all;
    for (const std::string& each : instructions) all += (all.empty() ? "" : separator()) + each;
    const std::string old = source_.between(first, last + 1);
    if (lines_ == Lines::Kept) {
      all.append(static_cast<std::size_t>(std::count(old.begin(), old.end(), '\n')), '\n');
    }
    edits_.replace(source_.begin(first), source_.end(last), all);
  }

  std::string separator() const { return lines_ == Lines::Kept ? " " : "\n\t"; }

  /// Returns the elements of a vector, or the single one of a scalar access, copied from the text.
  std::vector<std::string> dataTexts(const Operand& data) const {
    std::vector<std::string> texts;
    const bool vector = data.kind == Operand::Kind::Vector;
    for (std::size_t k = source_.at(data.at) + (vector ? 1 : 0);;) {
      const std::size_t first = k;
      while (!source_[k].is(',') && !source_[k].is('}') && !source_[k].is(';')) ++k;
      texts.push_back(source_.between(first, k));
      if (!vector || !source_[k].is(',')) return texts;
      ++k;
    }
  }

  std::string hashedAddress(const Operand& address, std::int64_t more,
                            std::vector<std::string>& instructions) {
    const Operand& base = address.elements.front();
    const std::int64_t offset = address.offset + more;
    if (base.kind == Operand::Kind::Register) {
      const bool wide = ptx::bytesOf(function_.registers[base.index].type) == 8;
      const AddressRegister place{base.index, std::string(base.name), wide};
      return reuse_ ? plan_.address(place, offset) : emitter_.hashed(place, offset, instructions);
    }
    if (base.kind == Operand::Kind::Integer) {
      return std::to_string(hash_.address(
          static_cast<std::uint32_t>(base.integer + static_cast<std::uint64_t>(offset))));
    }
    const std::string name(base.name);
    const std::optional<std::uint32_t> known = layout_.offset(function_, *base.variable);
    if (!known) return emitter_.hashedValue(withOffset(name, offset), instructions);
    const auto place = static_cast<std::uint32_t>(*known + offset);
    return withOffset(name, std::int64_t{hash_.address(place)} - *known);
  }

  static std::string withOffset(const std::string& name, std::int64_t offset) {
    return offset == 0 ? name : name + "+" + std::to_string(offset);
  }

  void declareRegisters() {
    const std::string text = emitter_.declarations();
    if (text.empty()) return;
    const std::size_t brace = source_.next(source_.at(function_.at), '{');
    edits_.replace(source_.end(brace), source_.end(brace), separator() + text);
  }

  const ptx::Ast& ast_;
  const Function& function_;
  const Source& source_;
  const SharedLayout& layout_;
  const SoftwareHash& hash_;
  AddressEmitter emitter_;
  AddressPlan plan_;
  bool reuse_;
  Lines lines_;
  Edits& edits_;
  FunctionChange change_;
};

/// Turns `name[16][16]` or `name` into `name[n]`: as many elements of the declared type (or
/// vectors, after .v2 or .v4) as the variable has bytes.
void enlarge(const ptx::Variable& variable, const Source& source, Edits& edits) {
  const std::size_t name = source.at(variable.at);
  unsigned vector = 1;
  for (std::size_t k = name; !source[k].isDirective(".shared"); --k) {
    if (source[k].isDirective(".v2")) vector = 2;
    if (source[k].isDirective(".v4")) vector = 4;
  }
  std::size_t last = name;
  while (source[last + 1].is('[')) last = source.next(last + 1, ']');
  const std::uint64_t count =
      variable.bytes / (std::uint64_t{vector} * ptx::bytesOf(variable.type));
  edits.replace(source.end(name), source.end(last), "[" + std::to_string(count) + "]");
}

}  // namespace

Rewritten rewrite(const ptx::Module& module, const HashRequest& request, Lines lines) {
  const SoftwareHash hash(request);
  const std::unique_ptr<ptx::Ast> ast =
      ptx::parseSyntax(module.data().ast->text, module.fileName());
  refuseGenericAccesses(*ast);
  const Source source(*ast);
  std::string prefix = "%swh";
  while (source.hasWordWith(prefix)) prefix += '_';

  const SharedLayout layout(*ast, hash);
  Edits edits(ast->text);
  Rewritten out;
  for (const auto& grown : layout.grown()) enlarge(*grown.first, source, edits);
  for (const auto& function : ast->functions) {
    if (!function->isDefined) continue;
    out.changes.push_back(
        FunctionRewriter(*ast, *function, source, layout, hash, prefix, request.reuse, lines, edits)
            .run());
    FunctionChange& change = out.changes.back();
    for (const Window& window : layout.windows()) {
      if (window.entry != function.get()) continue;
      change.staticBefore = layout.before().at(window.entry);
      change.staticAfter = window.staticBytes;
      change.dynamic = window.dynamic;
    }
  }
  out.text = edits.apply();
  return out;
}

}  // namespace fermata::software_hash
