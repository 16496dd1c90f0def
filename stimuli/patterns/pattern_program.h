// The static program of a pattern: the instruction at each PC.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::patterns {

/// The parameters of a pattern that shape its program.
struct PatternShape {
  std::uint32_t compute = 0;  ///< arithmetic instructions before each access
  std::uint32_t chain = 0;    ///< instructions before each access that its address waits for
  bool dependent = false;     ///< each load or atomic waits for the previous one
  bool sum = false;           ///< each loaded word is added to the sum of its position
  bool fill = true;
  MemoryOperation operation = MemoryOperation::Load;
  MemorySpace space = MemorySpace::Shared;  ///< or Global
  AtomicForm form = AtomicForm::Plain;      ///< operation Atomic
  std::uint32_t bytes = 4;                  ///< bytes per lane of an access: 4, 8 or 16
};

/// Holds the instructions in order of PC: index, [fill address, fill store, barrier], the unrolled
/// loop, exit.
class PatternProgram {
 public:
  static constexpr std::uint32_t kUnroll = 16;
  /// Loads between one and the additions of its words, as compilers schedule them.
  static constexpr std::uint32_t kSumsBehind = 8;
  static constexpr std::uint32_t kRegisters = 104;   ///< registers of the scoreboard
  static constexpr std::uint32_t kSumRegisters = 4;  ///< further ones, with sums

  explicit PatternProgram(const PatternShape& shape);

  const StaticInstruction& operator[](std::uint32_t pc) const { return instructions_[pc]; }
  const std::string& opcode(std::uint32_t pc) const { return opcodes_[pc]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(instructions_.size()); }

  std::uint32_t fillAddress() const { return 1; }
  std::uint32_t fillStore() const { return 2; }
  std::uint32_t loopBegin() const { return loopBegin_; }
  std::uint32_t exit() const { return size() - 1; }
  /// Returns true for a memory instruction. Precondition: loopBegin() <= pc < exit().
  bool isAccess(std::uint32_t pc) const {
    return instructions_[pc].instructionClass == InstructionClass::Memory;
  }

 private:
  StaticInstruction& add(InstructionClass kind, std::string opcode);
  void addFill(const PatternShape& shape);
  void addCompute(std::uint32_t number);
  void addChain();
  void addAccess(const PatternShape& shape, std::uint32_t number);
  void addSums(const PatternShape& shape, std::uint32_t number);

  std::vector<StaticInstruction> instructions_;
  std::vector<std::string> opcodes_;
  std::uint32_t loopBegin_ = 1;
};

}  // namespace fermata::patterns
