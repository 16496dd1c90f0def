// Whether a file in FST format is whole: the libraries that write one do not say when the disk is
// full.
#pragma once

#include <filesystem>

namespace fermata::platforms {

/// Throws files::OutputError where a block of the file is cut off or one that each has is missing.
/// `what`: "waves", for the message.
void requireWholeFst(const std::filesystem::path& file, const char* what);

}  // namespace fermata::platforms
