// Units for integers beside those for floats, from Volta on.
#include "tests/platforms/timing.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

struct Mix {
  const char* platform;
  const char* set;
  unsigned integers, multiplies, floats;  ///< instructions per warp and round
  unsigned cycles;                        ///< cycles per warp of a partition and round
};
std::ostream& operator<<(std::ostream& out, const Mix& mix) {
  return out << mix.platform << ' ' << mix.integers << ' ' << mix.multiplies << ' ' << mix.floats;
}

// A partition issues one instruction per cycle; an integer unit takes one every 2, a float unit one
// every 2 (7.0 to 8.0) or 1 (8.6 and later). Multiply-adds of integers take the float unit.
const Mix kMixes[] = {
    {"sm_70", "pipelines.integer_units=4", 8, 0, 8, 16},
    {"sm_70", "pipelines.integer_units=0", 8, 0, 8, 32},
    {"sm_70", "pipelines.integer_units=4", 12, 0, 4, 24},
    {"sm_80", "pipelines.integer_units=4", 4, 0, 12, 24},
    {"sm_80", "pipelines.integer_units=4", 8, 4, 4, 16},
    {"sm_80", "pipelines.integer_units=4", 4, 8, 4, 24},
    {"sm_86", "pipelines.integer_units=4", 8, 0, 8, 16},
    {"sm_86", "pipelines.integer_units=4", 4, 0, 12, 16},
    {"sm_90", "pipelines.integer_units=4", 12, 0, 4, 24},
    {"sm_90", "pipelines.integer_units=0", 8, 0, 8, 24},
    {"sm_90", "pipelines.integer_units=4", 2, 8, 4, 20},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(pipes)

BOOST_DATA_TEST_CASE(integers_and_floats_go_side_by_side, bdata::make(kMixes), mix) {
  constexpr unsigned kRounds = 50, kWarps = 32, kPartitions = 4;
  ScriptedWorkload workload(1, kWarps * 32);
  RegisterId next = 0;
  // The kinds alternate, as a compiler schedules them.
  for (unsigned k = 0; k < std::max({mix.integers, mix.multiplies, mix.floats}); ++k) {
    if (k < mix.integers) workload.add(InstructionClass::Integer, {next++});
    if (k < mix.multiplies) workload.add(InstructionClass::Multiply, {next++});
    if (k < mix.floats) workload.add(InstructionClass::Float, {next++});
  }
  workload.repeat = kRounds;
  CheckedSimulation simulation(platform(mix.platform, {mix.set}));
  const double expected = static_cast<double>(mix.cycles) * kRounds * kWarps / kPartitions;
  BOOST_CHECK_CLOSE_FRACTION(static_cast<double>(simulation.run(workload).cycles), expected, 0.065);
}

BOOST_AUTO_TEST_SUITE_END()
