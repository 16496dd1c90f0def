// Cooperative groups below the grid: tiles of every size, coalesced groups, reductions and scans,
// votes and matches, filters that append by groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(x)                                                      \
  do {                                                                \
    cudaError_t e = (x);                                              \
    if (e != cudaSuccess) {                                           \
      printf("FAIL: line %d: %s\n", __LINE__, cudaGetErrorString(e)); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

template <int Size>
__global__ void tileSums(const int* in, int* sums, int* mostOf, int* prefix) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<Size>(block);
  const int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
  int sum = value;
  for (int d = tile.size() / 2; d > 0; d /= 2) sum += tile.shfl_xor(sum, d);
  int scanned = value;
  for (int d = 1; d < tile.size(); d *= 2) {
    const int other = tile.shfl_up(scanned, d);
    if (tile.thread_rank() >= d) scanned += other;
  }
  prefix[i] = scanned;
  const int most = cg::reduce(tile, value, cg::greater<int>());
  if (tile.thread_rank() == 0) {
    sums[i / Size] = sum;
    mostOf[i / Size] = most;
  }
}

__device__ int appendTogether(int* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int place = 0;
  if (active.thread_rank() == 0) place = atomicAdd(counter, active.size());
  return active.shfl(place, 0) + active.thread_rank();
}

__global__ void filter(const int* in, int n, int* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) out[appendTogether(count)] = in[i];
}

__global__ void countBy(const int* in, int* bins) {  // one atomic per set of equal lanes
  const int key = in[blockIdx.x * blockDim.x + threadIdx.x] & 7;
  const unsigned peers = __match_any_sync(0xffffffffu, key);
  if (__ffs(peers) - 1 == (threadIdx.x & 31)) atomicAdd(&bins[key], __popc(peers));
}

__global__ void votes(const int* in, int* out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const int value = in[threadIdx.x];
  const bool any = warp.any(value > 900), all = warp.all(value >= 0);
  const unsigned odd = warp.ballot(value & 1);
  int uniform = 0;
  __match_all_sync(0xffffffffu, value / 100000, &uniform);
  const int blockAny = __syncthreads_or(value == in[0]),
            blockAll = __syncthreads_and(value < 100000);
  if (warp.thread_rank() == 0) {
    int* o = out + 6 * warp.meta_group_rank();
    o[0] = any, o[1] = all, o[2] = odd, o[3] = uniform, o[4] = blockAny, o[5] = blockAll;
  }
}

__global__ void divergent(int* out) {
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  if (t % 4 == 1) {
    auto g = cg::coalesced_threads();
    out[t] = g.size() * 100 + g.thread_rank();
  } else if (t % 2 == 0) {
    auto g = cg::coalesced_threads();
    out[t] = cg::reduce(g, t, cg::plus<int>());
  } else {
    out[t] = -1;
  }
  cg::sync(block);
  if (t == 0) out[0] += out[1];
}

template <int Size>
bool testTiles(const int* in, const std::vector<int>& host) {
  const int n = int(host.size());
  int* device;
  CHECK(cudaMalloc(&device, 3 * n * sizeof(int)));
  tileSums<Size><<<n / 128, 128>>>(in, device, device + n, device + 2 * n);
  CHECK(cudaGetLastError());
  std::vector<int> got(3 * n);
  CHECK(cudaMemcpy(got.data(), device, 3 * n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  for (int t = 0; t < n / Size; ++t) {
    int sum = 0, most = host[t * Size];
    for (int i = t * Size; i < (t + 1) * Size; ++i) {
      sum += host[i];
      most = std::max(most, host[i]);
      if (got[2 * n + i] != sum) return printf("FAIL: prefix %d in tiles of %d\n", i, Size), false;
    }
    if (got[t] != sum || got[n + t] != most)
      return printf("FAIL: tile %d of %d: %d and %d, expected %d and %d\n", t, Size, got[t],
                    got[n + t], sum, most),
             false;
  }
  return true;
}

int main(int argc, char** argv) {
  const int n = (argc > 1 ? atoi(argv[1]) : 8) * 128;
  std::vector<int> host(n), expected, got(n);
  for (int i = 0; i < n; ++i) host[i] = (i * 7919 + 13) % 1009;
  int *in, *out, *count;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  CHECK(cudaMalloc(&count, 8 * sizeof(int)));
  CHECK(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  if (!testTiles<32>(in, host) || !testTiles<16>(in, host) || !testTiles<8>(in, host) ||
      !testTiles<4>(in, host) || !testTiles<2>(in, host))
    return 1;

  for (int v : host)
    if (v % 3 == 0) expected.push_back(v);
  CHECK(cudaMemset(count, 0, 8 * sizeof(int)));
  filter<<<n / 128, 128>>>(in, n, out, count);
  int size = 0;
  CHECK(cudaMemcpy(&size, count, sizeof size, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
  got.resize(std::max(0, std::min(size, n)));
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  if (got != expected)
    return printf("FAIL: %d values pass the filter, expected %zu\n", size, expected.size()), 1;

  CHECK(cudaMemset(count, 0, 8 * sizeof(int)));
  countBy<<<n / 128, 128>>>(in, count);
  int bins[8] = {}, gotBins[8];
  for (int v : host) ++bins[v & 7];
  CHECK(cudaMemcpy(gotBins, count, sizeof bins, cudaMemcpyDeviceToHost));
  for (int b = 0; b < 8; ++b)
    if (bins[b] != gotBins[b])
      return printf("FAIL: bin %d has %d, expected %d\n", b, gotBins[b], bins[b]), 1;

  votes<<<1, 128>>>(in, out);
  int said[24];
  CHECK(cudaMemcpy(said, out, sizeof said, cudaMemcpyDeviceToHost));
  for (int w = 0; w < 4; ++w) {
    bool any = false;
    unsigned odd = 0;
    for (int l = 0; l < 32; ++l)
      any |= host[32 * w + l] > 900, odd |= unsigned(host[32 * w + l] & 1) << l;
    const int* s = said + 6 * w;
    if (s[0] != any || s[1] != 1 || unsigned(s[2]) != odd || !s[3] || !s[4] || !s[5])
      return printf("FAIL: the votes of warp %d\n", w), 1;
  }
  divergent<<<1, 32>>>(out);
  int lanes[32], even = 0;
  CHECK(cudaMemcpy(lanes, out, sizeof lanes, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 32; t += 2) even += t;
  lanes[0] -= lanes[1];
  for (int t = 0; t < 32; ++t) {
    const int e = t % 4 == 1 ? 800 + t / 4 : t % 2 == 0 ? even : -1;
    if (lanes[t] != e) return printf("FAIL: lane %d has %d, expected %d\n", t, lanes[t], e), 1;
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(count));
  puts("PASS");
  return 0;
}
