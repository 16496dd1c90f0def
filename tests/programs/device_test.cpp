// The properties of the device that a program asks for, and the answer of calls that are not
// supported.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

#include "tests/support/program.h"

namespace {

using namespace fermata::test;
namespace bdata = boost::unit_test::data;

/// Prints the version that it was compiled for and the device, after two calls that are refused.
constexpr const char* kDeviceProgram = R"(
#include <cstdio>
int main() {
  cudaMipmappedArray_t levels = nullptr;
  const bool refused = cudaFreeMipmappedArray(levels) == cudaErrorNotSupported &&
                       cudaFreeMipmappedArray(levels) == cudaErrorNotSupported;
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  if (!refused || major != device.major || minor != device.minor) return 1;
  printf("CUDA %d.%d, capability %d.%d\n", CUDART_VERSION / 1000, __CUDACC_VER_MINOR__, major, minor);
}
)";

struct DeviceProgram : Folder {
  DeviceProgram() { write("app.cu", kDeviceProgram); }
  /// Returns what the program prints on a platform, compiled with `options`.
  std::string print(const std::string& options, const std::string& platform) const {
    const Outcome made = runProgram("cc " + options + " app.cu -o app", path);
    BOOST_TEST_REQUIRE(made.code == 0, made.text);
    const Outcome run = runProgram("exec --quiet --platform " + platform + " -- ./app", path);
    BOOST_TEST(run.code == 0, run.text);
    BOOST_TEST(!has(run.text, "launched"), run.text);  // a query is no mistake
    return run.text;
  }
};

struct Capability {
  const char* platform;
  const char* text;
};
std::ostream& operator<<(std::ostream& out, const Capability& c) {
  return out << c.platform;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(device, DeviceProgram)

BOOST_DATA_TEST_CASE(capability_is_the_platforms,
                     bdata::make({Capability{"gtx480", "7.0"}, Capability{"sm_75", "7.5"},
                                  Capability{"a100", "8.0"}, Capability{"rtx4090", "8.9"},
                                  Capability{"h100", "9.0"}, Capability{"sm_100", "10.0"},
                                  Capability{"rtx5090", "12.0"}, Capability{"mi300", "7.0"},
                                  Capability{"mine.toml", "8.6"}}),
                     one) {
  write("mine.toml", "base = \"sm_86\"\nscratchpad.latency = 30\n");
  const std::string text = print("", one.platform);
  BOOST_TEST(has(text, std::string("CUDA 12.8, capability ") + one.text + '\n'), text);
}

// Memory of the board, whatever the host has; the host's limits are an error of the allocation.
BOOST_AUTO_TEST_CASE(memory_is_the_platforms) {
  write("memory.cu", R"(
#include <cstdio>
int main() {
  size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  void* p = nullptr;
  const int code = cudaMalloc(&p, total / 2);
  printf("%zu MiB, %d\n", total >> 20, code);
}
)");
  BOOST_TEST_REQUIRE(runProgram("cc memory.cu -o memory", path).code == 0);
  const auto says = [&](const std::string& words) {
    return runProgram("exec --functional --quiet --platform " + words, path).text;
  };
  BOOST_TEST(says("gtx480 -- ./memory") == "1536 MiB, 0\n");
  BOOST_TEST(says("v100 -- ./memory") == "16384 MiB, 0\n");
  BOOST_TEST(says("mi350 -- ./memory") == "294912 MiB, 0\n");
  BOOST_TEST(says("sm_80 --set device.memory_mib=512 -- ./memory") == "512 MiB, 0\n");
  const std::string text = says("h100 -- sh -c 'ulimit -v 30000000; ./memory'");
  BOOST_TEST(has(text, "81920 MiB, 2\n"), text);
  BOOST_TEST(has(text, "cudaMalloc: the host has no memory for 'cudaMalloc 0' of 42949672960"),
             text);
}

// Without --platform, also where another program starts the one that has the code.
BOOST_AUTO_TEST_CASE(code_names_the_platform) {
  write("name.cu", R"(
#include <cstdio>
__global__ void kernel() {}
int main() {
  cudaDeviceProp device;
  if (cudaGetDeviceProperties(&device, 0) == cudaSuccess) puts(device.name);
}
)");
  const auto says = [&](const std::string& options, const std::string& command) {
    BOOST_TEST_REQUIRE(runProgram("cc " + options + " name.cu -o name", path).code == 0);
    return runProgram("exec --quiet " + command, path).text;
  };
  BOOST_TEST(says("-arch=sm_80", "-- ./name") == "Fermata sm_80\n");
  BOOST_TEST(says("-arch=sm_80", "-- sh -c ./name") == "Fermata sm_80\n");
  BOOST_TEST(says("-arch=sm_80", "--platform k20 -- ./name") == "Fermata k20\n");
  BOOST_TEST(says("-arch=sm_90", "--set scratchpad.latency=30 -- ./name") == "Fermata sm_90\n");
  BOOST_TEST(says("-arch=sm_87", "-- ./name") == "Fermata gtx480\n");
  BOOST_TEST(says("", "-- ./name") == "Fermata gtx480\n");
}

// One CTA fits on an SM. A cluster lies in one GPC; one that finds none is refused by its launch.
BOOST_AUTO_TEST_CASE(clusters_are_counted_by_gpcs) {
  write("clusters.cu", R"(
#include <cstdio>
__global__ void kernel() {}
int main() {
  const int bytes = 150000;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  cudaLaunchConfig_t launch = {};
  launch.blockDim = dim3(32);
  launch.dynamicSmemBytes = bytes;
  cudaLaunchAttribute size[1] = {};
  size[0].id = cudaLaunchAttributeClusterDimension;
  size[0].val.clusterDim.y = size[0].val.clusterDim.z = 1;
  launch.attrs = size;
  launch.numAttrs = 1;
  int count = 0, largest = 0;
  for (const unsigned ctas : {2, 4, 8, 16}) {
    launch.gridDim = dim3(ctas);
    size[0].val.clusterDim.x = ctas;
    cudaOccupancyMaxActiveClusters(&count, kernel, &launch);
    printf("%d ", count);
  }
  cudaOccupancyMaxPotentialClusterSize(&largest, kernel, &launch);
  const cudaError_t error = cudaLaunchKernelEx(&launch, kernel);
  cudaDeviceSynchronize();
  printf("largest %d, %s\n", largest, cudaGetErrorName(error));
}
)");
  const auto says = [&](const std::string& platform) {
    return runProgram("exec --quiet --platform " + platform + " -- ./clusters", path).text;
  };
  BOOST_TEST_REQUIRE(runProgram("cc -arch=sm_90 clusters.cu -o clusters", path).code == 0);
  BOOST_TEST(says("h100") == "66 30 15 7 largest 16, cudaSuccess\n");
  const std::string text = says("h100 --set chip.of=0 --set chip.sms=20 --set 'chip.gpcs=10 10'");
  BOOST_TEST(has(text, "10 4 2 0 "), text);
  BOOST_TEST(has(text, "largest 10, cudaErrorInvalidClusterSize\n"), text);
  BOOST_TEST(has(text, "clusters of 16 CTAs; expected at most 10, the SMs of the largest GPC"),
             text);
}

BOOST_AUTO_TEST_CASE(a_block_that_does_not_fit_names_a_larger_platform) {
  write("large.cu", R"(
#include <cstdio>
__global__ void large(float* p) {
  float a[40];
#pragma unroll
  for (int i = 0; i < 40; ++i) a[i] = p[i * 1024 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 40; ++i) p[(39 - i) * 1024 + threadIdx.x] = a[i] * a[39 - i] + a[i / 2];
}
int main() {
  float* p;
  cudaMalloc(&p, 40 * 4096);
  large<<<1, 512>>>(p);
  printf("%d\n", cudaGetLastError());
}
)");
  BOOST_TEST_REQUIRE(runProgram("cc large.cu -o large", path).code == 0);
  const std::string text = runProgram("exec --quiet -- ./large", path).text;
  BOOST_TEST(has(text, "701\n"), text);
  BOOST_TEST(has(text, "or a platform that has more, such as --platform sm_80"), text);
  BOOST_TEST(runProgram("exec --quiet --platform sm_80 -- ./large", path).text == "0\n");
}

BOOST_AUTO_TEST_CASE(a_refused_call_says_so_once) {
  const std::string text = print("", "gtx480");
  const std::size_t first =
      text.find("cudaFreeMipmappedArray: it is not supported: textures have one");
  BOOST_TEST_REQUIRE(first != std::string::npos, text);
  BOOST_TEST(text.find("cudaFreeMipmappedArray", first + 1) == std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(an_older_version_on_request) {
  const std::string text = print("-DFERMATA_CUDA_VERSION=11000", "gtx480");
  BOOST_TEST(has(text, "CUDA 11.0, capability 7.0\n"), text);
}

BOOST_AUTO_TEST_SUITE_END()
