// Engine for copies of blocks and boxes (cp.async.bulk; NVIDIA: tensor memory accelerator, TMA). A
// warp hands it a copy in one issue slot. The engine takes copies in the order in which they came
// and sends each one's pieces, accesses of up to 32 lanes of 16 bytes, at its rate.
#pragma once

#include <fermata/models/core/bulk_engine_parameters.h>
#include <fermata/models/core/piece_queue.h>
#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <algorithm>

namespace fermata {

class BulkEngine : public PieceQueue {
 public:
  explicit BulkEngine(const BulkEngineParameters& parameters) : parameters_(parameters) {}

  bool exists() const { return parameters_.exists(); }

  /// Plans a piece of `bytes` bytes, at most kPieceBytes, that was handed over in cycle `now`.
  /// `begins`: it is the first of its copy; `out`: the copy leaves shared memory. Returns the cycle
  /// from which the piece may be sent. On the way out a short piece takes as long as a whole one,
  /// and goes at the end.
  Cycle plan(unsigned bytes, bool out, bool begins, Cycle now) {
    if (begins) {
      const Cycle begin = std::max(now + parameters_.latency(out), next_);
      free_ = std::max(free_, begin);
      next_ = begin + parameters_.interval(out);
    }
    const Cycle takes = cyclesOf(bytes, out);
    free_ += out ? cyclesOf(kPieceBytes, out) : takes;
    return free_ - takes;
  }

 private:
  static constexpr unsigned kPieceBytes = kWarpLanes * WarpInstruction::kMaxBytesPerLane;

  Cycle cyclesOf(unsigned bytes, bool out) const {
    return std::max(1U, (bytes + parameters_.bytes(out) - 1) / parameters_.bytes(out));
  }

  BulkEngineParameters parameters_;
  Cycle next_ = 0;  ///< the next copy begins no earlier
  Cycle free_ = 0;  ///< the next piece goes no earlier
};

}  // namespace fermata
