// A recorded run in memory, for processes that simulate the same workload on other platforms.
//
// A trace file (trace_recorder.h) is for people and other programs: text, in one order, checked row
// by row. A trace in memory is for one program. It stores the rows of each warp separately, so that
// warps can be replayed in any order. A replay builds nothing of the workload: it compiles no
// kernel, fills no buffer and checks no result.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/vocabulary/machine_level.h>
#include <fermata/models/vocabulary/workload.h>
#include <fermata/stimuli/traces/order_check.h>
#include <fermata/stimuli/traces/packed_row.h>
#include <fermata/stimuli/traces/shared_arena.h>

namespace fermata::traces {

struct TracedProgram;
struct TracedGrid;
struct TracedWarp;

/// Create it before forking the processes that share it. One process records into it; when it is
/// ready, the others may replay it. A failed recording leaves it as if none had begun.
class MemoryTrace {
 public:
  /// Holds at most `limit` bytes. Throws std::bad_alloc if the system lacks the memory.
  explicit MemoryTrace(std::size_t limit);

  enum class State : std::uint32_t {
    Empty,  ///< not recorded, or not completely
    Ready,
    Unfit,  ///< another platform might execute other instructions, or the trace is too long
  };
  State state() const;
  std::size_t bytes() const { return arena_.used(); }
  /// Returns the number of workloads that have replayed it, in any process.
  std::uint32_t replays() const;
  /// Returns the parameters that were given to the recording's finish().
  std::map<std::string, std::string> parameters() const;
  /// Returns the level of the recorded instructions.
  MachineLevel code() const;
  /// Returns the bytes that stayed free behind each buffer: with others, addresses differ.
  std::uint64_t bufferGap() const;

 private:
  friend class MemoryTraceRecorder;
  friend class MemoryTraceWorkload;
  struct Root;
  Root& root() const { return *root_; }

  SharedArena arena_;
  Root* root_;
};

/// Records a workload that it decorates; the run is the same with and without it.
class MemoryTraceRecorder : public WorkloadDecorator {
 public:
  /// Both arguments must outlive the recorder.
  MemoryTraceRecorder(Workload& inner, MemoryTrace& trace);
  ~MemoryTraceRecorder() override;

  /// Gives the recording up. Call it if the workload's instructions depend on their order in a way
  /// that its accesses do not show.
  void refuse();
  /// Ends the recording. Precondition: nextGrid() has returned nullptr. `parameters`: see
  /// MemoryTrace. `code`: level of the instructions. `bufferGap`: bytes free behind each buffer.
  void finish(const std::map<std::string, std::string>& parameters,
              MachineLevel code = MachineLevel::Ptx, std::uint64_t bufferGap = 0);

  void setWarpSlots(unsigned slots) override;
  const Grid* nextGrid() override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override;
  void execute(unsigned slot, WarpInstruction& out) override;
  void beginAtomic(unsigned slot, WarpInstruction& out) override;

 private:
  bool recording() const { return check_ != nullptr; }
  void addPrograms();
  void addGrid(const Grid& grid);
  void record(unsigned slot, const StaticInstruction& instruction, const WarpInstruction& out);

  MemoryTrace& trace_;
  std::unique_ptr<OrderCheck> check_;  ///< nullptr: the recording was given up
  TracedProgram* lastProgram_ = nullptr;
  std::vector<TracedProgram*> programs_;
  TracedGrid* grid_ = nullptr;
  std::vector<TracedWarp*> warps_;  ///< warp in each slot
  Row row_;
};

/// Replays the run in whatever order the caller executes it. Lane data is not recorded: hasData
/// stays false. Precondition: the trace is ready and outlives the workload.
class MemoryTraceWorkload : public Workload {
 public:
  explicit MemoryTraceWorkload(const MemoryTrace& trace);

  void setWarpSlots(unsigned slots) override { slots_.assign(slots, Slot{}); }
  const Grid* nextGrid() override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override;
  void endCta(unsigned) override {}
  const StaticInstruction* peek(unsigned slot) override { return slots_[slot].next; }
  void execute(unsigned slot, WarpInstruction& out) override;
  /// Returns the ranges of device memory, without their contents.
  std::vector<DeviceBytes> deviceMemory() const override;

  unsigned programCount() const override { return static_cast<unsigned>(seen_); }
  std::string kernelName(unsigned program) const override;
  std::uint32_t instructionCount(unsigned program) const override;
  InstructionText instructionText(unsigned program, std::uint32_t pc) const override;

 private:
  struct Slot {
    const StaticInstruction* next = nullptr;
    const std::byte* row = nullptr;  ///< row of the next instruction
  };

  void point(Slot& slot, const std::byte* row) const;

  std::vector<const TracedProgram*> programs_;
  std::size_t seen_ = 0;  ///< programs seen in the grids until now
  const TracedGrid* following_;
  const StaticInstruction* instructions_ = nullptr;  ///< instructions of the grid's program
  const TracedGrid* traced_ = nullptr;
  Grid grid_;
  std::vector<Slot> slots_;
};

}  // namespace fermata::traces
