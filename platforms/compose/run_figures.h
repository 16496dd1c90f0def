// The probes that count what the tables of a run show.
#pragma once

#include <fermata/models/probe/caches.h>
#include <fermata/models/probe/counters.h>
#include <fermata/models/probe/forecasts.h>
#include <fermata/models/probe/locks.h>
#include <fermata/models/probe/probe_list.h>
#include <fermata/models/probe/profile.h>
#include <fermata/models/probe/replays.h>

#include <memory>

namespace fermata::platforms {

class Chip;
class Configuration;

/// One set counts a whole chip. Or one set counts each multiprocessor, another what they share, and
/// add() makes a whole of them.
class RunFigures {
 public:
  /// Makes probes for the parts that the chip has.
  RunFigures(const Configuration& configuration, Chip& chip);

  /// Adds the probes to `list`, which tells them those of `events` that they listen to.
  void listen(ProbeList& list, unsigned events = Probe::kAllEvents);
  void reset();
  /// Counts each of so many programs apart, until reset(); 0: all together.
  void split(unsigned programs) { counters.split(programs); }
  /// Takes over what was counted for the instructions of one program, which are those of `grid`.
  /// What is not counted by instruction is left out. Precondition: split().
  void take(const RunFigures& whole, const Grid& grid);
  /// Adds the figures of a multiprocessor of the chip, which was told of the same grids. Add
  /// several by rising number.
  void add(const RunFigures& other);

  Counters counters;
  PcProfile profile;
  BankHistogram banks;
  std::unique_ptr<ReplayCounters> replays;      ///< null if nothing is replayed
  std::unique_ptr<CacheCounters> caches;        ///< null: neither L1 nor DRAM
  std::unique_ptr<WireCounter> wire;            ///< null if wire is not counted
  std::unique_ptr<LockCounters> locks;          ///< null if the platform has none
  std::unique_ptr<ForecastCounters> forecasts;  ///< null if there is no conflict history

 private:
  template <class Call>
  void each(const RunFigures& other, Call call);
};

}  // namespace fermata::platforms
