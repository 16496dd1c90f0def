// One channel of a DRAM. An access arrives and waits in the queue of its bank (dram_queue.h). The
// bank is precharged and activated until it holds the access's row (dram_bank.h). Its read or write
// is chosen among the commands of all banks (dram_scheduler.h) as the shared bus allows
// (dram_bus.h). Plain C++, in cycles of the command clock.
//
// Nothing is ticked, and no command needs an event: run() computes all commands up to a cycle when
// the caller asks. Each command is thereby chosen as late as in hardware: every access that comes
// before it can still win it. Refreshes of an idle channel are skipped.
#pragma once

#include <fermata/models/memory/dram_bank.h>
#include <fermata/models/memory/dram_bus.h>
#include <fermata/models/memory/dram_queue.h>
#include <fermata/models/memory/dram_scheduler.h>

#include <vector>

namespace fermata {

/// FR-FCFS, open page, one command per cycle. A bank's row is closed when no access of the queue
/// wants it any more. Accesses to one row of one bank stay in order.
///
/// No access starves. Once the oldest of the channel has waited for `patience` cycles, its commands
/// go first, its bank serves no other access, and once its row is open no other access turns the
/// data bus. Each of its commands then waits for the timing alone.
///
/// Refreshes take `refreshBanks` banks at a time, in falling order, so that each bank has one per
/// `timing.refi`. In rising order a stream of rising addresses could keep pace with them and wait
/// in bank after bank. When one is due, its banks get no other command: as soon as all their open
/// rows may be closed, all are, and the refresh follows after `rp`. Other banks go on. A refresh
/// takes no cycle of the command bus, and none is postponed.
class DramChannel {
 public:
  struct Parameters {
    unsigned banks;       ///< 1 to DramQueue::kMostBanks
    unsigned bankGroups;  ///< a power of two; bank b is in group b mod bankGroups
    unsigned queue;       ///< accesses that may wait: 1 or more
    Cycle patience;       ///< cycles that the oldest access waits before it goes first
    DramTiming timing;
    unsigned refreshBanks = 0;  ///< banks per refresh, a divisor of `banks`; 0: all
    Cycle start = 0;            ///< the time to the first refresh is counted from here
    /// Sets of dies, a power of two: the first banks are in the first set, and so on, each set with
    /// `bankGroups` of its own.
    unsigned stackIds = 1;
  };
  struct Served {
    DramAccess access;
    Cycle end;    ///< all data have passed the bus, which is free again
    bool rowHit;  ///< the row had been opened for an earlier access
  };

  explicit DramChannel(const Parameters& parameters);

  /// True if no access may be added.
  bool full() const { return queue_.full(); }
  bool empty() const { return queue_.empty(); }
  /// Writes in the queue.
  unsigned writes() const { return queue_.writes(); }
  /// Adds an access to the queue in cycle `at`, the earliest cycle of its first command.
  /// Preconditions: not full; run(at) has been called.
  void add(const DramAccess& access, Cycle at);
  /// Issues all commands of cycles before `to`, and appends the accesses that they serve to
  /// `served`. False: there were no commands. Precondition: every access that arrives before `to`
  /// has been added.
  bool run(Cycle to, std::vector<Served>& served);
  /// Returns a cycle before which no command serves an access; kNever: the queue is empty.
  /// Precondition: nothing has been added since run().
  Cycle nextServed() const;

  /// Cycles from the last column command of an access to Served::end.
  static Cycle leastToEnd(const DramTiming& timing, bool write) {
    return (write ? timing.wl : timing.cl) + timing.ccd;
  }

 private:
  DramIssue choose() const;
  DramIssue chooseUrgent(Cycle from) const;
  /// Cycle from which the oldest access goes first.
  Cycle urgentFrom() const {
    return queue_.empty() ? kNever : queue_.oldest().arrived + parameters_.patience;
  }
  DramScheduler::Candidate candidateFor(const DramQueue::Waiting& waiting) const;
  void updateCandidate(unsigned bank);
  void delayCandidates(DramCommand command);

  void issue(const DramIssue& next, std::vector<Served>& served);
  Cycle refreshRound() const { return refreshInterval_ * (banks_.size() / refreshBanks_); }
  Cycle earliestRefresh(unsigned first, unsigned end) const;
  void refresh(Cycle to);
  void precharge(unsigned bank, Cycle at);
  void activate(unsigned bank, Cycle at);
  void column(unsigned bank, Cycle at, std::vector<Served>& served);

  Parameters parameters_;
  DramQueue queue_;
  std::vector<DramBank> banks_;
  DramBus bus_;
  DramScheduler scheduler_;
  unsigned refreshBanks_;
  Cycle refreshInterval_;
  unsigned refreshBank_;  ///< first bank of the next refresh
  Cycle refreshDue_;      ///< kNever: there is no refresh
  Cycle now_ = 0;         ///< all commands of earlier cycles have been issued
  DramIssue next_;        ///< the next command, provided that no access is added
  bool chosen_ = true;    ///< next_ is up to date
};

}  // namespace fermata
