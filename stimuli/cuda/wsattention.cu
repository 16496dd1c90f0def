// Attention of one head of 64 numbers, as attention.cu, with warps that have tasks of their own
// (FlashAttention-3: Shah, Bikshandi, Zhang, Thakkar, Ramani and Dao 2024; sm_90). The last warp
// begins the copies of keys and values by tensor maps, up to `Stages` tiles ahead; each group of
// four warps has 64 queries and multiplies by wgmma. A stage is handed over by mbarriers: two say
// that its keys and its values are there, one that all groups have read them.
#include "fermata_cuda_boxes.h"
#include "fermata_cuda_softmax.h"

constexpr unsigned kTile = 64;
using Tile = BoxTile<kTile, 128, uint64_t{1} << 62>;  // swizzled by 128 bytes

#define OUTPUTS(d)                                                                              \
  "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3]), "+f"(d[1][0]), "+f"(d[1][1]),     \
      "+f"(d[1][2]), "+f"(d[1][3]), "+f"(d[2][0]), "+f"(d[2][1]), "+f"(d[2][2]), "+f"(d[2][3]), \
      "+f"(d[3][0]), "+f"(d[3][1]), "+f"(d[3][2]), "+f"(d[3][3]), "+f"(d[4][0]), "+f"(d[4][1]), \
      "+f"(d[4][2]), "+f"(d[4][3]), "+f"(d[5][0]), "+f"(d[5][1]), "+f"(d[5][2]), "+f"(d[5][3]), \
      "+f"(d[6][0]), "+f"(d[6][1]), "+f"(d[6][2]), "+f"(d[6][3]), "+f"(d[7][0]), "+f"(d[7][1]), \
      "+f"(d[7][2]), "+f"(d[7][3])
#define MULTIPLY                                                  \
  "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, "  \
  "%2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15," \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "  \
  "%28, %29, %30, %31}, "

static __device__ __forceinline__ void beginProducts() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
static __device__ __forceinline__ void awaitProducts() {
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

/// Computes scores = q k'.
static __device__ __forceinline__ void score(Rows& scores, unsigned queries, unsigned keys) {
  beginProducts();
#pragma unroll
  for (unsigned k = 0; k < 4; ++k)
    asm volatile(MULTIPLY "%32, %33, %34, 1, 1, 0, 0;"
                 : OUTPUTS(scores)
                 : "l"(Tile::descriptor(queries, k)), "l"(Tile::descriptor(keys, k)),
                   "n"(k == 0 ? 0 : 1));
  awaitProducts();
}

/// Adds weights times values; a lane has its weights as it had its scores.
static __device__ __forceinline__ void addValues(Rows& sums, const Rows& weights, unsigned values) {
  beginProducts();
#pragma unroll
  for (unsigned k = 0; k < 4; ++k)
    asm volatile(MULTIPLY "{%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
                 : OUTPUTS(sums)
                 : "r"(fermataHalves(weights[2 * k][0], weights[2 * k][1])),
                   "r"(fermataHalves(weights[2 * k][2], weights[2 * k][3])),
                   "r"(fermataHalves(weights[2 * k + 1][0], weights[2 * k + 1][1])),
                   "r"(fermataHalves(weights[2 * k + 1][2], weights[2 * k + 1][3])),
                   "l"(Tile::descriptor(values + 2048 * k, 0)));
  awaitProducts();
}

/// Stores a group's means in place of its queries.
static __device__ __forceinline__ void keepMeans(unsigned tile, const Rows& sums,
                                                 const RowState& state) {
  const unsigned warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  float scale[2];
#pragma unroll
  for (unsigned row = 0; row < 2; ++row) {
    float weight = state.sum[row];
    weight += __shfl_xor_sync(kWarp, weight, 1);
    weight += __shfl_xor_sync(kWarp, weight, 2);
    scale[row] = 1 / weight;
  }
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) {
    unsigned part[4];  // 8 x 8 each: upper left, lower left, upper right, lower right
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      const float* pair = &sums[2 * j + i / 2][i % 2 * 2];
      part[i] = fermataHalves(pair[0] * scale[i % 2], pair[1] * scale[i % 2]);
    }
    fermataStmatrix(tile + Tile::at(16 * warp + lane % 16, 2 * j + lane / 16), part);
  }
}

extern __shared__ __align__(1024) unsigned char memory[];

template <unsigned Groups, unsigned Stages>
struct Shared {
  unsigned char queries[Groups][Tile::kBytes], keys[Stages][Tile::kBytes],
      values[Stages][Tile::kBytes];
  uint64_t queriesCame, keysCame[Stages], valuesCame[Stages], stageRead[Stages];
};

template <unsigned Groups, unsigned Stages>
static __device__ __forceinline__ void fetchAll(Shared<Groups, Stages>& shared, uint64_t q,
                                                uint64_t k, uint64_t v, unsigned n) {
  const unsigned came = fermataShared(&shared.queriesCame);
  fermataExpectBytes(came, Groups * Tile::kBytes);
#pragma unroll
  for (unsigned g = 0; g < Groups; ++g)
    fermataFetchBox(fermataShared(shared.queries[g]), q, 0, (blockIdx.x * Groups + g) * kTile,
                    came);
#pragma unroll 1
  for (unsigned t = 0; t < n / kTile; ++t) {
    const unsigned stage = t % Stages, use = t / Stages;
    if (use != 0) fermataAwaitPhase(fermataShared(&shared.stageRead[stage]), (use - 1) & 1);
    const unsigned keys = fermataShared(&shared.keysCame[stage]);
    const unsigned values = fermataShared(&shared.valuesCame[stage]);
    fermataExpectBytes(keys, Tile::kBytes);
    fermataFetchBox(fermataShared(shared.keys[stage]), k, 0, t * kTile, keys);
    fermataExpectBytes(values, Tile::kBytes);
    fermataFetchBox(fermataShared(shared.values[stage]), v, 0, t * kTile, values);
  }
}

template <unsigned Groups, unsigned Stages>
static __device__ __forceinline__ void attend(Shared<Groups, Stages>& shared, uint64_t out,
                                              unsigned n) {
  const unsigned group = threadIdx.x / 128;
  const unsigned queries = fermataShared(shared.queries[group]);
  Rows sums = {};
  RowState state = {{-1e30f, -1e30f}, {0, 0}};
  fermataAwaitPhase(fermataShared(&shared.queriesCame), 0);
#pragma unroll 1
  for (unsigned t = 0; t < n / kTile; ++t) {
    const unsigned stage = t % Stages, parity = t / Stages & 1;
    Rows scores = {};
    fermataAwaitPhase(fermataShared(&shared.keysCame[stage]), parity);
    score(scores, queries, fermataShared(shared.keys[stage]));
    weigh(scores, sums, state);
    fermataAwaitPhase(fermataShared(&shared.valuesCame[stage]), parity);
    addValues(sums, scores, fermataShared(shared.values[stage]));
    if (threadIdx.x % 32 == 0) fermataArrive(fermataShared(&shared.stageRead[stage]));
  }
  keepMeans(queries, sums, state);
  fermataFenceEngine();
  asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
  if (threadIdx.x % 128 != 0) return;
  fermataStoreBox(out, 0, (blockIdx.x * Groups + group) * kTile, queries);
  fermataCommitBulk();
  fermataAwaitBulk();
}

template <unsigned Groups, unsigned Stages>
static __device__ __forceinline__ void run(uint64_t q, uint64_t k, uint64_t v, uint64_t out,
                                           unsigned n) {
  auto& shared = *reinterpret_cast<Shared<Groups, Stages>*>(memory);
  if (threadIdx.x == 0) {
    fermataInitBarrier(fermataShared(&shared.queriesCame));
#pragma unroll
    for (unsigned s = 0; s < Stages; ++s) {
      fermataInitBarrier(fermataShared(&shared.keysCame[s]));
      fermataInitBarrier(fermataShared(&shared.valuesCame[s]));
      fermataInitBarrier<4 * Groups>(fermataShared(&shared.stageRead[s]));
    }
  }
  __syncthreads();
  // A shuffle tells the compiler that all lanes have one task.
  const unsigned warp = __shfl_sync(kWarp, threadIdx.x / 32, 0);
  if (warp < 4 * Groups)
    attend<Groups, Stages>(shared, out, n);
  else if (threadIdx.x % 32 == 0)
    fetchAll<Groups, Stages>(shared, q, k, v, n);
}

#define ATTENTION(name, groups, stages)                                                           \
  extern "C" __global__ void name(FermataTensorMap, FermataTensorMap, FermataTensorMap,           \
                                  FermataTensorMap, unsigned n) {                                 \
    run<groups, stages>(FERMATA_PARAMETER(#name "_param_0"), FERMATA_PARAMETER(#name "_param_1"), \
                        FERMATA_PARAMETER(#name "_param_2"), FERMATA_PARAMETER(#name "_param_3"), \
                        n);                                                                       \
  }
#define ATTENTIONS(groups)                       \
  ATTENTION(wsattention_##groups##_1, groups, 1) \
  ATTENTION(wsattention_##groups##_2, groups, 2) \
  ATTENTION(wsattention_##groups##_3, groups, 3)
ATTENTIONS(1)
ATTENTIONS(2)
