// The log that the pipeline viewer Konata reads: one line per warp instruction, in stages. The line
// lasts from the end of the warp's previous instruction to the results.
#pragma once

#include <fermata/results/timeline/event.h>
#include <fermata/results/timeline/put.h>

#include <memory>

namespace fermata::results::timeline {

/// Returns a writer of instructions alone: Konata has no other tracks. An instruction that the
/// window cuts off at its end counts as flushed.
std::unique_ptr<Writer> makeKonataWriter(Put put);

}  // namespace fermata::results::timeline
