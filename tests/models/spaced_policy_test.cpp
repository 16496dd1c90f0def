// The policy that spaces the passes of an access: timing tables, measured on an H100.
#include <fermata/models/memory/conflict_policy.h>

#include "tests/support/conflict_oracle.h"

using namespace fermata;

namespace {

/// Banks served by the policy; accesses arrive one behind the other.
class SpacedBanks {
 public:
  explicit SpacedBanks(unsigned distance = 2, unsigned cycles = 1, unsigned groupDistance = 2) {
    PolicyValues values;
    const Chosen<ConflictPolicy> spaced("spaced");
    values.at(spaced->parameters[0]) = distance;
    values.at(spaced->parameters[1]) = cycles;
    values.at(spaced->parameters[2]) = groupDistance;
    policy_ = spaced.make(values);
  }

  /// Serves an access of a warp and returns the cycle behind its last pass.
  Cycle serve(unsigned slot, std::uint32_t passes, WarpAccess access = {}) {
    access.slot = slot;
    access.passes = passes;
    const Cycle done = policy_->serve(access, resolver_, arrival_).done;
    arrival_ += std::max<Cycle>(1, access.occupancy);
    return done;
  }
  Cycle arrival() const { return arrival_; }

 private:
  std::unique_ptr<ConflictPolicy> policy_;
  ConflictResolver resolver_{32, 1, LaneGrouping()};
  Cycle arrival_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(spaced_policy)

BOOST_AUTO_TEST_CASE(an_access_sees_two_cycles_per_pass) {
  for (const std::uint32_t passes : {1U, 2U, 4U, 8U, 16U, 32U})
    BOOST_TEST(SpacedBanks().serve(0, passes) == 2 * passes - 1);
  BOOST_TEST(SpacedBanks(3).serve(0, 4) == 10U);
  BOOST_TEST(SpacedBanks(1).serve(0, 32) == 32U);
}

// results/silicon: 23, 26 and 32 cycles of 32, 64 and 128 bits, and two cycles per further way.
BOOST_AUTO_TEST_CASE(lane_groups_of_an_h100_are_three_cycles_apart) {
  for (const std::uint32_t groups : {1U, 2U, 4U}) {
    for (const std::uint32_t ways : {1U, 2U, 8U}) {
      WarpAccess access;
      access.groups = groups;
      for (unsigned group = 0; group < groups; ++group)
        access.groupPasses[group] = static_cast<std::uint8_t>(ways);
      BOOST_TEST(SpacedBanks(2, 1, 3).serve(0, groups * ways, access) ==
                 3 * (groups - 1) + 2 * (groups * ways - groups) + 1);
    }
  }
}

// results/silicon/matrix.csv: 26, 28, 30 cycles for 128 bits of 8, 16, 24 lanes, in four passes.
BOOST_AUTO_TEST_CASE(lane_groups_without_lanes_delay_an_access_by_a_cycle) {
  for (const unsigned busy : {1U, 2U, 3U, 4U}) {
    WarpAccess access;
    access.groups = 4;
    std::fill_n(access.groupPasses.begin(), busy, std::uint8_t{1});
    SpacedBanks banks(2, 1, 3);
    BOOST_TEST(banks.serve(0, 4, access) == 2 * (busy - 1) + 3 + 1);
    // The warp's next access waits for the passes that serve lanes, and for the banks.
    BOOST_TEST(banks.serve(0, 4, access) == std::max(2 * busy, 4U) + 2 * (busy - 1) + 3 + 1);
  }
}

// results/silicon/matrix.csv: ldmatrix of one, two, four matrices takes 23, 25, 29 cycles.
BOOST_AUTO_TEST_CASE(matrices_come_two_cycles_apart) {
  for (const unsigned matrices : {1U, 2U, 4U}) {
    StaticInstruction instruction;
    instruction.matrices = static_cast<std::uint8_t>(matrices);
    WarpAccess access;
    access.issuedInstruction = &instruction;
    access.groups = 4;
    std::fill_n(access.groupPasses.begin(), matrices, std::uint8_t{1});
    BOOST_TEST(SpacedBanks(2, 1, 3).serve(0, matrices, access) == 2 * (matrices - 1) + 1);
  }
}

BOOST_AUTO_TEST_CASE(one_warp_gets_a_pass_every_two_cycles) {
  SpacedBanks banks;
  for (Cycle i = 1; i <= 10; ++i) BOOST_TEST(banks.serve(0, 32) == 64 * i - 1);
}

// results/silicon/mixed.csv: the second access of warp 0 waits for its first one. It takes the port
// for its passes alone, so that other warps come meanwhile.
BOOST_AUTO_TEST_CASE(an_access_that_waits_for_its_warp_holds_up_no_other) {
  SpacedBanks banks;
  BOOST_TEST(banks.serve(0, 8) == 15U);
  BOOST_TEST(banks.serve(0, 8) == 31U);
  BOOST_TEST(banks.arrival() == 16U);
  BOOST_TEST(banks.serve(0, 8) == 47U);
  BOOST_TEST(banks.arrival() == 24U);
  BOOST_TEST(banks.serve(1, 8) == 39U);  // between the second and the third
}

BOOST_AUTO_TEST_CASE(two_warps_share_the_cycles) {
  SpacedBanks banks;
  for (Cycle i = 0; i < 10; ++i) {
    BOOST_TEST(banks.serve(0, 32) == 64 * i + 63);
    BOOST_TEST(banks.serve(1, 32) == 64 * i + 32 + 63);
  }
}

BOOST_AUTO_TEST_CASE(many_warps_get_a_pass_per_cycle) {
  SpacedBanks banks;
  for (Cycle i = 0; i < 100; ++i) banks.serve(static_cast<unsigned>(i % 8), 4);
  BOOST_TEST(banks.arrival() == 400U);
}

// A warp of 32 ways beside warps of none: what stands behind a blocked access waits.
BOOST_AUTO_TEST_CASE(accesses_enter_in_order) {
  for (const unsigned others : {1U, 3U}) {
    SpacedBanks banks;
    for (Cycle i = 0; i < 10; ++i) {
      BOOST_TEST(banks.serve(0, 32) == 64 * i + 63);
      for (unsigned warp = 1; warp <= others; ++warp) banks.serve(warp, 1);
    }
  }
}

// A T4 serves 64 bytes per cycle: its banks take two cycles for a pass.
BOOST_AUTO_TEST_CASE(a_pass_may_take_several_cycles) {
  SpacedBanks banks(2, 2);
  for (Cycle i = 1; i <= 10; ++i) BOOST_TEST(banks.serve(static_cast<unsigned>(i % 8), 4) == 8 * i);
}

BOOST_AUTO_TEST_CASE(copies_and_factors_of_products_stream) {
  StaticInstruction product;
  product.streams = true;
  WarpAccess factors;
  factors.issuedInstruction = &product;
  WarpAccess copy;
  copy.instruction.copy = 0;
  for (const WarpAccess& one : {factors, copy}) {
    SpacedBanks banks;
    for (Cycle i = 1; i <= 10; ++i) BOOST_TEST(banks.serve(0, 4, one) == 4 * i);
  }
}

BOOST_AUTO_TEST_CASE(an_access_without_passes_holds_nothing) {
  SpacedBanks banks;
  BOOST_TEST(banks.serve(0, 0) == 1U);
  BOOST_TEST(banks.arrival() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
