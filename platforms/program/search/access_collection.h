// The shared-memory accesses of a workload, as a search uses them. They are collected without
// timing, in memory that does not grow with the length of the run.
//
// Words are byte offset / scratchpad.bank_bytes, counted from the start of the CTA's window. One
// access set is the words that the banks are offered at once (models/transaction/lane_groups.h). It
// comes from a whole warp, or from a lane group of it as crossbar.groups_32, groups_64 or
// groups_128 define; if they join the halves of a wave64, from both halves.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/search/access_class.h>
#include <fermata/models/search/access_sets.h>
#include <fermata/models/vocabulary/workload.h>

namespace fermata::platforms {

struct PlatformParameters;

/// Shared-memory activity of one instruction, counted in whole warps.
struct InstructionProfile {
  static constexpr std::size_t kMaxClasses = 8;

  std::uint32_t source = 0;      ///< index of the collection, from 0
  std::uint64_t executions = 0;  ///< by warps; 0: unknown
  std::uint64_t accesses = 0;    ///< executions with at least one active lane
  /// Access sets: one per access, or more if an access takes several turns.
  std::uint64_t groups = 0;
  /// Passes of all accesses with the mapping of the collection, as a run counts them, and those of
  /// them without any conflict.
  std::uint64_t passes = 0;
  std::uint64_t idealPasses = 0;
  /// Count of the access sets, each times the passes that a word of the fullest bank takes; 0: as
  /// `groups`.
  std::uint64_t setPasses = 0;
  /// The first kMaxClasses classes found, most frequent first. Lanes wider than a bank are
  /// classified by their elements: 64-bit lanes side by side are linear.
  std::vector<std::pair<search::AccessClass, std::uint64_t>> classes;
  std::uint64_t otherClasses = 0;  ///< accesses of further classes

  double passesPerWord() const {
    return setPasses == 0 ? 1 : static_cast<double>(setPasses) / static_cast<double>(groups);
  }
  void add(const search::AccessClass& found, std::uint64_t count);
  /// Returns "stride 32", "stride 2 and 3 more", or "-" if there was no access.
  std::string classText() const;
};

struct Collected {
  search::AccessSets sets;
  std::vector<InstructionProfile> profile;  ///< one per entry of sets.instructions()
  std::vector<std::string> sources;         ///< name of each collection
  /// Kernels whose CTA windows a run packs (WindowPlacement). There a mapping of address bits may
  /// give other conflicts than counted here, where words start at the CTA's window.
  std::set<std::string> packedKernels;
  /// One launch for each shape of a kernel's CTAs.
  std::vector<Grid> grids;
  /// True if some shared atomic was collected as a loop, whose rounds a run may need more of: it
  /// loses a round to a warp that swaps its word in between.
  bool loops = false;
  bool atomics = false;           ///< true if some shared atomic was collected
  std::uint32_t widestBytes = 0;  ///< most that a lane of a workload's access asks for at once

  bool countsPasses = false;  ///< false: no workload ran, `passes` of the profiles are 0
  std::uint64_t passes() const;
  std::uint64_t idealPasses() const;
  std::uint64_t accesses() const;
};

/// Runs the workload to its end and adds its accesses; call it once per workload. `name` and
/// `weight` are stored with every instruction. `mapping`: the one whose passes are counted; null:
/// the platform's. Throws what drive() throws.
void collectAccesses(Workload& workload, const std::string& name, std::uint64_t weight,
                     const PlatformParameters& platform, Collected& into,
                     const std::function<void(std::uint64_t)>& progress = {},
                     std::shared_ptr<const indexing::Indexer> mapping = nullptr);

}  // namespace fermata::platforms
