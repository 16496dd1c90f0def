// Difference between the answers of a block of RTL and of the model.
#pragma once

#include <fermata/models/vocabulary/cycle.h>

#include <functional>
#include <stdexcept>

namespace fermata::rtl {

/// Thrown at the first difference. what() names the cycle, the lane, the request and both answers.
class LockstepDifference : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns the cycle that is being simulated.
using Now = std::function<Cycle()>;

}  // namespace fermata::rtl
