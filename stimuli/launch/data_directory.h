// Where the compiled kernels, their launch files and the CUDA header are.
#pragma once

#include <string>

namespace fermata::launch {

/// The folder that holds cuda/: $FERMATA_DATA if set, else ../share/fermata beside the executable
/// (installed), else the build tree's. InputError when none has it.
std::string dataDirectory();

}  // namespace fermata::launch
