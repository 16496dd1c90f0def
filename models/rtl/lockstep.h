// A block of RTL that says something else than the model.
#pragma once

#include <fermata/models/timing/cycle.h>

#include <functional>
#include <stdexcept>

namespace fermata::rtl {

/// The first difference: what() names the cycle, the lane, what was asked and both answers.
class LockstepDifference : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The cycle that is being simulated.
using Now = std::function<Cycle()>;

}  // namespace fermata::rtl
