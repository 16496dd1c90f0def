// The source of the rows of a trace: its text, or its compiled form.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <fermata/models/vocabulary/grid.h>
#include <fermata/stimuli/traces/packed_row.h>
#include <fermata/stimuli/traces/trace_tables.h>

namespace fermata::traces {

/// Guarantees: every CTA of a grid starts once, in order, before its rows. Every warp of it ends
/// once, after its rows, before the next grid. Every PC is known. Every active lane belongs to the
/// warp (except lanes of a copy, which may be pieces of a block), has an address that is a multiple
/// of the access's size, and in shared memory stays in the CTA's window.
class TraceSource {
 public:
  enum class Event {
    Row,   ///< a warp instruction: cta(), warp(), row()
    Exit,  ///< a warp has ended: cta(), warp()
    Grid,  ///< a grid begins: grid()
    End,   ///< the trace was whole, and nothing follows it
  };

  TraceSource() = default;
  virtual ~TraceSource() = default;
  TraceSource(const TraceSource&) = delete;
  TraceSource& operator=(const TraceSource&) = delete;

  /// Returns the next event, and End again after the end. Throws InputError.
  virtual Event next() = 0;

  std::uint64_t cta() const { return cta_; }
  std::uint32_t warp() const { return warp_; }
  const Row& row() const { return row_; }
  /// Returns the store that the copy of row() becomes; no lanes: row() begins no copy.
  const Row& target() const { return target_; }
  const Grid& grid() const { return grid_; }
  const TraceTables& tables() const { return tables_; }

 protected:
  /// Returns the lanes of warp() that hold a thread.
  LaneMask warpLanes() const {
    const std::uint32_t threads = grid_.threadsPerCta - warp_ * kWarpLanes;
    return threads >= kWarpLanes ? kAllLanes : (1U << threads) - 1;
  }

  TraceTables tables_;
  Grid grid_;
  std::uint64_t cta_ = 0;
  std::uint32_t warp_ = 0;
  Row row_;
  Row target_;
};

/// Opens a trace, plain or zstd. A file of `compileFrom` bytes or more is read from the compiled
/// form beside it (compiled_format.h) if that belongs to it, and otherwise compiled while it is
/// read. Throws InputError.
std::unique_ptr<TraceSource> openSource(const std::string& path, std::uint64_t compileFrom);

}  // namespace fermata::traces
