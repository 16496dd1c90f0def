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
#include <fermata/stimuli/ptx/used_variables.h>

namespace fermata::ptx {

inline constexpr RegisterId kNoRegister = 0xffff;
inline constexpr std::uint32_t kMaxInstructions = 1U << 18;
/// Bytes that a CTA can address; what there is of them is for the platform to say.
inline constexpr unsigned kMaxStaticShared = kWindowBytes;

/// A PTX register in the kernel: a row, or a predicate.
struct RegisterPlace {
  Row row = kUnusedRow;
  std::uint16_t predicate = kSinkPredicate;
  RegisterId id = kNoRegister;
};

/// A `.param` variable of a function: rows of 4-byte words.
struct FramePlace {
  std::vector<Row> words;
  std::vector<RegisterId> ids;
};

/// One copy of a function: inlined, or called (or the entry itself).
struct Frame {
  const Function* function = nullptr;
  Frame* caller = nullptr;               ///< into which it is inlined
  bool isEntry = false;                  ///< the entry itself
  std::vector<RegisterPlace> registers;  ///< by register of the function; allocated when first used
  std::unordered_map<const Variable*, std::shared_ptr<FramePlace>> parameters;
  /// Offsets in local memory; of parameters, too, whose address is taken.
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
  [[noreturn]] void fail(const Position& at, const std::string& what) const;

  /// The place of a register, allocated when new.
  const RegisterPlace& place(Frame& frame, std::uint32_t reg, const Position& at);
  FramePlace& parameterPlace(Frame& frame, const Variable& variable, const Position& at);
  Row scratchRow(bool wide);  ///< rows that no scoreboard knows: results nobody reads
  RegisterId carryRegister(const Position& at);
  RegisterId token(const Position& at);       ///< what the scoreboard knows, but is no register
  RegisterId groupToken(const Position& at);  ///< the last product of the warp's group
  Row constant(std::uint64_t value, bool wide);
  Row constant(ConstantRow::Kind kind, bool wide);
  Row address(const Variable& variable, std::int64_t offset, bool wide);
  Row functionAddress(const Function& function, bool wide);
  Row warpRow(WarpRow which);

  /// Offsets of the shared arrays that the kernel and what it calls name; static ones in order of
  /// declaration, dynamic ones (`.extern`) all behind them.
  void layOutShared();
  std::uint32_t sharedOffset(const Variable& variable, const Position& at) const;
  const std::unordered_map<const Variable*, std::uint32_t>& sharedOffsets() const {
    return shared_;
  }
  void layOutParameters();
  std::uint32_t parameterOffset(const Variable& variable) const;
  /// Local arrays declared outside of functions lie below those of the functions.
  void layOutModuleLocals();
  std::uint32_t localOffset(const Frame& frame, const Variable& variable) const;
  /// The row that holds where the local memory of the frame of `variable` begins; nothing where
  /// that is 0: its offset is its address then.
  std::optional<RegisterPlace> localBase(const Frame& frame, const Variable& variable, bool wide);
  RegisterPlace temporary(bool wide, const Position& at);

  /// Between these, rows are those of a function that is called: the first is its first
  /// parameter's.
  void beginCalled();
  CalledFunction endCalled();
  /// When all of them are there.
  void placeWideRowsOfFrames();
  bool inCalled() const { return outer_ != nullptr; }
  void enterLocals(Frame& frame, const std::vector<const Variable*>& addressed);
  void leaveLocals(Frame& frame);

  std::unique_ptr<KernelCode> take() { return std::move(code_); }

 private:
  Row newRow(bool wide, const Position& at);
  Row newWideRowOfFrame(const Position& at);
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
  Row scratch_[2] = {kUnusedRow, kUnusedRow};
  std::uint64_t localTop_ = 0;
  std::uint32_t localAlignment_ = 4;
  std::unique_ptr<Rows> outer_;  ///< of the entry, while a called function is decoded
  RegisterPlace localBase_[2];   ///< of the called function
  std::uint32_t wideBytes_ = 0;  ///< of the called function
};

}  // namespace fermata::ptx
