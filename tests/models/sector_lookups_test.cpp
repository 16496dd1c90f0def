// Sectors of an access, looked up one by one in arrays of tags.
#include <fermata/models/memory/sector_lookups.h>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::test;

namespace {

struct Lookups : Named {
  unsigned arrays;
  std::vector<std::pair<std::uint64_t, SectorMask>> lines;  ///< line, its sectors
  Cycle cycles;
};
const Lookups kLookups[] = {{"a line", 4, {{7, 0xf}}, 1},
                            {"one array", 1, {{7, 0xf}}, 4},
                            {"the same sector of three lines", 4, {{1, 1}, {2, 1}, {3, 1}}, 3},
                            {"halves of two lines", 4, {{1, 0x3}, {2, 0xc}}, 1},
                            {"equal halves of two lines", 4, {{1, 0x3}, {2, 0x3}}, 2},
                            // Sectors 0 1 | 0 1 2 3: the second line begins a cycle.
                            {"in order", 4, {{1, 0x3}, {2, 0xf}}, 2}};

}  // namespace

BOOST_AUTO_TEST_SUITE(sector_lookups)

BOOST_DATA_TEST_CASE(cycles, bdata::make(kLookups), row) {
  SectorLookups lookups(row.arrays);
  for (int again = 0; again < 2; ++again) {
    lookups.begin();
    for (const auto& [line, sectors] : row.lines) lookups.lookUp(line, 4, sectors);
    BOOST_TEST(lookups.cycles() == row.cycles);
  }
}

BOOST_AUTO_TEST_SUITE_END()
