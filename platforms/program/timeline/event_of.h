// Makes the events that a timeline draws.
#pragma once

#include <fermata/results/timeline/event.h>

namespace fermata::platforms {

/// Returns an event of a track. `number` and `flow`: see Event; 0: none.
inline results::timeline::Event eventOf(results::timeline::Event::Kind kind, Cycle at,
                                        results::timeline::TrackId track,
                                        results::timeline::Text name = 0,
                                        results::timeline::Text detail = 0,
                                        std::uint64_t number = 0, std::uint64_t flow = 0) {
  results::timeline::Event event;
  event.at = at;
  event.kind = kind;
  event.track = track;
  event.name = name;
  event.detail = detail;
  event.number = number;
  event.flow = flow;
  return event;
}

}  // namespace fermata::platforms
