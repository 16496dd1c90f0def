// The log that the pipeline viewer Konata reads: a line a warp instruction, from when its warp is
// through with the one before to its results, in stages.
#pragma once

#include <fermata/results/timeline/event.h>
#include <fermata/results/timeline/put.h>

#include <memory>

namespace fermata::results::timeline {

/// Instructions alone: it has no other tracks. What the window cuts off at its end counts as
/// flushed.
std::unique_ptr<Writer> makeKonataWriter(Put put);

}  // namespace fermata::results::timeline
