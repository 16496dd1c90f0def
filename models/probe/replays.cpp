#include <fermata/models/probe/replays.h>

#include <fermata/models/transaction/warp_access.h>

#include <numeric>

namespace fermata {

namespace {

/// Returns the cause that a retry counts for, if its previous try left lanes for several causes.
/// Tags and banks can be had at once, so they come first; lanes without a lock or a line are tried
/// again later.
LeftCause causeOf(const TryOutcome& outcome) {
  for (const LeftCause cause :
       {LeftCause::Order, LeftCause::Tag, LeftCause::Bank, LeftCause::Lock, LeftCause::Set}) {
    if (outcome.left[static_cast<unsigned>(cause)] != 0) return cause;
  }
  return LeftCause::Absent;
}

}  // namespace

std::uint64_t ReplayCounters::Counts::issued() const {
  return std::accumulate(retries.begin(), retries.end(), instructions);
}

void ReplayCounters::Counts::add(const Counts& other) {
  instructions += other.instructions;
  for (unsigned cause = 0; cause < kLeftCauses; ++cause) retries[cause] += other.retries[cause];
}

const Figures<ReplayCounters::Counts>& ReplayCounters::figures() {
  const auto of = [](LeftCause cause) { return [cause](const Counts& c) { return c.of(cause); }; };
  static const Figures<Counts> all{
      {"replays", "tries", "issue slots taken by replays: tries of lanes that an earlier try left",
       &Counts::replays},
      {"replays_bank", "tries", "replays of lanes that lost their bank to another word",
       of(LeftCause::Bank)},
      {"replays_tag", "tries",
       "replays of lanes beyond the lines that the L1 looks up at once (l1.tag_arrays)",
       of(LeftCause::Tag)},
      {"replays_divergence", "tries", "replays of lanes whose line was absent from the L1",
       of(LeftCause::Absent)},
      {"replays_set", "tries",
       "replays of lanes whose line was evicted by their own access or while the replay waited",
       of(LeftCause::Set)},
      {"squashes", "tries",
       "issue slots taken to reissue accesses that were in flight behind an access of their warp "
       "with lanes left",
       &Counts::squashes},
      {"issued_instructions", "issue slots", "warp instructions + replays + squashes",
       &Counts::issued}};
  return all;
}

void ReplayCounters::gridStarted(const Grid& grid, Cycle) {
  counts_.prepare(grid.program, grid.instructionCount);
}

void ReplayCounters::issued(const IssueEvent& event) {
  counts_.add(event.grid.program, event.instruction.pc,
              [](Counts& counts) { ++counts.instructions; });
}

void ReplayCounters::retried(const WarpAccess& access, Cycle) {
  const auto cause = static_cast<unsigned>(causeOf(access.outcome));
  counts_.add(access.program, access.instruction.pc,
              [&](Counts& counts) { ++counts.retries[cause]; });
}

}  // namespace fermata
