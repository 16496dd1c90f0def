// Real kernels on the GTX 480 platform: counts that follow from the conflict rule and match
// GPGPU-Sim 4.2, data verified through every mapping family, and traces that replay to the last
// digit.
#include <fermata/platforms/program/workloads.h>
#include <fermata/stimuli/traces/trace_recorder.h>
#include <unistd.h>
#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;

namespace {

/// Small kernels with more than one CTA each.
const Kernel kKernels[] = {"stride stride=5 iterations=2 blocks=3",
                           "transpose n=64 tile=32",
                           "transpose n=64 tile=16 pad=1",
                           "reduction variant=0 n=8192",
                           "reduction variant=1 n=8192",
                           "reduction variant=2 n=8192",
                           "reduction variant=3 n=8192",
                           "reduction variant=4 n=8192",
                           "reduction variant=5 n=8192",
                           "reduction variant=6 n=8192",
                           "fwt vectors=2",
                           "hist64 n=8192 blocks=2",
                           "hist64 variant=1 n=16384",
                           "hist256 n=8192 blocks=2",
                           "hist256 variant=1 n=16384 blocks=3",
                           "atomicbench stride=0 conflicts=9 iterations=4 warps=3",
                           "histogram width=128 height=64 bins=64",
                           "histogram width=128 height=64 layout=stretched",
                           "hough width=96 height=64 thetas=3 replication=6",
                           "scan variant=0 n=3000",
                           "scan variant=1 n=3000",
                           "matmul n=32",
                           "scalarprod vectors=2 n=2048",
                           "lud n=64",
                           "nw n=64",
                           "conv1 width=256 height=8",
                           "conv2 width=32 height=64",
                           "dct1 width=64 height=32",
                           "dct2 width=64 height=32",
                           "dctshort width=64 height=32",
                           "idctshort width=32 height=64 pad=1",
                           "aes ctas=2",
                           "aesdec ctas=2",
                           "dwt signals=2",
                           "fft1 rows=64",
                           "fft2 columns=64",
                           "matrixscan vectors=2",
                           "backprop n=64",
                           "srad n=32 iterations=1",
                           "hotspot n=20",
                           "sgemm m=128 n=32 k=16",
                           "dxtc blocks=2",
                           "heartwall points=1 frames=1 search=25 reach=3 renew=1",
                           "pns n=6 rounds=1 trajectories=2",
                           "rpes shells=2",
                           "sad width=16 height=16",
                           "tpacf points=40 sets=1"};

const char* const kMappings[] = {
    "mod 32",
    "mod 16",
    "ami 33",
    "ami 62",
    "ami 48 form=array",
    "seznec 6",
    "seznec 33",
    "perm k=2",
    "xor k1=0 k2=5 mask=7",
    "bits 3,4,0,1,2",
    "pairs 3,4,0^5,1^6,2^7",
    "matrix 0x21,0x42,0x84,0x108,0x210",
    "fixed-xor",
    "add",
    "xor-ami",
};

std::uint64_t conflictCycles(const Kernel& kernel, const Sets& sets = {}) {
  CheckedSimulation simulation(gtx480(sets));
  const OpenWorkload open = kernel.open();
  const auto outcome = simulation.run(*open.workload);
  open.kernel->checkResults();
  return outcome.totals.bankConflictCycles();
}

struct Count {
  Kernel kernel;
  std::uint64_t conflicts;
};
std::ostream& operator<<(std::ostream& out, const Count& c) {
  return out << c.kernel;
}

// GPGPU-Sim 4.2, GTX 480 cut to one SM: the strided loop and the 32x32 transpose.
const Count kGpgpuSim[] = {{"stride stride=1", 0},        {"stride stride=2", 24576},
                           {"stride stride=4", 73728},    {"stride stride=8", 172032},
                           {"stride stride=16", 368640},  {"stride stride=32", 761856},
                           {"stride stride=33", 0},       {"transpose tile=32 pad=0", 15872},
                           {"transpose tile=32 pad=1", 0}};

}  // namespace

BOOST_AUTO_TEST_SUITE(counts)

BOOST_DATA_TEST_CASE(equal_gpgpu_sims, bdata::make(kGpgpuSim), c) {
  BOOST_TEST(conflictCycles(c.kernel) == c.conflicts);
}

// Seznec's distribution theorem: with N banks and stride R, lanes i and j share a bank if i = j mod
// N/gcd(N, R).
BOOST_DATA_TEST_CASE(follow_the_distribution_theorem_for_any_bank_count,
                     bdata::make({31U, 33U, 34U, 36U, 40U, 48U, 62U, 63U}) *
                         bdata::make({1U, 2U, 12U, 24U, 31U, 33U}),
                     banks, stride) {
  const unsigned period = banks / std::gcd(banks, stride);
  const std::uint64_t degree = (kWarpLanes + period - 1) / period;
  const std::uint64_t loads = 3 * 8 * 2 * 16;
  const std::string kernel = "stride iterations=2 blocks=3 stride=" + std::to_string(stride);
  // The fill of the array is linear: conflict-free from 32 banks on, two passes on 31 (lanes 0 and
  // 31 meet).
  const std::uint64_t fill = banks < kWarpLanes ? 3 * 8 * 8 : 0;
  BOOST_TEST(conflictCycles(kernel.c_str(), {"scratchpad.indexer=ami " + std::to_string(banks)}) ==
             loads * (degree - 1) + fill);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(verified)

BOOST_DATA_TEST_CASE(every_load_returns_what_was_stored,
                     bdata::make(kKernels) * bdata::make(kMappings), kernel, mapping) {
  CheckedSimulation simulation(
      gtx480({"verify=true", std::string("scratchpad.indexer=") + mapping}));
  runVerified(simulation, kernel);
}

const char* const kBankShapes[] = {
    "scratchpad.bank_bytes=8",   "scratchpad.ports=2",
    "crossbar.groups_64=0-31",   "crossbar.groups_32=0,3-9|1,2,10-31",
    "scratchpad.row_words=2",    "limits.ctas=1",
    "scheduler.policy=two-level"};

BOOST_DATA_TEST_CASE(whatever_the_banks_are_like, bdata::make(kKernels) * bdata::make(kBankShapes),
                     kernel, set) {
  CheckedSimulation simulation(gtx480({"verify=true", set}));
  runVerified(simulation, kernel);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(recorded)

BOOST_DATA_TEST_CASE(replay_gives_the_same_figures,
                     bdata::make(kKernels) * bdata::make({"gtx480", "gtx480-caches"}) *
                         bdata::make({"lrr", "gto"}),
                     kernel, name, policy) {
  const std::string path =
      (fs::temp_directory_path() / ("fermata_replay_" + std::to_string(getpid()) + ".csv.zst"))
          .string();
  CheckedSimulation simulation(platform(name, {std::string("scheduler.policy=") + policy}));
  OpenWorkload open = kernel.open();
  traces::TraceRecorder recorder(*open.workload, path);
  const auto outcome = simulation.run(recorder);
  recorder.finish();
  const Cycle cycles = outcome.cycles;
  const Counters::Totals totals = outcome.totals;
  const auto replay = simulation.run(*openWorkload(path, {}).workload);
  fs::remove(path);
  BOOST_TEST(replay.cycles == cycles);
  BOOST_TEST(replay.totals.conflictPasses == totals.conflictPasses);
  BOOST_TEST(replay.totals.warpInstructions == totals.warpInstructions);
  BOOST_TEST(replay.totals.threadInstructions == totals.threadInstructions);
  BOOST_TEST(replay.totals.globalSegments == totals.globalSegments);
  BOOST_TEST(replay.totals.stalls == totals.stalls);
}

BOOST_AUTO_TEST_SUITE_END()
