// A lock unit of RTL, in the place of the model's or beside it.
#pragma once

#include <fermata/models/memory/lock_unit.h>
#include <fermata/models/rtl/implementation.h>
#include <fermata/models/rtl/lock_block.h>
#include <fermata/models/rtl/lockstep.h>

#include <memory>
#include <vector>

namespace fermata::rtl {

/// The block decides who gets a lock; times and counters are the model's. Throws BadInput unless
/// the parameters ask for LockWinner::Lowest. With Implementation::Lockstep, throws
/// LockstepDifference if the model decides differently.
class BlockLockUnit final : public LockUnit {
 public:
  BlockLockUnit(const sc_core::sc_module_name& name, const Clock& clock,
                const Parameters& parameters, std::shared_ptr<const indexing::Indexer> locks,
                Probe* probe, std::unique_ptr<LockBlock> block, Implementation how);

 private:
  /// Locks that are returned at a later cycle.
  struct Return {
    Cycle at;
    LockRequest request;
  };

  /// Throws BadInput if a lane takes several locks.
  LaneMask lock(const WarpAccess& access, Cycle now) override;
  void unlock(const WarpAccess& access, Cycle at) override;
  LockResponse ask(const LockRequest& request, Cycle now);

  std::unique_ptr<LockBlock> block_;
  Implementation how_;
  std::vector<Return> returns_;
};

}  // namespace fermata::rtl
