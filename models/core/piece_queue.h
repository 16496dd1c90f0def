// Accesses that an engine has made of its work, and sends one by one.
#pragma once

#include <fermata/models/timing/ring.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/vocabulary/cycle.h>

namespace fermata {

class PieceQueue {
 public:
  bool empty() const { return queue_.empty(); }
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
  Ring<Piece> queue_;  ///< in the order in which they go
};

}  // namespace fermata
