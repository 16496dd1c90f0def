// Makes a table of prices from a text.
#pragma once

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

}  // namespace fermata::test
