#include <fermata/stimuli/ptx/scope.h>
#include <fermata/stimuli/ptx/wide_registers.h>

#include <optional>

namespace fermata::ptx {
namespace {

/// A name split into prefix and number: "%r12" -> "%r", 12. Digits with a leading zero are no
/// number, but part of the name.
struct Split {
  std::string prefix;
  std::uint64_t number;
};

std::optional<Split> split(const std::string& name, std::size_t digits) {
  const std::size_t cut = name.size() - digits;
  if (digits > 1 && name[cut] == '0') return std::nullopt;
  return Split{name.substr(0, cut), std::stoull(name.substr(cut))};
}

std::size_t trailingDigits(const std::string& name) {
  std::size_t digits = 0;
  while (digits < name.size() && digits < 18 && name[name.size() - 1 - digits] >= '0' &&
         name[name.size() - 1 - digits] <= '9') {
    ++digits;
  }
  return digits;
}

}  // namespace

bool Scope::declare(const std::string& name, const Symbol& symbol, Symbol& existing) {
  existing = findHere(name, nullptr);
  if (existing.kind != Symbol::Kind::None) return false;
  names_.emplace(name, symbol);
  return true;
}

bool Scope::declareRange(const std::string& prefix, std::uint64_t count, Type type, bool ofModule,
                         const Position& at, Symbol& existing) {
  const auto inserted = ranges_.emplace(prefix, Range{count, type, ofModule, at});
  existing.at = inserted.first->second.at;
  return inserted.second;
}

Symbol Scope::findHere(const std::string& name, Function* function) {
  const auto found = names_.find(name);
  if (found != names_.end()) return found->second;
  // Try every split, since a prefix may end in digits itself ("%p1_<3>" does not, "%r1<3>" does).
  const std::size_t most = ranges_.empty() ? 0 : trailingDigits(name);
  for (std::size_t digits = 1; digits <= most; ++digits) {
    const auto parts = split(name, digits);
    if (!parts) continue;
    const auto range = ranges_.find(parts->prefix);
    if (range == ranges_.end() || parts->number >= range->second.count) continue;
    Symbol symbol = Symbol::of(std::size_t{0}, range->second.at);
    if (function != nullptr) {
      symbol.reg =
          addRegister(function->registers, name, range->second.type, range->second.ofModule);
      names_.emplace(name, symbol);
    }
    return symbol;
  }
  return {};
}

Symbol Scope::find(const std::string& name, Function* function) {
  for (Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    const Symbol symbol = scope->findHere(name, function);
    if (symbol.kind != Symbol::Kind::None) return symbol;
  }
  return {};
}

}  // namespace fermata::ptx
