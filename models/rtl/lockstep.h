// Difference between the answers of a block of RTL and of the model.
#pragma once

#include <fermata/models/vocabulary/cycle.h>

#include <fmt/format.h>

#include <functional>
#include <stdexcept>
#include <string>

namespace fermata::rtl {

/// Thrown at the first difference. what() names the cycle, the lane, the request and both answers.
class LockstepDifference : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws LockstepDifference: "the RTL BLOCK differs from the model in cycle N, pc N: WHERE: RTL
/// ANSWER; expected ANSWER".
template <class Rtl, class Model>
[[noreturn]] void differ(const char* block, Cycle cycle, std::uint32_t pc, const std::string& where,
                         const Rtl& rtl, const Model& model) {
  throw LockstepDifference(
      fmt::format("the RTL {} differs from the model in cycle {}, pc {}: {}: RTL {}; expected {}",
                  block, cycle, pc, where, rtl, model));
}

/// Returns the cycle that is being simulated.
using Now = std::function<Cycle()>;

}  // namespace fermata::rtl
