// Signals in the FST format of GTKWave, as the library that comes with Verilator writes it. A cycle
// is a nanosecond.
#pragma once

#include <fermata/results/timeline/signal_writer.h>

#include <memory>
#include <string>

namespace fermata::platforms {

/// Throws BadInput in a build without Verilator, std::runtime_error where the file cannot be made.
std::unique_ptr<results::timeline::SignalFile> makeFstFile(const std::string& path);

}  // namespace fermata::platforms
