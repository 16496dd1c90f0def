// Accesses of a multiprocessor of GPGPU-Sim that go other ways than loads of the L1: atomics, which
// pass its tags by, constants, and local memory, which is written back.
#include <fermata/platforms/program/workloads.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Accesses of one warp to memory. Each but the first of a chain needs the result of the one
/// before.
struct Accesses : ScriptedWorkload {
  Accesses(unsigned count, MemorySpace space, MemoryOperation operation, unsigned apartBy,
           bool chain)
      : ScriptedWorkload(1, 32) {
    std::vector<RegisterId> results;
    if (operation != MemoryOperation::Store) results.push_back(1);
    for (unsigned i = 0; i < count; ++i)
      addMemory(space, operation, 4, apart(apartBy), results,
                chain ? results : std::vector<RegisterId>{});
  }
};

/// Returns the cycles that an access takes, of many.
Cycle each(const Sets& sets, MemorySpace space, MemoryOperation operation, unsigned apartBy,
           bool chain) {
  CheckedSimulation simulation(platform("gtx480-caches", sets));
  Accesses few(20, space, operation, apartBy, chain);
  Accesses more(30, space, operation, apartBy, chain);
  const Cycle before = simulation.run(few).cycles;
  return (simulation.run(more).cycles - before) / 10;
}
Cycle eachAtomic(const Sets& sets, bool chain) {
  return each(sets, MemorySpace::Global, MemoryOperation::Atomic, 4, chain);
}

}  // namespace

// The way to the tags takes 39 cycles, 35 of them in the queue. An answer takes 2 cycles to the
// registers, as a line of a load does.
BOOST_AUTO_TEST_CASE(an_atomic_passes_the_queue_of_the_tags) {
  const Sets one{"l1.request_sectors=false", "core.atomics_wait=false"};
  const Cycle queued = eachAtomic(one + Sets{"l1.atomics_pass=false"}, true);
  const Cycle passing = eachAtomic(one + Sets{"l1.atomics_pass=true"}, true);
  BOOST_TEST(queued - passing == 35U - 2);
}

BOOST_AUTO_TEST_CASE(a_warp_waits_for_its_atomic) {
  const Cycle dependent = eachAtomic({"core.atomics_wait=false"}, true);
  BOOST_TEST(eachAtomic({"core.atomics_wait=true"}, true) == dependent);
  BOOST_TEST(eachAtomic({"core.atomics_wait=true"}, false) == dependent);
  BOOST_TEST(eachAtomic({"core.atomics_wait=false"}, false) < dependent / 10);
}

// 32 constants that are 16 bytes apart lie in 8 lines of 64 bytes.
BOOST_AUTO_TEST_CASE(lines_of_constants_are_read_in_turn) {
  const auto constants = [](const char* set, unsigned apartBy) {
    return each({set}, MemorySpace::Constant, MemoryOperation::Load, apartBy, false);
  };
  const Cycle one = constants("constant.line_bytes=0", 16);
  BOOST_TEST(constants("constant.line_bytes=64", 0) == one);
  BOOST_TEST(constants("constant.line_bytes=64", 16) == one + 7);
}

namespace {

/// A load of a line of local memory, stores to it, and loads of the lines that push it out.
struct LocalLine : ScriptedWorkload {
  explicit LocalLine(unsigned stores) : ScriptedWorkload(1, 32) {
    addMemory(MemorySpace::Local, MemoryOperation::Load, 4, apart(4), {1});
    for (unsigned i = 0; i < stores; ++i)
      addMemory(MemorySpace::Local, MemoryOperation::Store, 4, apart(4), {}, {1});
    add(InstructionClass::Integer).what.fence = true;
    for (unsigned i = 1; i < 512; ++i)
      addMemory(MemorySpace::Global, MemoryOperation::Load, 4, apart(4, 0x10000000 + 128 * i), {2});
  }
};

std::uint64_t l2Accesses(const Sets& sets, unsigned stores) {
  CheckedSimulation simulation(platform("gtx480-caches", Sets{"instruction.bytes=0"} + sets));
  LocalLine workload(stores);
  return cachesOf(simulation.run(workload)).l2Accesses();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_of_local_memory_is_written_when_it_leaves) {
  const std::uint64_t loads = l2Accesses({"l1.local_back=true"}, 0);
  BOOST_TEST(l2Accesses({"l1.local_back=true"}, 8) == loads + 1);
  BOOST_TEST(l2Accesses({"l1.local_back=false"}, 8) == loads + 8);
}
