// Streams, events, callbacks and priorities; and host threads that share the device.
#include <atomic>
#include <thread>

#include "check.h"

__global__ void add(int* data, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] += value;
}

__global__ void multiply(int* data, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] *= value;
}

struct Log {
  std::vector<int> steps;
  int* data;
  std::atomic<int> calls{0};
};

static void CUDART_CB called(cudaStream_t, cudaError_t status, void* user) {
  Log* log = static_cast<Log*>(user);
  log->steps.push_back(status == cudaSuccess ? log->data[0] : -1);
  ++log->calls;
}

static void CUDART_CB hostFunction(void* user) {
  Log* log = static_cast<Log*>(user);
  log->steps.push_back(1000 + log->data[0]);
  ++log->calls;
}

void testOrder() {
  const int n = 5000;
  int least = 0, greatest = 0;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, greatest));
  int priority = 77;
  unsigned flags = 77;
  CHECK(cudaStreamGetPriority(second, &priority));
  CHECK(cudaStreamGetFlags(first, &flags));
  if (priority != greatest || flags != cudaStreamNonBlocking)
    fail("priority %d, flags %u", priority, flags);
  cudaEvent_t start, half, stop, untimed;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&half));
  CHECK(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));

  int *host, *device;
  CHECK(cudaHostAlloc(&host, n * sizeof(int), cudaHostAllocDefault));
  CHECK(cudaMalloc(&device, n * sizeof(int)));
  for (int i = 0; i < n; ++i) host[i] = i % 100;
  Log log;
  log.data = host;
  CHECK(cudaEventRecord(start, first));
  CHECK(cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, first));
  add<<<4, 128, 0, first>>>(device, n, 5);
  CHECK(cudaEventRecord(half, first));
  CHECK(cudaStreamWaitEvent(second, half, 0));
  multiply<<<4, 128, 0, second>>>(device, n, 3);
  CHECK(cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, second));
  CHECK(cudaStreamAddCallback(second, called, &log, 0));
  CHECK(cudaEventRecord(untimed, second));
  CHECK(cudaStreamWaitEvent(first, untimed, 0));
  add<<<4, 128, 0, first>>>(device, n, -1);
  CHECK(cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, first));
  CHECK(cudaLaunchHostFunc(first, hostFunction, &log));
  CHECK(cudaEventRecord(stop, first));
  CHECK(cudaGetLastError());
  cudaError_t query = cudaEventQuery(stop);
  if (query != cudaSuccess && query != cudaErrorNotReady)
    fail("the query answers %s", cudaGetErrorName(query));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaStreamSynchronize(second));
  CHECK(cudaStreamQuery(first));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    if (host[i] != (i % 100 + 5) * 3 - 1)
      fail("element %d is %d, expected %d", i, host[i], (i % 100 + 5) * 3 - 1);
  if (log.calls != 2 || log.steps[0] != 15 || log.steps[1] != 1014)
    fail("%d calls of the host, %d and %d", log.calls.load(), log.steps[0], log.steps[1]);
  float whole = -1, part = -1;
  CHECK(cudaEventElapsedTime(&part, start, half));
  CHECK(cudaEventElapsedTime(&whole, start, stop));
  if (!(part >= 0 && whole >= part)) fail("%g of %g ms", part, whole);
  GIVES(cudaEventElapsedTime(&part, start, untimed), cudaErrorInvalidResourceHandle);
  GIVES(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  for (cudaEvent_t e : {start, half, stop, untimed}) CHECK(cudaEventDestroy(e));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

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
  int* const device = newOnDevice<int>(n);
  for (int r = 0; r < rounds; ++r) {
    CHECK(cudaMemcpyAsync(device, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
    work<<<(n + 63) / 64, 64, 0, stream>>>(device, n, id + r);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int& v : expected) v = v * (id + r) + 1;
  }
  CHECK(cudaStreamDestroy(stream));
  expectSame("a thread's values", host, expected);
}

void testThreads() {
  const int threads = 4, rounds = 5;
  std::vector<std::thread> pool;
  int sum = 0, got = 0;
  for (int id = 1; id <= threads; ++id) {
    pool.emplace_back(run, id, 700, rounds);
    for (int r = 0; r < rounds; ++r) sum += id + r;
  }
  for (std::thread& t : pool) t.join();
  CHECK(cudaMemcpyFromSymbol(&got, total, sizeof got));
  if (got != sum) fail("the total is %d, expected %d", got, sum);
  // Each thread has its own last error.
  cudaError_t here = cudaSuccess, there = cudaSuccess;
  std::thread([&] {
    cudaMemset(nullptr, 1, 100);
    there = cudaPeekAtLastError();
  }).join();
  here = cudaGetLastError();
  if (there == cudaSuccess || here != cudaSuccess) fail("an error of one thread is another's");
}

int main() {
  testOrder();
  testThreads();
  puts("PASS");
}
