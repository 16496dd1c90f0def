// Compiles, checks and links a program of CUDA sources.
#pragma once

#include <fermata/platforms/program/cc/program_request.h>

namespace fermata::platforms {

/// Makes the requested product; it appears complete or not at all. Returns 0, or the exit code of
/// the compiler that failed and has printed why. Warns of device code that a launch would refuse.
/// Throws InputError if there is no compiler, or no runtime library to link with.
int compileProgram(const ProgramRequest& request);

}  // namespace fermata::platforms
