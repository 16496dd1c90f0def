// Base class of the errors that a user can mend.
#pragma once

#include <stdexcept>

namespace fermata {

/// Unusable input: the program `fermata` says why and ends with exit code 2. Any other exception is
/// a failure of a kernel, the model or the machine: exit code 1.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace fermata
