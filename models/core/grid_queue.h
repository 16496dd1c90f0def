// The grids of a set on their way through a chip: which one places CTAs next, and which are over.
//
// Found on GPUs: only the grid at the head places CTAs. The next one has its turn when all CTAs of
// the head have a place, and fills what is left (Amert et al., "GPU Scheduling on the NVIDIA TX2:
// Hidden Details Revealed", RTSS 2017). A grid of a higher priority goes first; CTAs that have a
// place keep it. Example, a chip with room for 8 CTAs, grids without dependencies:
//
//   grid  CTAs  priority   placed at once   then
//   A     6     0          6
//   B     4     0          2                2, when CTAs of A or B have left
//   C     1     0          0                1, behind B, even if B's CTAs are too large for a place
//
// Plain C++.
#pragma once

#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/grid_set.h>

#include <cstdint>
#include <vector>

namespace fermata {

class GridQueue {
 public:
  static constexpr unsigned kNone = ~0U;
  /// Grids that a device has at once (CUDA C++ Programming Guide, "maximum number of resident grids
  /// per device": 128 from compute capability 7.0 on, except 7.2).
  static constexpr unsigned kMostGrids = 128;

  /// One grid: cycles count from the begin of the workload.
  struct State {
    Cycle begun = 0;
    Cycle ended = 0;
    std::uint64_t placed = 0;   ///< CTAs that have had a place
    std::uint64_t running = 0;  ///< CTAs that have a place
    unsigned awaits = 0;        ///< members before it that are not over
    bool live = false;          ///< has begun, and is not over
    bool lets = false;          ///< lets members begin that are early, or is over
    bool over = false;
  };

  /// `set` must outlive the queue.
  explicit GridQueue(const GridSet& set);

  /// Returns the member that places CTAs next: it has some, or it has none at all and has not
  /// begun; kNone: none may.
  unsigned head() const;
  bool hasBegun(unsigned member) const { return of(member).live || of(member).over; }
  void begin(unsigned member, Cycle now);
  /// Returns the number of the next CTA of the head, and counts it as placed.
  std::uint64_t place(unsigned member);
  bool hasCtas(unsigned member) const { return of(member).placed < set_.grid(member).ctas; }
  /// Counts a CTA that has left in cycle `at`. Returns true if it was the last of its grid, which
  /// is over.
  bool retire(unsigned member, Cycle at);
  /// Ends a member without CTAs.
  void end(unsigned member, Cycle at);
  /// Returns the members that run and that others wait for to let them begin.
  const std::vector<unsigned>& awaited() const { return awaited_; }
  /// Lets members begin that wait for nothing else of this one.
  void letBegin(unsigned member);
  bool allOver() const { return over_ == grids_.size(); }
  /// Returns the CTAs that have left, of all members.
  std::uint64_t endedCtas() const { return endedCtas_; }
  const State& of(unsigned member) const { return grids_[member]; }
  /// Returns the cycle in which the last grid so far was over.
  Cycle last() const { return last_; }

 private:
  const GridSet& set_;
  std::vector<State> grids_;
  std::vector<std::vector<unsigned>> before_;  ///< by member: those that wait for its end
  std::vector<std::vector<unsigned>> early_;   ///< by member: those that it lets begin
  std::vector<unsigned> awaited_;
  std::vector<unsigned> order_;  ///< members by priority, then by number
  std::size_t over_ = 0;
  unsigned live_ = 0;
  std::uint64_t endedCtas_ = 0;
  Cycle last_ = 0;
};

}  // namespace fermata
