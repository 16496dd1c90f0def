// Perfetto's own format: protobuf packets of TrackEvent. A cycle is a nanosecond.
#pragma once

#include <fermata/results/timeline/event.h>
#include <fermata/results/timeline/put.h>

#include <memory>

namespace fermata::results::timeline {

/// Returns a writer. A group without a parent is a process; tracks without an event are left out.
std::unique_ptr<Writer> makePerfettoWriter(Put put);

}  // namespace fermata::results::timeline
