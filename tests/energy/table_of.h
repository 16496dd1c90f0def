// Makes a table of prices from a text.
#pragma once

#include <fermata/models/power/energy.h>
#include <fermata/platforms/energy/price_table.h>
#include "tests/support/temporary_folder.h"

#include "tests/support/test.h"

namespace fermata::test {

/// Reads the text as a file named mine.toml.
inline platforms::PriceTable tableOf(const std::string& text) {
  const TemporaryFolder folder;
  folder.put("mine.toml", text);
  return platforms::openPriceTable((folder / "mine.toml").string());
}

inline bool same(const Power& a, const Power& b) {
  return a.low == b.low && a.nominal == b.nominal && a.high == b.high;
}

}  // namespace fermata::test
