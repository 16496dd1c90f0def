// A calendar of things due at a time: a flat binary heap. It allocates only when it holds more
// entries than ever before.
#pragma once

#include <fermata/models/timing/ticks.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace fermata {

/// Entries due at one time come out in the order in which they were added.
template <class T>
class Calendar {
 public:
  void add(const sc_core::sc_time& at, T what) {
    heap_.push_back({at.value(), order_++, std::move(what)});
    std::push_heap(heap_.begin(), heap_.end(), Later());
  }
  bool empty() const { return heap_.empty(); }
  /// True if an entry is due at `now` or before.
  bool isDue(const sc_core::sc_time& now) const {
    return !heap_.empty() && heap_.front().at <= now.value();
  }
  /// Returns the time at which the next entry is due. Precondition: not empty.
  sc_core::sc_time next() const { return timeOf(heap_.front().at); }
  /// Returns the next entry. Precondition: not empty.
  const T& front() const { return heap_.front().what; }
  /// Removes the next entry and returns it. Precondition: not empty.
  T take() {
    std::pop_heap(heap_.begin(), heap_.end(), Later());
    T what = std::move(heap_.back().what);
    heap_.pop_back();
    return what;
  }

 private:
  struct Due {
    sc_core::sc_time::value_type at;
    std::uint64_t order;
    T what;
  };

  struct Later {
    bool operator()(const Due& a, const Due& b) const {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };

  std::vector<Due> heap_;
  std::uint64_t order_ = 0;
};

}  // namespace fermata
