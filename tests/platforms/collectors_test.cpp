// Operand collectors before the units, as a warp feels them.
#include "tests/support/checked_simulation.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Returns the cycles of one warp on gtx480 that executes so many integers. `dependent`: each
/// reads the register that the one before writes.
Cycle integers(unsigned count, bool dependent, const Sets& sets) {
  ScriptedWorkload workload(1, 32);
  for (unsigned i = 0; i < count; ++i) {
    if (dependent) {
      workload.add(InstructionClass::Integer, {1}, {1});
    } else {
      workload.add(InstructionClass::Integer);
    }
  }
  CheckedSimulation simulation(platform("gtx480", sets));
  return simulation.run(workload).cycles;
}

/// What ten integers more take.
struct Ten : Named {
  Sets sets;
  bool dependent;
  Cycle cycles;
};
const Sets kLatencies{"collectors.read=3", "collectors.write=2", "integer.latency=4"};
const Ten kTens[] = {
    {"dependent", kLatencies + Sets{"collectors.alu=10"}, true, 10 * (3 + 1 + 4 + 2)},
    {"dependent, one collector", kLatencies + Sets{"collectors.alu=1"}, true, 10 * (3 + 1 + 4 + 2)},
    {"others", kLatencies + Sets{"collectors.alu=10"}, false, 10},
    {"others, two collectors for three cycles", kLatencies + Sets{"collectors.alu=2"}, false, 15},
    {"others, one collector", kLatencies + Sets{"collectors.alu=1"}, false, 30},
    {"others, unit busy",
     kLatencies + Sets{"collectors.alu=4", "pipelines.alu_units=1", "integer.interval=6"}, false,
     60},
    {"without collectors", {"integer.latency=4"}, true, 40}};

}  // namespace

BOOST_AUTO_TEST_SUITE(collectors)

BOOST_DATA_TEST_CASE(ten_more, bdata::make(kTens), row) {
  BOOST_TEST(integers(40, row.dependent, row.sets) - integers(30, row.dependent, row.sets) ==
             row.cycles);
}

// Double precision takes the special unit for its own interval.
BOOST_AUTO_TEST_CASE(units_for_double_may_be_the_special_ones) {
  const auto cycles = [](const Sets& sets) {
    ScriptedWorkload workload(1, 32);
    for (unsigned i = 0; i < 20; ++i) {
      workload.add(InstructionClass::Special);
      workload.add(InstructionClass::Double);
    }
    CheckedSimulation simulation(platform("gtx480", sets));
    return simulation.run(workload).cycles;
  };
  const Sets intervals{"special.interval=8", "double.interval=8"};
  const Cycle apart = cycles(intervals);
  const Cycle shared = cycles(intervals + Sets{"pipelines.double_units=0"});
  BOOST_TEST(shared - apart >= 19U * 8);
  BOOST_TEST(shared - apart <= 21U * 8);
}

BOOST_AUTO_TEST_SUITE_END()
