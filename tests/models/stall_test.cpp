// Empty issue slots get one cause each, however many cycles are skipped at once.
#include <fermata/models/core/stall_account.h>

#include <array>
#include <boost/test/unit_test.hpp>

using fermata::Cycle;
using fermata::kStallCauses;
using fermata::StallCause;

namespace {

struct Listener : fermata::Probe {
  std::array<std::uint64_t, kStallCauses> slots{};
  void stalled(StallCause cause, Cycle, Cycle, std::uint64_t count) override {
    slots[static_cast<unsigned>(cause)] += count;
  }
  std::uint64_t of(StallCause cause) const { return slots[static_cast<unsigned>(cause)]; }
};

struct Fixture {
  fermata::StaticInstruction load;
  fermata::StaticInstruction add;
  fermata::WarpTable warps;
  fermata::Pipelines pipelines{fermata::PipelineParameters{}};
  Listener listener;
  fermata::StallAccount account{{0x1}, 1};
  Fixture() { load.instructionClass = fermata::InstructionClass::Memory; }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(stalls, Fixture)

BOOST_AUTO_TEST_CASE(no_warp_is_idle) {
  account.settle(10, warps, pipelines, &listener);
  BOOST_TEST(listener.of(StallCause::Idle) == 10U);
  BOOST_TEST(account.takeLost(0) == 0U);  // no instruction waited
}

BOOST_AUTO_TEST_CASE(a_skipped_gap_is_split_where_the_operands_arrive) {
  warps.set(0, &load, 7);
  pipelines.take(fermata::PipelineKind::Memory, 0, 20);
  account.settle(20, warps, pipelines, &listener);
  BOOST_TEST(listener.of(StallCause::Scoreboard) == 7U);
  BOOST_TEST(listener.of(StallCause::MemoryPort) == 13U);
  BOOST_TEST(account.takeLost(0) == 20U);
  BOOST_TEST(account.takeLost(0) == 0U);
}

BOOST_AUTO_TEST_CASE(a_busy_pipeline_is_told_from_the_memory_port) {
  warps.set(0, &add, 0);
  pipelines.take(fermata::PipelineKind::Alu, 0, 5);
  pipelines.take(fermata::PipelineKind::Alu, 0, 5);
  account.settle(5, warps, pipelines, &listener);
  BOOST_TEST(listener.of(StallCause::Pipeline) == 5U);
}

BOOST_AUTO_TEST_CASE(all_at_a_barrier) {
  warps.set(0, &add, 0);
  warps.hold(0);
  account.settle(4, warps, pipelines, &listener);
  BOOST_TEST(listener.of(StallCause::Barrier) == 4U);
}

BOOST_AUTO_TEST_CASE(an_issue_fills_its_slot) {
  warps.set(0, &add, 0);
  account.cycle(0, 1, 0, warps, pipelines, &listener);
  account.settle(1, warps, pipelines, &listener);
  for (const std::uint64_t slots : listener.slots) BOOST_TEST(slots == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
