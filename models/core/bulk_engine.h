// Engine for copies of blocks and boxes (cp.async.bulk; NVIDIA: tensor memory accelerator, TMA). A
// warp hands it a copy in one issue slot. The engine takes copies in the order in which they came
// and sends each one's pieces, accesses of up to 32 lanes of 16 bytes, at its rate.
#pragma once

#include <fermata/models/core/bulk_engine_parameters.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>

namespace fermata {

class BulkEngine {
 public:
  explicit BulkEngine(const BulkEngineParameters& parameters) : parameters_(parameters) {}

  bool exists() const { return parameters_.exists(); }
  bool empty() const { return queue_.empty(); }

  /// Plans a piece of `bytes` bytes that was handed over in cycle `now`. `begins`: it is the first
  /// of its copy; `out`: the copy leaves shared memory. Returns the cycle from which the piece may
  /// be sent.
  Cycle plan(unsigned bytes, bool out, bool begins, Cycle now) {
    if (begins) {
      const Cycle begin = std::max(now + parameters_.latency(out), next_);
      free_ = std::max(free_, begin);
      next_ = begin + parameters_.interval(out);
    }
    const Cycle at = free_;
    free_ += std::max(1U, (bytes + parameters_.bytes(out) - 1) / parameters_.bytes(out));
    return at;
  }
  /// Takes a piece, to be sent from cycle `at` on; cycles rise.
  void push(WarpAccess& piece, Cycle at) { queue_.push({&piece, at}); }
  /// Returns the cycle from which the oldest piece may be sent; kNever: there is none.
  Cycle due() const { return queue_.empty() ? kNever : queue_.front().at; }
  /// Returns the oldest piece. Precondition: due() <= now.
  WarpAccess& front() const { return *queue_.front().access; }
  void pop() { queue_.pop(); }

 private:
  struct Piece {
    WarpAccess* access = nullptr;
    Cycle at = 0;
  };
  BulkEngineParameters parameters_;
  Ring<Piece> queue_;  ///< in the order in which they go
  Cycle next_ = 0;     ///< the next copy begins no earlier
  Cycle free_ = 0;     ///< the next piece goes no earlier
};

}  // namespace fermata
