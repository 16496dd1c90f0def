#include <fermata/platforms/program/timeline/sm_timeline.h>

#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/vocabulary/choice.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/timeline/event_of.h>

#include <algorithm>
#include <utility>

namespace fermata::platforms {

using results::timeline::kNoTrack;
using results::timeline::Text;
using results::timeline::Track;

namespace {

constexpr std::uint64_t kLinesOfSm = std::uint64_t{1} << 40;

/// Names the cause of a replay as ReplayCounters does.
std::string replayName(const TryOutcome& outcome) {
  constexpr std::array<const char*, kLeftCauses> names{
      "replay: bank", "replay: tag", "replay: divergence", "replay: lock", "replay: set", "squash"};
  for (const LeftCause cause :
       {LeftCause::Order, LeftCause::Tag, LeftCause::Bank, LeftCause::Lock, LeftCause::Set}) {
    if (outcome.left[static_cast<unsigned>(cause)] != 0) return names[static_cast<unsigned>(cause)];
  }
  return names[static_cast<unsigned>(LeftCause::Absent)];
}

}  // namespace

SmTimeline::SmTimeline(Stream& stream, InstructionNames& names, TimeOfRun& time,
                       const std::string& name, unsigned number,
                       const PlatformParameters& parameters, std::uint32_t l1Banks)
    : stream_(stream),
      names_(names),
      time_(time),
      number_(number),
      pipelines_(parameters.core.issue.pipelines),
      schedulers_(parameters.core.issue.schedulers, parameters.core.issue.wavefrontWarps),
      issueWidth_(parameters.core.issue.issueWidth),
      group_(stream.add({Track::Kind::Group, name, kNoTrack, ""})),
      warps_(stream, names, stream.add({Track::Kind::Group, "warps", group_, ""}),
             parameters.core.limits.warps, number * kLinesOfSm),
      sharedUses_(parameters.crossbar.groups, parameters.crossbar.ports,
                  parameters.crossbar.rowWords),
      l1Uses_(parameters.crossbar.groups, 1, 1) {
  addTracks(parameters, l1Banks);
}

void SmTimeline::addTracks(const PlatformParameters& parameters, std::uint32_t l1Banks) {
  const auto add = [&](Track::Kind kind, const char* name, const char* says) {
    return stream_.add({kind, name, group_, says});
  };
  using Kind = Track::Kind;
  resident_ = add(Kind::Count, "resident warps", "warps");
  conflicts_ = add(Kind::Count, "conflict passes", "passes");
  issueSlots_ = addTracks(group_, "issue slot", schedulers_.schedulers() * issueWidth_, "warp");
  slotFree_.resize(issueSlots_.size());
  if (!isStaged(pipelines_.organisation)) {
    special_ = addUnits(group_, "special unit", pipelines_.specialUnits);
    doubles_ = addUnits(group_, "double unit", pipelines_.doubleUnits);
    tensors_ = addUnits(group_, "tensor unit", pipelines_.tensorUnits);
  }
  port_ = add(Kind::Slices, "memory port", "try");
  heldPath_ = {add(Kind::Slices, "global path held", "warp"),
               add(Kind::Slices, "shared path held", "warp")};
  replays_ = add(Kind::Slices, "replays", "warp");
  passes_ = add(Kind::Slices, "passes", "degree");
  const TrackId banks = add(Kind::Group, "banks", "");
  banks_ = addTracks(banks, "bank", parameters.scratchpad.banks, "words");
  if (l1Banks != 0) {
    l1_ = add(Kind::Instants, "L1", "lines");
    l1Banks_ = addTracks(add(Kind::Group, "L1 banks", ""), "L1 bank", l1Banks, "words");
  }
  lockTries_ = add(Kind::Instants, "locks", "lanes");
  const TrackId barriers = add(Kind::Group, "barriers", "");
  const unsigned places = std::min(parameters.core.limits.warps, parameters.core.limits.ctas);
  for (const TrackId track : addTracks(barriers, "CTA place", places, "warp"))
    places_.push_back({track, 0, 0, false, 0});
}

std::vector<SmTimeline::TrackId> SmTimeline::addTracks(TrackId group, const std::string& name,
                                                       unsigned count, const char* says) {
  std::vector<TrackId> tracks;
  for (unsigned i = 0; i < count; ++i) {
    tracks.push_back(
        stream_.add({Track::Kind::Slices, name + ' ' + std::to_string(i), group, says}));
  }
  return tracks;
}

SmTimeline::Units SmTimeline::addUnits(TrackId group, const std::string& name, unsigned count) {
  return {addTracks(group, name, count, "warp"), std::vector<Cycle>(count)};
}

void SmTimeline::settle(Cycle now) {
  warps_.settle(now);
  for (Place& place : places_) {
    if (place.waiting == 0 || place.begun || place.since >= now) continue;
    place.begun = true;
    stream_.add(eventOf(Event::Kind::Begin, place.since, place.track,
                        stream_.text("barrier " + std::to_string(place.barrier)), 0,
                        lowestSlot(place.waiting)));
  }
}

// Call it first for every event. Returns false if the window is over.
bool SmTimeline::enter(Cycle now) {
  return !stream_.over(now);
}

void SmTimeline::addInstant(TrackId track, std::string_view name, std::uint32_t program,
                            std::uint32_t pc, std::uint64_t number, Cycle at) {
  const Text text = stream_.text(name);
  stream_.add(
      eventOf(Event::Kind::Instant, at, track, text, names_.of(program, pc).source, number));
}

void SmTimeline::addCount(TrackId track, std::uint64_t value, Cycle at) {
  stream_.add(eventOf(Event::Kind::Value, at, track, 0, 0, value));
}

void SmTimeline::addSlice(TrackId track, const WarpAccess& access, std::string_view name,
                          std::uint64_t number, Cycle from, Cycle to) {
  if (to <= stream_.window().from) return;
  const InstructionNames::Name of = names_.of(access.program, access.instruction.pc);
  const Text text = name.empty() ? of.opcode : stream_.text(name);
  // The flow goes from the issue through each try at the port to the response, not through other
  // tracks.
  const std::uint64_t flow = track == port_ ? flowOf(access) : 0;
  stream_.slice(eventOf(Event::Kind::Begin, from, track, text, of.source, number, flow), to);
}

// CTAs

void SmTimeline::ctaStarted(std::uint64_t, unsigned warps, Cycle at) {
  residentWarps_ += warps;
  if (enter(time_.now())) addCount(resident_, residentWarps_, at);
}

void SmTimeline::ctaEnded(std::uint64_t, unsigned warps, Cycle at) {
  residentWarps_ -= warps;
  if (enter(time_.now())) addCount(resident_, residentWarps_, at);
}

// Issue

void SmTimeline::issued(const IssueEvent& event) {
  if (!enter(time_.now())) return;
  warps_.issued(event);
  const InstructionNames::Name name = names_.of(event.grid.program, event.instruction.pc);
  slotTaken(event.slot, name.opcode, name.source, event.cycle);
  use(special_, event, InstructionClass::Special);
  use(doubles_, event, InstructionClass::Double);
  use(tensors_, event, InstructionClass::Tensor);
}

void SmTimeline::slotTaken(unsigned slot, Text name, Text source, Cycle at) {
  if (at < stream_.window().from) return;
  unsigned place = schedulers_.of(slot) * issueWidth_;
  const unsigned last = place + issueWidth_ - 1;
  while (place != last && slotFree_[place] > at) ++place;
  slotFree_[place] = at + 1;
  stream_.slice(eventOf(Event::Kind::Begin, at, issueSlots_[place], name, source, slot), at + 1);
}

void SmTimeline::use(Units& units, const IssueEvent& event, InstructionClass kind) {
  if (event.instruction.instructionClass != kind || units.tracks.empty()) return;
  const auto first = std::min_element(units.free.begin(), units.free.end());
  *first = event.cycle + pipelines_.of(event.instruction).interval;
  const InstructionNames::Name name = names_.of(event.grid.program, event.instruction.pc);
  stream_.slice(eventOf(Event::Kind::Begin, event.cycle,
                        units.tracks[static_cast<std::size_t>(first - units.free.begin())],
                        name.opcode, name.source, event.slot),
                *first);
}

void SmTimeline::retried(const WarpAccess& access, Cycle at) {
  if (!enter(time_.now())) return;
  const Cycle cycle = time_.of(at);
  const std::string name = replayName(access.outcome);
  addSlice(replays_, access, name, access.slot, cycle, cycle + 1);
  slotTaken(access.slot, stream_.text(name),
            names_.of(access.program, access.instruction.pc).source, cycle);
  warps_.retried(access.slot, flowOf(access), cycle);
}

// Warps

void SmTimeline::waits(const WaitEvent& event, Cycle at) {
  if (!enter(time_.now())) return;
  leavesBarrier(event.slot, time_.of(at));
  warps_.waits(event, program_, time_.of(at), time_.of(event.ready));
}

void SmTimeline::waitsAtBarrier(unsigned slot, unsigned barrier, Cycle at) {
  if (!enter(time_.now())) return;
  warps_.waitsAtBarrier(slot, barrier, time_.of(at));
  Place& place = placeOf(slot);
  if (place.waiting == 0) {
    place.barrier = barrier;
    place.since = time_.of(at) + 1;
  }
  place.waiting |= slotBit(slot);
}

void SmTimeline::leavesBarrier(unsigned slot, Cycle at) {
  Place& place = placeOf(slot);
  if ((place.waiting & slotBit(slot)) == 0) return;
  place.waiting &= ~slotBit(slot);
  if (place.waiting != 0 || !std::exchange(place.begun, false)) return;
  stream_.add(eventOf(Event::Kind::End, at, place.track));
}

void SmTimeline::requested(const WarpAccess& access, Cycle) {
  if (enter(time_.now())) warps_.requested(access.slot, flowOf(access));
}

void SmTimeline::completed(unsigned slot, const StaticInstruction& instruction, Cycle at) {
  if (enter(time_.now())) warps_.completed(slot, instruction, time_.of(at));
}

void SmTimeline::exited(unsigned slot, Cycle at) {
  if (enter(time_.now())) warps_.exited(slot, time_.of(at));
}

// Ports

void SmTimeline::sent(const SendEvent& event) {
  if (!enter(time_.now())) return;
  const WarpAccess& access = event.access;
  const Cycle at = time_.of(event.at);
  const bool squashed = access.outcome.left[static_cast<unsigned>(LeftCause::Order)] != 0;
  addSlice(port_, access, squashed ? "squashed" : "", access.tries, at, time_.of(event.until));
  if (event.accepted) return;
  const bool shared = access.instruction.space == MemorySpace::Shared;
  if (std::exchange(held_[shared ? 1 : 0], true)) return;
  const InstructionNames::Name name = names_.of(access.program, access.instruction.pc);
  stream_.add(eventOf(Event::Kind::Begin, at, heldPath_[shared ? 1 : 0], name.opcode, name.source,
                      access.slot));
}

void SmTimeline::pathFree(bool shared, Cycle at) {
  if (!std::exchange(held_[shared ? 1 : 0], false) || !enter(time_.now())) return;
  stream_.add(eventOf(Event::Kind::End, time_.of(at), heldPath_[shared ? 1 : 0]));
}

// Banks

void SmTimeline::sharedTry(const WarpAccess& access) {
  const bool inside = enter(time_.now());
  const std::uint64_t conflicts = access.passes - std::min(access.passes, access.freePasses);
  conflictPasses_ += conflicts;
  if (!inside || access.passes == 0) return;
  const Cycle from = time_.of(access.firstPass);
  addSlice(passes_, access, "", access.degree, from, from + access.passes);
  if (conflicts != 0) addCount(conflicts_, conflictPasses_, from);
  addBanks(access, sharedUses_, banks_);
}

void SmTimeline::l1Try(const WarpAccess& access) {
  if (enter(time_.now()) && access.passes != 0) addBanks(access, l1Uses_, l1Banks_);
}

void SmTimeline::addBanks(const WarpAccess& access, BankUses& uses,
                          const std::vector<TrackId>& tracks) {
  const Cycle first = time_.of(access.firstPass);
  if (first + access.passes <= stream_.window().from) return;
  for (const BankUses::Use& use : uses.of(access)) {
    addSlice(tracks[use.bank], access, "", use.words, first + use.from, first + use.to);
  }
}

void SmTimeline::cached(const CacheEvent& event) {
  const Cycle now = time_.now();
  if (!enter(now) || l1Banks_.empty()) return;
  const char* const name = event.what == CacheEvent::L1Hit           ? "hit"
                           : event.what == CacheEvent::L1Miss        ? "miss"
                           : event.what == CacheEvent::L1SetConflict ? "evicted before its retry"
                                                                     : nullptr;
  if (name != nullptr) addInstant(l1_, name, event.program, event.pc, event.count, now);
}

void SmTimeline::locked(const LockEvent& event) {
  if (!enter(time_.now())) return;
  const std::uint64_t failed = event.position + event.alias + event.otherWarp;
  addInstant(lockTries_, "tries", event.program, event.pc, event.tries, time_.of(event.at));
  if (failed != 0)
    addInstant(lockTries_, "failures", event.program, event.pc, failed, time_.of(event.at));
}

}  // namespace fermata::platforms
