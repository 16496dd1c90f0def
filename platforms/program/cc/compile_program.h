// A program of CUDA sources: compiled, checked and linked.
#pragma once

#include <fermata/platforms/program/cc/program_request.h>

namespace fermata::platforms {

/// What is asked for appears whole or not at all. 0, or the exit code of the compiler that failed,
/// which has said why. Warns of device code that a launch would refuse. Throws InputError where
/// there is no compiler, or no runtime library to link with.
int compileProgram(const ProgramRequest& request);

}  // namespace fermata::platforms
