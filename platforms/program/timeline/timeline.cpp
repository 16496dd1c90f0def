#include <fermata/platforms/program/timeline/timeline.h>

#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/timeline/event_of.h>
#include <fermata/platforms/program/timeline/sm_timeline.h>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace fermata::platforms {

using results::timeline::kNoTrack;
using results::timeline::Stream;
using results::timeline::Track;
using results::timeline::TrackId;

namespace {

/// Greatest lag of events in cycles: a response is reported only when the core next has something
/// to do.
constexpr Cycle kLag = 1024;

bool hasWindows(const EnergyAccount* energy) {
  return energy != nullptr && energy->window() != 0;
}

Cycle lagOf(const EnergyAccount* energy) {
  return hasWindows(energy) ? kLag + PowerOverTime::lag(*energy) : kLag;
}

std::string unitOf(const PlatformParameters& parameters) {
  return fmt::format("1 ns stands for a cycle, {:.6g} ns", 1e3 / parameters.clock.frequencyMhz);
}

}  // namespace

Timeline::Timeline(results::timeline::Writer& writer, const results::timeline::Window& window,
                   const Configuration& configuration, const EnergyAccount* energy)
    : stream_(writer, window, lagOf(energy), unitOf(configuration.parameters())), names_(stream_) {
  const PlatformParameters& parameters = configuration.parameters();
  const bool caches = parameters.globalMemory == GlobalMemory::Caches;
  const std::uint32_t l1 = hasL1(parameters.globalMemory) ? l1Banks(parameters)->shape().banks : 0;
  PlatformParameters ofSm = parameters;
  ofSm.scratchpad.banks = configuration.buildIndexer()->shape().banks;
  for (unsigned number = 0; number < parameters.sms; ++number) {
    const std::string name = parameters.sms == 1 ? "sm" : "sm" + std::to_string(number);
    sms_.push_back(std::make_unique<SmTimeline>(stream_, names_, time_, name, number, ofSm, l1));
  }
  const TrackId chip = stream_.add({Track::Kind::Group, "chip", kNoTrack, ""});
  kernels_ = stream_.add({Track::Kind::Slices, "kernels", chip, "CTAs"});
  if (caches) l2_ = stream_.add({Track::Kind::Instants, "L2", chip, "requests"});
  if (!isFlat(parameters.globalMemory))
    dram_ = stream_.add({Track::Kind::Instants, "DRAM", chip, "requests"});
  if (hasWindows(energy))
    power_.emplace(stream_, stream_.add({Track::Kind::Group, "power", chip, ""}), *energy);
}

Timeline::~Timeline() = default;

std::vector<Probe*> Timeline::ofSms() const {
  std::vector<Probe*> probes;
  for (const auto& sm : sms_) probes.push_back(sm.get());
  return probes;
}

void Timeline::begin(const Workload& workload, std::function<Cycle()> clock) {
  names_.setWorkload(workload);
  time_.set(std::move(clock), [this](Cycle now) { reach(now); });
}

void Timeline::reach(Cycle now) {
  cycles_ = now;
  if (stream_.over(now)) return;
  for (const auto& sm : sms_) sm->settle(now);
  if (power_) power_->reach(now);
  stream_.reach(now);
}

void Timeline::finish(std::optional<Cycle> cycles) {
  cycles_ = cycles.value_or(cycles_);
  for (const auto& sm : sms_) sm->settle(cycles_);
  if (power_) power_->finish(cycles_);
  stream_.finish(cycles_);
}

void Timeline::gridStarted(const Grid& grid, Cycle at) {
  for (const auto& sm : sms_) sm->setGrid(grid);
  if (stream_.over(time_.now())) return;
  stream_.add(eventOf(Event::Kind::Begin, at, kernels_, stream_.text(grid.kernel), 0, grid.ctas));
}

void Timeline::gridEnded(const Grid&, Cycle at) {
  if (stream_.over(time_.now())) return;
  stream_.add(eventOf(Event::Kind::End, at, kernels_));
}

void Timeline::cached(const CacheEvent& event) {
  const Cycle now = time_.now();
  if (dram_ == 0 || stream_.over(now)) return;
  const std::tuple<CacheEvent::What, const char*, TrackId> kinds[] = {
      {CacheEvent::L2Hit, "hit", l2_},
      {CacheEvent::L2Miss, "miss", l2_},
      {CacheEvent::DramRead, "read", dram_},
      {CacheEvent::DramWrite, "write", dram_},
      {CacheEvent::DramRowHit, "row hit", dram_}};
  for (const auto& [what, name, track] : kinds) {  // the others belong to an L1
    if (what != event.what) continue;
    const results::timeline::Text text = stream_.text(name);
    stream_.add(eventOf(Event::Kind::Instant, now, track, text,
                        names_.of(event.program, event.pc).source, event.count));
  }
}

}  // namespace fermata::platforms
