// What stands for the program and its inputs in the keys of a sweep.
#pragma once

#include <functional>
#include <string>

namespace fermata::platforms {

/// SHA-256, in hexadecimal digits.
std::string sha256(const std::string& bytes);

struct SweepDigests {
  std::string model;  ///< the program
  std::function<std::string(const std::string& platform)> platform;
  std::function<std::string(const std::string& workload)> workload;
  /// Of any value: what it says, and the file where it names one.
  std::function<std::string(const std::string& value)> value;
  /// Of a table of prices, where a point has one.
  std::function<std::string(const std::string& prices)> prices = {};
};

/// Those of this program and of the files that it finds. A workload that comes with Fermata stands
/// for all of them. A launch file stands for itself, for every file that a text in it names, and
/// for the sources and headers beside those and in the folders that it names.
SweepDigests digestsOfHere();

}  // namespace fermata::platforms
