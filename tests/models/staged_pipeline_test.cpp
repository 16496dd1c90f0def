// The staged pipeline: the cost of a conflict by the equations of Gou and Gaydadjiev, "Elastic
// Pipeline" (CF 2011), and its answers to its driver.

#include "tests/models/staged_streams.h"
#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::test;
using Kind = StagedPipeline::Kind;
using Organisation = PipelineOrganisation;

namespace {

StagedLog play(const StagedStream& stream) {
  return StagedPlayer<StagedPipeline>(stream, Playing::Lazy).play();
}
std::vector<Cycle> cyclesPlayed(Organisation organisation, const StageParameters& p,
                                const StagedStream::Instruction& only) {
  std::vector<Cycle> all;
  for (const auto& [cycle, time] : play({organisation, p, {only}}).frontTime) all.push_back(cycle);
  return all;
}
std::size_t lost(const StagedLog& log) {
  return stallsOf(log).size();
}

/// Makes memory instructions of random passes, each followed by others for the safe distance.
StagedStream safeStream(unsigned subwarps, unsigned memoryStages, unsigned seed) {
  std::mt19937 random(seed);
  StageParameters p;
  p.memoryStages = memoryStages;
  p.stages = memoryStages + 5;
  p.simdWidth = kWarpLanes / subwarps;
  StagedStream s{Organisation::Elastic, p, {}};
  for (unsigned n = 0; n < 60; ++n) {
    StagedStream::Instruction memory = access({});
    const unsigned most = n % 3 == 0 ? 1 : p.simdWidth;
    unsigned sum = 0;
    for (unsigned j = 0; j < subwarps; ++j) {
      unsigned passes = 1 + static_cast<unsigned>(random() % most);
      // The safe distance is a whole number of warps.
      if (j + 1 == subwarps) passes += (subwarps - (sum + passes) % subwarps) % subwarps;
      memory.service.passes[j] = static_cast<std::uint16_t>(passes);
      sum += passes;
    }
    s.instructions.push_back(memory);
    // More than enough at times, so that queues run empty.
    const std::size_t others = sum / subwarps - 1 + (random() % 4 == 0 ? random() % 8 : 0);
    s.instructions.resize(s.instructions.size() + others, other());
  }
  return s;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(staged_pipeline)

// Issued in cycle 1, in MEM0 from 4 on; the instruction due in 5 is the first to wait.
BOOST_AUTO_TEST_CASE(unified_loses_a_conflicts_degree_less_one_and_the_bubbles) {
  for (Cycle degree = 1; degree <= 32; ++degree) {
    BOOST_TEST_CONTEXT("degree " << degree) {
      const auto passes = static_cast<unsigned>(degree);
      const StagedStream s{Organisation::Unified, figure(), stream({other(), access({passes})}, 8)};
      const StagedLog log = play(s);
      for (Cycle k = 0; k < s.instructions.size(); ++k) {
        BOOST_TEST(log.issued[k] == k + (k > 4 ? degree - 1 : 0));
        BOOST_TEST(log.committed[k] == k + 6 + (k > 0 ? degree - 1 : 0));
      }
      Stalls expected;
      for (Cycle c = 5; c < 5 + degree - 1; ++c) expected.emplace_back(c, StallCause::BankConflict);
      BOOST_TEST((stallsOf(log) == expected));
    }
  }
}

// Lost cycles: over the four subwarps, the sum of passes beyond the first.
BOOST_AUTO_TEST_CASE(unified_loses_the_sum_over_subwarps) {
  const StagedStream s{Organisation::Unified, figure(8), stream({access({2, 1, 8, 3})}, 10)};
  const StagedLog log = play(s);
  BOOST_TEST(log.issued.back() == 10U * 4 + 10);
  BOOST_TEST(lost(log) == 10U);
}

// For any degrees, if a warp has at most as many subwarps as there are memory stages. With more,
// the NONMEM queue of equation 2 is too short for what they displace (staged_table_test.cpp).
BOOST_AUTO_TEST_CASE(elastic_loses_nothing_at_the_safe_distance) {
  for (const unsigned subwarps : {1U, 2U, 4U}) {
    for (unsigned stages = std::max(2U, subwarps); stages <= 6; ++stages) {
      for (unsigned seed = 0; seed < 20; ++seed) {
        const StagedStream s = safeStream(subwarps, stages, seed);
        const StagedLog log = play(s);
        BOOST_TEST_CONTEXT(subwarps << " subwarps, " << stages << " stages, seed " << seed) {
          for (std::size_t k = 0; k < s.instructions.size(); ++k)
            BOOST_REQUIRE_EQUAL(log.issued[k], k * subwarps);
          BOOST_TEST(lost(log) == 0U);
        }
      }
    }
  }
}

// The second access is in EXE in degree + 1, the first in MEM0 until degree + 2.
BOOST_AUTO_TEST_CASE(elastic_loses_one_a_cycle_before_the_safe_distance) {
  for (Cycle degree = 2; degree <= 32; ++degree) {
    BOOST_TEST_CONTEXT("degree " << degree) {
      auto all = stream({access({static_cast<unsigned>(degree)})}, degree - 2);
      all.push_back(access({1}));
      all.resize(all.size() + 5, other());
      const StagedLog log = play({Organisation::Elastic, figure(), all});
      BOOST_TEST((stallsOf(log) == stalls(StallCause::BankConflict, {degree + 2})));
      for (Cycle k = 0; k < all.size(); ++k)
        BOOST_TEST(log.issued[k] == k + (k >= degree + 2 ? 1 : 0));
    }
  }
}

// 8 lanes, M = 4, N = 3: a warp is four subwarps in EXE in cycles 2 to 5. With two passes each they
// leave MEM0 at the end of 4, 6, 8, 10, and take the port at the end of 7, 9, 11, 13. Those of the
// second warp take it at the end of 15, 17, 19, 21. The safe distance is eight. Others follow
// without a gap, in EXE from cycle 6 + distance on. Below the safe distance cycles are lost:
// - for N, if the last subwarp of the second warp is in EXE, in 5 + distance, before the end of 10;
// - for M, the delay of the others by the second warp, counted from their EXE, beyond four.
BOOST_AUTO_TEST_CASE(elastic_loses_by_both_queues_when_a_warp_comes_too_early) {
  StageParameters p = figure(8);
  p.memoryStages = 4;
  p.stages = 8;
  const std::pair<unsigned, unsigned> expected[] = {{1, 2}, {0, 2}, {0, 1}, {0, 1}, {0, 0}};
  for (unsigned distance = 4; distance <= 8; ++distance) {
    auto all = stream({access({2, 2, 2, 2}), access({2, 2, 2, 2})}, 8);
    all[1].gap = distance;
    const StagedLog log = play({Organisation::Elastic, p, all});
    const auto lostBy = [&](StallCause cause) {
      const Stalls found = stallsOf(log);
      return std::count_if(found.begin(), found.end(),
                           [&](const auto& stall) { return stall.second == cause; });
    };
    BOOST_TEST_CONTEXT("distance " << distance) {
      BOOST_TEST(lostBy(StallCause::BankConflict) == expected[distance - 4].first);
      BOOST_TEST(lostBy(StallCause::Writeback) == expected[distance - 4].second);
      BOOST_TEST(log.issued.back() == 9U * 4 + distance - 4 + lost(log));
    }
  }
}

// The paper's pipeline: 8 lanes, four memory stages.
BOOST_AUTO_TEST_CASE(queues_are_as_deep_as_equations_2_and_3_say) {
  StageParameters p;
  BOOST_TEST(p.subwarps() == 4U);
  BOOST_TEST(p.nonmemEntries() == 4U);
  BOOST_TEST(p.prememEntries() == 3U);
  for (const auto& [width, subwarps] : {std::pair{32U, 1U}, {16U, 2U}, {8U, 4U}, {1U, 32U}}) {
    p.simdWidth = width;
    p.memoryStages = width % 5 + 2;
    BOOST_TEST(p.subwarps() == subwarps);
    BOOST_TEST(p.nonmemEntries() == p.memoryStages);
    BOOST_TEST(p.prememEntries() == subwarps - 1);
  }
  p = queues(p, 0, 7);
  BOOST_TEST(p.nonmemEntries() == 0U);
  BOOST_TEST(p.prememEntries() == 7U);
}

BOOST_AUTO_TEST_CASE(names_no_cycle_but_those_in_which_something_is_to_come) {
  using Cycles = std::vector<Cycle>;
  const Cycles slow = cyclesPlayed(Organisation::Elastic, figure(8), access({}));
  BOOST_TEST(slow == (Cycles{0, 3, 9}), tt::per_element());
  const Cycles quick = cyclesPlayed(Organisation::Elastic, figure(), other());
  BOOST_TEST(quick == (Cycles{0, 4}), tt::per_element());
  const Cycles split = cyclesPlayed(Organisation::Split, figure(), other());
  BOOST_TEST(split == (Cycles{0, 6}), tt::per_element());
  const Cycles unified = cyclesPlayed(Organisation::Unified, figure(16), other());
  BOOST_TEST(unified == (Cycles{0, 7}), tt::per_element());
}

BOOST_AUTO_TEST_CASE(says_up_to_when_the_front_end_does_what_it_does) {
  StagedPipeline pipeline(Organisation::Unified, figure(8));
  BOOST_TEST(pipeline.free() == 0U);
  BOOST_TEST(pipeline.next() == kNever);
  pipeline.issue(Kind::Access, 0);
  BOOST_TEST((pipeline.front(1).cause == StallCause::Pipeline));
  BOOST_TEST(pipeline.front(1).until == 4U);
  BOOST_TEST((pipeline.front(4).cause == StallCause::Idle));
  BOOST_TEST(pipeline.front(4).until == kNever);
  pipeline.advance(3);
  StagedPipeline::Service service;
  service.passes.fill(1);
  service.passes[0] = 5;  // cycles 3 to 7: the second, in EXE in 3, cannot move until the end
  pipeline.serve(service);
  pipeline.advance(4);
  BOOST_TEST(pipeline.free() == 8U);
  pipeline.advance(12);
  BOOST_TEST((pipeline.front(4).cause == StallCause::BankConflict));
  BOOST_TEST(pipeline.front(4).until == 8U);
  BOOST_TEST(pipeline.front(7).until == 8U);
  BOOST_TEST((pipeline.front(8).cause == StallCause::Idle));
  BOOST_TEST(pipeline.stalls() == 4U);
  BOOST_TEST(pipeline.frontTime(12) == 8U);
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_pipeline) {
  const auto refused = [&](Organisation organisation, unsigned stages, unsigned memoryStages,
                           unsigned ports, unsigned width) {
    StageParameters p;
    p.simdWidth = width;
    p.stages = stages;
    p.memoryStages = memoryStages;
    p.writebackPorts = ports;
    BOOST_CHECK_THROW(StagedPipeline(organisation, p), std::invalid_argument);
  };
  refused(Organisation::Decoupled, 24, 4, 1, 8);
  refused(Organisation::Unified, 24, 1, 1, 8);
  refused(Organisation::Split, 6, 4, 1, 8);
  refused(Organisation::Elastic, 24, 4, 0, 8);
  refused(Organisation::Elastic, 24, 4, 1, 12);
  refused(Organisation::Elastic, 24, 4, 1, 0);
  refused(Organisation::Elastic, 24, 4, 1, 64);
}

BOOST_AUTO_TEST_SUITE_END()
