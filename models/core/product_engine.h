// Unit for the products of tcgen05. A thread hands it a product in one issue slot. The unit takes
// products in the order in which they came, reads their factors from shared memory while it
// multiplies, in accesses of up to 32 lanes of 16 bytes, and leaves the sums in tensor memory. It
// copies from shared to tensor memory in the same order.
#pragma once

#include <fermata/models/core/piece_queue.h>
#include <fermata/models/core/tensor_memory_parameters.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>

namespace fermata {

class ProductEngine : public PieceQueue {
 public:
  /// Values of StaticInstruction::tensorWork of what is handed over.
  enum Work : unsigned {
    None,
    ProductOfShared,
    ProductOfTensor,
    Copy,
    SparseOfShared,  ///< twice the depth in the time of a product
    SparseOfTensor
  };
  /// True if the factor of the rows is read from shared memory.
  static constexpr bool readsRows(unsigned work) {
    return work == ProductOfShared || work == SparseOfShared;
  }
  /// The pieces of a product that read the factor of its rows, if that lies in shared memory.
  static constexpr unsigned kPiecesOfRows = 8;
  /// Time of a product or copy, without conflicts.
  struct Plan {
    Cycle begin = 0;
    Cycle interval = 0;
    /// Returns the cycle from which piece `index` of `pieces` may be sent.
    Cycle at(std::size_t index, std::size_t pieces) const {
      return begin + interval * index / pieces;
    }
  };

  explicit ProductEngine(const TensorMemoryParameters& parameters) : parameters_(parameters) {}

  bool exists() const { return parameters_.exists(); }

  /// Plans work that was handed over in cycle `now` and reads `chunks` chunks of 16 bytes, without
  /// those of kPiecesOfRows.
  Plan plan(unsigned work, unsigned chunks, Cycle now) {
    constexpr unsigned kBytes = 16;
    const unsigned chunksOfColumn = work >= SparseOfShared ? 4 : 2;
    const Cycle interval =
        work == Copy ? (chunks * kBytes + parameters_.copyBytes - 1) / parameters_.copyBytes
                     : parameters_.interval(chunks / chunksOfColumn);
    const Plan plan{std::max(now + 1, next_), interval};
    next_ = plan.begin + interval;
    return plan;
  }
  /// Ends work whose last piece has arrived in cycle `arrived`. Returns the cycle from which
  /// arrivals behind it take effect.
  Cycle end(const Plan& plan, Cycle arrived) {
    free_ = std::max({free_ + plan.interval, plan.begin + plan.interval, arrived});
    return free_ + parameters_.productLatency;
  }

 private:
  TensorMemoryParameters parameters_;
  Cycle next_ = 0;  ///< reads of the next product begin no earlier
  Cycle free_ = 0;  ///< the last product that has ended ended here
};

}  // namespace fermata
