// Accesses as an H100 took them, row by row: results/silicon/passes.csv, matrix.csv and l1.csv.
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/l1_tags.h>
#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/stimuli/traces/csv_rows.h>

#include <cmath>
#include <sstream>

#include "tests/support/test.h"

using namespace fermata;

namespace {

/// Sets addresses, words, banks and rows of an access to elements of `bytes` bytes.
void place(WarpAccess& access, unsigned bytes, const std::string& elements) {
  access.instruction.bytesPerLane = static_cast<std::uint8_t>(bytes);
  access.wordsPerLane = bytes / 4;
  std::istringstream numbers{elements};
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    std::uint32_t element = 0;
    BOOST_REQUIRE(numbers >> element);
    access.instruction.address[lane] = std::uint64_t{element} * bytes;
    for (unsigned k = 0; k < access.wordsPerLane; ++k) {
      access.word[k][lane] = element * access.wordsPerLane + k;
      access.bank[k][lane] = access.word[k][lane] % 32;
      access.row[k][lane] = access.word[k][lane] / 32;
    }
  }
}

}  // namespace

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
    access.asked = access.instruction.active =
        static_cast<LaneMask>(std::stoul(std::string(rows[3]), nullptr, 16));
    place(access, bytes, std::string(rows[4]));
    resolver.resolve(access);
    const double measured = std::stod(std::string(rows[5]));
    BOOST_TEST(access.passes == std::lround(measured),
               rows[1] << ", " << bytes << " bytes, " << rows[3] << ", " << rows[4]);
    ++count;
  }
  BOOST_TEST(count == 1164U);
}

// ldmatrix, stmatrix, and accesses with idle lane groups: passes by the cycles of 32 warps, and
// latency: 22 cycles are the way to the banks and back.
BOOST_AUTO_TEST_CASE(matrices_and_idle_lane_groups_are_those_of_an_h100) {
  const auto platform = platforms::openPlatform("sm_90");
  const Crossbar::Parameters& crossbar = platform.parameters().crossbar;
  ConflictResolver resolver(32, 1, crossbar.groups);
  const std::string path = FERMATA_SOURCE_DIR "/results/silicon/matrix.csv";
  traces::CsvRows rows(traces::openInput(path), path);
  BOOST_REQUIRE(rows.next());  // the header
  unsigned count = 0;
  while (rows.next()) {
    const std::string operation(rows[1]);
    const unsigned ways = static_cast<unsigned>(std::stoul(std::string(rows[4])));
    StaticInstruction instruction;
    WarpAccess access;
    access.issuedInstruction = &instruction;
    access.asked = static_cast<LaneMask>(std::stoul(std::string(rows[3]), nullptr, 16));
    if (has(operation, "matrix")) {
      instruction.matrices = static_cast<std::uint8_t>(operation.back() - '0');
      access.asked = kAllLanes >> (kWarpLanes - 8U * instruction.matrices);
    }
    access.instruction.active = access.asked;
    access.instruction.operation =
        operation.substr(0, 2) == "ld" ? MemoryOperation::Load : MemoryOperation::Store;
    std::string elements;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      elements += std::to_string(lane * ways) + " ";
    place(access, static_cast<unsigned>(std::stoul(std::string(rows[2]))), elements);
    resolver.resolve(access);
    BOOST_TEST_CONTEXT(operation << ", " << rows[2] << " bytes, " << rows[3] << ", ways " << ways) {
      if (rows[5] == "32")
        BOOST_TEST(access.passes == std::lround(std::stod(std::string(rows[6]))));
      if (rows[5] == "1" && !rows[7].empty()) {
        const auto policy = crossbar.conflictPolicy.make(platform.parameters().policyValues);
        BOOST_TEST(22 + policy->serve(access, resolver, 0).done ==
                   static_cast<Cycle>(std::lround(std::stod(std::string(rows[7])))));
      }
    }
    ++count;
  }
  BOOST_TEST(count == 632U);
}

// A load that hits the L1 takes the larger of its passes and of its lookups in one tag array.
BOOST_AUTO_TEST_CASE(hits_of_the_l1_are_those_of_an_h100) {
  const auto platform = platforms::openPlatform("sm_90", {"global.memory=l1"});
  LaneGrouping groups = platform.parameters().crossbar.groups;
  groups.packing64 = groups.packing128 = LanePacking();
  ConflictResolver resolver(32, 1, groups);
  L1Tags tags(4, 128, platforms::l1Tags(platform.parameters()));
  const std::string path = FERMATA_SOURCE_DIR "/results/silicon/l1.csv";
  traces::CsvRows rows(traces::openInput(path), path);
  BOOST_REQUIRE(rows.next());  // the header
  unsigned count = 0;
  while (rows.next()) {
    WarpAccess access;
    access.asked = access.instruction.active = kAllLanes;
    place(access, static_cast<unsigned>(std::stoul(std::string(rows[3]))), std::string(rows[4]));
    resolver.resolve(access);
    std::set<std::uint64_t> lines;
    for (const std::uint64_t address : access.instruction.address) lines.insert(address / 128);
    tags.begin();
    for (const std::uint64_t line : lines) tags.lookUp(line);
    const Cycle ours = std::max<Cycle>(access.passes, tags.cycles());
    BOOST_TEST_CONTEXT(rows[1] << ", " << rows[3] << " bytes, " << rows[4])
    BOOST_TEST(std::stod(std::string(rows[5])) == static_cast<double>(ours), tt::tolerance(0.02));
    ++count;
  }
  BOOST_TEST(count == 912U);
}

BOOST_AUTO_TEST_SUITE_END()
