// What to tell of an exception that ended a piece of work.
#pragma once

#include <string>

namespace fermata::platforms {

struct Caught {
  bool badInput = false;  ///< a BadInput, not a failure
  std::string what;
};

/// Of the exception that is being handled: for a catch (...), the one place that knows the kinds of
/// errors there are. What is no error at all is thrown on.
Caught caught();

}  // namespace fermata::platforms
