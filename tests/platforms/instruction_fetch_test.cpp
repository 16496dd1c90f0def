// Lines of instructions on their way through a platform: what they cost, and what asks for them.
#include "tests/support/checked_simulation.h"
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Code without a branch: so many lines of 16 instructions, executed `times` times.
struct Straight : ScriptedWorkload {
  Straight(unsigned lines, unsigned times) : ScriptedWorkload(1, 32) {
    repeat = times;
    for (unsigned i = 0; i < 16 * lines; ++i) add(InstructionClass::Integer);
  }
};

/// Code of 20 lines before a cache of 2048 bytes: 4 sets of 4 lines. What it takes from the second
/// pass to the third, and what three passes ask for.
struct Passes : Named {
  Sets sets;
  Cycle cycles;
  std::uint64_t fromL2;
  std::uint64_t fromDram;
};
/// Fetches of present lines cost nothing, and an answer is one message.
const Sets kSimple{"instruction.buffer=0", "interconnect.answer_bytes=0"};
const Passes kPasses[] = {
    // The least recently used line leaves before it is wanted again. A line takes 15 cycles of
    // issue and, from its last instruction on, 136 to the L2 and back: 5 + 5 for the interconnect,
    // 120 + 3 for the L2 and its four sectors, 3 for the link of 40 bytes per cycle.
    {"none stays", {}, 20 * 151, 60, 20},
    {"as far away", {"l2.input_latency=130"}, 20 * 161, 60, 20},
    {"all stay", {"instruction.bytes=4096"}, 20 * 16, 20, 20},
    {"one ahead", {"instruction.prefetch=1"}, 2614, 60, 20},
    {"two ahead", {"instruction.prefetch=2"}, 1390, 60, 20},
    {"eight ahead", {"instruction.prefetch=8"}, 758, 60, 20},
    {"brought in", {"instruction.bytes=4096", "instruction.preload=1024"}, 20 * 16, 12, 12},
    {"flat", {"global.memory=flat"}, 20 * 16, 0, 0},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(instruction_fetch)

BOOST_DATA_TEST_CASE(passes, bdata::make(kPasses), row) {
  CheckedSimulation simulation(
      platform("gtx480-caches", row.fromL2 == 0 ? row.sets : kSimple + row.sets));
  Straight twice(20, 2);
  Straight thrice(20, 3);
  const Cycle before = simulation.run(twice).cycles;
  const RunOutcome outcome = simulation.run(thrice);
  BOOST_TEST(outcome.cycles - before == row.cycles);
  if (row.fromL2 == 0) return;
  BOOST_TEST(cachesOf(outcome).l2Accesses() == row.fromL2);
  BOOST_TEST(cachesOf(outcome).of(CacheEvent::DramRead) == row.fromDram);
}

BOOST_AUTO_TEST_CASE(a_line_longer_than_the_l2s_is_refused) {
  const std::string said = errorOf<InputError>(
      [] { platform("gtx480-caches", {"instruction.line_bytes=256"}).check(); });
  BOOST_TEST(has(said, "instruction.line_bytes = 256"), said);
}

BOOST_AUTO_TEST_SUITE_END()
