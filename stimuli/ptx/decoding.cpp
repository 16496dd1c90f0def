#include <fermata/stimuli/ptx/decoding.h>

#include <algorithm>
#include <array>

#include <fermata/stimuli/ptx/arithmetic_names.h>
#include <fermata/stimuli/ptx/cache_words.h>

namespace fermata::ptx {
namespace {

std::string_view kindName(const Operand& operand) {
  constexpr std::string_view kNames[] = {"a register",
                                         "a special register",
                                         "a variable",
                                         "a function",
                                         "a label",
                                         "an integer constant",
                                         "a floating-point constant",
                                         "an address",
                                         "a vector",
                                         "a pair",
                                         "a list",
                                         "a prototype",
                                         "'_'"};  // order of Operand::Kind
  return kNames[static_cast<std::size_t>(operand.kind)];
}

}  // namespace

Decoding::Decoding(KernelBuilder& builder, Frame& frame, const Statement& statement)
    : builder_(builder),
      frame_(frame),
      statement_(statement),
      mnemonic_(statement.opcode.substr(0, statement.opcode.find('.'))) {
  std::string_view rest = statement.opcode.substr(mnemonic_.size());
  while (!rest.empty()) {  // ".lo.u32"
    modifiers_.push_back(rest.substr(1, rest.find('.', 1) - 1));
    rest.remove_prefix(modifiers_.back().size() + 1);
  }
  if (builder.ast().version < kVersionOfExplicitForms) addDefaults();
  if (!statement.guarded) return;
  const RegisterPlace& place = builder_.place(frame_, statement.guard, statement.guardAt);
  guard_.number = place.predicate;
  guard_.flip = statement.guardNegated ? kAllLanes : 0;
  guardId_ = place.id;
}

// Adds the modifiers that PTX 1.0 to 1.3 imply if none is written (PTX ISA, notes on these
// instructions).
void Decoding::addDefaults() {
  constexpr std::array<std::string_view, 9> kNames = {"div", "sqrt", "rcp", "rsqrt", "sin",
                                                      "cos", "lg2",  "ex2", "mad"};
  if (modifiers_.size() != 1 || std::find(kNames.begin(), kNames.end(), mnemonic_) == kNames.end())
    return;
  if (modifiers_[0] == "f64") modifiers_.push_back(mnemonic_ == "rsqrt" ? "approx" : "rn");
  if (modifiers_[0] == "f32" && mnemonic_ != "mad") {
    modifiers_.push_back("approx");
    modifiers_.push_back("ftz");
  }
}

bool Decoding::has(std::string_view modifier) const {
  return std::find(modifiers_.begin(), modifiers_.end(), modifier) != modifiers_.end();
}

bool Decoding::take(std::string_view modifier) {
  const auto found = std::find(modifiers_.begin(), modifiers_.end(), modifier);
  if (found == modifiers_.end()) return false;
  modifiers_.erase(found);
  return true;
}

std::size_t Decoding::takeIndexOf(std::initializer_list<std::string_view> names) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [this](std::string_view name) { return take(name); });
  return static_cast<std::size_t>(found - names.begin());
}

std::string_view Decoding::takeOneOf(std::initializer_list<std::string_view> choices) {
  const std::size_t at = takeIndexOf(choices);
  return at < choices.size() ? choices.begin()[at] : std::string_view{};
}

std::optional<Type> Decoding::tryType() {
  for (auto it = modifiers_.begin(); it != modifiers_.end(); ++it) {
    const std::optional<Type> type = typeNamed(*it);
    if (!type) continue;
    modifiers_.erase(it);
    return type;
  }
  return std::nullopt;
}

Type Decoding::takeType() {
  const std::optional<Type> type = tryType();
  if (!type) unsupported("expected a type");
  return *type;
}

void Decoding::finishModifiers() {
  if (!modifiers_.empty()) unsupported("'.{}' does not fit", modifiers_.front());
}

void Decoding::refuse(const std::string& why) const {
  fail(statement_.at, "unsupported form '{}'{}", statement_.opcode, why.empty() ? why : "; " + why);
}

void Decoding::expectOperands(std::size_t least, std::size_t most) {
  const std::size_t count = operandCount();
  if (count >= least && count <= most) return;
  const Position at = count > most ? operand(most).at : statement_.at;
  const std::string wanted =
      least == most ? message("{}", least) : message("{} to {}", least, most);
  fail(at, "'{}' has {} operands; expected {}", statement_.opcode, count, wanted);
}

std::vector<const Operand*> Decoding::elementsOf(const Operand& operand) {
  if (operand.kind != Operand::Kind::Vector) return {&operand};
  std::vector<const Operand*> list;
  for (const Operand& element : operand.elements) list.push_back(&element);
  return list;
}

void Decoding::addOnce(std::vector<RegisterId>& list, RegisterId id) {
  if (id != kNoRegister && std::find(list.begin(), list.end(), id) == list.end())
    list.push_back(id);
}

const Register& Decoding::registerOf(const Operand& operand) const {
  const Register& held = frame_.function->registers[operand.index];
  if (held.type == Type::B128)
    fail(operand.at, "register '{}' of type .b128; expected another type", held.name);
  return held;
}

std::optional<Type> Decoding::registerType(const Operand& operand) const {
  if (operand.kind != Operand::Kind::Register) return std::nullopt;
  return registerOf(operand).type;
}

void Decoding::wrongType(const Operand& operand, Type wanted) const {
  const std::string opcode = "'" + std::string(statement_.opcode) + "'";
  if (wanted == Type::F32x2) wanted = Type::B64;  // no register is declared as .f32x2
  if (operand.kind == Operand::Kind::Register) {
    const Register& held = registerOf(operand);
    fail(operand.at, "register '{}' of type .{} in {}; expected .{}", held.name, nameOf(held.type),
         opcode, nameOf(wanted));
  }
  fail(operand.at, "{} in {}; expected a .{} operand", kindName(operand), opcode, nameOf(wanted));
}

std::uint64_t Decoding::immediate(const Operand& operand, std::uint64_t most,
                                  const std::string& what) const {
  if (operand.kind != Operand::Kind::Integer)
    fail(operand.at, std::string(kindName(operand)) + "; expected a constant: " + what);
  if (operand.integer > most) {
    fail(operand.at, "{} is {}; expected 0 to {}", what, static_cast<std::int64_t>(operand.integer),
         most);
  }
  return operand.integer;
}

std::uint64_t Decoding::constantBits(const Operand& operand, Type wanted) const {
  const unsigned bytes = bytesOf(wanted);
  if (operand.kind == Operand::Kind::Float) {
    const bool asBits = isBits(wanted) && operand.hexFloatBits == 8 * bytes;
    if (asBits || (isFloat(wanted) && operand.hexFloatBits == 8 * bytes)) return operand.integer;
    if (wanted == Type::F32) return bitsAs<std::uint32_t>(static_cast<float>(operand.real));
    if (wanted != Type::F64) wrongType(operand, wanted);
    return bitsAs<std::uint64_t>(operand.real);
  }
  if (isFloat(wanted)) wrongType(operand, wanted);
  const auto value = static_cast<std::int64_t>(operand.integer);
  if (bytes < 8) {
    const std::int64_t range = std::int64_t{1} << (8 * bytes);
    if (value < -(range / 2) || value >= range) {
      fail(operand.at, "constant {} does not fit type .{}", value, nameOf(wanted));
    }
    return operand.integer & static_cast<std::uint64_t>(range - 1);
  }
  return operand.integer;
}

Row Decoding::source(const Operand& operand, Type wanted) {
  const bool wide = bytesOf(wanted) == 8;
  switch (operand.kind) {
    case Operand::Kind::Register: {
      if (operand.negated || !compatible(wanted, registerOf(operand).type) || wanted == Type::Pred)
        wrongType(operand, wanted);
      const RegisterPlace& place = builder_.place(frame_, operand.index, operand.at);
      reads(place.id);
      return place.row;
    }
    case Operand::Kind::Integer:
    case Operand::Kind::Float:
      return builder_.constant(constantBits(operand, wanted), wide);
    case Operand::Kind::Special:
      return special(operand, wanted);
    case Operand::Kind::Variable:
      return variableAddress(operand, wanted);
    case Operand::Kind::Function:
      return functionAddress(operand, wanted);
    default:
      break;
  }
  wrongType(operand, wanted);
}

bool Decoding::isFormal(const Variable& variable) const {
  const auto& formals = frame_.function->parameters;
  return std::any_of(formals.begin(), formals.end(),
                     [&](const Formal& f) { return f.variable == &variable; });
}

Row Decoding::variableAddress(const Operand& operand, Type wanted) {
  const bool wide = bytesOf(wanted) == 8;
  if (isFloat(wanted) || bytesOf(wanted) < 4) wrongType(operand, wanted);
  const Variable& variable = *operand.variable;
  switch (variable.space) {
    case VariableSpace::Global:
    case VariableSpace::Constant:
      return builder_.address(variable, operand.offset, wide);
    case VariableSpace::Shared:
      return builder_.constant(
          builder_.sharedOffset(variable, operand.at) + static_cast<std::uint64_t>(operand.offset),
          wide);
    case VariableSpace::Local:
      return localAddress(variable, operand.offset, wide);
    case VariableSpace::Parameter:
      if (frame_.locals.count(&variable) != 0) return localAddress(variable, operand.offset, wide);
      // Nothing reads this address in a .func (kernel_decoder.cpp).
      if (!frame_.isEntry && isFormal(variable) && mnemonic_ == "mov")
        return builder_.constant(0, wide);
      if (frame_.isEntry && isFormal(variable)) {
        return builder_.constant(
            builder_.parameterOffset(variable) + static_cast<std::uint64_t>(operand.offset), wide);
      }
      break;
  }
  fail(operand.at, "the address of the function parameter '{}' is taken; that is not supported",
       variable.name);
}

/// Returns the row of an address in local memory. In a called function it emits an addition first,
/// since local memory begins where the caller's ends.
Row Decoding::localAddress(const Variable& variable, std::int64_t offset, bool wide) {
  const std::uint64_t at =
      builder_.localOffset(frame_, variable) + static_cast<std::uint64_t>(offset);
  const auto base = builder_.localBase(frame_, variable, wide);
  if (!base) return builder_.constant(at, wide);
  const RegisterPlace sum = builder_.temporary(wide, statement_.at);
  Statement plain = statement_;
  plain.guarded = false;
  Decoding add(builder_, frame_, plain);
  add.i.handler = regularHandler("add", wide ? Type::U64 : Type::U32);
  add.i.a = base->row;
  add.i.b = builder_.constant(at, wide);
  add.i.d = sum.row;
  add.reads(base->id);
  add.writes(sum.id);
  add.emit(InstructionClass::Integer);
  reads(sum.id);
  return sum.row;
}

Row Decoding::functionAddress(const Operand& operand, Type wanted) {
  if (isFloat(wanted) || bytesOf(wanted) < 4) wrongType(operand, wanted);
  return builder_.functionAddress(*operand.function, bytesOf(wanted) == 8);
}

Row Decoding::destination(const Operand& operand, Type wanted) {
  if (operand.kind == Operand::Kind::Sink) return builder_.scratchRow(bytesOf(wanted) == 8);
  if (operand.kind != Operand::Kind::Register || operand.negated || wanted == Type::Pred ||
      !compatible(wanted, registerOf(operand).type)) {
    wrongType(operand, wanted);
  }
  const RegisterPlace& place = builder_.place(frame_, operand.index, operand.at);
  writes(place.id);
  return place.row;
}

Row Decoding::accumulator(const Operand& operand, Type wanted) {
  if (operand.kind == Operand::Kind::Sink) wrongType(operand, wanted);
  const Row row = destination(operand, wanted);
  accumulators_.push_back(writes_.back());
  writes_.pop_back();
  return row;
}

void Decoding::takeRows(const std::vector<Type>& types, bool mayPair) {
  const std::array<Row*, 4> rows = {&i.a, &i.b, &i.c, &i.vector[0]};
  for (std::size_t k = 0; k < types.size(); ++k) {
    const bool predicate = types[k] == Type::Pred;
    if (k == 0 && predicate) {
      i.pd = predicateDestination(operand(0));
    } else if (k == 0) {
      const bool pair = mayPair && operand(0).kind == Operand::Kind::Pair;
      i.d = destination(pair ? operand(0).elements[0] : operand(0), types[0]);
      if (pair) i.pd = predicateDestination(operand(0).elements[1]);
    } else if (predicate) {
      (k == 2 ? i.q : i.p) = this->predicate(operand(k));
    } else {
      *rows[k - 1] = source(k, types[k]);
    }
  }
}

const Operand& Decoding::addressOperand(std::size_t k) const {
  if (operand(k).kind != Operand::Kind::Address)
    fail(operand(k).at, "expected an address such as [%rd1+4]");
  if (operand(k).elements.size() != 1)
    fail(operand(k).at, "an address with coordinates; expected [base+offset]");
  return operand(k);
}

PredicateOperand Decoding::predicate(const Operand& operand) {
  if (operand.kind == Operand::Kind::Integer)
    return {kTruePredicate, operand.integer != 0 ? 0 : kAllLanes};
  if (operand.kind != Operand::Kind::Register || registerOf(operand).type != Type::Pred)
    wrongType(operand, Type::Pred);
  const RegisterPlace& place = builder_.place(frame_, operand.index, operand.at);
  reads(place.id);
  return {place.predicate, operand.negated ? kAllLanes : 0};
}

std::uint16_t Decoding::predicateDestination(const Operand& operand) {
  if (operand.kind == Operand::Kind::Sink) return kSinkPredicate;
  if (operand.kind != Operand::Kind::Register || operand.negated ||
      registerOf(operand).type != Type::Pred)
    wrongType(operand, Type::Pred);
  const RegisterPlace& place = builder_.place(frame_, operand.index, operand.at);
  writes(place.id);
  return place.predicate;
}

std::uint32_t Decoding::emit(InstructionClass instructionClass) {
  KernelCode& code = builder_.code();
  if (code.instructions.size() >= kMaxInstructions)
    fail(statement_.at, "'{}' has more than {} instructions with its calls inlined", code.name,
         kMaxInstructions);
  StaticInstruction known;
  known.pc = builder_.pc();
  known.instructionClass = instructionClass;
  known.space = i.space;
  known.operation = i.operation;
  known.fence = i.fence;
  const bool answers = i.operation == MemoryOperation::Atomic && !writes_.empty();
  known.polls = instructionClass == InstructionClass::Memory && (i.observes || answers);
  known.tensorWork = tensorWork;
  known.floatSums = floatSums;
  known.streams = streams;
  known.suspends = suspends;
  known.arrives = arrives;
  known.matrices = matrices;
  known.form = form;
  known.arithmetic = arithmeticOf(statement_.opcode);
  known.passesL1 = passesL1(statement_.opcode);
  known.multicasts = multicasts(statement_.opcode);
  known.addressRead = addressRead;
  known.copyStep = i.copyStep;
  known.groupsLeft = i.groupsLeft;
  known.bytesPerLane = instructionClass == InstructionClass::Memory ? i.bytesPerLane : 0;
  reads(guardId_);
  // A guarded instruction leaves its results alone in other lanes. The scoreboard still needs only
  // a write.
  for (const RegisterId id : reads_) {
    if (known.readCount < StaticInstruction::kMaxReads) known.reads[known.readCount++] = id;
  }
  for (const RegisterId id : writes_) {
    if (known.writeCount < StaticInstruction::kMaxWrites) known.writes[known.writeCount++] = id;
  }
  i.guard = guard_;
  CodeText text;
  text.opcode = std::string(statement_.opcode);
  text.ptxLine = statement_.at.line;
  text.ptxColumn = statement_.at.column;
  const auto& files = builder_.ast().files;
  const bool located = statement_.located && statement_.sourceFile < files.size() &&
                       !files[statement_.sourceFile].empty();
  text.file = located ? files[statement_.sourceFile] : code.fileName;
  text.line = located ? statement_.sourceLine : statement_.at.line;
  code.instructions.push_back(i);
  code.statics.push_back(known);
  code.texts.push_back(std::move(text));
  if (!accumulators_.empty()) code.accumulators[known.pc] = std::move(accumulators_);
  i = Instruction{};
  tensorWork = 0;
  floatSums = false;
  streams = suspends = arrives = addressRead = false;
  matrices = 0;
  form = AtomicForm::Plain;
  reads_.clear();
  writes_.clear();
  accumulators_.clear();
  return known.pc;
}

}  // namespace fermata::ptx
