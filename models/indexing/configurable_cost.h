// Cost of the configurable hashes.
#pragma once

#include <fermata/models/indexing/indexer.h>

namespace fermata::indexing {

inline Cost configurableCost() {
  return {
      "van den Braak et al., Configurable XOR Hash Functions, IEEE TC 2016, section 4.5: 250 ps of "
      "a 700 ps clock cycle at the least, so one cycle more",
      1};
}

}  // namespace fermata::indexing
