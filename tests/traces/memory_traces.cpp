// A trace in memory gives each warp the instructions that it executed, in any order and also in
// another process, or reports that it cannot.

#include <fermata/stimuli/traces/memory_trace.h>
#include "tests/support/children.h"
#include "tests/support/scripted_workload.h"
#include "tests/traces/fake_workload.h"
#include "tests/traces/interleaved_run.h"

using namespace fermata;
using namespace fermata::test;
using traces::MemoryTrace;
using traces::MemoryTraceRecorder;
using traces::MemoryTraceWorkload;

namespace {

constexpr std::size_t kRoom = std::size_t{64} << 20;

FakeWorkload::Shape shapeOf(std::uint64_t seed) {
  FakeWorkload::Shape shape;
  // Few CTAs: an OrderCheck follows a limited number of pages, and addresses are scattered.
  shape.ctas = 1 + seed % 4;
  shape.threads = static_cast<std::uint32_t>(1 + seed * 97 % 200);
  shape.longest = static_cast<unsigned>(seed % 5 == 0 ? 200 : seed % 60);
  shape.seed = seed;
  shape.loadsAlone = true;
  return shape;
}

RunResult recordInto(MemoryTrace& trace, Workload& workload, const RunOptions& run) {
  MemoryTraceRecorder recorder(workload, trace);
  RunResult result = record(recorder, run);
  recorder.finish({{"n", "7"}, {"name", "a=b"}});
  return result;
}

/// Two CTAs of two warps load or store one word, shared by all lanes; each warp has its own word,
/// or all warps have one.
struct Words : ScriptedWorkload {
  Words(MemoryOperation operation, MemorySpace space, bool apart) : ScriptedWorkload(2, 64) {
    grid.sharedBytesPerCta = 64;
    addMemory(space, operation, 4, [apart](std::uint64_t cta, unsigned warp, auto, auto) {
      return apart ? 4 * (2 * cta + warp) : 0;
    });
  }
};

MemoryTrace::State stateAfter(MemoryOperation operation, MemorySpace space, bool apart) {
  Words words(operation, space, apart);
  MemoryTrace trace(kRoom);
  recordInto(trace, words, options(Order::RoundRobin, 2));
  return trace.state();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_traces)

BOOST_AUTO_TEST_CASE(any_order_replays_any_recording) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    FakeWorkload fake(shapeOf(seed));
    MemoryTrace trace(kRoom);
    const RunResult recorded = recordInto(trace, fake, options(Order::Random, 4));
    BOOST_TEST_REQUIRE((trace.state() == MemoryTrace::State::Ready));
    for (const Order order : {Order::RoundRobin, Order::Greedy, Order::Reverse, Order::Random}) {
      MemoryTraceWorkload replay(trace);
      const RunResult replayed = record(replay, options(order, 1 + seed % 3));
      BOOST_TEST(replayed.grids == recorded.grids, tt::per_element());
      BOOST_TEST((replayed.streams == recorded.streams));
      BOOST_TEST(describePrograms(replay) == describePrograms(fake));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_a_child_recorded_is_there_when_it_has_ended) {
  MemoryTrace trace(kRoom);
  FakeWorkload fake(shapeOf(11));
  BOOST_TEST_REQUIRE(inChild([&] {
                       recordInto(trace, fake, options(Order::Greedy, 2));
                       return 0;
                     }) == 0);
  BOOST_TEST_REQUIRE((trace.state() == MemoryTrace::State::Ready));
  BOOST_TEST(trace.parameters().at("name") == "a=b");
  MemoryTraceWorkload replay(trace);
  BOOST_TEST((record(replay, options(Order::Reverse, 2)).streams ==
              record(fake, options(Order::Greedy, 2)).streams));
}

BOOST_AUTO_TEST_CASE(what_the_order_may_change_is_not_recorded) {
  using State = MemoryTrace::State;
  const auto load = MemoryOperation::Load;
  const auto store = MemoryOperation::Store;
  BOOST_TEST((stateAfter(store, MemorySpace::Global, true) == State::Ready));
  BOOST_TEST((stateAfter(load, MemorySpace::Global, false) == State::Ready));
  BOOST_TEST((stateAfter(store, MemorySpace::Global, false) == State::Unfit));
  BOOST_TEST((stateAfter(store, MemorySpace::Shared, true) == State::Ready));
  BOOST_TEST((stateAfter(store, MemorySpace::Shared, false) == State::Unfit));
  BOOST_TEST((stateAfter(MemoryOperation::Atomic, MemorySpace::Shared, true) == State::Unfit));
  BOOST_TEST((stateAfter(load, MemorySpace::Local, true) == State::Unfit));
}

BOOST_AUTO_TEST_CASE(one_that_has_no_room_changes_nothing_in_the_run) {
  for (const std::size_t room : {std::size_t{4096}, std::size_t{20000}, std::size_t{100000}}) {
    FakeWorkload fake(shapeOf(15));
    FakeWorkload alone(shapeOf(15));
    MemoryTrace trace(room);
    const RunResult recorded = recordInto(trace, fake, options(Order::Greedy, 3));
    BOOST_TEST((trace.state() == MemoryTrace::State::Unfit));
    BOOST_TEST((recorded.streams == record(alone, options(Order::Greedy, 3)).streams));
    BOOST_TEST(trace.bytes() <= room);
  }
}

BOOST_AUTO_TEST_CASE(one_that_was_not_finished_is_not_ready) {
  FakeWorkload fake(shapeOf(3));
  MemoryTrace trace(kRoom);
  {
    MemoryTraceRecorder recorder(fake, trace);
    record(recorder, options(Order::Greedy, 2));
  }
  BOOST_TEST((trace.state() == MemoryTrace::State::Empty));
  BOOST_CHECK_THROW(MemoryTraceWorkload{trace}, std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
