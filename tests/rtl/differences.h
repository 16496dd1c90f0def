// Helpers for tests of blocks in place of modules.
#pragma once

#include <fermata/models/rtl/implementation.h>
#include <fermata/models/rtl/lockstep.h>

#include "tests/support/says.h"

namespace fermata::rtl {

inline std::ostream& operator<<(std::ostream& out, Implementation how) {
  return out << choiceName(how);
}

}  // namespace fermata::rtl

namespace fermata::rtl::test {

using fermata::test::errorOf;
using fermata::test::has;

/// True: a block of models/rtl/*.sv; false: the model's own block.
inline const std::vector<bool> kDescribed =
    FERMATA_HAS_VERILATOR ? std::vector<bool>{false, true} : std::vector<bool>{false};

/// Returns the first difference of `act`; "none" if there is none.
template <class Act>
std::string differenceOf(Act act) {
  return errorOf<LockstepDifference>(act);
}

}  // namespace fermata::rtl::test
