// Programmatic dependent launches: a kernel begins when all blocks of the one before let it, and
// waits for its end before it reads what that one writes.
#include "check.h"

const int kBlocks = 4, kThreads = 128, kValues = kBlocks * kThreads, kChain = 4;

__device__ float spin(float x, int rounds) {
  for (int r = 0; r < rounds; ++r) x = x * 0.5f + 1;
  return x;
}

// Reads what the kernel before has written to `from`, after a prologue of its own.
__global__ void step(float* to, const float* from, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  const float own = spin(float(i % 7), rounds);
  cudaGridDependencySynchronize();
  to[i] = from[kValues - 1 - i] + own;
}

static void launch(cudaStream_t stream, bool early, float* to, const float* from, int rounds) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = early;
  cudaLaunchConfig_t config = {};
  config.gridDim = kBlocks;
  config.blockDim = kThreads;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, step, to, from, rounds));
}

// Runs a chain of kernels and returns the milliseconds that it takes.
static float run(cudaStream_t stream, bool early, std::vector<float>& result) {
  const int rounds = 500;
  std::vector<float> values(kValues);
  for (int i = 0; i < kValues; ++i) values[i] = float(i);
  float* buffers[2];
  for (float*& buffer : buffers) buffer = newOnDevice<float>(kValues);
  CHECK(cudaMemcpy(buffers[0], values.data(), kValues * sizeof(float), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start, stream));
  for (int k = 0; k < kChain; ++k)
    launch(stream, early, buffers[(k + 1) % 2], buffers[k % 2], rounds);
  CHECK(cudaEventRecord(stop, stream));
  CHECK(cudaStreamSynchronize(stream));
  result.resize(kValues);
  CHECK(cudaMemcpy(result.data(), buffers[kChain % 2], kValues * sizeof(float),
                   cudaMemcpyDeviceToHost));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  for (float* buffer : buffers) CHECK(cudaFree(buffer));
  return milliseconds;
}

int main(int argc, char**) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  std::vector<float> late, early;
  const float lateTime = run(stream, false, late), earlyTime = run(stream, true, early);
  for (int i = 0; i < kValues; ++i)
    if (late[i] != early[i]) fail("value %d is %g early, %g late", i, early[i], late[i]);
  if (argc > 1 && earlyTime > lateTime * 0.6f)
    fail("%g ms early, %g ms late: prologues do not overlap", earlyTime, lateTime);
  puts("PASS");
}
