// Groups cut out of groups by a predicate, a label, or a size known at run time; scans and copies
// of groups, waits for the copies, and matches.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

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

__global__ void copies(const int* in, int* out) {
  __shared__ int words[kThreads];
  __shared__ char bytes[kThreads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, words, kThreads, in, 2 * kThreads);  // elements; the smaller size counts
  cg::memcpy_async(block, bytes, reinterpret_cast<const char*>(in) + 1, size_t(kThreads - 3));
  cg::wait(block);
  const int t = threadIdx.x;
  out[t] = words[kThreads - 1 - t];
  out[kThreads + t] = t < kThreads - 3 ? bytes[t] : 0;
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
bool right(const char* what, const std::vector<Part>& got, Label label) {
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
      return printf("FAIL: %s of thread %d: %d %d %d %d/%d, expected %d %d %d %d/%d\n", what, t,
                    g.sum, g.size, g.rank, g.metaRank, g.metaSize, e.sum, e.size, e.rank,
                    e.metaRank, e.metaSize),
             false;
  }
  return true;
}

template <class T>
std::vector<T> fetched(const T* from, size_t n) {
  std::vector<T> to(n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
  return to;
}

int main() {
  for (int i = 0; i < kThreads; ++i) in[i] = (i * 37 + 11) % 101;
  for (int i = 64; i < kThreads; ++i) in[i] *= 3;  // one part only: the last warp's values agree
  int *data, *out;
  Part* parts;
  CHECK(cudaMalloc(&data, 2 * kThreads * sizeof(int)));
  CHECK(cudaMalloc(&out, 4 * kThreads * sizeof(int)));
  CHECK(cudaMalloc(&parts, kThreads * sizeof(Part)));
  CHECK(cudaMemcpy(data, in.data(), kThreads * sizeof(int), cudaMemcpyHostToDevice));
  byPredicate<<<1, kThreads>>>(data, parts);
  if (!right("the predicate", fetched(parts, kThreads), [](int v) { return int(v % 3 == 0); }))
    return 1;
  byLabel<<<1, kThreads>>>(data, parts);
  if (!right("the label", fetched(parts, kThreads), [](int v) { return v % 5; })) return 1;

  for (int n = 4; n <= 32; n *= 2) {
    bySize<<<1, kThreads>>>(data, out, n);
    const std::vector<int> got = fetched(out, kThreads);
    for (int t = 0; t < kThreads; ++t) {
      int e = -1;
      if (t % n == 0) {
        e = 0;
        for (int i = t; i < t + n && i < kThreads; ++i) e += in[i];
      } else if (t % n == 2) {
        e = (in[t] + in[t + 1]) * 1000 + 2;
      }
      if (got[t] != e) return printf("FAIL: %d in tiles of %d: %d, not %d\n", t, n, got[t], e), 1;
    }
  }

  scans<<<1, kThreads>>>(data, out);
  std::vector<int> got = fetched(out, 4 * kThreads);
  int sum = 0, most = 0, some = 0;
  for (int t = 0; t < kThreads; ++t) {
    if (t % 16 == 0) sum = most = 0;
    if (t % 32 == 0) some = 0;
    if (got[kThreads + t] != sum) return printf("FAIL: exclusive scan of %d\n", t), 1;
    sum += in[t], most = in[t] > most ? in[t] : most;
    if (got[t] != sum || got[2 * kThreads + t] != most)
      return printf("FAIL: inclusive scan of %d\n", t), 1;
    if (got[3 * kThreads + t] != (t % 3 == 0 ? -1 : some))
      return printf("FAIL: scan of the coalesced %d\n", t), 1;
    if (t % 3 != 0) some += in[t];
  }

  copies<<<1, kThreads>>>(data, out);
  got = fetched(out, 2 * kThreads);
  const char* bytes = reinterpret_cast<const char*>(in.data());
  for (int t = 0; t < kThreads; ++t)
    if (got[t] != in[kThreads - 1 - t] ||
        got[kThreads + t] != (t < kThreads - 3 ? bytes[t + 1] : 0))
      return printf("FAIL: the copy of %d\n", t), 1;

  pipeline<<<1, kThreads / 2>>>(data, out);
  got = fetched(out, kThreads);
  for (int t = 0; t < kThreads; ++t) {
    const int from = kThreads / 2 - 1 - t / 2;
    if (got[t] != (t % 2 == 1 && from % 3 == 0 ? 0 : in[2 * from + t % 2]))
      return printf("FAIL: word %d of the pipeline is %d\n", t, got[t]), 1;
  }

  matches<<<1, kThreads>>>(data, reinterpret_cast<unsigned*>(out));
  got = fetched(out, 2 * kThreads);
  for (int t = 0; t < kThreads; ++t) {
    int e = 0;
    for (int i = 0; i < 16; ++i) e |= (in[t / 16 * 16 + i] % 4 == in[t] % 4) << i;
    if (got[t] != e || got[kThreads + t] != 0xffff * 2 + 1)
      return printf("FAIL: %d matches %x, expected %x\n", t, unsigned(got[t]), unsigned(e)), 1;
  }
  CHECK(cudaFree(data));
  CHECK(cudaFree(out));
  CHECK(cudaFree(parts));
  puts("PASS");
  return 0;
}
