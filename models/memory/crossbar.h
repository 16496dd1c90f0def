// Crossbar between lanes and banks: finds how many passes the lanes of a try need to get their
// words, and lets its conflict policy decide which lanes are served.
#pragma once

#include <fermata/models/memory/atomic_policy.h>
#include <fermata/models/memory/conflict.h>
#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/memory/conflict_time.h>
#include <fermata/models/memory/data_array.h>
#include <fermata/models/memory/pass_counter.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/leaving_stage.h>
#include <fermata/models/transaction/scratchpad_shape.h>

#include <functional>
#include <memory>
#include <vector>

namespace fermata {

/// Returns, by PC of a program, a value other than 0 where accesses take only their ideal passes.
/// The difference to a run without it is the cost of the conflicts there.
using ConflictFree = std::function<std::vector<std::uint8_t>(std::uint32_t program)>;

class Crossbar : public LeavingStage {
 public:
  struct Parameters {
    unsigned latency = 1;  ///< cycles of the traversal
    std::uint32_t banks = ScratchpadShape{}.banks;
    std::uint32_t ports = 1;  ///< rows that a bank delivers per pass: 1 to 4
    /// Words side by side in a row of a bank, which delivers the row in one pass: 1, 2 or 4. With n
    /// words, rows i * n to i * n + n - 1 of the indexer are one row (Kepler's 4-byte mode: 2).
    std::uint32_t rowWords = 1;
    /// Lane groups. Those that join two warps need policies that serve them together, and no
    /// arbiter.
    LaneGrouping groups;
    Chosen<ConflictPolicy> conflictPolicy;
    Chosen<AtomicPolicy> atomics;
    AtomicTable atomicTable;  ///< used by policies that serve forms
    PolicyValues policyValues;
    std::shared_ptr<Arbiter> arbiter = nullptr;  ///< null: the model's rule alone
  };

  /// `probe` may be null.
  Crossbar(const sc_core::sc_module_name& name, const Clock& clock, const Parameters& parameters,
           Probe* probe);

  /// True if the conflict policy may leave lanes of a try, which are tried again.
  bool leavesLanes() const { return parameters_.conflictPolicy->needs.leavesLanes; }
  /// The array behind the crossbar, for an L1 that is part of it.
  const std::shared_ptr<DataArray>& array() const { return array_; }
  /// True if atomics need a lock unit behind the crossbar.
  bool locks() const { return parameters_.atomics->needs.locks; }
  /// Sets the source of conflict-free PCs; an empty one: every conflict counts. It is called once
  /// for each program that accesses shared memory from now on.
  void setConflictFree(ConflictFree source);
  /// Time that conflicts have taken; the caller resets it.
  ConflictTime& conflictTime() { return conflictTime_; }

 private:
  LaneMask take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  void translate(tlm::tlm_generic_payload& payload) override;
  void relieve(WarpAccess& access);
  bool isConflictFree(const WarpAccess& access);
  void countTime(WarpAccess& access, const ConflictPolicy::Served& served);

  Parameters parameters_;
  std::shared_ptr<DataArray> array_;
  PassCounter counter_;
  ConflictPolicy& policy_;
  Probe* probe_;
  ConflictTime conflictTime_;
  ConflictFree conflictFree_;
  /// By program and PC; empty: the source has not been asked yet.
  std::vector<std::vector<std::uint8_t>> conflictFreeOf_;
};

}  // namespace fermata
