// Reference functions and error bounds of device functions; the README of the headers has the
// bounds.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace fermata::test {

struct MathFunction {
  std::string name;
  long double (*reference)(long double x, long double y);
  double least, most;  ///< range of x; any bit pattern in it may occur
  /// Errors up to this times max(1, |result|) count as none: the function passes through zero.
  double absolute = 0.0;
  bool exact = false;  ///< the result is the reference, rounded once
  /// Reference for float, if it differs from `reference`.
  long double (*ofFloats)(long double x, long double y) = nullptr;
};

const std::vector<MathFunction>& mathFunctions();

struct Bound {
  double ofDouble, ofFloat;  ///< bounds, in units of the last place
};
/// Reads the rows "| `name` | 1 | 2 |" of a page.
std::map<std::string, Bound> readBounds(const std::string& page);

}  // namespace fermata::test
