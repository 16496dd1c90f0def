// Decodes what a row of the table of forms describes.
#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

std::string_view mnemonicOf(std::string_view opcode) {
  return opcode.substr(0, opcode.find('.'));
}
/// Returns what follows the mnemonic in the opcode of a form: "" or ".hi.sat".
std::string_view modifiersOf(const Form& form) {
  return form.opcode.substr(mnemonicOf(form.opcode).size());
}

/// Takes the first modifier off ".hi.sat".
std::string_view next(std::string_view& modifiers) {
  const std::string_view first = modifiers.substr(1, modifiers.find('.', 1) - 1);
  modifiers.remove_prefix(first.size() + 1);
  return first;
}

bool hasType(const Form& form, Type type) {
  return form.handler(type, 0) != nullptr || form.handler(type, kFlushFlag) != nullptr;
}

/// Returns how well a form fits: the type counts most, then the number of its modifiers. Returns 0
/// if the statement lacks a modifier.
unsigned fit(const Decoding& d, const Form& form, Type type) {
  std::string_view modifiers = modifiersOf(form);
  unsigned value = hasType(form, type) ? 16 : 1;
  while (!modifiers.empty()) {
    if (!d.has(next(modifiers))) return 0;
    ++value;
  }
  return value;
}

/// Returns "expected .l or .r, and .clamp or .wrap" from the forms of a mnemonic and type.
std::string expectedModifiers(std::string_view mnemonic, Type type) {
  std::vector<std::vector<std::string_view>> choices;
  std::size_t required = 8;
  for (const Form* form : formsOf(mnemonic)) {
    if (!hasType(*form, type)) continue;
    std::string_view modifiers = modifiersOf(*form);
    std::size_t at = 0;
    for (; !modifiers.empty(); ++at) {
      const std::string_view name = next(modifiers);
      if (choices.size() <= at) choices.emplace_back();
      auto& known = choices[at];
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
    required = std::min(required, at);
  }
  choices.resize(std::min(choices.size(), required));
  std::string text;
  for (const auto& names : choices) {
    text += text.empty() ? "expected " : ", and ";
    for (std::size_t k = 0; k < names.size(); ++k) {
      text += k == 0 ? "." : k + 1 == names.size() ? " or ." : ", .";
      text += names[k];
    }
  }
  return text;
}

/// Takes the modifiers of the form that fits best.
const Form& takeForm(Decoding& d, Type type) {
  const Form* best = nullptr;
  unsigned most = 0;
  for (const Form* form : formsOf(d.mnemonic())) {
    const unsigned value = fit(d, *form, type);
    if (value <= most) continue;
    most = value;
    best = form;
  }
  if (most <= 1) d.unsupported(expectedModifiers(d.mnemonic(), type));
  std::string_view modifiers = modifiersOf(*best);
  while (!modifiers.empty()) d.take(next(modifiers));
  return *best;
}

std::uint8_t takeFlags(Decoding& d, const Form& form) {
  constexpr std::pair<std::string_view, std::uint8_t> kNames[] = {
      {"ftz", kFlushFlag}, {"sat", kSaturateFlag}, {"relu", kReluFlag}};
  unsigned flags = 0;
  for (const auto& [name, flag] : kNames) {
    if ((form.flags & flag) != 0 && d.take(name)) flags |= flag;
  }
  return static_cast<std::uint8_t>(flags);
}

/// Takes the rounding of a form that has any. Returns nothing for the nearest value.
std::optional<Rounding> takeRounding(Decoding& d, const Form& form) {
  if (form.rounding <= FormRounding::WrittenNearest) {
    if (!d.take("rn") && form.rounding == FormRounding::WrittenNearest)
      d.unsupported("expected .rn");
    return std::nullopt;
  }
  const std::optional<Rounding> rounding = takeDirection(d);
  if (!rounding && form.rounding == FormRounding::WrittenAny) {
    if (d.has("approx") || d.has("full")) d.unsupported();
    const bool approximates = form.instructionClass == InstructionClass::Special;
    d.unsupported("expected a rounding such as .rn{}", approximates ? " or .approx" : "");
  }
  return rounding == Rounding::Nearest ? std::nullopt : rounding;
}

Type twice(Type type) {
  return static_cast<Type>(static_cast<unsigned>(type) + 1);  // widths of a kind ascend
}

Type typeOf(OperandKind kind, Type type) {
  switch (kind) {
    case OperandKind::Twice:
      return twice(type);
    case OperandKind::U32:
      return Type::U32;
    case OperandKind::S32:
      return Type::S32;
    case OperandKind::F32:
      return Type::F32;
    case OperandKind::B32:
    case OperandKind::B32Pair:
      return Type::B32;
    case OperandKind::Predicate:
      return Type::Pred;
    default:
      return type;
  }
}

void operands(Decoding& d, const Form& form, Type type) {
  std::vector<Type> types;
  std::size_t count = 0;
  while (count < form.operands.size() && form.operands[count] != OperandKind::None) ++count;
  d.expectOperands(count);
  if (count > 0 && form.operands[count - 1] == OperandKind::Table) {
    --count;
    d.i.offset = static_cast<std::int64_t>(
        d.immediate(d.operand(count), 255, message("the look-up table of {}", d.mnemonic())));
  }
  for (std::size_t k = 0; k < count; ++k) types.push_back(typeOf(form.operands[k], type));
  const OperandKind result = form.operands[0];
  d.takeRows(types, result == OperandKind::SamePair || result == OperandKind::B32Pair);
}

}  // namespace

std::optional<Rounding> takeDirection(Decoding& d) {
  return d.takeEnum<Rounding>({"rn", "rz", "rm", "rp"}, Rounding::Nearest);
}

const std::vector<const Form*>& formsOf(std::string_view mnemonic) {
  using Table = std::unordered_map<std::string_view, std::vector<const Form*>>;
  static const Table kTable = [] {
    Table table;
    for (const auto part :
         {laneTable().integerForm, laneTable().floatForm, &approximateForm, &halfForm, &warpForm}) {
      for (std::size_t k = 0; const Form* form = part(k); ++k)
        table[mnemonicOf(form->opcode)].push_back(form);
    }
    return table;
  }();
  static const std::vector<const Form*> kNone;
  const auto found = kTable.find(mnemonic);
  return found != kTable.end() ? found->second : kNone;
}

Handler regularHandler(std::string_view opcode, Type type) {
  for (const Form* form : formsOf(mnemonicOf(opcode))) {
    const Handler handler = form->opcode == opcode ? form->handler(type, 0) : nullptr;
    if (handler != nullptr) return handler;
  }
  return nullptr;
}

void decodeRegular(Decoding& d, Type type) {
  const Form& form = takeForm(d, type);
  if (isFloat(type)) d.i.floatFlags = takeFlags(d, form);
  std::optional<Rounding> rounding;
  if (form.rounding != FormRounding::None) rounding = takeRounding(d, form);
  d.finishModifiers();
  d.i.handler = d.require(form.handler(type, d.i.floatFlags));
  if (rounding) roundTo(d.i, *rounding);
  operands(d, form, type);
  if (form.carry != 0) {
    const RegisterId carry = d.builder().carryRegister(d.statement().at);
    if ((form.carry & kTakesCarry) != 0) d.reads(carry);
    if ((form.carry & kGivesCarry) != 0) d.writes(carry);
  }
  d.emit(type == Type::F64 ? form.classOfF64 : form.instructionClass);
}

}  // namespace fermata::ptx
