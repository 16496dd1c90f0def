// Checks that a file in FST format is complete: the libraries that write one do not report a full
// disk.
#pragma once

#include <filesystem>

namespace fermata::platforms {

/// Throws files::OutputError if a block of the file is cut off or a mandatory block is missing.
/// `what` names the content in the message: "waves".
void requireWholeFst(const std::filesystem::path& file, const char* what);

}  // namespace fermata::platforms
