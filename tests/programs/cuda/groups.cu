// Cooperative groups below the grid: tiles of every size, those of
// several warps too, coalesced groups, parts by a predicate, a
// label or a size known at run time; reductions, scans, votes and matches.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>

#include <algorithm>

#include "check.h"

namespace cg = cooperative_groups;

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

__global__ void votes(const int* in, int* out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const int value = in[threadIdx.x];
  const bool any = warp.any(value > 900), all = warp.all(value >= 0);
  const unsigned odd = warp.ballot(value & 1);
  int uniform = 0;
  __match_all_sync(0xffffffffu, value / 100000, &uniform);
  const int blockAny = __syncthreads_or(value == in[0]),
            blockAll = __syncthreads_and(value < 100000), blockOdd = __syncthreads_count(value & 1);
  if (warp.thread_rank() == 0) {
    int* o = out + 7 * warp.meta_group_rank();
    o[0] = any, o[1] = all, o[2] = odd, o[3] = uniform, o[4] = blockAny, o[5] = blockAll,
    o[6] = blockOdd;
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
void testTiles(const int* in, const std::vector<int>& host) {
  const int n = int(host.size());
  int* const device = newOnDevice<int>(3 * n);
  tileSums<Size><<<n / 128, 128>>>(in, device, device + n, device + 2 * n);
  const std::vector<int> got = toHost(device, 3 * n);
  for (int t = 0; t < n / Size; ++t) {
    int sum = 0, most = host[t * Size];
    for (int i = t * Size; i < (t + 1) * Size; ++i) {
      sum += host[i];
      most = std::max(most, host[i]);
      if (got[2 * n + i] != sum) fail("prefix %d in tiles of %d", i, Size);
    }
    if (got[t] != sum || got[n + t] != most)
      fail("tile %d of %d: %d and %d, expected %d and %d", t, Size, got[t], got[n + t], sum, most);
  }
}

void testGroups() {
  const int n = 8 * 128;
  std::vector<int> host(n), expected;
  for (int i = 0; i < n; ++i) host[i] = (i * 7919 + 13) % 1009;
  int *const in = toDevice(host), *const out = newOnDevice<int>(n);
  int* const count = newOnDevice<int>(1);
  testTiles<32>(in, host);
  testTiles<16>(in, host);
  testTiles<8>(in, host);
  testTiles<4>(in, host);
  testTiles<2>(in, host);

  for (int v : host)
    if (v % 3 == 0) expected.push_back(v);
  CHECK(cudaMemset(count, 0, sizeof(int)));
  filter<<<n / 128, 128>>>(in, n, out, count);
  const int size = toHost(count, 1)[0];
  std::vector<int> got = toHost(out, n);
  got.resize(std::max(0, std::min(size, n)));
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  if (got != expected) fail("%d values pass the filter, expected %zu", size, expected.size());

  votes<<<1, 128>>>(in, out);
  int allOdd = 0;
  for (int t = 0; t < 128; ++t) allOdd += host[t] & 1;
  const std::vector<int> said = toHost(out, 28);
  for (int w = 0; w < 4; ++w) {
    bool any = false;
    unsigned odd = 0;
    for (int l = 0; l < 32; ++l)
      any |= host[32 * w + l] > 900, odd |= unsigned(host[32 * w + l] & 1) << l;
    const int* s = &said[7 * w];
    if (s[0] != any || s[1] != 1 || unsigned(s[2]) != odd || !s[3] || !s[4] || !s[5] ||
        s[6] != allOdd)
      fail("the votes of warp %d", w);
  }
  divergent<<<1, 32>>>(out);
  std::vector<int> lanes = toHost(out, 32);
  int even = 0;
  for (int t = 0; t < 32; t += 2) even += t;
  lanes[0] -= lanes[1];
  for (int t = 0; t < 32; ++t) {
    const int e = t % 4 == 1 ? 800 + t / 4 : t % 2 == 0 ? even : -1;
    if (lanes[t] != e) fail("lane %d has %d, expected %d", t, lanes[t], e);
  }
}

const int kThreads = 80;  // the last warp is half empty

struct Part {
  int sum, size, rank, metaRank, metaSize;
};

template <class Group>
__device__ Part sumOf(const Group& g, int value) {
  return {cg::reduce(g, value, cg::plus<int>()), int(g.size()), int(g.thread_rank()),
          int(g.meta_group_rank()), int(g.meta_group_size())};
}

__global__ void byPredicate(const int* in, Part* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int value = in[threadIdx.x];
  out[threadIdx.x] = sumOf(cg::binary_partition(warp, value % 3 == 0), value);
}

__global__ void byLabel(const int* in, Part* out) {
  const auto active = cg::coalesced_threads();
  const int value = in[threadIdx.x];
  out[threadIdx.x] = sumOf(cg::labeled_partition(active, value % 5), value);
}

__device__ int sumOfAny(cg::thread_group g, int value, int* shared) {  // style of the samples
  const int lane = g.thread_rank();
  for (int i = 1; i < int(g.size()); i *= 2) {
    shared[lane] = value;
    g.sync();
    if (lane + i < int(g.size())) value += shared[lane + i];
    g.sync();
  }
  return value;
}

__global__ void bySize(const int* in, int* out, int n) {
  __shared__ int shared[kThreads];
  const int t = threadIdx.x;
  out[t] = -1;
  if (t % 4 == 3) __nanosleep(1);  // the warp may be diverged at the cut
  const cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), n);
  int sum = sumOfAny(tile, in[t], shared + t / n * n);
  if (tile.thread_rank() == 0) out[t] = sum;
  const cg::thread_group part = cg::tiled_partition(tile, 2);
  sum = sumOfAny(part, in[t], shared + t / 2 * 2);
  if (tile.thread_rank() == 2) out[t] = sum * 1000 + part.size();
}

__global__ void scans(const int* in, int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x;
  out[t] = cg::inclusive_scan(tile, in[t]);
  out[kThreads + t] = cg::exclusive_scan(tile, in[t]);
  out[2 * kThreads + t] = cg::inclusive_scan(tile, in[t], cg::greater<int>());
  out[3 * kThreads + t] = -1;
  if (t % 3 != 0) {
    const auto some = cg::coalesced_threads();
    out[3 * kThreads + t] = cg::exclusive_scan(some, in[t]);
  }
}

__global__ void pipeline(const int* in, int* out) {  // two words per thread, the second left out
  __shared__ int2 words[kThreads / 2];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&words[t], in + 2 * t, sizeof(int2), t % 3 == 0 ? 4 : 0);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int2 other = words[kThreads / 2 - 1 - t];
  out[2 * t] = other.x;
  out[2 * t + 1] = other.y;
}

__global__ void matches(const int* in, unsigned* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int same;
  out[threadIdx.x] = tile.match_any(in[threadIdx.x] % 4);
  out[kThreads + threadIdx.x] = tile.match_all(threadIdx.x / 32, same) * 2 + same;
}

std::vector<int> in(kThreads);

/// Checks the parts that `label` gives within warps; parts are numbered by their first members.
template <class Label>
void checkParts(const char* what, const std::vector<Part>& got, Label label) {
  for (int t = 0; t < kThreads; ++t) {
    const int begin = t / 32 * 32, end = begin + 32 < kThreads ? begin + 32 : kThreads;
    Part e = {};
    std::vector<int> seen;
    for (int i = begin; i < end; ++i) {
      const int l = label(in[i]);
      bool known = false;
      for (int s : seen) known |= s == l;
      if (!known) {
        if (l == label(in[t])) e.metaRank = int(seen.size());
        seen.push_back(l);
      }
      if (l != label(in[t])) continue;
      e.sum += in[i], ++e.size, e.rank += i < t;
    }
    e.metaSize = int(seen.size());
    const Part& g = got[t];
    if (g.sum != e.sum || g.size != e.size || g.rank != e.rank || g.metaRank != e.metaRank ||
        g.metaSize != e.metaSize)
      fail("%s of thread %d: %d %d %d %d/%d, expected %d %d %d %d/%d", what, t, g.sum, g.size,
           g.rank, g.metaRank, g.metaSize, e.sum, e.size, e.rank, e.metaRank, e.metaSize);
  }
}

void testParts() {
  for (int i = 0; i < kThreads; ++i) in[i] = (i * 37 + 11) % 101;
  for (int i = 64; i < kThreads; ++i) in[i] *= 3;  // one part only: the last warp's values agree
  int *const data = toDevice(in), *const out = newOnDevice<int>(4 * kThreads);
  Part* const parts = newOnDevice<Part>(kThreads);
  byPredicate<<<1, kThreads>>>(data, parts);
  checkParts("the predicate", toHost(parts, kThreads), [](int v) { return int(v % 3 == 0); });
  byLabel<<<1, kThreads>>>(data, parts);
  checkParts("the label", toHost(parts, kThreads), [](int v) { return v % 5; });

  for (int n = 4; n <= 32; n *= 2) {
    bySize<<<1, kThreads>>>(data, out, n);
    const std::vector<int> got = toHost(out, kThreads);
    for (int t = 0; t < kThreads; ++t) {
      int e = -1;
      if (t % n == 0) {
        e = 0;
        for (int i = t; i < t + n && i < kThreads; ++i) e += in[i];
      } else if (t % n == 2) {
        e = (in[t] + in[t + 1]) * 1000 + 2;
      }
      if (got[t] != e) fail("%d in tiles of %d: %d, not %d", t, n, got[t], e);
    }
  }

  scans<<<1, kThreads>>>(data, out);
  std::vector<int> got = toHost(out, 4 * kThreads);
  int sum = 0, most = 0, some = 0;
  for (int t = 0; t < kThreads; ++t) {
    if (t % 16 == 0) sum = most = 0;
    if (t % 32 == 0) some = 0;
    if (got[kThreads + t] != sum) fail("exclusive scan of %d", t);
    sum += in[t], most = in[t] > most ? in[t] : most;
    if (got[t] != sum || got[2 * kThreads + t] != most) fail("inclusive scan of %d", t);
    if (got[3 * kThreads + t] != (t % 3 == 0 ? -1 : some)) fail("scan of the coalesced %d", t);
    if (t % 3 != 0) some += in[t];
  }

  pipeline<<<1, kThreads / 2>>>(data, out);
  got = toHost(out, kThreads);
  for (int t = 0; t < kThreads; ++t) {
    const int from = kThreads / 2 - 1 - t / 2;
    if (got[t] != (t % 2 == 1 && from % 3 == 0 ? 0 : in[2 * from + t % 2]))
      fail("word %d of the pipeline is %d", t, got[t]);
  }

  matches<<<1, kThreads>>>(data, reinterpret_cast<unsigned*>(out));
  got = toHost(out, 2 * kThreads);
  for (int t = 0; t < kThreads; ++t) {
    int e = 0;
    for (int i = 0; i < 16; ++i) e |= (in[t / 16 * 16 + i] % 4 == in[t] % 4) << i;
    if (got[t] != e || got[kThreads + t] != 0xffff * 2 + 1)
      fail("%d matches %x, expected %x", t, unsigned(got[t]), unsigned(e));
  }
}

template <int kSize>
__device__ void useTile(const cg::thread_block_tile<kSize, cg::thread_block>& tile, Part* out,
                        int* more) {
  const int t = threadIdx.x;
  out[t] = sumOf(tile, t);
  more[3 * t] = tile.shfl(double(t) + 0.5, 3) * 2;
  more[3 * t + 1] = tile.any(t == 1);
  more[3 * t + 2] = tile.all(t < kSize);
}
template <int kSize>
__global__ void wide(Part* out, int* more) {
  __shared__ cg::block_tile_memory<512> memory;
  useTile<kSize>(cg::tiled_partition<kSize>(cg::this_thread_block(memory)), out, more);
}
template <int kSize>
__global__ void wideWithoutMemory(Part* out, int* more) {
  useTile<kSize>(cg::tiled_partition<kSize>(cg::this_thread_block()), out, more);
}

/// Tiles of several warps, in a block of `threads`.
template <int kSize>
void testWide(void (*kernel)(Part*, int*), int threads) {
  Part* const out = newOnDevice<Part>(threads);
  int* const more = newOnDevice<int>(3 * threads);
  kernel<<<1, threads>>>(out, more);
  const std::vector<Part> parts = toHost(out, threads);
  const std::vector<int> got = toHost(more, 3 * threads);
  for (int t = 0; t < threads; ++t) {
    const int first = t / kSize * kSize, sum = kSize * first + kSize * (kSize - 1) / 2;
    const Part& g = parts[t];
    if (g.sum != sum || g.size != kSize || g.rank != t - first || g.metaRank != t / kSize ||
        g.metaSize != threads / kSize)
      fail("thread %d in tiles of %d: %d %d %d %d/%d", t, kSize, g.sum, g.size, g.rank, g.metaRank,
           g.metaSize);
    if (got[3 * t] != 2 * (first + 3) + 1 || got[3 * t + 1] != (first == 0) ||
        got[3 * t + 2] != (first == 0))
      fail("thread %d in tiles of %d: %d %d %d", t, kSize, got[3 * t], got[3 * t + 1],
           got[3 * t + 2]);
  }
}

int main() {
  testGroups();
  testParts();
  testWide<64>(wide<64>, 256);
  testWide<256>(wide<256>, 512);
  testWide<32>(wide<32>, 64);
  testWide<64>(wideWithoutMemory<64>, 1024);
  puts("PASS");
}
