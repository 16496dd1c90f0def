// Loads beside a buffer, where the launch file allows them, give zeros and are counted; stores and
// atomics stay errors.
#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

const std::string kKernels = R"(
extern "C" __global__ void around(const int* in, int* out) {
  const int t = threadIdx.x;
  out[t] = in[t - 1] + in[t + 1];
}
extern "C" __global__ void ends(const uint4* in, uint4* out) { out[0] = in[1]; }
extern "C" __global__ void store(int* out) { out[threadIdx.x + 1] = 1; }
extern "C" __global__ void update(int* out) { atomicAdd(&out[threadIdx.x + 1], 1); }
extern "C" __global__ void odd(const char* in, int* out) { out[0] = *(const int*)(in + 4097); }
)";

const std::string kBuffers =
    "kernel = 'k.cu'\n[buffers.in]\ntype = 's32'\ncount = 32\nfill = { iota = { from = 1 } }\n"
    "[buffers.out]\ntype = 's32'\ncount = 32\n";

struct Kernels : Scratch {
  Kernels() { write("k.cu", kKernels); }
  std::unique_ptr<LaunchWorkload> load(const std::string& text, bool allow = true,
                                       bool checks = false) const {
    WorkloadOptions options;
    options.allowStrayReads = allow;
    options.checkUninitialised = checks;
    return std::make_unique<LaunchWorkload>(parseLaunchFile(text, path("test.toml")),
                                            std::map<std::string, std::string>(), options);
  }
};

BOOST_FIXTURE_TEST_SUITE(stray_reads, Kernels)

BOOST_AUTO_TEST_CASE(give_zeros_and_are_counted) {
  const std::string text = kBuffers + launchOf("around", "{ buffer = 'in' }, { buffer = 'out' }");
  for (const bool checks : {false, true}) {
    const auto workload = load(text + text.substr(text.find("[[launch]]")), true, checks);
    workload->runFunctionally();
    const auto out = elementsOf<std::int32_t>(workload->contents("out"));
    for (int i = 0; i < 32; ++i) {
      BOOST_TEST(out[static_cast<std::size_t>(i)] == (i == 0 ? 0 : i) + (i == 31 ? 0 : i + 2));
    }
    const ptx::StrayReads reads = workload->strayReads();
    BOOST_TEST(reads.count == 4U);  // two per launch
    BOOST_TEST(has(reads.first, "k.cu, compiled:"), reads.first);
    BOOST_TEST(has(reads.first, "global load of 4 bytes at address 0x"), reads.first);
    BOOST_TEST(has(reads.first, "is 4 bytes before 'in'"), reads.first);
    BOOST_TEST(has(reads.first, "lane 0, source k.cu:4"), reads.first);
  }
}

BOOST_AUTO_TEST_CASE(are_refused_unless_allowed) {
  const auto workload =
      load(kBuffers + launchOf("around", "{ buffer = 'in' }, { buffer = 'out' }"), false);
  refuses([&] { workload->runFunctionally(); }, "is out of bounds",
          "; expected a buffer there, or --allow-stray-reads");
  BOOST_TEST(workload->strayReads().count == 0U);
}

BOOST_AUTO_TEST_CASE(keep_the_bytes_that_are_in_a_buffer) {
  const auto workload = load(
      "kernel = 'k.cu'\n[buffers.in]\ntype = 's32'\ncount = 6\nfill = { iota = { from = 1 } }\n"
      "[buffers.out]\ntype = 's32'\ncount = 4\n" +
      launchOf("ends", "{ buffer = 'in' }, { buffer = 'out' }", 1));
  workload->runFunctionally();
  const std::vector<std::int32_t> expected = {5, 6, 0, 0};
  BOOST_TEST(elementsOf<std::int32_t>(workload->contents("out")) == expected, tt::per_element());
  BOOST_TEST(workload->strayReads().count == 1U);
}

BOOST_AUTO_TEST_CASE(stores_atomics_and_misaligned_loads_stay_errors) {
  for (const char* entry : {"store", "update"}) {
    const auto workload = load(kBuffers + launchOf(entry, "{ buffer = 'out' }"));
    const std::string message = refusal([&] { workload->runFunctionally(); });
    BOOST_TEST(has(message, "is out of bounds"), message);
    BOOST_TEST(!has(message, "--allow-stray-reads"), message);
  }
  const auto odd = load(kBuffers + launchOf("odd", "{ buffer = 'in' }, { buffer = 'out' }", 1));
  refusal([&] { odd->runFunctionally(); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
