// Operand collectors that all kinds of instructions share. Each scheduler has its share of them,
// and for each kind of arithmetic, and for memory instructions, a place before them
// (collector_gates.h) and one behind, before the unit. Of a kind, collectors take instructions in
// the order of their issue, also if that of one scheduler waits for a collector while another
// scheduler has a free one.
//
//   one collector, two sums without registers issue in cycles 0 and 1, the unit takes one in four:
//   first   in the collector in 1, behind it in 1, starts in 2
//   second  in the collector in 2, behind it in 2 as the first has left, starts in 6
//   a third waits in the collector until 6, and a move that issues then before it
#pragma once

#include <fermata/models/core/issue_kind.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fermata {

class SharedCollectors {
 public:
  /// `collectors`: of all schedulers; 0: there are none.
  SharedCollectors(unsigned collectors, unsigned schedulers) : schedulers_(schedulers) {
    for (Scheduler& s : schedulers_) s.collectors.resize(std::max(1U, collectors / schedulers), 0);
  }

  struct Way {
    Cycle taken = 0;   ///< a collector takes it: its place before them is free
    Cycle leaves = 0;  ///< its registers are read, and the place before its unit is free
  };
  /// Takes an instruction that issues in cycle `now` and reads its registers in `reading` cycles.
  Way take(unsigned scheduler, unsigned place, Cycle now, Cycle reading) {
    Scheduler& own = schedulers_[scheduler];
    Cycle& collector = *std::min_element(own.collectors.begin(), own.collectors.end());
    Way way;
    way.taken = std::max({now + 1, collector, taken_[place]});
    way.leaves = std::max(way.taken + reading, own.started[place]);
    taken_[place] = way.taken;
    collector = way.leaves;
    return way;
  }
  /// Sets the cycle in which the instruction that was taken last starts in its unit.
  void start(unsigned scheduler, unsigned place, Cycle at) {
    schedulers_[scheduler].started[place] = at;
  }

 private:
  using Places = std::array<Cycle, kPlaces>;
  struct Scheduler {
    std::vector<Cycle> collectors;  ///< free from this cycle on
    Places started{};               ///< start of its last instruction of each place
  };

  std::vector<Scheduler> schedulers_;
  Places taken_{};  ///< Way::taken of the last instruction of each place
};

}  // namespace fermata
