// Replays a CSV trace, a recorded run, as a workload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <fermata/models/vocabulary/workload.h>
#include <fermata/stimuli/traces/row_queue.h>
#include <fermata/stimuli/traces/tensor_columns.h>
#include <fermata/stimuli/traces/trace_source.h>

namespace fermata::traces {

struct TraceOptions {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// Bytes of memory for rows that were read before their warp is ready for them; further rows wait
  /// in a temporary file.
  std::size_t windowBytes = std::size_t{16} << 20;
  /// Size in bytes from which a trace file gets a compiled form. Such a file leaves it beside
  /// itself after a replay to the end, and the next replay reads it (README.md). kNever: only the
  /// text is read, and nothing is written.
  std::uint64_t compileFrom = std::uint64_t{1} << 20;
};

/// Replays in any order of execution. Rows lie in the order of the recording; a row whose warp is
/// not yet ready for it waits in that warp's queue. A replay in the order of the recording keeps
/// the rows that other warps executed between two rows of one warp. Another order (CTAs resident,
/// scheduler, latencies) also keeps what lies between the two orders.
///
/// Memory: the window, 8 KiB for each warp that has rows waiting, and the tables of the programs. A
/// longer trace needs no more.
///
/// Branches and atomics are those of the recording. Lane data is not recorded: hasData stays false
/// whatever setCarriesData says, so a replay cannot be verified.
///
/// Each member that reads on throws InputError if the trace is bad.
class TraceWorkload : public Workload {
 public:
  explicit TraceWorkload(std::unique_ptr<TraceSource> source, TraceOptions options = {});

  void setWarpSlots(unsigned slots) override;
  const Grid* nextGrid() override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override;
  void endCta(unsigned firstSlot) override;
  const StaticInstruction* peek(unsigned slot) override {
    Slot& warp = slots_[slot];
    if (warp.next == nullptr && warp.queue != nullptr) fetch(warp);
    return warp.next;
  }
  void execute(unsigned slot, WarpInstruction& out) override;
  void copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const override;
  void storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out) override;
  std::uint64_t copyGroups(unsigned slot) const override { return copies_[slot].groups; }
  /// A test of mbarriers waits until its word has changed as often as before it in the trace.
  std::uint64_t sleep(unsigned slot) override;

  /// Returns the ranges that the host has copied to the device, without their contents.
  std::vector<DeviceBytes> deviceMemory() const override { return source_->tables().memory(); }

  unsigned programCount() const override;
  std::string kernelName(unsigned program) const override;
  std::uint32_t instructionCount(unsigned program) const override;
  InstructionText instructionText(unsigned program, std::uint32_t pc) const override;

  /// Returns the pool: bytes that wait, have waited at most, and have gone to the temporary file.
  const RowPool& pool() const { return pool_; }

 private:
  /// Changes of an mbarrier: modulo 65536, which no wait spans.
  struct Changes {
    std::uint16_t read = 0;  ///< in the trace so far
    std::uint16_t happened = 0;
  };
  struct Cta {
    std::vector<RowQueue> warps;
    std::unordered_map<std::uint64_t, Changes> changes;  ///< by address
    ColumnOwner columns;
    bool live = false;  ///< started in the trace or in the replay, and not ended in the replay
  };
  struct Slot {
    RowQueue* queue = nullptr;  ///< nullptr: no warp, or a warp that has exited
    const StaticInstruction* next = nullptr;
    std::uint64_t cta = 0;
  };

  struct Copy {
    std::uint64_t number = 0;
    Row target;
  };
  /// The asynchronous copies of a warp.
  struct Copies {
    std::vector<Copy> pending;  ///< copies not yet stored
    std::uint64_t begun = 0;
    std::uint64_t groups = 0;  ///< groups that are closed
  };

  void takeTarget(unsigned slot, WarpInstruction& out);
  void answer(unsigned slot, WarpInstruction& out);
  ColumnOwner* pairOf(std::uint64_t cta, const ColumnChange& change);
  bool changeColumns(unsigned slot, const StaticInstruction& instruction, WarpInstruction& out);
  Cta& ctaNumbered(std::uint64_t number);
  void fetch(Slot& slot);
  void readOn();
  void pushRow(std::uint64_t cta, RowQueue& queue, const StaticInstruction& instruction);
  void noteRead(std::uint64_t cta, const Row& row);
  template <class Visit>
  void eachMBarrier(std::uint64_t cta, std::uint64_t address, Visit visit);
  void noteChange(unsigned slot, const WarpInstruction& change);

  std::unique_ptr<TraceSource> source_;
  RowPool pool_;
  std::vector<Slot> slots_;
  std::vector<Copies> copies_;  ///< copies of the warp in each slot
  const Program* program_ = nullptr;
  Grid current_;
  std::uint64_t started_ = 0;  ///< CTAs of the grid that the replay has started
  TraceSource::Event behind_ = TraceSource::Event::Row;  ///< Grid, End: has come behind the rows
  TensorColumns columns_;
  std::uint64_t firstCta_ = 0;             ///< number of ctas_.front()
  std::deque<std::unique_ptr<Cta>> ctas_;  ///< live ones, and any between them
  std::vector<std::unique_ptr<Cta>> freeCtas_;
};

/// Opens a trace, plain or zstd. Throws InputError.
std::unique_ptr<TraceWorkload> openTrace(const std::string& path, TraceOptions options = {});

}  // namespace fermata::traces
