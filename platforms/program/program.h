// The program `fermata`, extended by the caller's parts.
#pragma once

#include <fermata/platforms/compose/connector.h>

namespace fermata::platforms {

/// Runs the commands of `fermata`; `connector` puts their platforms together. Call it from main.
/// Returns the exit code: 0, 2 for bad input, 1 for any other failure. `connector` must outlive the
/// call. sc_main is in this library.
int runProgram(int argc, char** argv, Connector& connector);

}  // namespace fermata::platforms
