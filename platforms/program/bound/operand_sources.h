// Tells where the operands of an instruction come from: what a warp waits for that lacks them.
#pragma once

#include <fermata/models/probe/probe.h>

#include <cstdint>
#include <vector>

namespace fermata::platforms {

/// Where the value of a register was made.
enum class OperandSource : std::uint8_t {
  Arithmetic,  ///< in the core; constants and parameters, too
  Scratchpad,  ///< loaded from shared memory
  Global,      ///< loaded from global, local or texture memory
};

/// Keeps each instruction that a warp has issued once. The source of an operand is the nearest
/// instruction before in the program that writes its register; in a loop that may be one behind.
class OperandSources : public Probe {
 public:
  unsigned events() const override { return Grids | Issues; }
  void gridStarted(const Grid& grid, Cycle at) override;
  void issued(const IssueEvent& event) override;
  std::unique_ptr<Probe> ofOne() const override { return std::make_unique<OperandSources>(); }
  void join(Probe& one) override;
  void reset() { programs_.clear(); }

  /// Calls `visit(pc, instruction, source)` for each instruction of the program that was issued.
  /// `source` is the one farthest from the core among those of its operands.
  template <class Visit>
  void forEach(std::uint32_t program, Visit visit) const {
    if (program >= programs_.size()) return;
    const std::vector<Seen>& all = programs_[program];
    const Writers writers = writersOf(all);
    for (std::uint32_t pc = 0; pc < all.size(); ++pc) {
      if (all[pc].issued) visit(pc, all[pc].instruction, sourceOf(all, writers, pc));
    }
  }

 private:
  struct Seen {
    bool issued = false;
    StaticInstruction instruction;
  };
  using Writers = std::vector<std::vector<std::uint32_t>>;  ///< rising PCs, by register

  static Writers writersOf(const std::vector<Seen>& all);
  static OperandSource sourceOf(const std::vector<Seen>& all, const Writers& writers,
                                std::uint32_t pc);

  std::vector<std::vector<Seen>> programs_;
};

}  // namespace fermata::platforms
