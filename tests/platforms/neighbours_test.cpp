// Results of a platform do not depend on its surroundings in the simulation: unrelated processes,
// the length of a call of sc_start, a second platform.
#include <fermata/platforms/compose/chip.h>

#include "tests/support/apart.h"
#include "tests/support/checked_simulation.h"
#include "tests/support/foreign_memory.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

struct Platform : Named {
  const char* file;
  Sets sets;
};
// DRAM at the core's clock and links without latency: as many events as possible coincide.
const Sets kTies{"dram.frequency_mhz=700", "interconnect.latency=0", "l2.latency=1",
                 "dram.latency=1"};
const Platform kPlatforms[] = {
    {"fermi-ami", "fermi-ami", {}},
    {"gtx480-caches", "gtx480-caches", {}},
    {"fermi-chip", "fermi-chip", {}},
    {"four waiting", "gtx480-caches", {"chip.sms=4"}},
    {"ties", "fermi-ami", kTies},
    {"ties, chip", "fermi-chip",
     Sets{"l2.input=16", "l2.queue=16", "interconnect.queue=1"} + kTies},
    {"ties, waiting", "gtx480-caches", Sets{"chip.sms=3", "l1.mshrs=2"} + kTies},
    {"flat", "gtx480", {}},
    {"refreshed", "gtx480-caches", {"l2.copies=false", "dram.refi=400", "dram.rfc=100"}},
    {"refreshed in turn", "v100", {"chip.sms=2"}},
};

const Kernel kKernels[] = {"srad n=64", "nw n=96", "hist64 n=8192 blocks=4"};

/// Only waits for `period`, repeatedly; pauses the simulation every `pause` times.
struct Neighbour : sc_core::sc_module {
  SC_HAS_PROCESS(Neighbour);
  Neighbour(const sc_core::sc_module_name& name, const sc_core::sc_time& p, unsigned times = 0)
      : sc_module(name), period(p), pause(times) {
    SC_METHOD(act);
    sensitive << event;
  }
  void act() {
    event.notify(period);
    if (pause != 0 && ++acts % pause == 0) sc_core::sc_pause();
  }
  sc_core::sc_time period;
  unsigned pause;
  unsigned acts = 0;
  sc_core::sc_event event;
};

/// Second platform, whose workload runs at the same time.
struct Other : sc_core::sc_module {
  Other(const sc_core::sc_module_name& name, const Configuration& configuration,
        const Kernel& kernel)
      : sc_module(name),
        workload(kernel.open()),
        chip(configuration, nullptr, connector, BuildOrder::Rising) {
    chip.start(*workload.workload);
  }
  Connector connector;
  decltype(openWorkload("", {})) workload;
  Chip chip;
};

Configuration configurationOf(const Platform& platform) {
  return test::platform(platform.file, platform.sets);
}

/// Makes the surroundings of a platform, which live as long as the run.
using Surroundings = std::function<std::shared_ptr<void>()>;

/// Binds a memory of the base protocol that includes nothing of Fermata.
struct ForeignMemory : Connector {
  bool bindMemory(LineInitiatorSocket& from) override {
    from.bind(memory.socket);
    return true;
  }
  foreign::Memory memory{"foreign"};
};

/// Returns the tables of a run in a process of its own.
std::string run(const Platform& platform, const Kernel& kernel, const Surroundings& surroundings,
                bool foreignMemory = false) {
  const TemporaryFolder folder;
  std::unique_ptr<Connector> connector;
  std::shared_ptr<void> around;
  const auto build = [&] {
    connector = foreignMemory ? std::make_unique<ForeignMemory>() : std::make_unique<Connector>();
    auto simulation = std::make_unique<Simulation>(configurationOf(platform), *connector);
    if (surroundings) around = surroundings();
    return simulation;
  };
  runApart(build, kernel, folder.path() / "out");
  std::string all;
  for (const char* file : {"runs.csv", "instructions.csv", "banks.csv"})
    all += bytesOf(folder.path() / "out" / file);
  BOOST_TEST(all.size() > 500U);
  return all;
}

sc_core::sc_time picoseconds(double value) {
  return {value, sc_core::SC_PS};
}

// A cycle of 700 MHz has 1429 ps.
const double kPeriods[] = {100, 1429, 10000, 14290, 777777};

Surroundings neighbour(double period, unsigned pause = 0) {
  return [=] { return std::make_shared<Neighbour>("neighbour", picoseconds(period), pause); };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(neighbours)

BOOST_DATA_TEST_CASE(a_process_beside_changes_nothing,
                     bdata::make(kPlatforms) * bdata::make(kKernels), platform, kernel) {
  const std::string alone = run(platform, kernel, {});
  for (const double period : kPeriods)
    BOOST_TEST((run(platform, kernel, neighbour(period)) == alone), period << " ps");
}

BOOST_DATA_TEST_CASE(steps_of_any_length_change_nothing,
                     bdata::make(kPlatforms) * bdata::make(kKernels), platform, kernel) {
  const std::string alone = run(platform, kernel, {});
  for (const double step : {1429., 5003., 123456.})
    BOOST_TEST((run(platform, kernel, neighbour(step, 1)) == alone), step << " ps");
}

BOOST_DATA_TEST_CASE(a_platform_beside_changes_nothing, bdata::make(kPlatforms), platform) {
  const std::string alone = run(platform, kKernels[0], {});
  for (const Platform& other : {kPlatforms[2], kPlatforms[5], kPlatforms[7]}) {
    const auto beside = [&] {
      return std::make_shared<Other>("other", configurationOf(other), kKernels[1]);
    };
    BOOST_TEST((run(platform, kKernels[0], beside) == alone), other.name);
  }
}

BOOST_DATA_TEST_CASE(a_foreign_memory_answers_alike, bdata::make(kKernels), kernel) {
  const std::string alone = run(kPlatforms[2], kernel, {}, true);
  for (const double period : kPeriods)
    BOOST_TEST((run(kPlatforms[2], kernel, neighbour(period), true) == alone), period << " ps");
}

BOOST_AUTO_TEST_SUITE_END()
