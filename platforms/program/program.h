// The program `fermata`, with parts of one's own.
#pragma once

#include <fermata/platforms/compose/connector.h>

namespace fermata::platforms {

/// To be called by main: the commands of `fermata`, whose platforms `connector` puts together. It
/// outlives the call. Returns the exit code: 0, 2 for bad input, 1 for anything else that failed.
/// sc_main is in this library.
int runProgram(int argc, char** argv, Connector& connector);

}  // namespace fermata::platforms
