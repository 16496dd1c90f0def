// The clocked blocks, simulated, against plain definitions of their behaviour.
#include <fermata/models/rtl/block_catalog.h>

#include "tests/rtl/definitions.h"
#include "tests/rtl/handshake.h"
#include "tests/rtl/support.h"
#include "tests/support/conflict_oracle.h"

namespace fermata::rtl::test {
namespace {

const unsigned kBanks[] = {1, 2, 7, 16, 31, 32, 33, 48, 62, 64, 65, 100, 127, 128};

/// Returns the number of requests to test with: addresses() / lanes.
std::uint64_t requests() {
  return addresses() / kWarpLanes;
}

/// Asks until all lanes are served and checks each pass against its definition. Returns the passes
/// and all leaders.
std::pair<unsigned, LaneMask> passesOf(PassBlock& block, PassRequest request) {
  unsigned passes = 0;
  LaneMask leaders = 0;
  while (request.valid != 0) {
    const PassResponse& response = ask(block, request);
    BOOST_REQUIRE((response == expectedPass(request)));
    request.valid = response.left;
    leaders |= response.leaders;
    ++passes;
  }
  return {passes, leaders};
}

/// Fills an access with the lanes of a request, for the model's resolver.
void fillAccess(const PassRequest& request, std::uint32_t banks, WarpAccess& access) {
  access.instruction.operation = MemoryOperation::Load;
  access.instruction.bytesPerLane = 4;
  access.asked = request.valid;
  access.banks = banks;
  access.wordsPerLane = 1;
  access.bank[0] = request.bank;
  access.row[0] = request.row;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    access.word[0][lane] = request.row[lane] * banks + request.bank[lane];
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pass_arbiter)

BOOST_DATA_TEST_CASE(serves_as_the_model_counts, bdata::make(kBanks), banks) {
  std::mt19937 random(banks);
  const auto block = makePassBlock(banks);
  ConflictResolver resolver(banks, 1, LaneGrouping());
  WarpAccess access;
  for (std::uint64_t i = 0; i < requests(); ++i) {
    const PassRequest request = somePass(random, banks);
    const auto [passes, leaders] = passesOf(*block, request);
    fillAccess(request, banks, access);
    resolver.resolve(access);
    BOOST_REQUIRE(passes == (request.valid == 0 ? 0 : access.passes));
    BOOST_REQUIRE(leaders == access.leaders[0]);
  }
}

BOOST_AUTO_TEST_CASE(keeps_its_handshake) {
  const auto block = makePassBlock(32);
  std::mt19937 random(1);
  checkHandshake(*block, somePass(random, 32));
}

BOOST_AUTO_TEST_CASE(answers_a_request_of_no_lane) {
  const auto block = makePassBlock(64);
  BOOST_TEST((ask(*block, PassRequest{}) == PassResponse{}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(banked_scratchpad)

BOOST_DATA_TEST_CASE(agrees_with_an_array_of_words, bdata::make(kBanks), banks) {
  for (const std::uint32_t rows : {1U, 12U, 384U, 2048U})
    BOOST_TEST(wordsAgree(*makeScratchpadBlock(banks, rows), banks, rows, requests() / 4));
}

BOOST_AUTO_TEST_CASE(keeps_its_handshake) {
  const auto block = makeScratchpadBlock(33, 373);
  std::mt19937 random(1);
  checkHandshake(*block, someWords(random, 33, 373));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(lock_unit)

BOOST_DATA_TEST_CASE(agrees_with_its_definition, bdata::make({1U, 2U, 32U, 1000U, 1024U, 4096U}),
                     locks) {
  BOOST_TEST(locksAgree(*makeLockBlock(locks), locks, requests()));
}

BOOST_AUTO_TEST_CASE(keeps_its_handshake) {
  const auto block = makeLockBlock(1024);
  LockRequest request;
  request.lock = 1;
  checkHandshake(*block, request);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::rtl::test
