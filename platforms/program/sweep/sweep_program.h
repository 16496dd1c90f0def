// The program and its data in the folder of a sweep: what is rebuilt or removed elsewhere, or is
// not installed on a node, does not matter to its jobs.
#pragma once

#include <filesystem>

namespace fermata::platforms {

struct ProgramCopy {
  std::filesystem::path program;
  std::filesystem::path data;  ///< what FERMATA_DATA is to name
};

/// program/DIGEST/{bin,share}, where it is not there yet: whole or not at all. The libraries that
/// the program is linked with are not copied. Throws files::OutputError or OutputRefused.
ProgramCopy copyProgram(const std::filesystem::path& folder);

}  // namespace fermata::platforms
