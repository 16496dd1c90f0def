// Value change dump (IEEE 1364-2005, 18), with GTKWave's signals of text. A time unit is a cycle.
#pragma once

#include <fermata/results/timeline/put.h>
#include <fermata/results/timeline/signal_writer.h>

namespace fermata::results::timeline {

std::unique_ptr<SignalFile> makeVcdFile(Put put);

}  // namespace fermata::results::timeline
