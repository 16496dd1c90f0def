// Where the library that programs link lies.
#pragma once

#include <filesystem>
#include <optional>

namespace fermata::platforms {

/// Returns the folder of libfermata_cudart.so that belongs to the folder share/fermata, for
/// instance lib/fermata beside it.
std::optional<std::filesystem::path> runtimeFolder(const std::filesystem::path& data);

}  // namespace fermata::platforms
