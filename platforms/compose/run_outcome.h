// Results of one run: the listeners that counted, and the figures of the run as a whole.
#pragma once

#include <fermata/models/core/occupancy.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/models/power/energy_account.h>
#include <fermata/models/probe/caches.h>
#include <fermata/models/probe/counters.h>
#include <fermata/models/probe/forecasts.h>
#include <fermata/models/probe/locks.h>
#include <fermata/models/probe/profile.h>
#include <fermata/models/probe/replays.h>

#include <optional>

namespace fermata::platforms {

/// References stay valid until the next run. A platform composed by hand fills one in from its own
/// modules and listeners.
struct RunOutcome {
  const indexing::Indexer& indexer;  ///< mapping of the scratchpad
  const Counters::Totals& totals;
  const PcProfile& profile;
  const BankHistogram& banks;
  Cycle cycles = 0;
  Occupancy occupancy = {};    ///< on an SM, for the grid with the most resident warps
  unsigned residentWarps = 0;  ///< most warps resident on an SM, for the grid of `occupancy`
  unsigned warpSlots = 0;      ///< limit of warps per SM
  std::uint64_t compared = 0;  ///< lane accesses verified; 0: verification is off
  double wallSeconds = 0;      ///< CPU time of the thread; with several, time of a clock
  const ReplayCounters* replays = nullptr;      ///< null: nothing is replayed
  const CacheCounters* l1 = nullptr;            ///< null: the platform has no L1
  const CacheCounters* l2 = nullptr;            ///< null: the platform has no L2
  const CacheCounters* dram = nullptr;          ///< null: global memory is flat
  const WireCounter* wire = nullptr;            ///< null: wire is not counted
  const LockCounters* locks = nullptr;          ///< null: the platform has no locks
  bool staged = false;                          ///< pipeline.organisation is not decoupled
  const ForecastCounters* forecasts = nullptr;  ///< null: there is no conflict history
  unsigned sms = 1;                             ///< streaming multiprocessors
  const EnergyAccount* energy = nullptr;        ///< first account; null: no energy is booked
  /// Cycles that conflicts took (conflict_time.h), for each grid those of the SM with the most;
  /// empty: not counted.
  std::optional<std::uint64_t> conflictTime = std::nullopt;
  /// The grid ran beside others: figures of the SMs that no instruction takes alone are not known.
  bool beside = false;

  /// Columns of a run, in the groups that a table shows apart.
  static const Figures<RunOutcome>& mappingFigures();
  static const Figures<RunOutcome>& timeFigures();
  static const Figures<RunOutcome>& residencyFigures();
  static const Figures<RunOutcome>& verificationFigures();
  static const Figures<RunOutcome>& hostFigures();  ///< not reproducible: differ from run to run
};

}  // namespace fermata::platforms
