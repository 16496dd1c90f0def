// Replays traces of machine code (SASS) as a workload: one kernel, or the list of a program.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fermata/models/vocabulary/workload.h>
#include <fermata/stimuli/traces/sass/kernel_list.h>
#include <fermata/stimuli/traces/sass/kernel_source.h>

namespace fermata::sass {

/// Replays in any order of execution: each warp reads its own rows. Between warps the trace knows
/// no order but that of barriers. Lane data is not recorded. Kernels run one after another, in the
/// order of the list, whatever their streams.
///
/// Memory: 9 KiB for each warp slot, and 16 bytes for each 32 KiB of a kernel's rows or each warp.
///
/// nextGrid() throws InputError if the next trace is bad.
class SassWorkload : public Workload {
 public:
  /// `path`: see isSassName().
  SassWorkload(const std::string& path, SassOptions options);
  /// Replays a kernel that was read.
  SassWorkload(OpenKernel kernel, const OpcodeTable& opcodes, SassOptions options);

  void setWarpSlots(unsigned slots) override;
  const Grid* nextGrid() override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override;
  void endCta(unsigned firstSlot) override;
  const StaticInstruction* peek(unsigned slot) override { return slots_[slot].next; }
  void execute(unsigned slot, WarpInstruction& out) override;
  void copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const override;
  void storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out) override;
  std::uint64_t copyGroups(unsigned slot) const override { return slots_[slot].groups; }

  std::vector<DeviceBytes> deviceMemory() const override;

  unsigned programCount() const override { return static_cast<unsigned>(programs_.size()); }
  std::string kernelName(unsigned program) const override { return programs_[program].name; }
  std::uint32_t instructionCount(unsigned program) const override {
    return static_cast<std::uint32_t>(programs_[program].statics.size());
  }
  InstructionText instructionText(unsigned program, std::uint32_t pc) const override;

  /// Returns what the traces so far lack and what that does to the figures; "": nothing.
  std::string warning() const;
  /// Returns the sum over the kernels so far.
  const Tallies& tallies() const { return tallies_; }

 private:
  /// The launches of one kernel share a program: instructions that a launch adds stand at its end.
  struct Program {
    std::string name;
    std::deque<StaticInstruction> statics;  ///< a deque: instructions stay where they are
    std::vector<InstructionText> texts;
    std::map<std::string, std::uint32_t> numbers;  ///< by address, text and immediate
  };
  struct Copy {
    std::uint64_t number = 0;
    WarpInstruction target;  ///< no lanes: the trace does not say where the copy goes
  };
  struct Slot {
    const StaticInstruction* next = nullptr;  ///< nullptr: no warp, or one that has exited
    std::uint32_t head = 0;                   ///< of the next row
    const char* at = nullptr;                 ///< rest of the next row
    const char* end = nullptr;
    std::unique_ptr<char[]> buffer;
    std::uint64_t piece = 0;  ///< first piece that is not read whole
    std::uint64_t pieceEnd = 0;
    std::uint32_t read = 0;  ///< bytes of that piece that are read
    std::vector<Copy> copies;
    std::uint64_t begun = 0;
    std::uint64_t groups = 0;
  };

  void use(OpenKernel kernel);
  Program& programOf(const std::string& name);
  std::uint32_t numberOf(Program& program, const TracedInstruction& traced);
  void fetch(Slot& slot);
  void refill(Slot& slot);
  void takeBarrier(Slot& slot, WarpInstruction& out) const;
  void takeTarget(Slot& slot, const StaticInstruction& one, WarpInstruction& out, bool given);
  void interleave(unsigned slot, WarpInstruction& out) const;
  void addTallies(const Tallies& more);

  SassOptions options_;
  std::optional<OpcodeTable> ownOpcodes_;
  const OpcodeTable* opcodes_ = nullptr;
  KernelList list_;
  std::size_t nextKernel_ = 0;
  OpenKernel kernel_;
  bool given_ = false;  ///< kernel_ waits for nextGrid()
  Grid grid_;
  std::vector<const StaticInstruction*> statics_;  ///< of the kernel, by index of its rows
  std::deque<Program> programs_;
  std::vector<Slot> slots_;
  std::uint64_t localBytes_ = 0;  ///< of a warp
  Tallies tallies_;
  std::set<std::uint64_t> streams_;
};

}  // namespace fermata::sass
