// A copy of the program and its data in the folder of a sweep. Its jobs do not depend on the
// original, which may be rebuilt, removed, or not installed on a node.
#pragma once

#include <filesystem>

namespace fermata::platforms {

struct ProgramCopy {
  std::filesystem::path program;
  std::filesystem::path data;  ///< value for FERMATA_DATA
};

/// Copies to program/DIGEST/{bin,share}, completely or not at all; does nothing if the copy exists.
/// The libraries that the program is linked with are not copied. Throws files::OutputError or
/// OutputRefused.
ProgramCopy copyProgram(const std::filesystem::path& folder);

}  // namespace fermata::platforms
