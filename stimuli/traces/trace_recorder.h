// Records what a workload executes as a CSV trace (README.md beside this file), while it runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/vocabulary/workload.h>
#include <fermata/stimuli/traces/trace_output.h>

namespace fermata::traces {

/// Records a workload that it decorates; the run is the same with and without it. Rows are written
/// in the order of execution, in constant memory. Lane data is forwarded, not recorded.
///
/// Throws InputError, naming kernel and PC, if the workload executes what a trace cannot express
/// (for instance a shared address outside the CTA's window). Throws files::OutputRefused and
/// files::OutputError if the file cannot be written.
class TraceRecorder : public WorkloadDecorator {
 public:
  /// Records into an own file. `inner` must outlive the recorder. A path that ends in ".zst" is
  /// compressed.
  TraceRecorder(Workload& inner, const std::string& path);
  /// Records into a file of the caller's, who makes it appear.
  TraceRecorder(Workload& inner, files::OutputFile& file);

  /// Writes the trailer and makes an own file appear. Precondition: nextGrid() has returned
  /// nullptr. Without this call no file is left behind.
  void finish();

  void setWarpSlots(unsigned slots) override;
  const Grid* nextGrid() override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override;
  void execute(unsigned slot, WarpInstruction& out) override;
  void beginAtomic(unsigned slot, WarpInstruction& out) override;

 private:
  void writeHeader();
  StaticInstruction next(unsigned slot);
  void record(unsigned slot, const StaticInstruction& instruction, const WarpInstruction& out);

  struct Slot {
    std::uint64_t cta = 0;
    std::uint32_t warp = 0;
    LaneMask lanes = 0;  ///< lanes that hold a thread
  };

  void writePrograms();
  void writeMemory();
  void writeGrid();
  void writeInstruction(const StaticInstruction& instruction);
  void writeWarpInstruction(const Slot& slot, const StaticInstruction& instruction,
                            const WarpInstruction& executed);
  void writeTarget(const WarpInstruction& executed);
  void writeMask(LaneMask lanes);
  void writeAccess(const StaticInstruction& instruction, const WarpInstruction& executed);
  void writeExit(unsigned slot);
  void check(const StaticInstruction& instruction) const;
  void check(const StaticInstruction& instruction, const Slot& slot,
             const WarpInstruction& executed) const;
  void takeBarriers(const WarpInstruction& executed);
  void checkTarget(const StaticInstruction& instruction, const WarpInstruction& executed) const;
  void checkAddresses(const WarpInstruction& executed, bool target) const;
  [[noreturn]] void refuse(std::uint32_t pc, const std::string& what) const;

  TraceOutput out_;
  const Grid* grid_ = nullptr;
  bool ended_ = false;
  std::vector<Slot> slots_;
  std::size_t ranges_ = 0;                  ///< ranges of device memory seen so far
  std::vector<std::vector<bool>> written_;  ///< by program and PC: its row is written
  std::uint64_t count_ = 0;
  std::uint64_t taken_ = 0;   ///< clusters that the instruction which executes has taken
  std::uint64_t pause_ = 0;   ///< nanoseconds of the pause that executes
  WarpInstruction target_{};  ///< store of the copy that began last; no lanes: none
};

}  // namespace fermata::traces
