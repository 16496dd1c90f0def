// Hashes of the program and its inputs, for the keys of results.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Returns the SHA-256 in hexadecimal digits.
std::string sha256(const std::string& bytes);

struct Digests {
  std::string model;  ///< of the program
  std::function<std::string(const std::string& platform)> platform;
  std::function<std::string(const std::string& workload)> workload;
  /// Hash of any value: its text, and the file's content if it names a file.
  std::function<std::string(const std::string& value)> value;
  /// Hash of a table of prices; for points that have one.
  std::function<std::string(const std::string& prices)> prices = {};
};

/// Inputs of a piece of work.
struct KeyedInputs {
  std::string kind;  ///< what is computed, with the version of its result's form
  std::string platform;
  std::string workload;
  std::string prices;                   ///< empty: none
  std::vector<std::string> parameters;  ///< "name=value"; a value may name a file
  std::vector<std::string> settings;    ///< everything else
};

/// Returns the key of a result. It does not depend on the order of parameters or settings.
std::string keyOf(const KeyedInputs& inputs, const Digests& digests);

/// Returns the hashes for this program and the files that it finds. All workloads that come with
/// Fermata share one hash. The hash of a launch file covers the file, every file that a text in it
/// names, and the sources and headers beside those and in the folders that it names.
Digests digestsOfHere();

}  // namespace fermata::platforms
