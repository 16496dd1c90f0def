// One channel of a DRAM: a queue of accesses, banks with a row buffer each, and the commands by
// which they are served. Plain C++, in cycles of the command clock.
//
// Nothing is ticked, and no event is needed for a command: what becomes of the accesses that are
// known is computed when somebody wants to know, up to the cycle in which he does. Commands are
// thereby chosen as late as hardware does, and whatever comes before a command can still win it.
#pragma once

#include <fermata/models/memory/dram_timing.h>
#include <fermata/models/timing/cycle.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace fermata {

/// First ready, first come first served (FR-FCFS; Rixner et al., ISCA 2000), open page, one command
/// a cycle: of the commands that some access needs and that the timing allows, columns go before
/// rows, then that of the oldest access. A bank's row is closed when no access of the queue wants
/// it any more. Accesses to one row of one bank stay in order.
///
/// None starves: once the oldest of the channel has waited for `patience` cycles, its commands go
/// first, nobody else's keep its row closed, and none takes the data bus in the other direction.
/// Each of its commands then waits for the timing alone.
class DramChannel {
 public:
  struct Parameters {
    unsigned banks;       ///< 1 to kMostBanks
    unsigned bankGroups;  ///< a power of two; bank b is in group b mod bankGroups
    unsigned queue;       ///< accesses: 1 to kMostQueue
    Cycle patience;
    DramTiming timing;
  };
  static constexpr unsigned kMostQueue = 4096;
  static constexpr unsigned kMostBanks = 64;
  /// Bursts of one row.
  struct Access {
    unsigned bank = 0;
    std::uint64_t row = 0;
    std::uint32_t bursts = 1;
    bool write = false;
    std::uint32_t owner = 0;  ///< the caller's, as the next ones
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
  };
  struct Served {
    Access access;
    Cycle end;    ///< the data bus is free again: all data have passed
    bool rowHit;  ///< the row was open, for an earlier access
  };

  /// The next commands of the banks, as far as they are known now, side by side: every command
  /// looks at those of all banks.
  struct Wants {
    std::array<Cycle, kMostBanks> at;             ///< the earliest
    std::array<std::uint64_t, kMostBanks> order;  ///< of those of one cycle the least goes first
    /// Cycles from there until an access is served, at least.
    std::array<std::uint64_t, kMostBanks> toServed;
  };

  explicit DramChannel(const Parameters& parameters);

  /// Full: no access may be added.
  bool full() const { return idle_ == kNone; }
  bool empty() const { return busy_ == 0; }
  /// Enters the queue in cycle `at`; its first command comes in that cycle at the earliest.
  /// Preconditions: not full; run(at) has been called.
  void add(const Access& access, Cycle at);
  /// Gives all commands of cycles before `to`, and appends what has been served by them. False:
  /// there were none. Precondition: what was to be added before `to` has been added.
  bool run(Cycle to, std::vector<Served>& served);
  /// No access of the queue is served by a command of an earlier cycle; kNever: none is there.
  /// Precondition: nothing has been added since run().
  Cycle nextServed() const;

  /// From a command to the end of what it serves, at least.
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
    std::uint64_t age = 0;   ///< less: older
    bool activated = false;  ///< a row was opened for it
    Index next = kNone;      ///< of its bank, the next younger one; or of those not used
  };
  struct Bank {
    bool open = false;
    std::uint64_t row = 0;
    Cycle activateFrom = 0;
    Cycle columnFrom = 0;
    Cycle prechargeFrom = 0;
    Index first = kNone;  ///< of its queue, which is in order of age
    Index last = kNone;
    Index hit = kNone;  ///< the oldest that wants the open row
    Index beforeHit = kNone;
  };
  struct Command {
    Cycle at = kNever;
    unsigned bank = 0;
    bool urgent = false;  ///< for the oldest access of the bank, whatever else wants its row
  };
  /// The next command of a bank, as far as the bank decides it.
  struct Want {
    Cycle from;
    std::uint64_t order;
    std::uint32_t toServed;
    std::uint32_t gate;  ///< which of gates_ it must wait for as well
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
  std::array<std::uint32_t, kMostBanks> gate_{};  ///< by bank, of what it wants
  unsigned vectors_;
  /// From when on what all banks share is free: a read and a write for each bank group, then an
  /// activate, then a precharge, which shares nothing.
  std::vector<Cycle> gates_;
  std::uint64_t busy_ = 0;       ///< banks with an access in the queue, a bit each
  std::uint64_t columns_ = 0;    ///< those that want a column
  std::uint64_t activates_ = 0;  ///< those that want an activate
  Index idle_ = kNone;           ///< entries not used, a list
  std::uint64_t age_ = 0;
  unsigned writes_ = 0;
  Cycle now_ = 0;        ///< commands of earlier cycles have been given
  unsigned oldest_ = 0;  ///< the bank of the oldest access
  Cycle urgentFrom_ = kNever;
  Command next_;        ///< if nothing is added
  bool chosen_ = true;  ///< nothing has been since
};

}  // namespace fermata
