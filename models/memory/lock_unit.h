// The lock bits of a scratchpad, asked beside its banks (van den Braak et al., Simulation and
// Architecture Improvements of Atomic Operations on GPU Scratchpad Memory, ICCD 2013, section II).
//
// A read of a locked atomic takes the lock of each of its lanes' words; a lane whose lock is taken
// is left, with LeftCause::Lock, and its producer goes round again. A lane that accesses several
// words (64 bits) takes the locks of all of them or none. The write gives them back when it ends.
// Locks are held from cycle to cycle and between warps: nobody is tracked as their owner. Other
// accesses pass.
//
// How long a step takes is counted from its issue: so many cycles for each level of bank conflict
// (section III), or what the path takes where that is more.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/leaving_stage.h>

#include <array>
#include <memory>
#include <vector>

namespace fermata {

/// Which of several lanes on one lock gets it.
enum class LockWinner : std::uint8_t { Lowest, Highest };

template <>
struct ChoiceTable<LockWinner> {
  static const std::vector<NamedChoice<LockWinner>>& table() {
    static const std::vector<NamedChoice<LockWinner>> choices{{LockWinner::Lowest, "lowest"},
                                                              {LockWinner::Highest, "highest"}};
    return choices;
  }
};

class LockUnit : public LeavingStage {
 public:
  struct Parameters {
    LockWinner winner = LockWinner::Lowest;
    unsigned readLatency = 16;   ///< cycles of a read for each level of bank conflict
    unsigned writeLatency = 18;  ///< the same of a write
    unsigned behind = 24;        ///< cycles that the path behind takes; part of these latencies
  };

  /// Word w of the scratchpad has the lock that the mapping calls its bank. `probe` may be null.
  LockUnit(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
           std::shared_ptr<const indexing::Indexer> locks, Probe* probe);

  /// Locks that are taken in cycle `now`.
  unsigned taken(Cycle now) const;

 protected:
  using Locks = std::array<WarpAccess::Lanes, WarpAccess::kMaxWordsPerLane>;

  /// The lanes asked for try to get the locks of their words; returns those that get none.
  virtual LaneMask lock(const WarpAccess& access, Cycle now);
  /// They give them back: from cycle `at` on others may get them.
  virtual void unlock(const WarpAccess& access, Cycle at);
  /// Of the words of the try.
  const Locks& locks() const { return lock_; }

 private:
  using Failure = std::uint64_t LockEvent::*;

  struct Bit {
    Cycle free = 0;           ///< first cycle in which it is not taken; kNever while it is held
    std::uint64_t epoch = 0;  ///< of the try that took it last
    unsigned lane = 0;        ///< for which it did
  };

  LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  void findLocks(const WarpAccess& access);
  Failure lockLane(const WarpAccess& access, unsigned lane, Cycle now);

  Parameters parameters_;
  std::shared_ptr<const indexing::Indexer> indexer_;
  Probe* probe_;
  std::vector<Bit> bits_;
  Locks lock_;  ///< of the try's words
  std::uint64_t epoch_ = 0;
};

}  // namespace fermata
