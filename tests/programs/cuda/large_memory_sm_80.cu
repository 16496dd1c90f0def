// Device memory of a board's size: 40 GB of which a few pages are touched, what is free, and what a
// board does not hold. Pages that a program frees are the host's again.
#include <cstring>

#include "check.h"

constexpr size_t kGiB = size_t(1) << 30;

/// Writes one word per step, and adds up what lies there.
__global__ void touch(unsigned* data, size_t step, unsigned count, unsigned long long* sum) {
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
    atomicAdd(sum, data[i * step]);
    data[i * step] = i + 1;
  }
}

/// Returns the kilobytes of the host that this process takes.
static long residentKilobytes() {
  FILE* const file = fopen("/proc/self/status", "r");
  char line[256];
  long kilobytes = 0;
  while (file != nullptr && fgets(line, sizeof line, file) != nullptr) {
    if (strncmp(line, "VmRSS:", 6) == 0) kilobytes = atol(line + 6);
  }
  if (file != nullptr) fclose(file);
  return kilobytes;
}

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(properties.totalGlobalMem == 80 * kGiB);
  size_t left = 0, all = 0, now = 0;
  CHECK(cudaMemGetInfo(&left, &all));
  EXPECT(left == all && all == properties.totalGlobalMem);

  const size_t bytes = 40 * kGiB;
  unsigned* const large = newOnDevice<unsigned>(bytes / 4);
  char* const small = newOnDevice<char>(1000);
  CHECK(cudaMemGetInfo(&now, &all));
  EXPECT(now <= left - bytes && now > left - bytes - kGiB);
  unsigned long long* const sum = newOnDevice<unsigned long long>(1);
  CHECK(cudaMemset(sum, 0, 8));
  const unsigned count = 1000;
  const size_t step = (bytes / 4 - 1) / (count - 1);
  const long before = residentKilobytes();
  touch<<<1, 128>>>(large, step, count, sum);
  CHECK(cudaDeviceSynchronize());
  EXPECT(toHost(sum, 1)[0] == 0);  // new memory is zero
  touch<<<1, 128>>>(large, step, count, sum);
  CHECK(cudaDeviceSynchronize());
  EXPECT(toHost(sum, 1)[0] == count * (count + 1ULL) / 2);
  EXPECT(toHost(large + step * (count - 1), 1)[0] == count);
  EXPECT(residentKilobytes() - before < 200000);

  // A whole gigabyte comes and goes.
  char* dense = newOnDevice<char>(kGiB);
  CHECK(cudaMemset(dense, 7, kGiB));
  EXPECT(toHost(dense + kGiB - 1, 1)[0] == 7);
  EXPECT(residentKilobytes() - before > 1000000);
  CHECK(cudaFree(dense));
  EXPECT(residentKilobytes() - before < 200000);

  // More than the board has.
  void* more = nullptr;
  GIVES(cudaMalloc(&more, 41 * kGiB), cudaErrorMemoryAllocation);
  GIVES(cudaMalloc(&more, 81 * kGiB), cudaErrorMemoryAllocation);
  EXPECT(more == nullptr);
  CHECK(cudaMalloc(&more, 39 * kGiB));
  CHECK(cudaMemset(static_cast<char*>(more) + 39 * kGiB - 1, 1, 1));
  CHECK(cudaFree(more));
  CHECK(cudaFree(large));
  CHECK(cudaFree(small));
  CHECK(cudaFree(sum));
  CHECK(cudaMemGetInfo(&now, &all));
  EXPECT(now == left);
  printf("PASS\n");
}
