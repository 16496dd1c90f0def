// Legal values of a numeric parameter.
#pragma once

namespace fermata::platforms {

/// Range of an integer or real parameter.
struct Range {
  double least;
  double most;
  bool powerOfTwo = false;
};

}  // namespace fermata::platforms
