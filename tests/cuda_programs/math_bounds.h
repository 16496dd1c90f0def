// What device functions must compute, and how near: the table of the headers' README.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fermata::test {

struct MathFunction {
  std::string name;
  long double (*reference)(long double x, long double y);
  double least, most;     ///< arguments beside any bit pattern that lies between
  double absolute = 0.0;  ///< this near is near enough, wherever it passes through zero
  bool exact = false;     ///< rounded once
  /// Where the type matters: of floats.
  long double (*ofFloats)(long double x, long double y) = nullptr;
};

const std::vector<MathFunction>& mathFunctions();

struct Bound {
  double ofDouble, ofFloat;  ///< units of the last place
};
/// The rows "| `name` | 1 | 2 |" of a page.
std::map<std::string, Bound> readBounds(const std::string& page);

}  // namespace fermata::test
