// Signals in the FST format of GTKWave, written by the library that comes with Verilator. One cycle
// is one nanosecond.
#pragma once

#include <fermata/results/timeline/signal_writer.h>

#include <memory>
#include <string>

namespace fermata::platforms {

/// Makes the file. Throws BadInput in a build without Verilator, std::runtime_error if the file
/// cannot be made.
std::unique_ptr<results::timeline::SignalFile> makeFstFile(const std::string& path);

}  // namespace fermata::platforms
