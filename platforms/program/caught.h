// The message and kind of an exception that ended a piece of work.
#pragma once

#include <string>

namespace fermata::platforms {

struct Caught {
  bool badInput = false;  ///< true: a BadInput; false: any other failure
  std::string what;
};

/// Describes the exception that is being handled; call it in a catch (...). Only this function
/// knows which kinds of errors there are. It rethrows what is not an error.
Caught caught();

}  // namespace fermata::platforms
