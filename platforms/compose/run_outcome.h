// What one run did: who counted, and the figures of the run as a whole.
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

namespace fermata::platforms {

/// References stay valid until the next run. A platform composed by hand makes one of its own from
/// the modules and listeners that it has.
struct RunOutcome {
  const indexing::Indexer& indexer;  ///< of the scratchpad
  const Counters::Totals& totals;
  const PcProfile& profile;
  const BankHistogram& banks;
  Cycle cycles = 0;
  Occupancy occupancy = {};                 ///< on an SM, of the grid with the most resident warps
  unsigned residentWarps = 0;               ///< on an SM at most, of that grid
  unsigned warpSlots = 0;                   ///< warps that the SM holds at most
  std::uint64_t compared = 0;               ///< lane accesses verified; 0: verification is off
  double wallSeconds = 0;                   ///< of the simulating thread
  const ReplayCounters* replays = nullptr;  ///< null: nothing is replayed
  const CacheCounters* caches = nullptr;    ///< null: there are none
  const WireCounter* wire = nullptr;        ///< null: it is not counted
  const LockCounters* locks = nullptr;      ///< null: there are none
  bool staged = false;                      ///< the units are not decoupled
  const ForecastCounters* forecasts = nullptr;  ///< null: there is no conflict history
  unsigned sms = 1;                             ///< streaming multiprocessors
  const EnergyAccount* energy = nullptr;        ///< null: none is booked; else the first

  /// The columns of a run, in the groups that a table shows apart.
  static const Figures<RunOutcome>& mappingFigures();
  static const Figures<RunOutcome>& timeFigures();
  static const Figures<RunOutcome>& residencyFigures();
  static const Figures<RunOutcome>& verificationFigures();
  static const Figures<RunOutcome>& hostFigures();  ///< they differ from run to run
};

}  // namespace fermata::platforms
