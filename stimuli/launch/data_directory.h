// Finds the compiled kernels, their launch files and the CUDA header.
#pragma once

#include <string>

namespace fermata::launch {

/// Returns the folder that holds cuda/: $FERMATA_DATA if set, otherwise ../share/fermata beside the
/// executable (installed), otherwise the build tree's, otherwise that of an installed package
/// (/usr/local/share/fermata, /usr/share/fermata). Throws InputError if none holds it.
std::string dataDirectory();

}  // namespace fermata::launch
