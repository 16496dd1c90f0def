// Accesses of an L1 with requests that memory has not answered.
#pragma once

#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace fermata {

/// An access ends when all its lanes have been taken and all its requests answered.
/// WarpAccess::token numbers its record, from 1 on.
class L1Flights {
 public:
  /// Counts a request.
  void sent(WarpAccess& access) {
    if (access.token == 0) open(access);
    ++of(access).pending;
  }
  /// Records that all lanes of the access have been taken. `data`: when the data of its hits are
  /// there. True: no request is under way; the access has ended.
  bool taken(WarpAccess& access, Cycle data) {
    if (access.token == 0) return true;
    Flight& flight = of(access);
    flight.whole = true;
    flight.last = std::max(flight.last, data);
    return flight.pending == 0 && end(access);
  }
  /// Counts an answer whose data are there in cycle `at`. Returns the cycle of the last data if the
  /// access has ended, otherwise kNever.
  Cycle answered(WarpAccess& access, Cycle at) {
    Flight& flight = of(access);
    flight.last = std::max(flight.last, at);
    if (--flight.pending != 0 || !flight.whole) return kNever;
    end(access);
    return flight.last;
  }
  WarpAccess& access(std::uint32_t token) { return *flights_[token - 1].access; }

 private:
  struct Flight {
    WarpAccess* access = nullptr;
    std::uint32_t pending = 0;
    bool whole = false;  ///< every lane of the access has been taken
    Cycle last = 0;      ///< when the latest data so far reach the registers
  };

  Flight& of(const WarpAccess& access) { return flights_[access.token - 1]; }
  void open(WarpAccess& access) {
    if (idle_.empty()) {
      flights_.emplace_back();
      idle_.push_back(static_cast<std::uint32_t>(flights_.size()));
    }
    access.token = idle_.back();
    idle_.pop_back();
    of(access) = Flight{&access};
  }
  bool end(WarpAccess& access) {
    idle_.push_back(std::exchange(access.token, 0));
    return true;
  }

  std::vector<Flight> flights_;
  std::vector<std::uint32_t> idle_;  ///< unused tokens
};

}  // namespace fermata
