// Helpers for tests of blocks in place of modules.
#pragma once

#include <fermata/models/rtl/implementation.h>
#include <fermata/models/rtl/lockstep.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace fermata::rtl {

inline std::ostream& operator<<(std::ostream& out, Implementation how) {
  return out << choiceName(how);
}

}  // namespace fermata::rtl

namespace fermata::rtl::test {

/// True: a block of models/rtl/*.sv; false: the model's own block.
inline const std::vector<bool> kDescribed =
    FERMATA_HAS_VERILATOR ? std::vector<bool>{false, true} : std::vector<bool>{false};

/// Returns the first difference of `act`; "none" if there is none.
inline std::string differenceOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const LockstepDifference& difference) {
    return difference.what();
  }
  return "none";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace fermata::rtl::test
