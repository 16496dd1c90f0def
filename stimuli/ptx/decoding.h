// Decodes one statement to instructions: takes each modifier and operand once, and checks it.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/kernel_builder.h>
#include <fermata/stimuli/ptx/lane_ops.h>

namespace fermata::ptx {

class Decoding {
 public:
  Decoding(KernelBuilder& builder, Frame& frame, const Statement& statement);

  // Modifiers: the parts of the opcode behind the mnemonic, in any order.
  std::string_view mnemonic() const { return mnemonic_; }
  bool take(std::string_view modifier);
  bool has(std::string_view modifier) const;
  void put(std::string_view modifier) { modifiers_.push_back(modifier); }
  /// Takes and returns the first of `choices` that is present; returns an empty view if none is.
  std::string_view takeOneOf(std::initializer_list<std::string_view> choices);
  /// Takes the first of `names` that is present. Returns the value at its place, counted from
  /// `first` on; returns nothing if none is present.
  template <class Enum>
  std::optional<Enum> takeEnum(std::initializer_list<std::string_view> names, Enum first = Enum{}) {
    const std::size_t at = takeIndexOf(names);
    if (at == names.size()) return std::nullopt;
    return static_cast<Enum>(static_cast<std::size_t>(first) + at);
  }
  std::optional<Type> tryType();
  Type takeType();
  /// Throws InputError if a modifier has not been taken.
  void finishModifiers();
  /// Throws "unsupported form 'add.f16'; WHY". WHY is the message() of `why`, if there is one.
  template <class... Text>
  [[noreturn]] void unsupported(const Text&... why) const {
    refuse(message(why...));
  }
  Handler require(Handler handler) const {
    if (handler == nullptr) unsupported();
    return handler;
  }

  // Operands.
  const Operand& operand(std::size_t k) const { return statement_.operands[k]; }
  std::size_t operandCount() const { return statement_.operands.size(); }
  void expectOperands(std::size_t least, std::size_t most);
  /// Returns the elements of a vector operand, or the operand itself.
  static std::vector<const Operand*> elementsOf(const Operand& operand);
  void expectOperands(std::size_t count) { expectOperands(count, count); }
  template <class... Text>
  [[noreturn]] void fail(const Position& at, const Text&... text) const {
    builder_.fail(at, text...);
  }

  /// Return rows of operands, and tell the scoreboard of the register.
  Row source(const Operand& operand, Type wanted);
  Row source(std::size_t k, Type wanted) { return source(operand(k), wanted); }
  Row destination(const Operand& operand, Type wanted);
  Row destination(std::size_t k, Type wanted) { return destination(operand(k), wanted); }
  /// Takes all operands: the destination (d, or pd if .pred), then sources into a, b, c and
  /// vector[0]; predicates among them into p and, as second source, q.
  void takeOperands(std::initializer_list<Type> types) {
    expectOperands(types.size());
    takeRows(types);
  }
  /// takeOperands() without the check of their number; further operands are left. With `mayPair`
  /// the destination may be a pair: d|pd.
  void takeRows(const std::vector<Type>& types, bool mayPair = false);
  /// Ends the decoding of a statement: takes all operands, and emits its one instruction.
  void finish(Handler handler, std::initializer_list<Type> types,
              InstructionClass instructionClass = InstructionClass::Integer) {
    finishModifiers();
    i.handler = handler;
    takeOperands(types);
    emit(instructionClass);
  }
  /// Returns operand k. Throws InputError unless it is [base + offset].
  const Operand& addressOperand(std::size_t k) const;
  PredicateOperand predicate(const Operand& operand);
  std::uint16_t predicateDestination(const Operand& operand);
  /// Returns the type of a register operand, or nothing if the operand is no register.
  std::optional<Type> registerType(const Operand& operand) const;
  /// Returns the declaration of a register operand. Throws InputError for a register of 128 bits,
  /// which few instructions take.
  const Register& registerOf(const Operand& operand) const;
  std::uint64_t immediate(const Operand& operand, std::uint64_t most,
                          const std::string& what) const;
  std::uint64_t constantBits(const Operand& operand, Type wanted) const;
  /// Returns the row of a destination that a product also adds to. The scoreboard does not track
  /// it.
  Row accumulator(const Operand& operand, Type wanted);
  void reads(RegisterId id) { addOnce(reads_, id); }
  void writes(RegisterId id) { addOnce(writes_, id); }
  /// Sets i.a, i.offset and i.wideBase from [base + offset]. `space` is the space that the
  /// instruction names.
  void address(const Operand& operand, MemorySpace space);

  /// Appends the instruction and resets its fields, for the next emit() of the statement. Returns
  /// its PC.
  std::uint32_t emit(InstructionClass instructionClass);

  KernelBuilder& builder() { return builder_; }
  Frame& frame() { return frame_; }
  const Statement& statement() const { return statement_; }

  Instruction i;
  std::uint16_t tensorWork = 0;         ///< StaticInstruction::tensorWork
  bool floatSums = false;               ///< StaticInstruction::floatSums
  bool streams = false;                 ///< StaticInstruction::streams
  bool suspends = false;                ///< StaticInstruction::suspends
  bool arrives = false;                 ///< StaticInstruction::arrives
  bool addressRead = false;             ///< StaticInstruction::addressRead
  std::uint8_t matrices = 0;            ///< StaticInstruction::matrices
  AtomicForm form = AtomicForm::Plain;  ///< StaticInstruction::form; Count: if nothing reads it

 private:
  std::size_t takeIndexOf(std::initializer_list<std::string_view> names);
  static void addOnce(std::vector<RegisterId>& list, RegisterId id);
  [[noreturn]] void refuse(const std::string& why) const;
  void addDefaults();
  bool isFormal(const Variable& variable) const;
  Row special(const Operand& operand, Type wanted);
  Row variableAddress(const Operand& operand, Type wanted);
  Row localAddress(const Variable& variable, std::int64_t offset, bool wide);
  Row functionAddress(const Operand& operand, Type wanted);
  [[noreturn]] void wrongType(const Operand& operand, Type wanted) const;

  KernelBuilder& builder_;
  Frame& frame_;
  const Statement& statement_;
  std::string_view mnemonic_;
  std::vector<std::string_view> modifiers_;
  std::vector<RegisterId> reads_, writes_, accumulators_;
  PredicateOperand guard_ = kAlways;
  RegisterId guardId_ = kNoRegister;
};

/// Decodes one statement as the table of instructions says (instructions.cpp). Throws InputError if
/// the mnemonic is unknown. Calls are decoded by KernelDecoder.
void decodeStatement(Decoding& decoding);

}  // namespace fermata::ptx
