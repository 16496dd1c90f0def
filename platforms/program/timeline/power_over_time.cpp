#include <fermata/platforms/program/timeline/power_over_time.h>

#include <fermata/models/power/energy_action.h>

#include <algorithm>

namespace fermata::platforms {

using results::timeline::Event;
using results::timeline::Track;

PowerOverTime::PowerOverTime(Stream& stream, TrackId group, const EnergyAccount& account)
    : stream_(stream),
      account_(account),
      total_(stream.add({Track::Kind::Measure, "all", group, "W"})) {
  for (const std::string_view name : energyComponents()) {
    const std::string component(name);
    components_[component] = stream.add({Track::Kind::Measure, component, group, "W"});
  }
}

void PowerOverTime::reach(Cycle now) {
  while (!stream_.over(said_ * account_.window()) &&
         (said_ + 1) * account_.window() + kBookedLate <= now) {
    say(said_++, now);
  }
}

void PowerOverTime::finish(Cycle cycles) {
  for (; said_ * account_.window() < cycles; ++said_) say(said_, cycles);
}

// Components added by a user count in the sum only: a file format may need all tracks before the
// first value.
void PowerOverTime::say(Cycle number, Cycle runs) {
  const Cycle from = number * account_.window();
  const Cycle to = std::min(from + account_.window(), runs);
  if (to <= stream_.window().from || from >= stream_.window().to) return;
  const double seconds = account_.seconds(to - from);
  Event event;
  event.at = from;
  event.kind = Event::Kind::Value;
  const auto add = [&](TrackId track, const Energy& energy) {
    event.track = track;
    event.real = static_cast<double>(energy.nominal) * 1e-15 / seconds;
    stream_.add(event);
  };
  Energy all;
  account_.visitWindow(number, runs, [&](const std::string& component, const Energy& energy) {
    all += energy;
    if (const auto found = components_.find(component); found != components_.end())
      add(found->second, energy);
  });
  add(total_, all);
}

}  // namespace fermata::platforms
