// Shared by all probes: checked calls, clock reads, and the time of one step as the slope between
// two lengths.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call) checked((call), #call)

inline void checked(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// First and last clock of one warp's timed loop.
struct Span {
  unsigned start, end;
};

__device__ inline unsigned clockNow() {
  unsigned cycles;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
  return cycles;
}

__device__ inline unsigned sharedAddress(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}

/// Writes the span of the calling warp; its lane 0 writes. Call it with all lanes.
__device__ inline void record(Span* spans, unsigned start, unsigned end) {
  if (threadIdx.x % 32 == 0) spans[threadIdx.x / 32] = {start, end};
}

/// Memory that both sides see: spans of up to 32 warps, a table for the lanes, and a sink for
/// results.
class Bench {
 public:
  Bench() {
    CHECK(cudaMallocHost(&spans, 1024 * sizeof(Span)));
    CHECK(cudaMallocHost(&table, 4096 * sizeof(unsigned)));
    CHECK(cudaMalloc(&sink, 1 << 22));
  }

  /// Cycles from the first start to the last end of `warps` warps.
  unsigned elapsed(unsigned warps) const {
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const unsigned from = spans[0].start;  // wraps: all are compared with the first
    int first = 0;
    int last = 0;
    for (unsigned w = 0; w < warps; ++w) {
      if (spans[w].start == spans[w].end) continue;  // a warp that took no part
      first = std::min(first, static_cast<int>(spans[w].start - from));
      last = std::max(last, static_cast<int>(spans[w].end - from));
    }
    return static_cast<unsigned>(last - first);
  }

  /// Cycles per iteration of the loop that `launch(n)` runs n times: the slope from n to 3n, so
  /// that what a loop costs once is not counted. Each length takes the least of five runs; n is
  /// chosen so that a loop lasts `least` cycles.
  template <class Launch>
  double slope(unsigned warps, const Launch& launch, unsigned least = 20000) const {
    const auto shortest = [&](unsigned n) {
      unsigned best = ~0U;
      for (int i = 0; i < 5; ++i) {
        launch(n);
        best = std::min(best, elapsed(warps));
      }
      return static_cast<double>(best);
    };
    const unsigned n =
        static_cast<unsigned>(std::clamp(2.0 * least / std::max(1.0, shortest(2)), 2.0, 4096.0));
    return (shortest(3 * n) - shortest(n)) / (2.0 * n);
  }

  Span* spans = nullptr;
  unsigned* table = nullptr;
  unsigned* sink = nullptr;
};

/// Opens a CSV in the folder that the first argument names and writes its header.
inline std::FILE* openCsv(int argc, char** argv, const std::string& name, const char* header) {
  const std::string path = (argc > 1 ? std::string(argv[1]) : std::string(".")) + "/" + name;
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) std::exit(1);
  std::fprintf(file, "%s\n", header);
  return file;
}

/// Returns the device's name without its maker and what follows: "H100" of "NVIDIA H100 80GB HBM3".
inline const char* machineName() {
  static const std::string name = [] {
    cudaDeviceProp properties{};
    CHECK(cudaGetDeviceProperties(&properties, 0));
    std::string whole = properties.name;
    if (whole.rfind("NVIDIA ", 0) == 0) whole.erase(0, 7);
    return whole.substr(0, whole.find(' '));
  }();
  return name.c_str();
}
