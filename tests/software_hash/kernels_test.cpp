// Every kernel of Fermata under the paper's hashes: it computes the host's results, and each of its
// shared accesses goes where the mapping puts it.
#include <fermata/models/indexing/bank_load.h>
#include <fermata/stimuli/launch/catalog.h>
#include <fermata/stimuli/launch/compile_cuda.h>
#include <fermata/stimuli/ptx/instruction.h>

#include "tests/software_hash/support.h"

namespace {

using namespace fermata;
using namespace fermata::software_hash::test;
using software_hash::HashRequest;
using software_hash::SoftwareHash;
using Lanes = std::array<std::uint32_t, kWarpLanes>;

constexpr std::uint32_t kWords = 12288;

using Parameters = std::map<std::string, std::string>;
/// Sizes below the default where that would take seconds, and variants of workloads.
const char* const kSizes = R"(
aes ctas=2; aesdec ctas=2; backprop n=1024; conv1 width=256 height=8; conv2 width=32 height=64;
cp height=8 atoms=20; dct width=32 height=32; dct1 width=64 height=32; dct2 width=64 height=32;
dctshort width=64 height=32; dctshort width=32 height=32 pad=1; dwt signals=4; dxtc blocks=4;
fft1 rows=128; fft1 rows=64 pad=1; fft2 rows=16 columns=64;
heartwall points=1 frames=1 search=25 reach=3; hotspot n=40 steps=2; idct width=32 height=32;
idctshort width=64 height=32; lavamd y=1 particles=100; lud2 n=112; matrixscan vectors=4;
mri1 n=5000; mri2 log2n=12; mri3 log2n=12; mri4 blocks=3; mrifhd voxels=64 samples=20;
mriq voxels=64 samples=20; nw1 n=64; nw2 n=64; sgemm m=128 n=32 k=24; srad n=48 iterations=1;
reduction variant=0 n=8192; reduction variant=1 n=8192; reduction variant=2 n=8192;
reduction variant=4 n=8192; reduction variant=6 n=8192; scan variant=0 n=5001;
scan variant=1 n=5001; transpose tile=16 n=64; transpose tile=16 pad=1 n=64;
transpose tile=32 pad=1 n=64; stride stride=32 iterations=2 blocks=1; matmul n=48; lud n=64;
nw n=64; fwt vectors=2; hist64 n=16384; hist256 n=10000 blocks=3;
atomicbench stride=32 conflicts=32 warps=2; histogram width=128 height=64 bins=64;
histogram width=128 height=64 layout=stretched padding=1;
hough width=96 height=64 thetas=4 replication=6; scalarprod vectors=3;
pns rounds=2 trajectories=2; rpes shells=3; sad width=32 height=16; tpacf points=70 sets=1
)";
/// Kernels without shared memory: nothing is hashed.
const std::set<std::string> kWithoutShared = {"cp", "mrifhd", "mriq", "streamread"};

/// Kernels that load rows of matrices or copy asynchronously: they are refused.
const std::set<std::string> kRefused = {"attention",    "bulkcopy",   "clusterhist", "clustersum",
                                        "clusterway",   "cpasync",    "groupmma",    "hgemm",
                                        "ldtranspose",  "multicast",  "tcgemm",      "tmagemm",
                                        "tmatranspose", "wsattention"};

std::vector<std::string> workloadNames() {
  std::vector<std::string> names;
  try {
    for (const auto& entry : launch::listWorkloads()) {
      if (kRefused.count(entry.name) == 0) names.push_back(entry.name);
    }
  } catch (const std::exception&) {  // before main: the case below reports it
  }
  return names;
}

/// Returns the words of each entry of kSizes.
std::vector<std::vector<std::string>> sizes() {
  std::vector<std::vector<std::string>> all;
  std::istringstream entries(kSizes);
  for (std::string entry; std::getline(entries, entry, ';');) {
    std::istringstream words(entry);
    all.emplace_back(std::istream_iterator<std::string>(words),
                     std::istream_iterator<std::string>());
  }
  return all;
}

/// Returns the parameters of the workload for each of its sizes; {} if kSizes has none.
std::vector<Parameters> parametersOf(const std::string& name) {
  std::vector<Parameters> all;
  for (const std::vector<std::string>& size : sizes()) {
    if (size[0] != name) continue;
    Parameters& one = all.emplace_back();
    for (std::size_t i = 1; i < size.size(); ++i) {
      const std::size_t equals = size[i].find('=');
      one.emplace(size[i].substr(0, equals), size[i].substr(equals + 1));
    }
  }
  if (all.empty()) all.emplace_back();
  return all;
}

launch::WorkloadOptions options(const std::string& hash) {
  launch::WorkloadOptions options;
  options.checkUninitialised = true;
  if (!hash.empty()) options.softwareHash = request(hash);
  return options;
}

/// Steps a workload through its shared accesses.
class Stepper {
 public:
  Stepper(const std::string& name, const Parameters& parameters, const std::string& hash)
      : workload(launch::openLaunch(name, parameters, options(hash))) {
    workload->setWarpSlots(32);
  }
  /// Executes up to the warp's next shared access; false if a barrier or its exit comes first.
  bool nextAccess(unsigned warp) {
    while (const StaticInstruction* next = workload->peek(warp)) {
      const InstructionClass what = next->instructionClass;
      if (what == InstructionClass::Barrier) {
        if (stopped) return false;
        stopped = true;
        workload->execute(warp, access);
        return false;
      }
      workload->execute(warp, access);
      if (what == InstructionClass::Memory && access.space == MemorySpace::Shared &&
          access.active != 0) {
        return true;
      }
    }
    return false;
  }

  std::unique_ptr<launch::LaunchWorkload> workload;
  WarpInstruction access;
  bool stopped = false;  ///< has executed a barrier in this round
};

/// Steps the plain and the hashed kernel side by side and compares each access.
class Comparison {
 public:
  Comparison(const std::string& name, const Parameters& parameters, const std::string& text)
      : plain(name, parameters, ""),
        hashed(name, parameters, text),
        hash(request(text)),
        hardware(indexing::build(text, {32, kWords})),
        modulo(indexing::build("mod 32", {32, 4 * kWords})) {}

  void run() {
    while (const Grid* grid = plain.workload->nextGrid()) {
      const Grid* other = hashed.workload->nextGrid();
      BOOST_REQUIRE(other != nullptr);
      BOOST_TEST(other->sharedBytesPerCta >= grid->sharedBytesPerCta);
      BOOST_TEST(other->sharedBytesPerCta <= hash.windowBytes(grid->sharedBytesPerCta) + 31);
      for (std::uint64_t cta = 0; cta < grid->ctas; ++cta) runCta(cta, grid->warpsPerCta());
    }
    BOOST_TEST((hashed.workload->nextGrid() == nullptr));
    BOOST_TEST(hashed.workload->checkResults() >= 1U);
  }

  unsigned accesses = 0, wrong = 0;
  std::uint64_t conflictsInHardware = 0, conflictsInSoftware = 0;

 private:
  void runCta(std::uint64_t cta, unsigned warps) {
    for (Stepper* stepper : {&plain, &hashed}) stepper->workload->startCta(cta, 0);
    for (bool running = true; running;) {
      running = false;
      for (unsigned warp = 0; warp < warps; ++warp) {
        plain.stopped = hashed.stopped = false;
        while (plain.nextAccess(warp)) compare(warp);
        BOOST_REQUIRE(!hashed.nextAccess(warp));
        BOOST_REQUIRE(plain.stopped == hashed.stopped);
        running = running || plain.stopped;
      }
    }
    for (Stepper* stepper : {&plain, &hashed}) stepper->workload->endCta(0);
  }

  void compare(unsigned warp) {
    ++accesses;
    for (unsigned part = 0; part < plain.access.bytesPerLane; part += 4) {
      BOOST_REQUIRE(hashed.nextAccess(warp));
      BOOST_REQUIRE(hashed.access.active == plain.access.active);
      BOOST_REQUIRE((hashed.access.operation == plain.access.operation));
      Lanes before{}, after{};
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if ((plain.access.active >> lane & 1U) == 0) continue;
        const auto address = static_cast<std::uint32_t>(plain.access.address[lane]) + part;
        wrong += hashed.access.address[lane] != hash.address(address) ? 1 : 0;
        before[lane] = address / 4;
        after[lane] = static_cast<std::uint32_t>(hashed.access.address[lane] / 4);
      }
      if (plain.access.bytesPerLane > 4) continue;
      conflictsInHardware += indexing::conflictDegree(*hardware, before, plain.access.active) - 1;
      conflictsInSoftware += indexing::conflictDegree(*modulo, after, plain.access.active) - 1;
    }
  }

  Stepper plain, hashed;
  SoftwareHash hash;
  std::unique_ptr<indexing::Indexer> hardware, modulo;
};

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_AUTO_TEST_CASE(are_there) {
  BOOST_TEST(workloadNames().size() >= 11U);
  const std::vector<std::string> names = workloadNames();
  BOOST_TEST(sizes().size() == 59U);
  for (const std::vector<std::string>& size : sizes())
    BOOST_TEST(std::count(names.begin(), names.end(), size[0]) == 1, size[0]);
}

BOOST_DATA_TEST_CASE(are_refused_where_an_access_cannot_be_hashed, bdata::make(kRefused), name) {
  const std::string error =
      errorOf([&] { launch::openLaunch(name, {}, options("xor k1=0 k2=5 mask=7")); });
  BOOST_TEST((has(error, "rows of matrices") || has(error, "an address of its own")));
}

BOOST_DATA_TEST_CASE(access_the_hashed_words, bdata::make(workloadNames()), name) {
  for (const Parameters& parameters : parametersOf(name)) {
    for (const char* text : {"xor k1=0 k2=5 mask=7", "xor k1=1 k2=6 mask=3"}) {
      BOOST_TEST_CONTEXT(name << " under " << text) {
        Comparison comparison(name, parameters, text);
        comparison.run();
        BOOST_TEST((comparison.accesses > 0U) == (kWithoutShared.count(name) == 0));
        BOOST_TEST(comparison.wrong == 0U);
        BOOST_TEST(comparison.conflictsInSoftware == comparison.conflictsInHardware);
      }
    }
  }
}

BOOST_DATA_TEST_CASE(compute_the_same, bdata::make(workloadNames()), name) {
  for (const char* text : {"xor k1=0 k2=5 mask=31", "xor k1=3 k2=0 mask=31",
                           "xor k1=0 k2=1 mask=16", "xor k1=6 k2=4 mask=1", "bits 3,4,0,7,8"}) {
    BOOST_TEST_CONTEXT(name << " under " << text) {
      const auto workload = launch::openLaunch(name, parametersOf(name).front(), options(text));
      workload->runFunctionally();
      BOOST_TEST(workload->checkResults() >= 1U);
    }
  }
}

/// The code grows by the instructions that the rewriter reports, and by none under the identity.
BOOST_DATA_TEST_CASE(grow_by_the_instructions_inserted, bdata::make(workloadNames()), name) {
  const auto workload = launch::openLaunch(name, parametersOf(name).front());
  const ptx::Module& module = workload->module();
  for (const bool reuse : {false, true}) {
    for (const std::string& text : kHashes) {
      BOOST_TEST_CONTEXT(name << " under " << text) {
        const auto rewritten = rewrite(module, request(text, reuse), software_hash::Lines::OneEach);
        const auto hashed = ptx::parse(rewritten.text, "hashed.ptx");
        for (const auto& change : rewritten.changes) {
          if (!change.isEntry) continue;
          const auto before = static_cast<int>(module.kernel(change.name).instructionCount());
          const auto after = static_cast<int>(hashed->kernel(change.name).instructionCount());
          BOOST_TEST(after - before == change.inserted);
          BOOST_TEST(hashed->kernel(change.name).staticSharedBytes() == change.staticAfter);
        }
      }
    }
  }
  const auto same = rewrite(module, request("perm k=0"), software_hash::Lines::OneEach);
  BOOST_TEST(same.text == module.data().ast->text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
