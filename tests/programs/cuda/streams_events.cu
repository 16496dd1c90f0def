// Streams, events between them, priorities, callbacks and host functions: work is seen in order,
// and the times of events grow.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                    \
  do {                                                                                 \
    cudaError_t error_ = (call);                                                       \
    if (error_ != cudaSuccess) {                                                       \
      printf("FAIL: %s: %s (line %d)\n", #call, cudaGetErrorString(error_), __LINE__); \
      exit(1);                                                                         \
    }                                                                                  \
  } while (0)

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

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 5000;
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
    return printf("FAIL: priority %d, flags %u\n", priority, flags), 1;
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
    return printf("FAIL: the query answers %s\n", cudaGetErrorName(query)), 1;
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaStreamSynchronize(second));
  CHECK(cudaStreamQuery(first));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    if (host[i] != (i % 100 + 5) * 3 - 1)
      return printf("FAIL: element %d is %d, expected %d\n", i, host[i], (i % 100 + 5) * 3 - 1), 1;
  if (log.calls != 2 || log.steps[0] != 15 || log.steps[1] != 1014)
    return printf("FAIL: %d calls of the host, %d and %d\n", log.calls.load(), log.steps[0],
                  log.steps[1]),
           1;
  float whole = -1, part = -1;
  CHECK(cudaEventElapsedTime(&part, start, half));
  CHECK(cudaEventElapsedTime(&whole, start, stop));
  if (!(part >= 0 && whole >= part)) return printf("FAIL: %g of %g ms\n", part, whole), 1;
  if (cudaEventElapsedTime(&part, start, untimed) != cudaErrorInvalidResourceHandle)
    return puts("FAIL: an event without time has one"), 1;
  if (cudaGetLastError() != cudaErrorInvalidResourceHandle)
    return puts("FAIL: the last error is lost"), 1;
  for (cudaEvent_t e : {start, half, stop, untimed}) CHECK(cudaEventDestroy(e));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(device));
  printf("PASS\n");
  return 0;
}
