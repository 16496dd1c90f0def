// Asynchronous copies and waits for them: group copies, pipelines of a thread and of a block,
// barriers. Each kernel leaves sums of the copied words; the host adds up the same sums.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "check.h"

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 128, kTiles = 6, kWords = 4 * kThreads;

/// Returns a sum over words of a tile that other threads copied.
__device__ int taken(const int* tile, int t, int k) {
  int sum = 0;
  for (int j = 0; j < 16; ++j) sum = sum * 3 + tile[(t * 5 + j * 37 + k) % kWords];
  return sum;
}

/// Copies kStages - 1 tiles ahead of the one in use.
template <int kStages>
__global__ void staged(const int* in, int* out) {
  __shared__ alignas(16) int tile[kStages][kWords];
  const int t = threadIdx.x;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  int sum = 0;
  for (int k = 0, next = 0; k < kTiles; ++k) {
    for (; next < kTiles && next < k + kStages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[next % kStages][4 * t], in + next * kWords + 4 * t,
                         cuda::aligned_size_t<16>(16), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    sum += taken(tile[k % kStages], t, k);
    pipe.consumer_release();
    __syncthreads();
  }
  out[t] = sum;
}

/// Copies by the block, with all alignments; the wait for the last copy comes last.
__global__ void groups(const int* in, int* out) {
  __shared__ __align__(16) int tile[2][kWords + 1];
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  cg::memcpy_async(block, tile[0], in, cuda::aligned_size_t<16>(4 * kWords));
  int sum = 0;
  for (int k = 0; k < kTiles; ++k) {
    if (k + 1 < kTiles) {
      int* const to = tile[(k + 1) % 2];  // the second tile is aligned to 4 bytes
      cg::memcpy_async(block, to, kWords, in + (k + 1) * kWords, kWords + 1);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += taken(tile[k % 2], t, k);
    block.sync();
  }
  char* const bytes = reinterpret_cast<char*>(tile[0]);
  const char* const from = reinterpret_cast<const char*>(in);
  cg::memcpy_async(block, bytes + 3, from + 7, 401);     // both ends are equally far from a word
  cg::memcpy_async(block, bytes + 600, from + 601, 99);  // the ends differ
  cg::wait(block);
  if (t < 100) sum += bytes[3 + 4 * t] + bytes[403 - t] + (t < 99 ? bytes[600 + t] : 0);
  out[t] = sum;
}

/// The second half of the threads copies for the first half, or all threads do both.
template <bool kRoles>
__global__ void shared_pipeline(const int* in, int* out) {
  constexpr int kStages = 3;
  __shared__ __align__(16) int tile[kStages][kWords];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  const bool brings = !kRoles || t >= kThreads / 2, takes = !kRoles || !brings;
  const auto role = brings ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe =
      kRoles ? cuda::make_pipeline(block, &state, role) : cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int k = 0, next = 0; k < kTiles; ++k) {
    for (; brings && next < kTiles && next < k + kStages - !kRoles; ++next) {
      pipe.producer_acquire();
      for (int i = kRoles ? t - kThreads / 2 : t; i < kThreads;
           i += kRoles ? kThreads / 2 : kThreads)
        cuda::memcpy_async(reinterpret_cast<int4*>(tile[next % kStages]) + i,
                           reinterpret_cast<const int4*>(in + next * kWords) + i, sizeof(int4),
                           pipe);
      pipe.producer_commit();
    }
    if (!takes) continue;
    pipe.consumer_wait();
    sum += taken(tile[k % kStages], t, k);
    if (kRoles) sum += taken(tile[k % kStages], t + kThreads / 2, k);
    pipe.consumer_release();
  }
  out[t] = sum;
}

/// A thread's copy arrives at the barrier; odd threads drop out after the last tile.
__global__ void barriers(const int* in, int* out) {
  __shared__ __align__(16) int tile[kWords];
  __shared__ barrier ready, done;
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  if (t == 0) {
    init(&ready, kThreads);
    init(&done, 2 * kThreads);
  }
  block.sync();
  int sum = 0;
  for (int k = 0; k < kTiles; ++k) {
    cuda::memcpy_async(block, tile, in + k * kWords, sizeof tile, ready);
    ready.arrive_and_wait();
    sum += taken(tile, t, k);
    barrier::arrival_token token = done.arrive(2);
    done.wait(cuda::std::move(token));
  }
  if (t % 2 == 1) return ready.arrive_and_drop(), void(out[t] = sum);
  tile[t] = sum;
  ready.wait(ready.arrive());
  out[t] = tile[t ^ 2];
}

/// Each thread polls a barrier at which the copies of all threads arrive.
__global__ void polls(const int* in, int* out) {
  __shared__ __align__(16) int tile[kWords];
  __shared__ __mbarrier_t filled;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&filled, kThreads);
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < kTiles; ++k) {
    __pipeline_memcpy_async(tile + 4 * t, in + k * kWords + 4 * t, 16);
    __pipeline_arrive_on(&filled);
    const __mbarrier_token_t token = __mbarrier_arrive(&filled);
    while (!__mbarrier_test_wait(&filled, token)) {
    }
    sum += taken(tile, t, k);
    __syncthreads();
  }
  out[t] = sum;
}

/// From sm_90 on one thread copies a tile as a block; below, all threads copy.
__global__ void blocks(const int* in, int* out) {
  __shared__ alignas(4 * alignof(int4)) int tile[kWords];
  __shared__ barrier ready;
  const int t = threadIdx.x;
  if (t == 0) init(&ready, kThreads);
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < kTiles; ++k) {
#if __CUDA_ARCH__ >= 900
    barrier::arrival_token token;
    if (t == 0) {
      cuda::device::memcpy_async_tx(tile, in + k * kWords, cuda::aligned_size_t<16>(sizeof tile),
                                    ready);
      token = cuda::device::barrier_arrive_tx(ready, 1, sizeof tile);
    } else {
      token = ready.arrive();
    }
    ready.wait(cuda::std::move(token));
#else
    cuda::memcpy_async(tile + 4 * t, in + k * kWords + 4 * t, cuda::aligned_size_t<8>(16), ready);
    ready.arrive_and_wait();
#endif
    sum += taken(tile, t, k);
    __syncthreads();
  }
  out[t] = sum;
}

/// A row of the tile spans all banks: the words that the lanes copy lie in one bank.
__global__ void column(const int* in, int* out) {
  __shared__ int tile[32][32];
  const int t = threadIdx.x;
  if (t >= 32) return;
  __pipeline_memcpy_async(&tile[t][0], in + t, 4);  // the copy
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  out[t] = tile[31 - t][0];
}

int expected(const std::vector<int>& in, int t) {
  int all = 0;
  for (int k = 0; k < kTiles; ++k) {
    int sum = 0;
    for (int j = 0; j < 16; ++j) sum = sum * 3 + in[k * kWords + (t * 5 + j * 37 + k) % kWords];
    all += sum;
  }
  return all;
}
int bytes(const std::vector<int>& in, int t) {
  const auto* from = reinterpret_cast<const signed char*>(in.data());
  return t < 100 ? from[7 + 4 * t] + from[407 - t] + (t < 99 ? from[601 + t] : 0) : 0;
}

int main() {
  std::vector<int> in(kTiles * kWords + 4);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7919 % 100003);
  int *const device = toDevice(in), *const result = newOnDevice<int>(kThreads);
  const auto check = [&](const char* name, auto kernel, auto wanted) {
    CHECK(cudaMemset(result, 0, kThreads * sizeof(int)));
    kernel<<<1, kThreads>>>(device, result);
    const std::vector<int> got = toHost(result, kThreads);
    for (int t = 0; t < kThreads; ++t)
      if (got[t] != wanted(t))
        fail("%s: thread %d has %d, expected %d", name, t, got[t], wanted(t));
  };
  const auto sum = [&](int t) { return expected(in, t); };
  const int half = kThreads / 2;
  check("staged<1>", staged<1>, sum);
  check("staged<2>", staged<2>, sum);
  check("groups", groups, [&](int t) { return sum(t) + bytes(in, t); });
  check("one role", shared_pipeline<false>, sum);
  check("two roles", shared_pipeline<true>,
        [&](int t) { return t < half ? sum(t) + sum(t + half) : 0; });
  check("barriers", barriers, [&](int t) { return sum(t % 2 == 1 ? t : t ^ 2); });
  check("polls", polls, sum);
  check("blocks", blocks, sum);
  check("column", column, [&](int t) { return t < 32 ? in[31 - t] : 0; });
  puts("PASS");
}
