// Errors when a file is written.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include <fermata/models/vocabulary/error.h>

namespace fermata::files {

/// The machine fails: a full disk, a limit, a defect. "cannot write FILE: reason".
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Nothing can be written to this path: "cannot write FILE: what is wrong; expected ...".
class OutputRefused : public BadInput {
 public:
  using BadInput::BadInput;
};

/// Throws OutputRefused if the path is to blame (no such folder, no permission, a read-only disk),
/// otherwise OutputError. `doing` begins the message: "cannot write".
[[noreturn]] void failWith(int error, const std::string& doing, const std::filesystem::path& path);

}  // namespace fermata::files
