// A recorded run in memory, for processes that run the same workload again on other platforms.
//
// The file (trace_recorder.h) is for people and other programs: text, one order, checked row by
// row. This is for one program: the rows of each warp by themselves, so that any order of
// execution reads on where it was, and nothing of the workload is built again: no kernel is
// compiled, no buffer filled, no result checked.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/core/workload.h>
#include <fermata/stimuli/traces/order_check.h>
#include <fermata/stimuli/traces/packed_row.h>
#include <fermata/stimuli/traces/shared_arena.h>

namespace fermata::traces {

struct TracedProgram;
struct TracedGrid;
struct TracedWarp;

/// Made before the processes that share it are forked: one records into it, and when it is ready,
/// others may replay. One that failed to is as good as one that was never begun.
class MemoryTrace {
 public:
  /// Holds at most `limit` bytes. Throws std::bad_alloc.
  explicit MemoryTrace(std::size_t limit);

  enum class State : std::uint32_t {
    Empty,  ///< or not whole
    Ready,
    Unfit,  ///< another platform might see other instructions, or it is too long
  };
  State state() const;
  std::size_t bytes() const { return arena_.used(); }
  /// Workloads that have replayed it, in any process.
  std::uint32_t replays() const;
  /// What the recording's finish() was given.
  std::map<std::string, std::string> parameters() const;

 private:
  friend class MemoryTraceRecorder;
  friend class MemoryTraceWorkload;
  struct Root;
  Root& root() const { return *root_; }

  SharedArena arena_;
  Root* root_;
};

/// Stands before any workload and forwards to it; the run is the same with and without.
class MemoryTraceRecorder : public WorkloadDecorator {
 public:
  /// Both must outlive it.
  MemoryTraceRecorder(Workload& inner, MemoryTrace& trace);
  ~MemoryTraceRecorder() override;

  /// Where the workload's instructions depend on their order in a way that its accesses do not
  /// show.
  void refuse();
  /// Precondition: nextGrid() has returned nullptr. `parameters`: see MemoryTrace.
  void finish(const std::map<std::string, std::string>& parameters);

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
  std::unique_ptr<OrderCheck> check_;  ///< null: it has given up
  TracedProgram* lastProgram_ = nullptr;
  std::vector<TracedProgram*> programs_;
  TracedGrid* grid_ = nullptr;
  std::vector<TracedWarp*> warps_;  ///< by slot
  Row row_;
};

/// The run again, in whatever order it is asked for. Lane data is not recorded: hasData stays
/// false. Precondition: the trace is ready; it must outlive the workload.
class MemoryTraceWorkload : public Workload {
 public:
  explicit MemoryTraceWorkload(const MemoryTrace& trace);

  void setWarpSlots(unsigned slots) override { slots_.assign(slots, Slot{}); }
  const Grid* nextGrid() override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override;
  void endCta(unsigned) override {}
  const StaticInstruction* peek(unsigned slot) override { return slots_[slot].next; }
  void execute(unsigned slot, WarpInstruction& out) override;
  /// Where it is, without what it holds.
  std::vector<DeviceBytes> deviceMemory() const override;

  unsigned programCount() const override { return static_cast<unsigned>(seen_); }
  std::string kernelName(unsigned program) const override;
  std::uint32_t instructionCount(unsigned program) const override;
  InstructionText instructionText(unsigned program, std::uint32_t pc) const override;

 private:
  struct Slot {
    const StaticInstruction* next = nullptr;
    const std::byte* row = nullptr;  ///< of the next instruction
  };

  void point(Slot& slot, const std::byte* row) const;

  std::vector<const TracedProgram*> programs_;
  std::size_t seen_ = 0;  ///< of them, by the grids until now
  const TracedGrid* following_;
  const StaticInstruction* instructions_ = nullptr;  ///< of the grid's program
  const TracedGrid* traced_ = nullptr;
  Grid grid_;
  std::vector<Slot> slots_;
};

}  // namespace fermata::traces
