// Crossbar between lanes and banks: it finds in how many passes the lanes of a try get their words,
// and lets its conflict policy say which are served.
#pragma once

#include <fermata/models/memory/atomic_policy.h>
#include <fermata/models/memory/conflict.h>
#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/memory/wavefronts.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/leaving_stage.h>
#include <fermata/models/transaction/scratchpad_shape.h>

#include <functional>
#include <memory>
#include <vector>

namespace fermata {

/// Of a program, by PC: not 0 where accesses take no more passes than they would without a
/// conflict, so that it is seen what their conflicts cost.
using ConflictFree = std::function<std::vector<std::uint8_t>(std::uint32_t program)>;

class Crossbar : public LeavingStage {
 public:
  struct Parameters {
    unsigned latency = 1;  ///< cycles of the traversal
    std::uint32_t banks = ScratchpadShape{}.banks;
    std::uint32_t ports = 1;  ///< words that a bank delivers a cycle: 1 to 4
    /// Words side by side in a row of a bank, which delivers them in one pass: 1, 2 or 4. Rows i *
    /// n to i * n + n - 1 of the indexer are one row then (Kepler's 4-byte mode: 2).
    std::uint32_t rowWords = 1;
    /// Groups that join two warps need `serialize` or `ideal`, and atomics that are loads.
    LaneGrouping groups;
    MakeConflictPolicy conflictPolicy = makeSerialize;
    MakeAtomicPolicy atomics = makeAtomicLoad;
    std::shared_ptr<Arbiter> arbiter = nullptr;  ///< null: the model's rule alone
  };

  /// `probe` may be null.
  Crossbar(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
           Probe* probe);

  /// Its policy may leave lanes of a try, which are tried again.
  bool leavesLanes() const { return policy_->leavesLanes(); }
  /// Atomics need a lock unit behind it.
  bool locks() const { return atomics_->locks(); }
  /// Asked once, from now on, for each program that accesses shared memory. Empty: every conflict
  /// counts.
  void setConflictFree(ConflictFree source);

 private:
  LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  void translate(tlm::tlm_generic_payload& payload) override;
  void resolve(WarpAccess& access);
  void relieve(WarpAccess& access);
  bool isConflictFree(const WarpAccess& access);

  Parameters parameters_;
  ConflictResolver resolver_;
  std::unique_ptr<ConflictPolicy> policy_;
  std::unique_ptr<AtomicPolicy> atomics_;
  std::unique_ptr<Wavefronts> wavefronts_;  ///< null: no two warps are offered together
  Probe* probe_;
  ConflictFree conflictFree_;
  std::vector<std::vector<std::uint8_t>> conflictFreeOf_;  ///< by program; empty: not asked yet
};

}  // namespace fermata
