// Collects the code of one kernel while it is decoded: rows of registers, constants, memory layout.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <fermata/stimuli/ptx/address_space.h>
#include <fermata/stimuli/ptx/ast.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/message.h>
#include <fermata/stimuli/ptx/used_variables.h>

namespace fermata::ptx {

inline constexpr RegisterId kNoRegister = 0xffff;
inline constexpr std::uint32_t kMaxInstructions = 1U << 18;
/// Bytes of shared memory that a CTA can address. The platform sets its own limit.
inline constexpr unsigned kMaxStaticShared = kWindowBytes;

/// Place of a PTX register in the kernel: a row or a predicate.
struct RegisterPlace {
  Row row = kUnusedRow;
  std::uint16_t predicate = kSinkPredicate;
  RegisterId id = kNoRegister;
};

/// Place of a `.param` variable of a function: rows of 4-byte words.
struct FramePlace {
  std::vector<Row> words;
  std::vector<RegisterId> ids;
};

/// One copy of a function: the entry itself, inlined, or called.
struct Frame {
  const Function* function = nullptr;
  Frame* caller = nullptr;               ///< the frame it is inlined into
  bool isEntry = false;                  ///< the entry itself
  std::vector<RegisterPlace> registers;  ///< by register of the function; allocated at first use
  std::unordered_map<const Variable*, std::shared_ptr<FramePlace>> parameters;
  /// Offsets in local memory, also of parameters whose address is taken.
  std::unordered_map<const Variable*, std::uint32_t> locals;
  std::vector<std::uint32_t> labelPc;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> branches;  ///< instruction, label
  std::vector<std::uint32_t> tables;                              ///< in KernelCode::branchTargets
  std::vector<std::uint32_t> returns;  ///< instructions that branch to the end of the function
};

class KernelBuilder {
 public:
  KernelBuilder(const Ast& ast, const Function& entry);

  KernelCode& code() { return *code_; }
  const Ast& ast() const { return ast_; }
  const Function& entry() const { return entry_; }
  std::uint32_t pc() const { return static_cast<std::uint32_t>(code_->instructions.size()); }
  /// Throws InputError with the message() of `text`.
  template <class... Text>
  [[noreturn]] void fail(const Position& at, const Text&... text) const {
    throw InputError({ast_.fileName, at.line, at.column}, message(text...));
  }

  /// Returns the place of a register, allocated if it is new.
  const RegisterPlace& place(Frame& frame, std::uint32_t reg, const Position& at);
  FramePlace& parameterPlace(Frame& frame, const Variable& variable, const Position& at);
  Row scratchRow(bool wide);  ///< a row unknown to the scoreboard, for results nobody reads
  RegisterId carryRegister(const Position& at);
  RegisterId token(const Position& at);       ///< a scoreboard id without a register
  RegisterId groupToken(const Position& at);  ///< stands for the last wgmma product of the warp
  /// Stand for accesses to tensor memory that no wait has come behind. Accesses take them in turn.
  const std::vector<RegisterId>& tensorTokens(const Position& at);
  RegisterId nextTensorToken(const Position& at);
  Row constant(std::uint64_t value, bool wide);
  Row constant(ConstantRow::Kind kind, bool wide);
  Row address(const Variable& variable, std::int64_t offset, bool wide);
  Row functionAddress(const Function& function, bool wide);
  Row warpRow(WarpRow which);

  /// Assigns offsets to the shared arrays that the kernel and its callees name: static ones in
  /// order of declaration, dynamic ones (`.extern`) all behind them, at one offset.
  void layOutShared();
  std::uint32_t sharedOffset(const Variable& variable, const Position& at) const;
  const std::unordered_map<const Variable*, std::uint32_t>& sharedOffsets() const {
    return shared_;
  }
  void layOutParameters();
  std::uint32_t parameterOffset(const Variable& variable) const;
  /// Assigns offsets to local arrays declared outside of functions; they lie below the functions'
  /// own.
  void layOutModuleLocals();
  std::uint32_t localOffset(const Frame& frame, const Variable& variable) const;
  /// Returns the register that holds the start of the local memory of the variable's frame, or
  /// nothing if that start is 0, so that the variable's offset is its address.
  std::optional<RegisterPlace> localBase(const Frame& frame, const Variable& variable, bool wide);
  RegisterPlace temporary(bool wide, const Position& at);

  /// Enclose the decoding of a called function. New rows in between belong to its frame; the first
  /// one is that of its first parameter.
  void beginCalled();
  CalledFunction endCalled();
  /// Moves the wide rows of frames behind the narrow ones. Call it once all called functions are
  /// decoded.
  void placeWideRowsOfFrames();
  bool inCalled() const { return outer_ != nullptr; }
  void enterLocals(Frame& frame, const std::vector<const Variable*>& addressed);
  void leaveLocals(Frame& frame);

  std::unique_ptr<KernelCode> take() { return std::move(code_); }

 private:
  Row newRow(bool wide, const Position& at);
  RegisterId newId(RegisterSlot slot, const Position& at);
  Row addConstant(ConstantRow constant);
  void allocate(RegisterPlace& place, Type type, const Position& at);
  void addLocal(const Variable& variable, std::unordered_map<const Variable*, std::uint32_t>& to);
  struct Rows {
    std::uint32_t registerBytes = 0;
    std::uint32_t predicateCount = 0;
    unsigned localBytes = 0;
    std::array<Row, kWarpRows> warpRows{};
    Row scratch[2] = {kUnusedRow, kUnusedRow};
    std::uint64_t localTop = 0;
  };
  Rows exchangeRows(const Rows& rows);

  const Ast& ast_;
  const Function& entry_;
  UsedVariables used_;
  std::unique_ptr<KernelCode> code_;
  std::map<std::tuple<std::uint8_t, bool, std::uint64_t, const Variable*>, Row> constants_;
  std::unordered_map<const Variable*, std::uint32_t> shared_;
  std::unordered_map<const Variable*, std::uint32_t> parameters_;
  std::unordered_map<const Variable*, std::uint32_t> moduleLocals_;
  std::unordered_map<std::string, RegisterPlace> moduleRegisters_;
  RegisterId carry_ = kNoRegister, group_ = kNoRegister;
  std::vector<RegisterId> tensorTokens_;
  std::size_t tensorAccesses_ = 0;
  Row scratch_[2] = {kUnusedRow, kUnusedRow};
  std::uint64_t localTop_ = 0;
  std::uint32_t localAlignment_ = 4;
  std::unique_ptr<Rows> outer_;  ///< rows of the entry, while a called function is decoded
  RegisterPlace localBase_[2];   ///< rows of the called function: see localBase()
  std::uint32_t wideBytes_ = 0;  ///< the called function's
};

}  // namespace fermata::ptx
