// One channel of a DRAM: a queue of accesses, banks with one row buffer each, and the commands that
// serve the accesses. Plain C++, in cycles of the command clock.
//
// Nothing is ticked, and no command needs an event: run() computes all commands up to a cycle when
// the caller asks. Each command is thereby chosen as late as in hardware: every access that comes
// before it can still win it.
#pragma once

#include <fermata/models/memory/dram_timing.h>
#include <fermata/models/timing/cycle.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace fermata {

/// First ready, first come first served (FR-FCFS; Rixner et al., ISCA 2000), open page, one command
/// per cycle. Among the commands that some access needs and the timing allows, columns go before
/// rows, then older accesses before younger ones. A bank's row is closed when no access of the
/// queue wants it any more. Accesses to one row of one bank stay in order.
///
/// No access starves. Once the oldest of the channel has waited for `patience` cycles, its commands
/// go first, its bank serves no other access, and once its row is open no other access turns the
/// data bus. Each of its commands then waits for the timing alone.
class DramChannel {
 public:
  struct Parameters {
    unsigned banks;       ///< 1 to kMostBanks
    unsigned bankGroups;  ///< a power of two; bank b is in group b mod bankGroups
    unsigned queue;       ///< accesses that may wait: 1 to kMostQueue
    Cycle patience;       ///< cycles that the oldest access waits before it goes first
    DramTiming timing;
  };
  static constexpr unsigned kMostQueue = 4096;
  static constexpr unsigned kMostBanks = 64;
  /// Reads or writes bursts of one row.
  struct Access {
    unsigned bank = 0;
    std::uint64_t row = 0;
    std::uint32_t bursts = 1;
    bool write = false;
    // For the caller; the channel only returns them.
    std::uint32_t owner = 0;
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
  };
  struct Served {
    Access access;
    Cycle end;    ///< all data have passed the bus, which is free again
    bool rowHit;  ///< the row had been opened for an earlier access
  };

  /// The next command of each bank, as known now. One array per field: choosing a command scans all
  /// banks with vector instructions.
  struct Wants {
    std::array<Cycle, kMostBanks> at;             ///< earliest cycle of the command
    std::array<std::uint64_t, kMostBanks> order;  ///< within one cycle the least goes first
    /// Least cycles from the command until one that serves an access.
    std::array<std::uint64_t, kMostBanks> toServed;
  };

  explicit DramChannel(const Parameters& parameters);

  /// True if no access may be added.
  bool full() const { return idle_ == kNone; }
  bool empty() const { return busy_ == 0; }
  /// Adds an access to the queue in cycle `at`, the earliest cycle of its first command.
  /// Preconditions: not full; run(at) has been called.
  void add(const Access& access, Cycle at);
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
  /// Writes in the queue.
  unsigned writes() const { return writes_; }

 private:
  using Index = std::uint16_t;
  static constexpr Index kNone = 0xffff;

  struct Entry {
    Access access;
    Cycle arrived = 0;
    std::uint64_t age = 0;   ///< rises from access to access: less is older
    bool activated = false;  ///< its row was opened for this access
    Index next = kNone;      ///< next younger entry of its bank, or next entry of the idle list
  };
  struct Bank {
    bool open = false;
    std::uint64_t row = 0;
    Cycle activateFrom = 0;
    Cycle columnFrom = 0;
    Cycle prechargeFrom = 0;
    Index first = kNone;  ///< oldest access; the list is in order of age
    Index last = kNone;
    Index hit = kNone;  ///< oldest access that wants the open row
    Index beforeHit = kNone;
  };
  struct Command {
    Cycle at = kNever;
    unsigned bank = 0;
    bool urgent = false;  ///< serves the bank's oldest access, even against row hits
  };
  /// The next command of a bank, from the state of that bank alone.
  struct Want {
    Cycle from;
    std::uint64_t order;
    std::uint32_t toServed;
    std::uint32_t gate;  ///< index in gates_; the command waits for this gate, too
  };

  Command choose() const;
  Command chooseOf(std::uint64_t banks, Cycle from) const;
  static Command commandOf(std::uint64_t key, Cycle from);
  Command chooseUrgent(Cycle from) const;
  void findOldest();
  Want wantOf(unsigned bank, Index hit) const;
  void refresh(unsigned bank);
  void clear(unsigned bank);
  void putOff(std::uint64_t banks);
  unsigned gateOf(unsigned bank, bool write) const {
    return (bank & (parameters_.bankGroups - 1)) * 2 + write;
  }
  unsigned activateGate() const { return 2 * parameters_.bankGroups; }
  void issue(const Command& command, std::vector<Served>& served);
  void column(unsigned bank, Cycle at, std::vector<Served>& served);
  void closeGates(unsigned bank, Cycle at, bool write);
  void activate(unsigned bank, Cycle at);
  void precharge(unsigned bank, Cycle at);
  void removeHit(Bank& bank);

  Parameters parameters_;
  std::vector<Entry> entries_;
  std::vector<Bank> banks_;
  Wants wants_;
  std::array<std::uint32_t, kMostBanks> gate_{};  ///< by bank: Want::gate of its next command
  unsigned vectors_;
  /// Cycles from which resources shared by banks are free: by bank group one for reads and one for
  /// writes, then one for activates, then one for precharges, which is always free.
  std::vector<Cycle> gates_;
  std::uint64_t busy_ = 0;       ///< bit b: an access of the queue is for bank b
  std::uint64_t columns_ = 0;    ///< bit b: the next command of bank b is a column
  std::uint64_t activates_ = 0;  ///< bit b: the next command of bank b is an activate
  Index idle_ = kNone;           ///< first of the list of unused entries
  std::uint64_t age_ = 0;
  unsigned writes_ = 0;
  Cycle now_ = 0;              ///< all commands of earlier cycles have been issued
  unsigned oldest_ = 0;        ///< bank of the oldest access
  Cycle urgentFrom_ = kNever;  ///< when the oldest access has waited for `patience` cycles
  Command next_;               ///< the next command, provided that no access is added
  bool chosen_ = true;         ///< next_ is up to date
};

}  // namespace fermata
