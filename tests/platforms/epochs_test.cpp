// Multiprocessors that run alone for an epoch: what crosses waits for the boundary, and nothing
// else differs; nothing of SystemC is asked meanwhile.
#include <fermata/models/core/epochs.h>
#include <fermata/models/timing/has_process.h>
#include <fermata/platforms/compose/chip.h>
#include <fermata/platforms/compose/streaming_multiprocessor.h>
#include <fermata/platforms/program/workloads.h>

#include "tests/support/apart.h"
#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

Sets shape(unsigned sms, unsigned epoch) {
  return {"verify=true", "chip.sms=" + std::to_string(sms), "chip.epoch=" + std::to_string(epoch)};
}

void runInto(const fs::path& folder, const std::string& name, const Sets& sets,
             const Kernel& kernel) {
  runApart([&] { return std::make_unique<Simulation>(platform(name, sets)); }, kernel, folder);
}

struct Alone : Named {
  const char* platform;
  Sets sets;
  const char* kernel;
  std::vector<unsigned> epochs;
};
// Launches whose CTAs all find a place at once. Messages of two SMs that come to a channel in one
// cycle meet: without an L2 the buffers lie so that none do.
const std::vector<unsigned> kAny{1, 17, 64, 100000}, kShort{1, 3, 5};
const Alone kAlone[] = {
    {"flat", "gtx480", {}, "transpose n=32 tile=16", kAny},
    {"replays", "fermi-ami", {"global.memory=l1"}, "matmul n=32", kAny},
    {"queues", "sm_80", {}, "hgemm n=64", kAny},
    {"l1", "sm_90", {"global.memory=l1"}, "atomicbench", kAny},
    {"caches", "gtx480-caches", {}, "matmul n=32", kShort},
    {"replays and caches",
     "fermi-chip",
     {"interconnect.queue=1"},
     "transpose n=32 tile=16",
     kShort},
    {"no cache",
     "gtx480-caches",
     {"global.memory=dram", "interconnect.queue=64", "global.buffer_gap=256", "constant.parts=1"},
     "matmul n=32",
     kShort}};
const unsigned kCounts[] = {2, 5};

}  // namespace

BOOST_AUTO_TEST_SUITE(epochs)

BOOST_DATA_TEST_CASE(what_never_meets_is_as_cycle_by_cycle,
                     bdata::make(kAlone) * bdata::make(kCounts), one, sms) {
  const TemporaryFolder folder;
  runInto(folder / "expected", one.platform, one.sets + shape(sms, 0), one.kernel);
  for (const unsigned epoch : one.epochs) {
    runInto(folder / "found", one.platform, one.sets + shape(sms, epoch), one.kernel);
    for (const char* file : {"runs.csv", "instructions.csv", "banks.csv"})
      BOOST_TEST((bytesOf(folder / "found" / file) == bytesOf(folder / "expected" / file)),
                 file << " differs with epochs of " << epoch << " cycles");
  }
}

namespace {

/// Records when CTAs and grids begin and end.
struct Times : Probe {
  void gridStarted(const Grid&, Cycle at) override { gridStarts.push_back(at); }
  void gridEnded(const Grid&, Cycle at) override { gridEnds.push_back(at); }
  void ctaStarted(std::uint64_t, unsigned, Cycle at) override { starts.push_back(at); }
  void ctaEnded(std::uint64_t, unsigned, Cycle at) override { ends.push_back(at); }
  std::vector<Cycle> gridStarts, gridEnds, starts, ends;
};

ScriptedWorkload additions(unsigned ctas, unsigned times) {
  ScriptedWorkload workload(ctas, 32);
  workload.add(InstructionClass::Integer, {1}, {1});
  workload.repeat = times;
  return workload;
}

}  // namespace

// A CTA of 20 additions lasts as long with epochs; the place that it leaves is filled at the next
// boundary, and so is the chip after a grid. The last grid ends with its last CTA.
BOOST_AUTO_TEST_CASE(places_are_filled_at_the_boundary) {
  CheckedSimulation simulation(platform("gtx480", Sets{"limits.ctas=1"} + shape(1, 50)));
  Times times;
  simulation.simulation.addProbe(times);
  ScriptedWorkload workload = additions(2, 20);
  workload.launches = 2;
  const RunOutcome outcome = simulation.run(workload);
  const Cycle lasts = times.ends.at(0);
  BOOST_REQUIRE(lasts % 50 != 0U);
  const Cycle next = (lasts / 50 + 1) * 50;
  const std::vector<Cycle> starts{0, next, 2 * next, 3 * next};
  BOOST_TEST(times.starts == starts, tt::per_element());
  const std::vector<Cycle> grids{0, 2 * next}, ends{next + lasts, 3 * next + lasts};
  BOOST_TEST(times.gridStarts == grids, tt::per_element());
  BOOST_TEST(times.gridEnds == ends, tt::per_element());
  BOOST_TEST(outcome.cycles == 3 * next + lasts);
  BOOST_TEST(slotsOf(outcome) == 2 * outcome.cycles);
}

BOOST_AUTO_TEST_CASE(runs_follow_each_other_as_the_first) {
  CheckedSimulation simulation(platform("gtx480", Sets{"limits.ctas=1"} + shape(2, 64)));
  std::vector<Cycle> cycles;
  for (unsigned i = 0; i < 3; ++i) {
    ScriptedWorkload workload = additions(5, 33);
    cycles.push_back(simulation.run(workload).cycles);
  }
  BOOST_TEST(cycles[1] == cycles[0]);
  BOOST_TEST(cycles[2] == cycles[0]);
}

BOOST_AUTO_TEST_CASE(a_workload_without_grids_takes_no_time) {
  CheckedSimulation simulation(platform("gtx480", shape(2, 50)));
  ScriptedWorkload before = additions(1, 20);
  BOOST_TEST(simulation.run(before).cycles > 0U);
  ScriptedWorkload none = additions(1, 20);
  none.launches = 0;
  BOOST_TEST(simulation.run(none).cycles == 0U);
}

namespace {

/// Runs the SMs of an epoch when it is finished, last one first, with SystemC's context taken away:
/// a call that needs it would make another.
struct Trap : Epochs::Crew {
  void begin(unsigned count, std::function<void(unsigned)> its) override {
    left = count;
    work = std::move(its);
  }
  void finish() override {
    sc_core::sc_simcontext* const context = std::exchange(sc_core::sc_curr_simcontext, nullptr);
    for (; left != 0; --left, ++calls) work(left - 1);
    kept = kept && sc_core::sc_curr_simcontext == nullptr;
    sc_core::sc_curr_simcontext = context;
  }
  unsigned left = 0;
  unsigned calls = 0;
  bool kept = true;
  std::function<void(unsigned)> work;
};

/// Two SMs in epochs, run by a crew.
struct Trapped {
  explicit Trapped(const Configuration& configuration)
      : chip("chip", Clock::fromMegahertz(700)), epochs(chip, configuration.parameters().epoch) {
    for (unsigned i = 0; i < 2; ++i) {
      const auto island = std::make_shared<Island>();
      const Island::Construction alone(island);
      domains.push_back(
          std::make_unique<ClockDomain>(sc_core::sc_gen_unique_name("domain"), chip.clock()));
      sms.push_back(std::make_unique<StreamingMultiprocessor>(
          sc_core::sc_gen_unique_name("sm"), configuration, *domains.back(), nullptr, connector));
      epochs.add(island, *domains.back(), sms.back()->core);
    }
    epochs.setCrew(&trap);
  }
  Connector connector;
  ClockDomain chip;
  Epochs epochs;
  Trap trap;
  std::vector<std::unique_ptr<ClockDomain>> domains;
  std::vector<std::unique_ptr<StreamingMultiprocessor>> sms;
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_sm_asks_nothing_of_systemc) {
  Trapped two(platform("fermi-ami", Sets{"global.memory=l1"} + shape(2, 64)));
  CtaDispatcher ctas(two.chip, {&two.sms[0]->core, &two.sms[1]->core}, nullptr, two.epochs);
  ctas.whenFinished([] { sc_core::sc_pause(); });
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const auto open = Kernel("reduction variant=2 n=4096").open();
  ctas.start(*open.workload);
  sc_core::sc_start();
  BOOST_TEST(two.trap.kept);
  BOOST_TEST(two.trap.calls > 10U);
  two.epochs.settle();
  open.kernel->checkResults();
  BOOST_TEST(ctas.endedCtas() > 1U);
}

namespace {

struct Threaded : Named {
  const char* platform;
  Sets sets;
  const char* kernel;
};
const Threaded kThreaded[] = {
    {"flat", "gtx480", {"chip.sms=5", "chip.epoch=64"}, "transpose n=64 tile=16"},
    {"replays", "fermi-chip", {}, "matmul n=64"},
    {"held ports", "v100", {"interconnect.queue=1", "chip.sms=12"}, "transpose n=128 tile=16"},
    {"all", "v100", {}, "matmul n=96"},
    {"spinning atomics", "v100", {"chip.sms=7"}, "histogram"},
    {"checked", "a100", {"verify=true", "chip.sms=9"}, "nw n=96"},
    {"asynchronous copies", "a100", {"chip.sms=6"}, "cpasync"},
    {"global atomics", "h100", {"chip.sms=4"}, "atomicbench"},
    {"instructions",
     "v100",
     {"chip.sms=6", "instruction.preload=0", "instruction.bytes=2048"},
     "lud"},
    {"several grids", "t4", {}, "scan"},
    {"clusters", "h100", {}, "clusterhist clusters=20 ctas=4 n=32768"},
    {"clusters without GPCs", "b200", {"chip.sms=10"}, "clustersum clusters=5 ctas=4"},
    {"links of GPCs",
     "h100",
     {"chip.sms=12", "chip.of=0", "chip.gpcs=4+2 6", "interconnect.gpc_request_bytes_per_cycle=40",
      "interconnect.gpc_answer_bytes_per_cycle=48"},
     "transpose n=256 tile=16"}};
const unsigned kThreads[] = {2, 3, 8};

/// Runs the kernel on one thread and on several, and compares.
void compareThreads(const fs::path& folder, const char* name, const Sets& sets,
                    const Kernel& kernel) {
  const auto run = [&](const char* into, unsigned threads) {
    runApart(
        [&] {
          auto simulation = std::make_unique<Simulation>(platform(name, sets));
          simulation->setWorkers(threads);
          return simulation;
        },
        kernel, folder / into);
  };
  run("expected", 1);
  for (const unsigned threads : kThreads) {
    run("found", threads);
    for (const char* file : {"runs.csv", "instructions.csv", "banks.csv"})
      BOOST_TEST((bytesOf(folder / "found" / file) == bytesOf(folder / "expected" / file)),
                 file << " differs on " << threads << " threads");
  }
}

/// Each CTA tells the next one of its cluster a number, in global and in shared memory, 40 times;
/// one that finds another number traps, or that its neighbour has its SM. `alone` counts between
/// such launches.
const char* const kMeet = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry meet(.param .u64 out) {
.reg .b32 %r<12>; .reg .b64 %rd<4>; .reg .pred %p<3>; .shared .align 4 .b32 word;
ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %cluster_ctarank;
mov.u32 %r3, %cluster_nctarank; add.u32 %r4, %r2, 1; rem.u32 %r4, %r4, %r3;
sub.u32 %r5, %r1, %r2; add.u32 %r5, %r5, %r4; mul.wide.u32 %rd2, %r1, 128;
mul.wide.u32 %rd3, %r5, 128; add.u64 %rd2, %rd1, %rd2; add.u64 %rd3, %rd1, %rd3;
mov.u32 %r6, word; mapa.shared::cluster.u32 %r7, %r6, %r4; mov.u32 %r8, 40;
mov.u32 %r0, %smid; st.global.u32 [%rd2+4], %r0; mov.u32 %r10, %nsmid;
setp.ge.u32 %p1, %r0, %r10; @%p1 trap;
L: mad.lo.u32 %r9, %r8, 1000, %r1; st.global.u32 [%rd2], %r9; st.shared.u32 [%r6], %r9;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
mad.lo.u32 %r9, %r8, 1000, %r5; ld.global.u32 %r10, [%rd3]; ld.shared::cluster.u32 %r11, [%r7];
setp.ne.u32 %p1, %r9, %r10; setp.ne.or.u32 %p1, %r9, %r11, %p1;
ld.global.u32 %r10, [%rd3+4]; setp.eq.or.u32 %p1, %r0, %r10, %p1; @%p1 trap;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
sub.u32 %r8, %r8, 1; setp.ne.u32 %p2, %r8, 0; @%p2 bra L; ret; }
.visible .entry alone(.param .u64 out) {
.reg .b64 %rd<2>; ld.param.u64 %rd1, [out]; red.global.add.u32 [%rd1], 1; ret; }
)";

std::string launchesOf(const std::vector<unsigned>& clusters) {
  std::string text = "kernel = 'k.ptx'\n[buffers.out]\ntype = 'u32'\ncount = 1024\n";
  for (const unsigned ctas : clusters)
    text += std::string("[[launch]]\nentry = '") + (ctas == 1 ? "alone" : "meet") +
            "'\ngrid = 24\ncluster = " + std::to_string(ctas) +
            "\nblock = 32\narguments = [{ buffer = 'out' }]\n";
  return text;
}

}  // namespace

BOOST_DATA_TEST_CASE(threads_change_no_byte, bdata::make(kThreaded), one) {
  const TemporaryFolder folder;
  compareThreads(folder.path(), one.platform, one.sets, one.kernel);
}

// The SMs of each grid's clusters are other groups, on a chip with GPCs no neighbours by number.
BOOST_DATA_TEST_CASE(threads_change_no_byte_of_clusters, bdata::make({"8 6", ""}), gpcs) {
  const TemporaryFolder folder;
  std::ofstream(folder / "k.ptx") << kMeet;
  std::ofstream(folder / "k.toml") << launchesOf({4, 1, 3, 2, 1});
  compareThreads(folder.path(), "h100",
                 {"chip.sms=14", "chip.of=0", std::string("chip.gpcs=") + gpcs},
                 (folder / "k.toml").string().c_str());
}

namespace {

/// Puts a module with a process behind the core.
struct Intruder : Connector {
  struct Stage : sc_core::sc_module {
    FERMATA_HAS_PROCESS(Stage);
    explicit Stage(const sc_core::sc_module_name& name) : sc_module(name) { SC_METHOD(act); }
    void act() {}
  };
  void joinWarp(WarpInitiatorSocket& from, WarpTargetSocket& to) override {
    if (stages.empty()) stages.push_back(std::make_unique<Stage>("intruder"));
    Connector::joinWarp(from, to);
  }
  std::vector<std::unique_ptr<Stage>> stages;
};

}  // namespace

// Answers of memory come in the epoch in which a warp errs, and would have the core go on with what
// it left unfinished.
BOOST_AUTO_TEST_CASE(a_core_that_has_erred_executes_no_more) {
  ScriptedWorkload workload(8, 256);
  bool erred = false;
  const auto address = [&erred](auto cta, unsigned warp, unsigned lane, auto) -> std::uint64_t {
    BOOST_TEST(!erred);
    erred = cta == 2 && warp == 3;
    if (erred) throw InputError("no such place");
    return 4096 * cta + 128 * warp + 4 * lane;
  };
  for (unsigned i = 0; i < 20; ++i)
    workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4,
                       ScriptedWorkload::apart(4, 65536 * i), {1});
  workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4, address, {2});
  Simulation simulation(platform("v100", shape(1, 80)));
  BOOST_CHECK_EXCEPTION(simulation.run(workload), InputError, says("no such place"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused) {
  BOOST_CHECK_EXCEPTION(platform("gtx480-caches", {"chip.epoch=9"}), InputError,
                        says("chip.epoch = 9 with interconnect.latency = 5"));
  BOOST_CHECK_EXCEPTION(platform("gtx480-caches", {"chip.epoch=1", "interconnect.latency=0"}),
                        InputError, says("expected 0 or less"));
  Intruder intruder;
  BOOST_CHECK_EXCEPTION(Simulation(platform("gtx480", shape(1, 8)), intruder), InputError,
                        says("is a process of SystemC"));
}

BOOST_AUTO_TEST_SUITE_END()
