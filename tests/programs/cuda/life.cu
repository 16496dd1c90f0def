// The game of life on a torus: bytes with shared halos, and 64 cells per word with bitwise adders.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_RETURN(value) CheckCudaErrorAux(__FILE__, __LINE__, #value, value)
static void CheckCudaErrorAux(const char* file, unsigned line, const char* statement,
                              cudaError_t err) {
  if (err == cudaSuccess) return;
  fprintf(stderr, "%s returned %s(%d) at %s:%u\n", statement, cudaGetErrorString(err), err, file,
          line);
  exit(1);
}

template <int W, int H>
__global__ void bytes(const uint8_t* in, uint8_t* out, int width, int height) {
  __shared__ uint8_t cells[H + 2][W + 2];
  const int x0 = blockIdx.x * W, y0 = blockIdx.y * H;
  for (int i = threadIdx.y * W + threadIdx.x; i < (W + 2) * (H + 2); i += W * H) {
    const int x = (x0 + i % (W + 2) - 1 + width) % width,
              y = (y0 + i / (W + 2) - 1 + height) % height;
    cells[i / (W + 2)][i % (W + 2)] = in[y * width + x];
  }
  __syncthreads();
  int alive = 0;
  for (int dy = 0; dy < 3; dy++)
    for (int dx = 0; dx < 3; dx++)
      if (dx != 1 || dy != 1) alive += cells[threadIdx.y + dy][threadIdx.x + dx];
  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = alive == 3 || (alive == 2 && cells[threadIdx.y + 1][threadIdx.x + 1]);
}

__device__ inline uint64_t west(uint64_t here, uint64_t left) {
  return here << 1 | left >> 63;
}
__device__ inline uint64_t east(uint64_t here, uint64_t right) {
  return here >> 1 | right << 63;
}

__global__ void words(const uint64_t* in, uint64_t* out, int perRow, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= perRow * height) return;
  const int x = i % perRow, y = i / perRow;
  uint64_t ones = 0, twos = 0, fours = 0, self = 0;  // bits of 64 neighbour counts
  for (int dy = -1; dy <= 1; dy++) {
    const uint64_t* row = in + (y + dy + height) % height * perRow;
    const uint64_t c = row[x], l = row[(x + perRow - 1) % perRow], r = row[(x + 1) % perRow];
    const uint64_t terms[3] = {west(c, l), dy ? c : 0, east(c, r)};
    if (!dy) self = c;
#pragma unroll
    for (uint64_t term : terms) {
      const uint64_t carry = ones & term;
      ones ^= term;
      fours |= twos & carry;  // never cleared: with 4 or more a cell dies
      twos ^= carry;
    }
  }
  out[i] = twos & ~fours & (ones | self);
}

int main(int argc, char** argv) {
  const int width = (argc > 1 ? atoi(argv[1]) : 2) * 64, height = argc > 2 ? atoi(argv[2]) : 50,
            generations = argc > 3 ? atoi(argv[3]) : 6;
  const int n = width * height;
  std::vector<uint8_t> first(n), now, next(n);
  for (int i = 0; i < n; i++) first[i] = (i * 2654435761u >> 13) % 3 == 0;
  now = first;
  for (int g = 0; g < generations; g++) {
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int alive = -now[y * width + x];
        for (int k = 0; k < 9; k++)
          alive += now[(y + k / 3 + height - 1) % height * width + (x + k % 3 + width - 1) % width];
        next[y * width + x] = alive == 3 || (alive == 2 && now[y * width + x]);
      }
    now.swap(next);
  }
  uint8_t *a, *b;
  CHECK_RETURN(cudaMalloc((void**)&a, n));
  CHECK_RETURN(cudaMalloc((void**)&b, n));
  CHECK_RETURN(cudaMemcpy(a, first.data(), n, cudaMemcpyHostToDevice));
  for (int g = 0; g < generations; g++) {
    bytes<32, 4><<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4)>>>(a, b, width, height);
    CHECK_RETURN(cudaGetLastError());
    std::swap(a, b);
  }
  CHECK_RETURN(cudaMemcpy(next.data(), a, n, cudaMemcpyDeviceToHost));
  if (next != now) return puts("FAIL: bytes differ"), 1;

  std::vector<uint64_t> packed(n / 64);
  for (int i = 0; i < n; i++) packed[i / 64] |= (uint64_t)first[i] << i % 64;
  CHECK_RETURN(cudaMemcpy(a, packed.data(), n / 8, cudaMemcpyHostToDevice));
  for (int g = 0; g < generations; g++) {
    words<<<(n / 64 + 31) / 32, 32>>>((uint64_t*)a, (uint64_t*)b, width / 64, height);
    CHECK_RETURN(cudaGetLastError());
    std::swap(a, b);
  }
  CHECK_RETURN(cudaMemcpy(packed.data(), a, n / 8, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    if ((packed[i / 64] >> i % 64 & 1) != now[i])
      return printf("FAIL: cell (%d, %d) of words\n", i % width, i / width), 1;
  CHECK_RETURN(cudaFree(a));
  CHECK_RETURN(cudaFree(b));
  puts("PASS");
  return 0;
}
