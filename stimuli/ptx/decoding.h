// One statement on its way to an instruction: its modifiers and operands, each taken once and
// checked.
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
  /// The first of these that is there; an empty view when none is.
  std::string_view takeOneOf(std::initializer_list<std::string_view> choices);
  std::optional<Type> tryType();
  Type takeType();
  /// All modifiers must have been taken.
  void finishModifiers();
  /// Throws "unsupported form 'add.f16'".
  [[noreturn]] void unsupported(const std::string& why = {}) const;
  Handler require(Handler handler) const {
    if (handler == nullptr) unsupported();
    return handler;
  }

  // Operands.
  const Operand& operand(std::size_t k) const { return statement_.operands[k]; }
  std::size_t operandCount() const { return statement_.operands.size(); }
  void expectOperands(std::size_t least, std::size_t most);
  void expectOperands(std::size_t count) { expectOperands(count, count); }
  [[noreturn]] void fail(const Position& at, const std::string& what) const {
    builder_.fail(at, what);
  }

  /// Rows of operands; the scoreboard learns of the register.
  Row source(const Operand& operand, Type wanted);
  Row source(std::size_t k, Type wanted) { return source(operand(k), wanted); }
  Row destination(const Operand& operand, Type wanted);
  Row destination(std::size_t k, Type wanted) { return destination(operand(k), wanted); }
  PredicateOperand predicate(const Operand& operand);
  std::uint16_t predicateDestination(const Operand& operand);
  /// Type of a register operand; nothing for others.
  std::optional<Type> registerType(const Operand& operand) const;
  /// InputError: a register of 128 bits, which few instructions take.
  const Register& registerOf(const Operand& operand) const;
  std::uint64_t immediate(const Operand& operand, std::uint64_t most,
                          const std::string& what) const;
  std::uint64_t constantBits(const Operand& operand, Type wanted) const;
  /// Of a product that adds to it: a destination that the scoreboard does not know.
  Row accumulator(const Operand& operand, Type wanted);
  void reads(RegisterId id);
  void writes(RegisterId id);
  /// Sets a, offset and wideBase from [base + offset]. `space` is what the instruction names.
  void address(const Operand& operand, MemorySpace space);

  /// Appends the instruction; further emits of one statement start from fresh fields.
  std::uint32_t emit(InstructionClass instructionClass);
  void finishGuard(PredicateOperand guard) { guard_ = guard; }

  KernelBuilder& builder() { return builder_; }
  Frame& frame() { return frame_; }
  const Statement& statement() const { return statement_; }

  Instruction i;
  std::uint16_t tensorWork = 0;  ///< StaticInstruction::tensorWork
  bool floatSums = false;        ///< StaticInstruction::floatSums

 private:
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
  PredicateOperand guard_;
  RegisterId guardId_ = kNoRegister;
};

/// Decodes one statement with its family; throws InputError for an unknown mnemonic. Calls are
/// decoded by KernelDecoder.
void decodeStatement(Decoding& decoding);

/// The modifiers of setp and set.
struct Comparison {
  Compare compare = Compare::Eq;
  bool unsignedOnly = false;
  Combine combine = Combine::None;
  bool flush = false;
};
Comparison takeComparison(Decoding& decoding);

// The families (decode_*.cpp). Each finds its decoder by mnemonic, nullptr when it has none.
using FamilyDecoder = void (*)(Decoding&);
/// Of forms with a half precision or bfloat16 type.
FamilyDecoder halfDecoder(const Decoding& decoding);
FamilyDecoder arithmeticDecoder(std::string_view mnemonic);
FamilyDecoder logicDecoder(std::string_view mnemonic);
FamilyDecoder wordDecoder(std::string_view mnemonic);
FamilyDecoder compareDecoder(std::string_view mnemonic);
FamilyDecoder moveDecoder(std::string_view mnemonic);
FamilyDecoder memoryDecoder(std::string_view mnemonic);
/// Of forms with the type b128.
FamilyDecoder wideDecoder(const Decoding& decoding);
FamilyDecoder clusterDecoder(std::string_view mnemonic);
FamilyDecoder copyDecoder(std::string_view mnemonic);
FamilyDecoder mbarrierDecoder(std::string_view mnemonic);
/// An instruction of class Integer that changes nothing.
void emitNothing(Decoding& decoding);
/// cp.async.mbarrier; an arrival at the mbarrier that the operand names, behind the warp's copies.
void decodeCopyArrival(Decoding& decoding);
void emitArrival(Decoding& decoding, const Operand& barrier);
FamilyDecoder textureDecoder(std::string_view mnemonic);
FamilyDecoder controlDecoder(std::string_view mnemonic);
FamilyDecoder warpDecoder(std::string_view mnemonic);
FamilyDecoder matrixDecoder(std::string_view mnemonic);
FamilyDecoder wgmmaDecoder(std::string_view mnemonic);
FamilyDecoder wmmaDecoder(const Decoding& decoding);

}  // namespace fermata::ptx
