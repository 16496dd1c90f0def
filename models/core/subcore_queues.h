// The way of memory instructions from the schedulers to the memory port. Each scheduler has a queue
// and calculates addresses, one instruction after the other; one arbiter lets the queues in turn.
// Measured on a GA102 by Huerta et al. (MICRO 2025, section 5.4), with 5 entries, 4 cycles from one
// calculation to the next and 2 from one instruction at the port to the next:
//
//   schedulers at work     issue cycles of the first eight loads     interval later
//   one                    2 3 4 5 6 13 17 21                        4
//   four, the first        2 3 4 5 6 13 21 29                        8
//   four, the last         2 3 4 5 6 19 27 35                        8
//
// An entry is free in the cycle after its instruction went to the port.
//
// Measured on an H100 (results/silicon/intervals.csv): a scheduler hands over a register in 2
// cycles, so that accesses which read several follow each other later. Plain C++.
#pragma once

#include <fermata/models/core/load_store_parameters.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <vector>

namespace fermata {

struct WarpAccess;

class SubcoreQueues {
 public:
  using Parameters = SubcoreParameters;

  SubcoreQueues(const Parameters& parameters, unsigned schedulers)
      : parameters_(parameters), queues_(parameters.queue == 0 ? 0 : schedulers) {}

  bool used() const { return !queues_.empty(); }
  bool full(unsigned scheduler) const {
    return queues_[scheduler].waiting.size() >= parameters_.queue;
  }
  /// Returns a cycle before which grant() returns nothing; kNever: nothing waits.
  Cycle earliest() const { return std::max(earliest_, portFree_); }

  /// Takes an access that issues in cycle `now` and reads `registers` registers. Returns the cycle
  /// in which its addresses are there: it goes to the port then, or later. Precondition: the queue
  /// is not full.
  Cycle push(unsigned scheduler, WarpAccess& access, unsigned registers, Cycle now);

  /// Returns the access that goes to the port in cycle `now`, and removes it; null: none. Of
  /// several the one of the scheduler that waited longest since its last turn. `mayGo`: called for
  /// the first access of each queue; one that may not go holds up its own queue only.
  template <class MayGo>
  WarpAccess* grant(Cycle now, MayGo mayGo) {
    if (now < earliest()) return nullptr;
    const auto queues = static_cast<unsigned>(queues_.size());
    for (unsigned i = 0, s = turn_; i < queues; ++i, s = after(s)) {
      Queue& queue = queues_[s];
      if (queue.first > now || !mayGo(*queue.waiting.front().access)) continue;
      WarpAccess* const access = queue.waiting.pop().access;
      queue.first = queue.waiting.empty() ? kNever : queue.waiting.front().from;
      turn_ = after(s);
      portFree_ = now + parameters_.portInterval;
      findEarliest();
      return access;
    }
    return nullptr;
  }
  /// Returns a cycle, `from` or later, before which grant() returns nothing; kNever: not before
  /// another event. `whenFree(access, at)`: first cycle, `at` or later, in which it may go.
  template <class WhenFree>
  Cycle next(Cycle from, WhenFree whenFree) const {
    if (earliest() > from) return earliest();  // asks again then
    Cycle least = kNever;
    for (const Queue& queue : queues_) {
      if (queue.first == kNever) continue;
      const Cycle at = std::max(from, queue.first);
      least = std::min(least, whenFree(*queue.waiting.front().access, at));
      if (least == from) break;
    }
    return least;
  }

 private:
  struct Waiting {
    WarpAccess* access;
    Cycle from;  ///< cycle in which the addresses are there
  };
  struct Queue {
    Ring<Waiting> waiting;
    Cycle first = kNever;  ///< Waiting::from of the first; kNever: none waits
    Cycle addresses = 0;   ///< least cycle in which the next instruction's addresses can be there
  };

  void findEarliest() {
    Cycle least = kNever;
    for (const Queue& queue : queues_) least = std::min(least, queue.first);
    earliest_ = least;
  }
  unsigned after(unsigned scheduler) const {
    return scheduler + 1 == queues_.size() ? 0 : scheduler + 1;
  }

  Parameters parameters_;
  std::vector<Queue> queues_;  ///< by scheduler; empty: the model has none
  Cycle earliest_ = kNever;    ///< least Queue::first
  unsigned turn_ = 0;          ///< scheduler that is asked first
  Cycle portFree_ = 0;
};

}  // namespace fermata
