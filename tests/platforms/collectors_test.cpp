// Operand collectors before the units, as a warp feels them.
#include "tests/support/checked_simulation.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Integers of one warp. `dependent`: each reads the register that the one before writes.
struct Integers : ScriptedWorkload {
  Integers(unsigned count, bool dependent) : ScriptedWorkload(1, 32) {
    for (unsigned i = 0; i < count; ++i) {
      if (dependent) {
        add(InstructionClass::Integer, {1}, {1});
      } else {
        add(InstructionClass::Integer);
      }
    }
  }
};

/// Special functions and double precision, in turn.
struct Specials : ScriptedWorkload {
  explicit Specials(unsigned pairs) : ScriptedWorkload(1, 32) {
    for (unsigned i = 0; i < pairs; ++i) {
      add(InstructionClass::Special);
      add(InstructionClass::Double);
    }
  }
};

/// The cycles that ten integers more take.
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
  CheckedSimulation simulation(platform("gtx480", row.sets));
  Integers few(30, row.dependent);
  Integers more(40, row.dependent);
  const Cycle before = simulation.run(few).cycles;
  BOOST_TEST(simulation.run(more).cycles - before == row.cycles);
}

// A pair takes the special unit for both intervals, or two units side by side.
BOOST_DATA_TEST_CASE(double_precision_may_take_the_special_units, bdata::make({0U, 1U}), units) {
  CheckedSimulation simulation(
      platform("gtx480", {"special.interval=8", "double.interval=8",
                          "pipelines.double_units=" + std::to_string(units)}));
  Specials few(10);
  Specials more(20);
  const Cycle before = simulation.run(few).cycles;
  BOOST_TEST(simulation.run(more).cycles - before == (units == 0 ? 160U : 80U));
}

BOOST_AUTO_TEST_SUITE_END()
