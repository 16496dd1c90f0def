// Messages between multiprocessors: visits, accesses to the banks of the SM that owns the
// shared memory of another CTA, their answers, and word that warps need not wait any longer.
#pragma once

#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/slot_mask.h>

#include <algorithm>
#include <vector>

namespace fermata {

class WarpScheduler;

/// The lanes of an access that go to one CTA of its cluster, as an access of their own.
struct Visit {
  WarpAccess* access = nullptr;   ///< of the owner's port; null: this is the answer
  WarpAccess* whole = nullptr;    ///< the access whose lanes these are; null: nobody waits
  WarpScheduler* from = nullptr;  ///< has `whole`
  Cycle back = 0;                 ///< cycles that the answer takes
  std::uint64_t cta = 0;          ///< Cta::serial of the CTA that is visited
  unsigned ctaSlot = 0;           ///< its first warp slot
  double served = 0;              ///< cycles that the visit takes of the owner's way
};

struct Message {
  SlotMask warps = 0;  ///< go on from the barrier of their cluster
  Visit visit;         ///< with an access, or the whole of one; neither: sleeping warps look again
  Cycle at = 0;
};

/// The messages that a multiprocessor has not read, by the cycle in which they come, then by the
/// order of their sending.
class Inbox {
 public:
  void clear() { heap_.clear(); }
  /// Returns the cycle in which the next message comes; kNever: there is none.
  Cycle due() const { return heap_.empty() ? kNever : heap_.front().message.at; }
  void push(const Message& message) {
    heap_.push_back({message, sent_++});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  /// Removes the first message. Precondition: there is one.
  Message pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Message first = heap_.back().message;
    heap_.pop_back();
    return first;
  }

 private:
  struct Sent {
    Message message;
    std::uint64_t number = 0;
  };
  static bool later(const Sent& a, const Sent& b) {
    return a.message.at != b.message.at ? a.message.at > b.message.at : a.number > b.number;
  }

  std::vector<Sent> heap_;
  std::uint64_t sent_ = 0;
};

}  // namespace fermata
