#include <fermata/platforms/compose/core_checks.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/stimuli/refuse.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fermata::platforms {

namespace {

/// Returns the names of the conflict policies that leave no lanes.
std::string servesAll() {
  return policiesThat<ConflictPolicy>([](const auto& one) { return !one.needs.leavesLanes; });
}

using Groups = std::pair<const char*, const LaneGroups*>;

std::string organisation(const PlatformParameters& p) {
  return fmt::format("pipeline.organisation = {}", choiceName(p.core.issue.pipelines.organisation));
}

void checkConflictAware(const PlatformParameters& p, const PlaceOf& placeOf) {
  const WarpSchedulerParameters& issue = p.core.issue;
  if (!isStaged(issue.pipelines.organisation))
    refuse(placeOf({"scheduler.policy", "pipeline.organisation"}),
           "scheduler.policy = conflict-aware with {}, where a bank conflict holds up nothing but "
           "memory instructions; expected pipeline.organisation = elastic, unified or split",
           organisation(p));
  if (issue.basePolicy->make == nullptr)
    refuse(placeOf({"scheduler.base_policy"}), "scheduler.base_policy = {}; expected {}",
           choiceName(issue.basePolicy),
           policiesThat<WarpPolicy>([](const auto& one) { return one.make != nullptr; }));
  const unsigned sets = issue.inOrder.spacing.history.sets;
  if ((sets & (sets - 1)) != 0)
    refuse(placeOf({"history.sets"}), "history.sets = {}; expected 0 or a power of two", sets);
}

/// Throws InputError unless one instruction at a time goes in and all its lanes are served on the
/// way.
void checkIssue(const PlatformParameters& p, const PlaceOf& placeOf) {
  const WarpSchedulerParameters& issue = p.core.issue;
  const auto require = [&](bool holds, const char* path, const auto& value,
                           const std::string& expected) {
    if (holds) return;
    refuse(placeOf({path, "pipeline.organisation"}), "{} = {} with {}; expected {}", path, value,
           organisation(p), expected);
  };
  require(issue.schedulers == 1, "scheduler.schedulers", issue.schedulers, "1: single issue");
  require(issue.issueWidth == 1, "scheduler.issue_width", issue.issueWidth, "1: single issue");
  require(issue.loadStore.queue == 0, "core.memory_queue", issue.loadStore.queue,
          "0: the pipeline has queues of its own");
  require(issue.loadStore.subcore.queue == 0, "subcore.queue", issue.loadStore.subcore.queue,
          "0: the pipeline has queues of its own");
  require(issue.reorderBuffer == 0, "core.reorder_buffer", issue.reorderBuffer,
          "0, and pipeline.commit = in-order for results in order");
  require(issue.loadStore.replay.capacity == 0, "replay.capacity", issue.loadStore.replay.capacity,
          "0: nothing is replayed");
  require(!p.crossbar.conflictPolicy->needs.leavesLanes, "scratchpad.conflict_policy",
          choiceName(p.crossbar.conflictPolicy),
          servesAll() + ": what waits for its bank stays in the memory stage");
  if (hasL1(p.globalMemory))
    require(p.l1.divergence == Divergence::Wait, "l1.divergence", choiceName(p.l1.divergence),
            "wait: nothing is replayed");
}

std::array<Groups, 4> groupsOf(const LaneGrouping& g) {
  return {Groups{"crossbar.groups_32", &g.bits32}, Groups{"crossbar.groups_64", &g.bits64},
          Groups{"crossbar.groups_128", &g.bits128},
          Groups{"crossbar.groups_128_stores", g.bits128Stores ? &*g.bits128Stores : &g.bits128}};
}

/// Throws InputError unless two warps that are offered to the banks together are served together.
void checkJoins(const PlatformParameters& p, const Groups& joined, const PlaceOf& placeOf) {
  const auto require = [&](bool holds, const char* other, const auto& value,
                           const std::string& expected) {
    if (holds) return;
    refuse(placeOf({joined.first, other}),
           "{} = \"{}\" with {} = {}: the lanes of two warps are offered to the banks together; "
           "expected {}",
           joined.first, joined.second->text(), other, value, expected);
  };
  require(p.core.issue.wavefrontWarps == 2, "scheduler.wavefront_warps",
          p.core.issue.wavefrontWarps, "2");
  const auto& organisation = p.core.issue.pipelines.organisation;
  require(!isStaged(organisation), "pipeline.organisation", choiceName(organisation), "decoupled");
  require(!p.crossbar.conflictPolicy->needs.leavesLanes, "scratchpad.conflict_policy",
          choiceName(p.crossbar.conflictPolicy), servesAll() + ": no lane is left");
  require(p.crossbar.atomics->needs.joins, "scratchpad.atomics", choiceName(p.crossbar.atomics),
          policiesThat<AtomicPolicy>([](const auto& one) { return one.needs.joins; }));
  require(!p.crossbar.atomics->needs.forms || p.crossbar.atomicTable.swapPasses == 1,
          "atomic.swap_passes", p.crossbar.atomicTable.swapPasses, "1");
  require(p.rtl.crossbar == rtl::Implementation::Model, "rtl.crossbar", choiceName(p.rtl.crossbar),
          "model: the block takes a warp at a time");
  require(p.rtl.scratchpad == rtl::Implementation::Model, "rtl.scratchpad",
          choiceName(p.rtl.scratchpad), "model: the block takes a warp at a time");
}

/// Throws InputError unless the access of a search fits the lane groups.
void checkWords(const PlatformParameters& p, const PlaceOf& placeOf) {
  const auto groups = groupsOf(p.crossbar.groups);
  for (std::size_t i = 2; i < groups.size(); ++i) {
    const auto [path, ofLanes] = groups[i];
    const bool fits = std::all_of(ofLanes->begin(), ofLanes->end(),
                                  [](LaneMask group) { return laneCount(group) <= 16; });
    if (fits || !ofLanes->joins()) continue;
    refuse(placeOf({path}),
           "{} = \"{}\": more than 128 words at once; expected at most 32 lanes in a group of both "
           "halves",
           path, ofLanes->text());
  }
}

/// Returns whether each lane group lies in one subwarp, and the groups in the order of subwarps.
bool suits(const LaneGroups& groups, unsigned width) {
  unsigned subwarp = 0;
  for (const LaneMask group : groups) {
    const auto first = static_cast<unsigned>(__builtin_ctz(group)) / width;
    const auto last = (31U - static_cast<unsigned>(__builtin_clz(group))) / width;
    if (first != last || first < subwarp) return false;
    subwarp = first;
  }
  return groups.size() % (kWarpLanes / width) == 0;
}

void checkGroups(const PlatformParameters& p, const PlaceOf& placeOf) {
  const unsigned width = p.core.issue.inOrder.stages.simdWidth;
  for (const auto& [path, groups] : groupsOf(p.crossbar.groups)) {
    if (suits(*groups, width)) continue;
    refuse(placeOf({path, "pipeline.simd_width", "pipeline.organisation"}),
           "{} = \"{}\" with {} and pipeline.simd_width = {}: the lanes of a subwarp are offered "
           "to the banks alone; expected groups of {} lanes or fewer that follow the subwarps, as "
           "many for each, for instance \"{}\"",
           path, groups->text(), organisation(p), width, width, LaneGroups(width).text());
  }
}

void checkStages(const PlatformParameters& p, const PlaceOf& placeOf) {
  const StageParameters& s = p.core.issue.inOrder.stages;
  if (s.stages >= s.memoryStages + 3) return;
  refuse(placeOf({"pipeline.stages", "pipeline.memory_stages"}),
         "pipeline.stages = {} with pipeline.memory_stages = {}; expected {} or more: issue, "
         "execution and writeback come on top",
         s.stages, s.memoryStages, s.memoryStages + 3);
}

/// Throws InputError if memory instructions would wait in collectors and elsewhere, too.
void checkCollectors(const PlatformParameters& p, const PlaceOf& placeOf) {
  const CollectorParameters& collectors = p.core.issue.pipelines.collectors;
  const LoadStoreParameters& ways = p.core.issue.loadStore;
  if (collectors.memory == 0 || isStaged(p.core.issue.pipelines.organisation)) return;
  if (collectors.alu != 0 && collectors.shared == 0 && ways.queue == 0 && ways.subcore.queue == 0 &&
      ways.replay.capacity == 0)
    return;
  refuse(
      placeOf({"collectors.memory", "collectors.alu", "collectors.shared", "core.memory_queue",
               "subcore.queue", "replay.capacity"}),
      "collectors.memory = {} with collectors.alu = {}, collectors.shared = {}, "
      "core.memory_queue = {}, subcore.queue = {}, replay.capacity = {}; expected collectors.alu "
      "of 1 or more and the others to be 0",
      collectors.memory, collectors.alu, collectors.shared, ways.queue, ways.subcore.queue,
      ways.replay.capacity);
}

}  // namespace

void checkCore(const PlatformParameters& p, const PlaceOf& placeOf) {
  if (p.core.issue.policy->needs.spacesMemory) checkConflictAware(p, placeOf);
  for (const Groups& groups : groupsOf(p.crossbar.groups)) {
    if (groups.second->joins()) checkJoins(p, groups, placeOf);
  }
  checkWords(p, placeOf);
  if (occupancyLimits(p).mostShared() == 0)
    refuse(placeOf({"limits.shared_reserved", "scratchpad.bytes"}),
           "limits.shared_reserved = {} with scratchpad.bytes = {}; expected less than there is",
           p.core.limits.sharedReserved, p.scratchpad.bytes);
  const LoadStoreParameters& ways = p.core.issue.loadStore;
  if (ways.queue != 0 && ways.subcore.queue != 0)
    refuse(placeOf({"core.memory_queue", "subcore.queue"}),
           "core.memory_queue = {} with subcore.queue = {}; expected one of them to be 0",
           ways.queue, ways.subcore.queue);
  checkCollectors(p, placeOf);
  const WarpSchedulerParameters& issue = p.core.issue;
  if (issue.constantLine != 0 && issue.constantBytes % issue.constantLine != 0)
    refuse(placeOf({"constant.bytes", "constant.line_bytes"}),
           "constant.bytes = {} with constant.line_bytes = {}; expected whole lines",
           issue.constantBytes, issue.constantLine);
  if (!isStaged(p.core.issue.pipelines.organisation)) return;
  if (p.crossbar.groups.packs())
    refuse(
        placeOf({"crossbar.packing_64", "crossbar.packing_128", "pipeline.organisation"}),
        "crossbar.packing_64 = \"{}\" and packing_128 = \"{}\" with {}; expected empty texts: the "
        "lanes of a subwarp are offered to the banks alone",
        p.crossbar.groups.packing64.text(), p.crossbar.groups.packing128.text(), organisation(p));
  checkIssue(p, placeOf);
  checkStages(p, placeOf);
  checkGroups(p, placeOf);
}

}  // namespace fermata::platforms
