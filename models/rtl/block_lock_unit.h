// A lock unit of RTL in the place of the model's, or beside it.
#pragma once

#include <fermata/models/memory/lock_unit.h>
#include <fermata/models/rtl/implementation.h>
#include <fermata/models/rtl/lock_block.h>
#include <fermata/models/rtl/lockstep.h>

#include <memory>
#include <vector>

namespace fermata::rtl {

/// Of LockWinner::Lowest: else it throws BadInput. Times and counters are the model's; who gets a
/// lock says the block, and with Implementation::Lockstep it throws LockstepDifference where the
/// model says otherwise.
class BlockLockUnit final : public LockUnit {
 public:
  BlockLockUnit(const sc_core::sc_module_name& name, const Clock& clock,
                const Parameters& parameters, std::shared_ptr<const indexing::Indexer> locks,
                Probe* probe, std::unique_ptr<LockBlock> block, Implementation how);

 private:
  /// Locks that are given back later.
  struct Return {
    Cycle at;
    LockRequest request;
  };

  /// Throws BadInput for lanes that take several locks.
  LaneMask lock(const WarpAccess& access, Cycle now) override;
  void unlock(const WarpAccess& access, Cycle at) override;
  LockResponse ask(const LockRequest& request, Cycle now);

  std::unique_ptr<LockBlock> block_;
  Implementation how_;
  std::vector<Return> returns_;
};

}  // namespace fermata::rtl
