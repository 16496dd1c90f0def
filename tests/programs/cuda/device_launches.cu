// Kernels that launch kernels: children of templates and structs, streams, tail launches, depth,
// errors, and what the host sees.
#include "check.h"

struct Window {
  char first;
  double scale;
  int* data;
};

namespace work {
template <int kStep, class T>
__global__ void add(T* data, T value) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += kStep * value;
}
}  // namespace work

__global__ void scale(Window w, short count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) w.data[i] = int(w.data[i] * w.scale) + w.first;
}

/// Each block launches a child for its part, in any order.
__global__ void parent(int* data, int blocks) {
  if (threadIdx.x != 0) return;
  work::add<3, int><<<blocks, 32>>>(data + blockIdx.x * blocks * 32, int(blockIdx.x));
  const Window w = {1, 2.0, data + blockIdx.x * blocks * 32};
  scale<<<blocks, 32, 0, 0>>>(w, 40);  // behind the one before, in the same stream
}

/// A tree: 2^depth leaves add 1 each.
__global__ void tree(int depth, int* sum) {
  if (depth == 0) {
    atomicAdd(sum, 1);
    return;
  }
  for (int k = 0; k < 2; ++k) {
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return;
    tree<<<1, 1, 0, stream>>>(depth - 1, sum);
    cudaStreamDestroy(stream);
  }
}

__global__ void note(int* log, int value) {
  log[++log[0]] = value;
}
__global__ void noteLater(int* log, int value) {
  note<<<1, 1, 0, cudaStreamFireAndForget>>>(log, value + 1);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, value + 2);
  log[++log[0]] = value;
}
__global__ void order(int* log) {
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 90);
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 91);
  noteLater<<<1, 1>>>(log, 10);
  noteLater<<<1, 1, 0, cudaStreamFireAndForget>>>(log, 20);
  log[++log[0]] = 1;
}

/// Launches itself again as long as there is something to do.
__global__ void loop(int* left) {
  if (--*left > 0) loop<<<1, 1, 0, cudaStreamTailLaunch>>>(left);
}

__device__ void tryTo(int* codes, dim3 grid, dim3 block, size_t shared) {
  note<<<grid, block, shared>>>(codes + 100, 1);
  codes[0] = cudaPeekAtLastError();
  codes[1] = cudaGetLastError();
  codes[2] = cudaGetLastError();
}
__global__ void wrong(int* codes) {
  tryTo(codes, 1, 2048, 0);
  tryTo(codes + 3, dim3(0), 32, 0);
  tryTo(codes + 6, 1, 1, 1 << 20);
  tryTo(codes + 9, 1, 1, 16);
}

int main() {
  const int blocks = 4;
  std::vector<int> zeros(blocks * blocks * 32, 5);
  int* const data = toDevice(zeros);
  parent<<<blocks, 64>>>(data, blocks);
  std::vector<int> expected(zeros.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const int block = int(i) / (blocks * 32);
    expected[i] = 5 + 3 * block;
    if (i % (blocks * 32) < 40) expected[i] = 2 * expected[i] + 1;
  }
  expectSame("children of blocks", toHost(data, expected.size()), expected);

  int* const words = toDevice(std::vector<int>(256, 0));
  tree<<<1, 1>>>(6, words);
  EXPECT(toHost(words, 1)[0] == 64);

  CHECK(cudaMemset(words, 0, 1024));
  order<<<1, 1>>>(words);
  expectSame("order", toHost(words, 10), {9, 1, 10, 11, 12, 20, 21, 22, 90, 91});

  CHECK(cudaMemset(words, 0, 1024));
  const int times = 2000;
  CHECK(cudaMemcpy(words, &times, 4, cudaMemcpyHostToDevice));
  loop<<<1, 1>>>(words);
  EXPECT(toHost(words, 1)[0] == 0);

  CHECK(cudaMemset(words, 0, 1024));
  wrong<<<1, 1>>>(words);
  expectSame("codes", toHost(words, 12),
             {cudaErrorInvalidConfiguration, cudaErrorInvalidConfiguration, 0,
              cudaErrorInvalidConfiguration, cudaErrorInvalidConfiguration, 0,
              cudaErrorInvalidValue, cudaErrorInvalidValue, 0, 0, 0, 0});
  EXPECT(toHost(words + 109, 2)[0] == 1);
  printf("PASS\n");
}
