// Kernels of several streams, which may run at the same time: copies between them, events,
// priorities, and calls that must see what has run.
#include "check.h"

const int kStreams = 4, kThreads = 256, kBlocks = 4, kValues = kThreads * kBlocks;

__global__ void iterate(float* data, int rounds, float step) {
  __shared__ float part[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  for (int r = 0; r < rounds; ++r) x = x * 0.5f + step;
  part[threadIdx.x] = x;
  __syncthreads();
  data[i] = part[threadIdx.x ^ 1];
}

__global__ void sum(float* to, const float* a, const float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = a[i] + b[i];
}

static std::vector<float> iterated(std::vector<float> data, int rounds, float step) {
  for (float& x : data)
    for (int r = 0; r < rounds; ++r) x = x * 0.5f + step;
  for (size_t i = 0; i < data.size(); i += 2) std::swap(data[i], data[i + 1]);
  return data;
}

static std::vector<float> ramp(int begin) {
  std::vector<float> values(kValues);
  for (int i = 0; i < kValues; ++i) values[i] = float(begin + i % 100);
  return values;
}

static void expectValues(const char* what, const float* got, const std::vector<float>& expected) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (got[i] != expected[i]) fail("%s: %zu is %g, expected %g", what, i, got[i], expected[i]);
}

// Copy, kernel, copy in each stream; the host sees nothing before it waits.
void testPipelines(cudaStream_t* streams) {
  float *host, *device;
  CHECK(cudaMallocHost(&host, kStreams * kValues * sizeof(float)));
  CHECK(cudaMalloc(&device, kStreams * kValues * sizeof(float)));
  cudaEvent_t start[kStreams], stop[kStreams];
  for (int s = 0; s < kStreams; ++s) {
    CHECK(cudaEventCreate(&start[s]));
    CHECK(cudaEventCreate(&stop[s]));
    const std::vector<float> values = ramp(s);
    std::copy(values.begin(), values.end(), host + s * kValues);
  }
  const size_t bytes = kValues * sizeof(float);
  for (int s = 0; s < kStreams; ++s) {
    float* const here = device + s * kValues;
    CHECK(cudaMemcpyAsync(here, host + s * kValues, bytes, cudaMemcpyHostToDevice, streams[s]));
    CHECK(cudaEventRecord(start[s], streams[s]));
    iterate<<<kBlocks, kThreads, 0, streams[s]>>>(here, 200, float(s));
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop[s], streams[s]));
    CHECK(cudaMemcpyAsync(host + s * kValues, here, bytes, cudaMemcpyDeviceToHost, streams[s]));
    CHECK(cudaMemsetAsync(here, 0, bytes, streams[s]));
  }
  for (int s = 0; s < kStreams; ++s) CHECK(cudaStreamSynchronize(streams[s]));
  for (int s = 0; s < kStreams; ++s) {
    expectValues("pipeline", host + s * kValues, iterated(ramp(s), 200, float(s)));
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, start[s], stop[s]));
    if (!(milliseconds > 0)) fail("stream %d takes %g ms", s, milliseconds);
  }
  std::vector<float> zeros(kStreams * kValues, -1);
  CHECK(cudaMemcpy(zeros.data(), device, zeros.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (float zero : zeros) EXPECT(zero == 0);
  for (int s = 0; s < kStreams; ++s) {
    CHECK(cudaEventDestroy(start[s]));
    CHECK(cudaEventDestroy(stop[s]));
  }
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(host));
}

// Two streams meet in a third, which goes on behind both; a fourth waits for it.
void testEvents(cudaStream_t* streams) {
  const std::vector<float> a = ramp(3), b = ramp(50);
  float* const first = newOnDevice<float>(kValues);
  float* const second = newOnDevice<float>(kValues);
  float* const both = newOnDevice<float>(kValues);
  CHECK(cudaMemcpy(first, a.data(), kValues * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(second, b.data(), kValues * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t event;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  iterate<<<kBlocks, kThreads, 0, streams[0]>>>(first, 300, 1);
  CHECK(cudaEventRecord(event, streams[0]));
  CHECK(cudaStreamWaitEvent(streams[2], event, 0));
  iterate<<<kBlocks, kThreads, 0, streams[1]>>>(second, 20, 2);
  CHECK(cudaEventRecord(event, streams[1]));
  CHECK(cudaStreamWaitEvent(streams[2], event, 0));
  sum<<<kBlocks, kThreads, 0, streams[2]>>>(both, first, second);
  CHECK(cudaEventRecord(event, streams[2]));
  CHECK(cudaStreamWaitEvent(streams[3], event, 0));
  iterate<<<kBlocks, kThreads, 0, streams[3]>>>(both, 5, 1);
  iterate<<<kBlocks, kThreads, 0, streams[0]>>>(first, 1, 1);
  CHECK(cudaEventSynchronize(event));
  std::vector<float> got(kValues);
  CHECK(cudaStreamSynchronize(streams[3]));
  CHECK(cudaMemcpy(got.data(), both, kValues * sizeof(float), cudaMemcpyDeviceToHost));
  std::vector<float> expected = iterated(a, 300, 1);
  const std::vector<float> other = iterated(b, 20, 2);
  for (int i = 0; i < kValues; ++i) expected[i] += other[i];
  expectValues("both", got.data(), iterated(expected, 5, 1));
  for (float* one : {first, second, both}) CHECK(cudaFree(one));
  CHECK(cudaEventDestroy(event));
}

__global__ void count(float* bins, int values) {
  __shared__ float own[32];
  __shared__ double all;
  if (threadIdx.x < 32) own[threadIdx.x] = 0;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < values; i += blockDim.x) {
    atomicAdd(&own[i * i % 32], 1.0f);
    atomicAdd(&all, 0.5);
  }
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], own[threadIdx.x] + float(all));
}

// Atomics on shared memory, and on bins that several kernels add to.
void testAtomics(cudaStream_t* streams) {
  float* const bins = newOnDevice<float>(32);
  float* const spare = newOnDevice<float>(kStreams * kValues);
  CHECK(cudaMemset(bins, 0, 32 * sizeof(float)));
  std::vector<float> expected(32), got(32);
  for (int s = 0; s < kStreams; ++s) {
    const int values = 100 + 32 * s;
    count<<<2, 64, 0, streams[s]>>>(bins, values);
    iterate<<<kBlocks, kThreads, 0, streams[s]>>>(spare + s * kValues, 10, 1);
    for (int i = 0; i < values; ++i) expected[i * i % 32] += 2;
    for (float& bin : expected) bin += float(values);
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(got.data(), bins, 32 * sizeof(float), cudaMemcpyDeviceToHost));
  expectValues("bins", got.data(), expected);
  CHECK(cudaFree(bins));
  CHECK(cudaFree(spare));
}

// The legacy stream waits for the others, and they for it.
void testLegacy(cudaStream_t* streams) {
  float* const data = newOnDevice<float>(kValues);
  const std::vector<float> values = ramp(7);
  CHECK(cudaMemcpyAsync(data, values.data(), kValues * sizeof(float), cudaMemcpyHostToDevice,
                        streams[0]));
  iterate<<<kBlocks, kThreads, 0, streams[0]>>>(data, 3, 1);
  iterate<<<kBlocks, kThreads>>>(data, 2, 2);
  iterate<<<kBlocks, kThreads, 0, streams[1]>>>(data, 4, 3);
  std::vector<float> got(kValues);
  CHECK(cudaMemcpy(got.data(), data, kValues * sizeof(float), cudaMemcpyDeviceToHost));
  expectValues("legacy", got.data(), iterated(iterated(iterated(values, 3, 1), 2, 2), 4, 3));
  CHECK(cudaFree(data));
}

// The host sees managed and pinned memory without a call.
void testHost(cudaStream_t* streams) {
  float* managed;
  CHECK(cudaMallocManaged(&managed, kValues * sizeof(float)));
  const std::vector<float> values = ramp(9);
  std::copy(values.begin(), values.end(), managed);
  iterate<<<kBlocks, kThreads, 0, streams[0]>>>(managed, 3, 1);
  iterate<<<kBlocks, kThreads, 0, streams[0]>>>(managed, 5, 2);
  CHECK(cudaStreamSynchronize(streams[0]));
  expectValues("managed", managed, iterated(iterated(values, 3, 1), 5, 2));
  CHECK(cudaFree(managed));
}

int main() {
  cudaStream_t streams[kStreams];
  int least = 0, greatest = 0;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  for (int s = 0; s < kStreams; ++s)
    CHECK(cudaStreamCreateWithPriority(&streams[s], cudaStreamNonBlocking,
                                       s == kStreams - 1 ? greatest : least));
  testPipelines(streams);
  testEvents(streams);
  testAtomics(streams);
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));
  testLegacy(streams);
  testHost(streams);
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
  puts("PASS");
}
