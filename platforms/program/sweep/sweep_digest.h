// Hashes of the program and its inputs, used in the keys of a sweep.
#pragma once

#include <functional>
#include <string>

namespace fermata::platforms {

/// Returns the SHA-256 in hexadecimal digits.
std::string sha256(const std::string& bytes);

struct SweepDigests {
  std::string model;  ///< of the program
  std::function<std::string(const std::string& platform)> platform;
  std::function<std::string(const std::string& workload)> workload;
  /// Hash of any value: its text, and the file's content if it names a file.
  std::function<std::string(const std::string& value)> value;
  /// Hash of a table of prices; for points that have one.
  std::function<std::string(const std::string& prices)> prices = {};
};

/// Returns the hashes for this program and the files that it finds. All workloads that come with
/// Fermata share one hash. The hash of a launch file covers the file, every file that a text in it
/// names, and the sources and headers beside those and in the folders that it names.
SweepDigests digestsOfHere();

}  // namespace fermata::platforms
