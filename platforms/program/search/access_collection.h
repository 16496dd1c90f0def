// The shared-memory accesses of a workload, as a search looks at them: collected without timing, in
// memory that does not grow with the length of the run.
//
// Words count from the start of the CTA's window: byte offset / scratchpad.bank_bytes. One access
// set is what the banks are offered at once (models/transaction/lane_groups.h): the warp,
// or those of its lanes that crossbar.groups_32, groups_64 or groups_128 puts together, and where
// they join the halves of a wavefront, those of both.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fermata/models/core/workload.h>
#include <fermata/models/search/access_class.h>
#include <fermata/models/search/access_sets.h>
#include <fermata/platforms/compose/parameters.h>

namespace fermata::platforms {

/// What one instruction did to shared memory, whole warps counted.
struct InstructionProfile {
  static constexpr std::size_t kMaxClasses = 8;

  std::uint32_t source = 0;      ///< which collection: 0 for the first
  std::uint64_t executions = 0;  ///< by warps; 0: unknown
  std::uint64_t accesses = 0;    ///< executions with an active lane
  std::uint64_t groups = 0;      ///< access sets: accesses, or more where one takes several turns
  /// The classes found, the first kMaxClasses of them, most frequent first. Lanes wider than a bank
  /// are classified by their elements: 64-bit lanes side by side are linear.
  std::vector<std::pair<search::AccessClass, std::uint64_t>> classes;
  std::uint64_t otherClasses = 0;  ///< accesses of further classes

  void add(const search::AccessClass& found, std::uint64_t count);
  /// "stride 32", "stride 2 and 3 more"; "-" when there was no access.
  std::string classText() const;
};

struct Collected {
  search::AccessSets sets;
  std::vector<InstructionProfile> profile;  ///< one for each of sets.instructions()
  std::vector<std::string> sources;         ///< name of each collection
  /// Kernels whose CTAs' windows a run packs (WindowPlacement): there a mapping of address bits may
  /// leave other conflicts than of words that count from the CTA's window.
  std::set<std::string> packedKernels;
  /// Of each shape of a kernel's CTAs one launch.
  std::vector<Grid> grids;

  std::uint64_t accesses() const;
};

/// Runs the workload to its end and adds its accesses; several calls collect several workloads.
/// `name` and `weight` go to every instruction. Throws what drive() throws.
void collectAccesses(Workload& workload, const std::string& name, std::uint64_t weight,
                     const PlatformParameters& platform, Collected& into,
                     const std::function<void(std::uint64_t)>& progress = {});

}  // namespace fermata::platforms
