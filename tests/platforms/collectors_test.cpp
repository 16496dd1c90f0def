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

/// Instructions of one warp, each of which reads what the one before writes.
struct Chain : ScriptedWorkload {
  Chain(unsigned count, InstructionClass of, Arithmetic arithmetic, unsigned reads)
      : ScriptedWorkload(1, 32) {
    for (unsigned i = 0; i < count; ++i) {
      std::vector<RegisterId> read{1};
      for (unsigned r = 1; r < reads; ++r) read.push_back(static_cast<RegisterId>(10 + r));
      add(of, {1}, read).what.arithmetic = arithmetic;
    }
  }
};

/// The cycles that ten instructions of a chain take.
struct Link : Named {
  Sets sets;
  InstructionClass of;
  Arithmetic arithmetic;
  unsigned reads;
  Cycle cycles;
};
const Sets kQv{"collectors.alu=10",  "collectors.read=2", "collectors.registers=2",
               "collectors.write=2", "integer.latency=4", "float.latency=4"};
const Sets kSharing{"collectors.shared=8", "collectors.read=2", "collectors.registers=2",
                    "collectors.write=2",  "integer.latency=4", "float.latency=4"};
constexpr auto kInteger = InstructionClass::Integer;
constexpr auto kFloat = InstructionClass::Float;
const Link kLinks[] = {
    {"one register", kQv, kInteger, Arithmetic::Sum, 1, 10 * (2 + 1 + 4 + 2)},
    {"two registers", kQv, kInteger, Arithmetic::Sum, 2, 10 * (2 + 1 + 4 + 2)},
    {"three registers", kQv, kInteger, Arithmetic::Sum, 3, 10 * (2 + 2 + 4 + 2)},
    {"as the class", kQv, kInteger, Arithmetic::Move, 1, 10 * (2 + 1 + 4 + 2)},
    {"a move", kQv + Sets{"integer.move_latency=1"}, kInteger, Arithmetic::Move, 1, 10 * 6},
    {"a move of floats", kQv + Sets{"integer.move_latency=1"}, kFloat, Arithmetic::Move, 1, 10 * 6},
    {"no move", kQv + Sets{"integer.move_latency=1"}, kInteger, Arithmetic::Sum, 1, 10 * 9},
    {"a product", kQv + Sets{"integer.product_latency=6"}, kInteger, Arithmetic::Product, 1,
     10 * 11},
    {"a multiply-add", kQv + Sets{"float.multiply_add_latency=5"}, kFloat, Arithmetic::MultiplyAdd,
     1, 10 * 10},
    {"another class", kQv + Sets{"integer.multiply_add_latency=5"}, kFloat, Arithmetic::MultiplyAdd,
     1, 10 * 9},
    {"an exchange", kQv + Sets{"integer.exchange_latency=21"}, kInteger, Arithmetic::Exchange, 1,
     10 * 26},
    {"an extremum", kQv + Sets{"float.extremum_latency=13"}, kFloat, Arithmetic::Extremum, 1,
     10 * 18},
    {"a quotient", kQv + Sets{"special.quotient_latency=39", "special.latency=100"},
     InstructionClass::Special, Arithmetic::Quotient, 1, 10 * (3 + 39 + 2)},
    {"a quotient of doubles", kQv + Sets{"double.quotient_latency=330", "double.latency=8"},
     InstructionClass::Double, Arithmetic::Quotient, 1, 10 * (3 + 330 + 2)},
    {"a function of doubles", kQv + Sets{"double.function_latency=100", "double.latency=8"},
     InstructionClass::Double, Arithmetic::Function, 1, 10 * (3 + 100 + 2)},
    {"an extremum of doubles", kQv + Sets{"double.extremum_latency=19", "double.latency=8"},
     InstructionClass::Double, Arithmetic::Extremum, 1, 10 * (3 + 19 + 2)},
    {"a sum of doubles", kQv + Sets{"double.quotient_latency=330", "double.latency=8"},
     InstructionClass::Double, Arithmetic::Sum, 1, 10 * (3 + 8 + 2)},
    {"shared, one register", kSharing, kInteger, Arithmetic::Sum, 1, 10 * (2 + 1 + 4 + 2)},
    {"shared, three registers", kSharing, kFloat, Arithmetic::Sum, 3, 10 * (2 + 2 + 4 + 2)},
    {"shared, one for each scheduler", kSharing + Sets{"collectors.shared=1"}, kInteger,
     Arithmetic::Sum, 1, 10 * 9},
    {"in the integers' units", kQv + Sets{"pipelines.integer_units=2"}, kInteger, Arithmetic::Sum,
     1, 10 * 9}};

/// Special functions and double precision, in turn.
struct Specials : ScriptedWorkload {
  explicit Specials(unsigned pairs) : ScriptedWorkload(1, 32) {
    for (unsigned i = 0; i < pairs; ++i) {
      add(InstructionClass::Special);
      add(InstructionClass::Double);
    }
  }
};

/// Special functions and divisions of integers, in turn.
struct Divisions : ScriptedWorkload {
  explicit Divisions(unsigned pairs) : ScriptedWorkload(1, 32) {
    for (unsigned i = 0; i < pairs; ++i) {
      add(InstructionClass::Special);
      add(InstructionClass::Division);
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

BOOST_DATA_TEST_CASE(links, bdata::make(kLinks), row) {
  CheckedSimulation simulation(platform("gtx480", row.sets));
  Chain few(30, row.of, row.arithmetic, row.reads);
  Chain more(40, row.of, row.arithmetic, row.reads);
  const Cycle before = simulation.run(few).cycles;
  BOOST_TEST(simulation.run(more).cycles - before == row.cycles);
}

// One warp takes both units of an interval of 6, or the one that belongs to its scheduler.
BOOST_DATA_TEST_CASE(units_may_belong_to_schedulers, bdata::make({false, true}), own) {
  CheckedSimulation simulation(
      platform("gtx480", kQv + Sets{"integer.interval=6",
                                    "collectors.subcores=" + std::string(own ? "true" : "false")}));
  Integers few(30, false);
  Integers more(40, false);
  const Cycle before = simulation.run(few).cycles;
  BOOST_TEST(simulation.run(more).cycles - before == (own ? 60U : 30U));
}

// Behind collectors, a pair takes the special unit for both intervals.
BOOST_DATA_TEST_CASE(divisions_take_the_special_units, bdata::make({0U, 4U}), collectors) {
  CheckedSimulation simulation(
      platform("gtx480", {"special.interval=8", "division.interval=8",
                          "collectors.alu=" + std::to_string(collectors), "collectors.special=4"}));
  Divisions few(10);
  Divisions more(20);
  const Cycle before = simulation.run(few).cycles;
  BOOST_TEST(simulation.run(more).cycles - before == (collectors == 0 ? 80U : 160U));
}

// A warp's sums fill the collectors, and its moves of floats wait with them: the unit of the sums
// takes one in 6 cycles.
BOOST_DATA_TEST_CASE(kinds_may_share_collectors, bdata::make({1U, 2U}), each) {
  ScriptedWorkload few(1, 32);
  ScriptedWorkload more(1, 32);
  for (unsigned i = 0; i < 40; ++i) {
    for (ScriptedWorkload* one : {&few, &more}) {
      if (one == &few && i >= 20) continue;
      one->add(InstructionClass::Integer);
      one->add(InstructionClass::Float);
    }
  }
  CheckedSimulation simulation(
      platform("gtx480", kSharing + Sets{"pipelines.integer_units=1", "integer.interval=6",
                                         "collectors.shared=" + std::to_string(2 * each)}));
  const Cycle before = simulation.run(few).cycles;
  BOOST_TEST(simulation.run(more).cycles - before == 120U);
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
