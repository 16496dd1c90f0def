// Launches that may run side by side, as one workload. Each runs on an executor of its own, beside
// the one that has their memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fermata/models/vocabulary/grid_set.h>
#include <fermata/models/vocabulary/workload.h>
#include <fermata/stimuli/ptx/executor.h>

namespace fermata::launch {

/// A launch of a set, or work of the host between launches.
struct SetMember {
  ptx::Launch launch;
  Grid grid{};                    ///< `codeOf` is set by LaunchSet, `program` by some
  int priority = 0;               ///< as GridSet::Member
  std::vector<unsigned> early{};  ///< as GridSet::Member
  std::vector<unsigned> after{};  ///< as GridSet::Member
  std::function<void()> work{};   ///< what the host does in the place of a launch; empty: a launch
};

/// Where grids cannot run side by side, they run one after another.
class LaunchSet : public Workload {
 public:
  /// Says how programs are numbered, and so which launches share figures by program: those of one
  /// kernel, by Grid::program of the members, or none, by the number of the member.
  enum class Programs { Kernels, Launches };

  /// `executor`: has the memory, and must outlive the set. Checks nothing; a launch is checked when
  /// it begins (ptx::Executor::begin).
  LaunchSet(ptx::Executor& executor, std::vector<SetMember> members, Programs programs);
  ~LaunchSet() override;

  void setWarpSlots(unsigned slots) override;
  void setModel(const ModelState* model) override { model_ = model; }
  /// Sets who knows the contents of device memory; without, they are not known.
  void setMemory(std::function<std::vector<DeviceBytes>()> memory) { memory_ = std::move(memory); }
  std::vector<DeviceBytes> deviceMemory() const override {
    return memory_ ? memory_() : std::vector<DeviceBytes>();
  }
  std::uint64_t totalCtas() const override;
  const GridSet* together() const override { return &set_; }
  bool runApart(unsigned multiprocessors, unsigned slots) override;
  void exchange() override;
  void beginMember(unsigned member) override;
  void startCtaOf(unsigned member, std::uint64_t cta, unsigned firstSlot) override;
  bool letsBegin(unsigned member) override;
  void endMember(unsigned member) override;
  const Grid* nextGrid() override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override {
    startCtaOf(present_, cta, firstSlot);
  }
  void endCta(unsigned firstSlot) override { at_[firstSlot]->endCta(firstSlot); }

  const StaticInstruction* peek(unsigned slot) override { return at_[slot]->peek(slot); }
  void execute(unsigned slot, WarpInstruction& out) override { at_[slot]->execute(slot, out); }
  void beginAtomic(unsigned slot, WarpInstruction& out) override {
    at_[slot]->beginAtomic(slot, out);
  }
  void updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out) override {
    at_[slot]->updateAtomic(slot, lanes, out);
  }
  void lostRound(unsigned slot) override { at_[slot]->lostRound(slot); }
  std::uint64_t sleep(unsigned slot) override { return at_[slot]->sleep(slot); }
  void copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const override {
    at_[slot]->copyTarget(slot, copy, out);
  }
  void storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out) override {
    at_[slot]->storeCopy(slot, copy, out);
  }
  std::uint64_t copyGroups(unsigned slot) const override { return at_[slot]->copyGroups(slot); }

  unsigned programCount() const override { return static_cast<unsigned>(memberOf_.size()); }
  std::string kernelName(unsigned program) const override { return ofProgram(program).grid.kernel; }
  std::uint32_t instructionCount(unsigned program) const override {
    return ofProgram(program).grid.instructionCount;
  }
  InstructionText instructionText(unsigned program, std::uint32_t pc) const override;

  /// Returns the number of members that are launches.
  std::size_t launches() const;
  /// Returns the warp instructions that a member which has ended has executed.
  std::uint64_t instructions(unsigned member) const { return instructions_[member]; }

 private:
  std::unique_ptr<ptx::Executor> spare();
  void setAwaits(unsigned member);
  void numberPrograms(Programs programs);
  const SetMember& ofProgram(unsigned program) const { return members_[memberOf_.at(program)]; }

  ptx::Executor& executor_;
  std::vector<SetMember> members_;
  std::vector<unsigned> memberOf_;  ///< a member with this program, by program
  GridSet set_;
  std::vector<std::unique_ptr<ptx::Executor>> running_;  ///< by member; null: it does not run
  std::vector<std::unique_ptr<ptx::Executor>> unused_;
  std::vector<ptx::Executor*> at_;  ///< by warp slot
  std::vector<bool> over_;          ///< by member
  std::vector<std::uint64_t> instructions_;
  const ModelState* model_ = nullptr;
  std::function<std::vector<DeviceBytes>()> memory_;
  unsigned multiprocessors_ = 0;  ///< that run apart; 0: they do not
  unsigned slotsOfEach_ = 0;
  unsigned next_ = 0;     ///< member that nextGrid() gives next
  unsigned present_ = 0;  ///< member that it gave last
  bool begun_ = false;    ///< `present_` has begun, by nextGrid()
};

/// Returns a text that describes an instruction of a kernel that runs as `code`.
InstructionText textOf(const ptx::Kernel& kernel, MachineLevel code, std::uint32_t pc);

}  // namespace fermata::launch
