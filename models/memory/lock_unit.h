// The lock bits of a scratchpad, accessed beside its banks (van den Braak et al., Simulation and
// Architecture Improvements of Atomic Operations on GPU Scratchpad Memory, ICCD 2013, section II).
//
// A read of a locked atomic takes the lock of each word that its lanes ask for. A lane whose lock
// is taken is left, with LeftCause::Lock, and its producer repeats the loop for it. A lane of
// several words (64 bits) takes the locks of all its words or none. The write of the atomic frees
// its locks when it ends. A lock is held over any number of cycles and against all warps; no owner
// is tracked. Other accesses pass unchanged.
//
// The time of a step is counted from its issue: readLatency or writeLatency cycles per pass
// (section III), or the latency of the path if that is longer.
#pragma once

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/leaving_stage.h>
#include <fermata/models/vocabulary/choice.h>

#include <array>
#include <memory>
#include <vector>

namespace fermata {

/// Decides which of several lanes on one lock gets it.
enum class LockWinner : std::uint8_t { Lowest, Highest };

template <>
inline constexpr NamedChoice<LockWinner> kChoices<LockWinner>[] = {
    {LockWinner::Lowest, "lowest"}, {LockWinner::Highest, "highest"}};

class LockUnit : public LeavingStage {
 public:
  struct Parameters {
    LockWinner winner = LockWinner::Lowest;
    unsigned readLatency = 16;   ///< cycles of a read per pass (level of bank conflict)
    unsigned writeLatency = 18;  ///< cycles of a write per pass
    unsigned behind = 24;        ///< cycles of the path behind, contained in both latencies
  };

  /// `locks`: maps a word of the scratchpad onto its lock, which the mapping calls a bank. `probe`
  /// may be null.
  LockUnit(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
           std::shared_ptr<const indexing::Indexer> locks, Probe* probe);

  /// Returns the number of locks that are taken in cycle `now`.
  unsigned taken(Cycle now) const;

 protected:
  using Locks = std::array<WarpAccess::Lanes, WarpAccess::kMaxWordsPerLane>;

  /// Takes the locks of the words of the lanes asked for. Returns the lanes that get none.
  virtual LaneMask lock(const WarpAccess& access, Cycle now);
  /// Frees the locks of the lanes asked for, from cycle `at` on.
  virtual void unlock(const WarpAccess& access, Cycle at);
  /// The locks of the try's words: locks()[k][lane].
  const Locks& locks() const { return lock_; }

 private:
  using Failure = std::uint64_t LockEvent::*;

  struct Bit {
    Cycle free = 0;           ///< first cycle in which the lock is free; kNever while it is held
    std::uint64_t epoch = 0;  ///< epoch_ of the try that took it last
    unsigned lane = 0;        ///< lane that took it last
  };

  LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  void findLocks(const WarpAccess& access);
  Failure lockLane(const WarpAccess& access, unsigned lane, Cycle now);

  Parameters parameters_;
  std::shared_ptr<const indexing::Indexer> indexer_;
  Probe* probe_;
  std::vector<Bit> bits_;
  Locks lock_;  ///< returned by locks()
  std::uint64_t epoch_ = 0;
};

}  // namespace fermata
