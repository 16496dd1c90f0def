// Decodes what a row of the table of forms describes.
#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
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

/// Takes the flags that the form has for f32.
std::uint8_t takeFlags(Decoding& d, const Form& form) {
  std::uint8_t flags = 0;
  if (form.handler(Type::F32, kFlushFlag) != nullptr && d.take("ftz")) flags |= kFlushFlag;
  if (form.handler(Type::F32, kSaturateFlag) != nullptr && d.take("sat")) flags |= kSaturateFlag;
  return flags;
}

/// Takes the rounding. Returns nothing for the nearest value.
std::optional<Direction> takeRounding(Decoding& d, const Form& form) {
  const std::string_view name = d.takeOneOf({"rn", "rz", "rm", "rp"});
  if (name.empty() && form.needsRounding) {
    if (d.has("approx") || d.has("full")) d.unsupported();
    const bool approximates = form.instructionClass == InstructionClass::Special;
    d.unsupported(approximates ? "expected a rounding such as .rn or .approx"
                               : "expected a rounding such as .rn");
  }
  if (name == "rz") return Direction::Zero;
  if (name == "rm") return Direction::Down;
  if (name == "rp") return Direction::Up;
  return std::nullopt;
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
    case OperandKind::B32:
      return Type::B32;
    case OperandKind::Predicate:
      return Type::Pred;
    default:
      return type;
  }
}

void operands(Decoding& d, const Form& form, Type type) {
  std::size_t count = 0;
  while (count < form.operands.size() && form.operands[count] != OperandKind::None) ++count;
  d.expectOperands(count);
  const Type result = typeOf(form.operands[0], type);
  if (result == Type::Pred) {
    d.i.pd = d.predicateDestination(d.operand(0));
  } else {
    d.i.d = d.destination(0, result);
  }
  const std::array<Row*, 4> rows = {&d.i.a, &d.i.b, &d.i.c, &d.i.vector[0]};
  for (std::size_t k = 1; k < count; ++k) {
    const Type wanted = typeOf(form.operands[k], type);
    if (form.operands[k] == OperandKind::Table) {
      d.i.offset = static_cast<std::int64_t>(
          d.immediate(d.operand(k), 255, "the look-up table of " + std::string(d.mnemonic())));
    } else if (wanted == Type::Pred) {
      (k == 2 ? d.i.q : d.i.p) = d.predicate(d.operand(k));
    } else {
      *rows[k - 1] = d.source(k, wanted);
    }
  }
}

}  // namespace

const std::vector<const Form*>& formsOf(std::string_view mnemonic) {
  using Table = std::unordered_map<std::string_view, std::vector<const Form*>>;
  static const Table kTable = [] {
    Table table;
    for (const auto part : {laneTable().integerForm, laneTable().floatForm, &approximateForm}) {
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
  std::optional<Direction> direction;
  if (form.directed != nullptr) direction = takeRounding(d, form);
  d.finishModifiers();
  d.i.handler = d.require(form.handler(type, d.i.floatFlags));
  if (direction) {
    d.i.handler = form.directed(type);
    d.i.direction = *direction;
  }
  operands(d, form, type);
  d.emit(type == Type::F64 ? form.classOfF64 : form.instructionClass);
}

}  // namespace fermata::ptx
