// Sharing of values between lanes, warps and CTAs: computed by hand, access by access.
#include <fermata/models/probe/sharing.h>
#include <fermata/models/transaction/warp_access.h>

#include "tests/support/test.h"

using namespace fermata;

namespace {

/// A grid of CTAs of two warps: slots 0 and 1 are one CTA, 2 and 3 the next.
struct Bench {
  Grid grid;
  StaticInstruction exit;
  SharingCounters counters;

  Bench() {
    grid.threadsPerCta = 64;
    grid.instructionCount = 10;
    exit.instructionClass = InstructionClass::Exit;
    counters.gridStarted(grid, 0);
  }

  /// `address(lane)`: addresses of active lanes.
  template <class Address>
  void access(unsigned slot, LaneMask active, Address address, std::uint32_t pc = 3) {
    WarpAccess one;
    one.slot = slot;
    one.instruction.pc = pc;
    one.instruction.active = active;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      one.instruction.address[lane] = address(lane);
    }
    counters.globalAccess(one);
  }
  void broadcast(unsigned slot, std::uint64_t address) {
    access(slot, kAllLanes, [=](unsigned) { return address; });
  }
  void leave(unsigned slot) { counters.issued({0, slot, grid, exit, kAllLanes, 0}); }
  const SharingCounters::Counts& counts() const { return counters.counts().totals(); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(sharing, Bench)

BOOST_AUTO_TEST_CASE(a_warp_s_addresses_say_who_shares) {
  access(0, kAllLanes, [](unsigned lane) { return 4 * lane; });
  access(0, kAllLanes, [](unsigned lane) { return lane / 2 * 4; });
  access(0, 0x80000001U, [](unsigned) { return 8; });
  access(0, 0x10U, [](unsigned) { return 8; });  // a lone lane shares with no other
  access(0, 0x3U, [](unsigned lane) { return lane; });
  BOOST_TEST(counts().scatters == 3U);
  BOOST_TEST(counts().laneBroadcasts == 1U);
  BOOST_TEST(counts().warpBroadcasts == 1U);
  BOOST_TEST(counts().vectorBroadcasts == 0U);
}

BOOST_AUTO_TEST_CASE(all_warps_of_a_cta_on_one_address_are_a_vector_broadcast) {
  broadcast(0, 100);
  BOOST_TEST(counts().warpBroadcasts == 1U);  // the other warp has not executed it
  broadcast(2, 100);                          // another CTA
  broadcast(1, 100);
  BOOST_TEST(counts().vectorBroadcasts == 2U);
  BOOST_TEST(counts().warpBroadcasts == 1U);
  BOOST_TEST(counters.counts().of(0, 3)->vectorBroadcasts == 2U);
}

BOOST_AUTO_TEST_CASE(executions_are_set_side_by_side) {
  broadcast(0, 100);
  broadcast(0, 104);
  broadcast(1, 100);
  broadcast(1, 108);  // the second execution differs
  BOOST_TEST(counts().vectorBroadcasts == 2U);
  BOOST_TEST(counts().warpBroadcasts == 2U);
  access(0, kAllLanes, [](unsigned lane) { return lane; });
  broadcast(1, 0);
  BOOST_TEST(counts().vectorBroadcasts == 2U);
  BOOST_TEST(counts().warpBroadcasts == 3U);
}

BOOST_AUTO_TEST_CASE(the_next_cta_in_a_place_begins_anew) {
  broadcast(0, 100);  // warp 1 never executes it
  leave(0);
  leave(1);
  broadcast(0, 200);
  broadcast(1, 200);
  BOOST_TEST(counts().warpBroadcasts == 1U);
  BOOST_TEST(counts().vectorBroadcasts == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
