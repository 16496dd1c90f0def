// Passes of shared accesses as an H100 took them, row by row: results/silicon/passes.csv.
#include <fermata/models/memory/conflict.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/stimuli/traces/csv_rows.h>

#include <cmath>
#include <sstream>

#include "tests/support/test.h"

using namespace fermata;

BOOST_AUTO_TEST_SUITE(silicon)

BOOST_AUTO_TEST_CASE(passes_are_those_of_an_h100) {
  const auto platform = platforms::openPlatform("sm_90");
  ConflictResolver resolver(32, 1, platform.parameters().crossbar.groups);
  const std::string path = FERMATA_SOURCE_DIR "/results/silicon/passes.csv";
  traces::CsvRows rows(traces::openInput(path), path);
  BOOST_REQUIRE(rows.next());  // the header
  unsigned count = 0;
  while (rows.next()) {
    WarpAccess access;
    access.instruction.operation =
        rows[1] == "ld.shared" ? MemoryOperation::Load : MemoryOperation::Store;
    const auto bytes = static_cast<unsigned>(std::stoul(std::string(rows[2])));
    access.instruction.bytesPerLane = static_cast<std::uint8_t>(bytes);
    access.asked = access.instruction.active =
        static_cast<LaneMask>(std::stoul(std::string(rows[3]), nullptr, 16));
    access.wordsPerLane = bytes / 4;
    std::istringstream elements{std::string(rows[4])};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      std::uint32_t element = 0;
      BOOST_REQUIRE(elements >> element);
      access.instruction.address[lane] = std::uint64_t{element} * bytes;
      for (unsigned k = 0; k < access.wordsPerLane; ++k) {
        access.word[k][lane] = element * access.wordsPerLane + k;
        access.bank[k][lane] = access.word[k][lane] % 32;
        access.row[k][lane] = access.word[k][lane] / 32;
      }
    }
    resolver.resolve(access);
    const double measured = std::stod(std::string(rows[5]));
    BOOST_TEST(access.passes == std::lround(measured),
               rows[1] << ", " << bytes << " bytes, " << rows[3] << ", " << rows[4]);
    ++count;
  }
  BOOST_TEST(count == 1164U);
}

BOOST_AUTO_TEST_SUITE_END()
