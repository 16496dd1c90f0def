// Parameters of the core of an SM. No SystemC.
#pragma once

#include <fermata/models/core/bulk_engine_parameters.h>
#include <fermata/models/core/cluster_parameters.h>
#include <fermata/models/core/in_order_parameters.h>
#include <fermata/models/core/instruction_cache_parameters.h>
#include <fermata/models/core/load_store_parameters.h>
#include <fermata/models/core/occupancy.h>
#include <fermata/models/core/pipeline_parameters.h>
#include <fermata/models/core/warp_policy.h>
#include <fermata/models/vocabulary/machine_level.h>

namespace fermata {

struct WarpSchedulerParameters {
  Chosen<WarpPolicy> policy;
  /// Picks the warps if `policy` only says which instructions may go.
  Chosen<WarpPolicy> basePolicy;
  PolicyValues policyValues;
  unsigned schedulers = 2;
  bool rotates = false;  ///< another scheduler has the first turn in each cycle
  /// Adjacent warps that form one wavefront and belong to one scheduler: 2 for wave64.
  unsigned wavefrontWarps = 1;
  unsigned issueWidth = 1;  ///< instructions per scheduler and cycle, from different warps
  PipelineParameters pipelines;
  InOrderParameters inOrder;        ///< read unless pipelines.organisation is Decoupled
  unsigned constantLatency = 9;     ///< cycles of a constant or parameter load that hits
  bool atomicsWait = false;         ///< a warp issues nothing while an atomic of it is under way
  bool atomicsPassAddress = false;  ///< an atomic does not wait for the register of its address
  /// Bytes of a line of constants, of which an instruction reads one per cycle; 0: all at once.
  unsigned constantLine = 0;
  unsigned constantBytes = 0;  ///< of the cache of constants (constant_cache.h); 0: all are there
  unsigned constantMiss = 0;   ///< cycles more if a line of constants is absent
  LoadStoreParameters loadStore;
  InstructionCacheParameters instructions;
  BulkEngineParameters bulkEngine;
  bool suspendsWaits = false;  ///< StaticInstruction::suspends holds; false: warps repeat tests
  ClusterParameters cluster;
  unsigned reorderBuffer = 0;  ///< entries per warp (reorder_buffer.h); 0: no buffer
};

/// Threads whose words of local memory at one offset lie side by side.
enum class LocalLayout : std::uint8_t {
  Warp,  ///< those of a warp; the words of a warp lie together
  Chip   ///< all that the chip can run at once (ModelState::localPlace())
};
template <>
inline constexpr NamedChoice<LocalLayout> kChoices<LocalLayout>[] = {{LocalLayout::Warp, "warp"},
                                                                     {LocalLayout::Chip, "chip"}};

struct CoreParameters {
  WarpSchedulerParameters issue;
  MachineLevel code = MachineLevel::Ptx;
  OccupancyLimits limits;
  unsigned ctaGap = 0;  ///< from the end of a CTA to the first instruction in its place
  LocalLayout localLayout = LocalLayout::Warp;
  bool verify = false;  ///< accesses carry data
};

}  // namespace fermata
