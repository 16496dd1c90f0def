// Measures the cost of bank conflicts on this machine: one warp, then eight, load from shared
// memory, lane l at l * stride * width. The same source is for a GPU (nvcc) and for the model
// (fermata cc). Prints, to stderr, the cycles that a further way of a conflict costs.
//
//   bank_conflicts                    one row per width and stride, as CSV
//   bank_conflicts FILE [PERCENT]     compares with the rows of FILE, printed by another machine:
//                                     exit code 1 if a row differs by more than PERCENT (5)
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr unsigned kLoads = 48;  // loads per warp and measurement
constexpr unsigned kWarps = 8;   // warps of the measurement with many
constexpr unsigned kSharedBytes = 32768;
constexpr unsigned kStrides[] = {0, 1, 2, 3, 4, 5, 8, 16, 17, 32, 33, 64};
constexpr unsigned kWidths[] = {4, 8, 16};

// Returns the clock once `value` has arrived.
__device__ unsigned clockBehind(unsigned value) {
  unsigned now;
  asm volatile(
      "{ .reg .pred never; setp.eq.u32 never, %1, 0xffffffff;\n@never trap;\nmov.u32 %0, %%clock; }"
      : "=r"(now)
      : "r"(value)
      : "memory");
  return now;
}

template <unsigned kWidth>
__device__ unsigned load(unsigned address) {
  unsigned value, rest;
  if (kWidth == 4) {
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  } else if (kWidth == 8) {
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];"
                 : "=r"(value), "=r"(rest)
                 : "r"(address)
                 : "memory");
  } else {
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %1, %1}, [%2];"
                 : "=r"(value), "=r"(rest)
                 : "r"(address)
                 : "memory");
  }
  return value;
}

// Measures both. Each lane's word holds its own address, so a load gives the next load's address.
template <unsigned kWidth>
__global__ void measure(unsigned stride, unsigned* cycles) {
  extern __shared__ __align__(16) unsigned char memory[];
  const unsigned offset = threadIdx.x * stride * kWidth;
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  const unsigned own = base + offset;
  *reinterpret_cast<unsigned*>(memory + offset) = own;
  __syncthreads();

  unsigned address = load<kWidth>(own);
  unsigned start = clockBehind(address);
#pragma unroll
  for (unsigned i = 0; i < kLoads; ++i) address = load<kWidth>(address);
  unsigned stop = clockBehind(address);
  if (threadIdx.x == 0) cycles[0] = stop - start;

  // Loads return in the order in which they were issued.
  unsigned value[kLoads];
  start = clockBehind(address);
#pragma unroll
  for (unsigned i = 0; i < kLoads; ++i) value[i] = load<kWidth>(own);
  stop = clockBehind(value[kLoads - 1]);
  // Use each value, so that it keeps a register until here.
#pragma unroll
  for (unsigned i = 0; i < kLoads; ++i)
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(own), "r"(value[i]) : "memory");
  if (threadIdx.x == 0) cycles[1] = stop - start;
}

// Measures loads of all warps that do not wait: cycles[2 * warp] is the warp's start, the next its
// end.
template <unsigned kWidth>
__global__ void measureMany(unsigned stride, unsigned* cycles) {
  extern __shared__ __align__(16) unsigned char memory[];
  const unsigned offset = threadIdx.x % 32 * stride * kWidth;
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  const unsigned own = base + offset;
  *reinterpret_cast<unsigned*>(memory + offset) = own;
  __syncthreads();

  unsigned value[kLoads];
  const unsigned start = clockBehind(own);
#pragma unroll
  for (unsigned i = 0; i < kLoads; ++i) value[i] = load<kWidth>(own);
  const unsigned stop = clockBehind(value[kLoads - 1]);
  __syncthreads();  // a warp's stores would take passes from the loads of others
#pragma unroll
  for (unsigned i = 0; i < kLoads; ++i)
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(own), "r"(value[i]) : "memory");
  if (threadIdx.x % 32 != 0) return;
  cycles[threadIdx.x / 16] = start;
  cycles[threadIdx.x / 16 + 1] = stop;
}

void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "bank_conflicts: %s\n", cudaGetErrorString(error));
  std::exit(2);
}

constexpr unsigned kResults = 2 + 2 * kWarps;

template <unsigned kWidth>
void run(unsigned stride, unsigned* cycles) {
  measure<kWidth><<<1, 32, kSharedBytes>>>(stride, cycles);
  require(cudaGetLastError());
  measureMany<kWidth><<<1, 32 * kWarps, kSharedBytes>>>(stride, cycles + 2);
  require(cudaGetLastError());
  require(cudaDeviceSynchronize());
}

// Returns the cycles from the first start of a warp to the last end. The clock may wrap between.
unsigned span(const unsigned* times) {
  unsigned first = times[0], last = times[1];
  for (unsigned w = 1; w < kWarps; ++w) {
    if (static_cast<int>(times[2 * w] - first) < 0) first = times[2 * w];
    if (static_cast<int>(times[2 * w + 1] - last) > 0) last = times[2 * w + 1];
  }
  return last - first;
}

using Key = std::pair<std::string, std::pair<unsigned, unsigned>>;
struct Row {
  Key key;  // quantity, width, stride
  double cycles;
};

// Runs each kernel once before measuring: its first run also fetches its instructions.
std::vector<Row> measureAll() {
  unsigned* device = nullptr;
  require(cudaMalloc(&device, kResults * sizeof(unsigned)));
  std::vector<Row> rows;
  for (const unsigned width : kWidths) {
    for (const unsigned stride : kStrides) {
      unsigned cycles[kResults];
      for (int again = 0; again < 2; ++again) {
        if (width == 4) run<4>(stride, device);
        if (width == 8) run<8>(stride, device);
        if (width == 16) run<16>(stride, device);
      }
      require(cudaMemcpy(cycles, device, sizeof cycles, cudaMemcpyDeviceToHost));
      rows.push_back({{"dependent", {width, stride}}, cycles[0] / double(kLoads)});
      rows.push_back({{"independent", {width, stride}}, cycles[1] / double(kLoads)});
      rows.push_back({{"many", {width, stride}}, span(cycles + 2) / double(kLoads * kWarps)});
    }
  }
  require(cudaFree(device));
  return rows;
}

double cyclesOf(const std::vector<Row>& rows, const char* what, unsigned stride) {
  for (const Row& row : rows) {
    if (row.key == Key{what, {4, stride}}) return row.cycles;
  }
  return 0;
}

// Prints the cycles per further way of a 32-bit load, from strides 1 and 32.
void printWays(const std::vector<Row>& rows) {
  std::fprintf(stderr, "cycles per further way of a conflict: one warp %.2f, %u warps %.2f\n",
               (cyclesOf(rows, "dependent", 32) - cyclesOf(rows, "dependent", 1)) / 31, kWarps,
               (cyclesOf(rows, "many", 32) - cyclesOf(rows, "many", 1)) / 31);
  std::fprintf(stderr, "measured on an H100: one warp 2.00, 8 warps 1.00\n");
}

void print(const std::vector<Row>& rows) {
  std::printf("loads,bytes,stride,cycles\n");
  for (const Row& row : rows)
    std::printf("%s,%u,%u,%.4f\n", row.key.first.c_str(), row.key.second.first,
                row.key.second.second, row.cycles);
}

std::map<Key, double> read(const char* file) {
  std::FILE* in = std::fopen(file, "r");
  if (in == nullptr) {
    std::fprintf(stderr, "bank_conflicts: cannot read '%s'\n", file);
    std::exit(2);
  }
  std::map<Key, double> rows;
  char line[256];
  char what[32];
  unsigned width, stride;
  double cycles;
  for (unsigned number = 1; std::fgets(line, sizeof line, in) != nullptr; ++number) {
    if (number == 1 && std::string(line).rfind("loads,", 0) == 0) continue;
    if (std::sscanf(line, "%31[a-z],%u,%u,%lf", what, &width, &stride, &cycles) != 4 ||
        !(cycles > 0)) {
      std::fprintf(stderr, "bank_conflicts: %s:%u: expected loads,bytes,stride,cycles\n", file,
                   number);
      std::exit(2);
    }
    rows[{what, {width, stride}}] = cycles;
  }
  std::fclose(in);
  return rows;
}

// Returns the number of rows that differ by more than `percent`, or are missing.
unsigned compare(const std::vector<Row>& rows, const std::map<Key, double>& others,
                 double percent) {
  unsigned differ = 0;
  std::printf("loads,bytes,stride,cycles,other_cycles,difference_percent\n");
  for (const Row& row : rows) {
    std::printf("%s,%u,%u,%.4f,", row.key.first.c_str(), row.key.second.first,
                row.key.second.second, row.cycles);
    const auto other = others.find(row.key);
    if (other == others.end()) {
      std::printf(",\n");
      ++differ;
      continue;
    }
    const double difference = 100 * (row.cycles / other->second - 1);
    std::printf("%.4f,%+.1f\n", other->second, difference);
    if (std::fabs(difference) > percent) ++differ;
  }
  std::fprintf(stderr, "%u of %zu differ by more than %g %%, or are missing\n", differ, rows.size(),
               percent);
  return differ;
}

}  // namespace

int main(int argc, char** argv) {
  char* end = nullptr;
  const double percent = argc > 2 ? std::strtod(argv[2], &end) : 5;
  if (argc > 3 || (end != nullptr && (*end != 0 || end == argv[2] || !(percent >= 0)))) {
    std::fprintf(stderr, "usage: bank_conflicts [FILE [PERCENT]]\n");
    return 2;
  }
  if (argc == 1) {
    const std::vector<Row> rows = measureAll();
    print(rows);
    printWays(rows);
    return 0;
  }
  const std::map<Key, double> others = read(argv[1]);
  return compare(measureAll(), others, percent) == 0 ? 0 : 1;
}
