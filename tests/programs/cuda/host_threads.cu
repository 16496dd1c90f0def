// Host threads that share the device: each has its own stream and memory, with kernels and copies
// between.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::atomic<int> failures{0};
static std::mutex output;

#define CHECK(x)                                                \
  do {                                                          \
    cudaError_t e = (x);                                        \
    if (e != cudaSuccess) {                                     \
      std::lock_guard<std::mutex> lock(output);                 \
      printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); \
      ++failures;                                               \
      return;                                                   \
    }                                                           \
  } while (0)

__device__ int total;

__global__ void work(int* data, int n, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  data[i] = data[i] * factor + 1;
  if (i == 0) atomicAdd(&total, factor);
}

static void run(int id, int n, int rounds) {
  CHECK(cudaSetDevice(0));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  std::vector<int> host(n), expected(n);
  for (int i = 0; i < n; ++i) expected[i] = host[i] = i + id;
  int* device;
  CHECK(cudaMalloc(&device, n * sizeof(int)));
  for (int r = 0; r < rounds; ++r) {
    CHECK(cudaMemcpyAsync(device, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
    work<<<(n + 63) / 64, 64, 0, stream>>>(device, n, id + r);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int& v : expected) v = v * (id + r) + 1;
  }
  CHECK(cudaFree(device));
  CHECK(cudaStreamDestroy(stream));
  if (host == expected) return;
  std::lock_guard<std::mutex> lock(output);
  printf("thread %d has other values\n", id);
  ++failures;
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 4, rounds = 5;
  std::vector<std::thread> pool;
  int sum = 0, got = 0;
  for (int id = 1; id <= threads; ++id) {
    pool.emplace_back(run, id, 700, rounds);
    for (int r = 0; r < rounds; ++r) sum += id + r;
  }
  for (std::thread& t : pool) t.join();
  if (cudaMemcpyFromSymbol(&got, total, sizeof got) != cudaSuccess || got != sum) {
    printf("the total is %d, expected %d\n", got, sum);
    ++failures;
  }
  // Each thread has its own last error.
  cudaError_t here = cudaSuccess, there = cudaSuccess;
  std::thread([&] {
    cudaMemset(nullptr, 1, 100);
    there = cudaPeekAtLastError();
  }).join();
  here = cudaGetLastError();
  if (there == cudaSuccess || here != cudaSuccess)
    printf("an error of one thread is another's\n"), ++failures;
  puts(failures ? "FAIL: threads disturb each other" : "PASS");
  return failures != 0;
}
