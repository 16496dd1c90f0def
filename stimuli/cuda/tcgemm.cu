// A product of matrices of halves on the tensor unit of sm_100: each block of four warps computes
// 128 x 64 of C = A B', of rows of A and rows of B. One thread does the work: it begins copies of
// tiles of 64 halves per row, products of them, whose sums stay in tensor memory, and arrivals
// behind the products. Copies are up to `Stages` - 1 tiles ahead. At the end each thread takes a
// row of sums.

#include "fermata_cuda_boxes.h"

constexpr unsigned kTileK = 64, kTileM = 128, kTileN = 64;
constexpr unsigned kStageBytes = 2 * kTileK * (kTileM + kTileN);

/// `Mode`: of the matrix descriptors of tcgen05, of version 1.
template <unsigned Rows, unsigned Span, uint64_t Mode>
using TensorTile = BoxTile<Rows, Span, uint64_t{1} << 46 | Mode << 61>;

/// Adds to the sums at `d` the product of 128 x 16 and 16 x 64 halves; sets them if `adds` is 0.
static __device__ __forceinline__ void multiply(unsigned d, uint64_t a, uint64_t b, unsigned adds) {
  constexpr unsigned kForm = 1 << 4 | kTileN / 8 << 17 | kTileM / 16 << 24;  // sums in f32
  asm volatile(
      "{ .reg .pred adds; setp.ne.u32 adds, %3, 0;\n"
      "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %4, adds; }" ::"r"(d),
      "l"(a), "l"(b), "r"(adds), "r"(kForm)
      : "memory");
}
/// Lets an mbarrier get an arrival behind this thread's products so far.
static __device__ __forceinline__ void arriveBehind(unsigned barrier) {
  asm volatile(
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier)
      : "memory");
}
/// Loads 16 columns of the lane of each thread.
static __device__ __forceinline__ void load(unsigned from, float (&v)[16]) {
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x16.b32 {%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15}, [%16];\n"
      "tcgen05.wait::ld.sync.aligned;"
      : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]), "=f"(v[4]), "=f"(v[5]), "=f"(v[6]),
        "=f"(v[7]), "=f"(v[8]), "=f"(v[9]), "=f"(v[10]), "=f"(v[11]), "=f"(v[12]), "=f"(v[13]),
        "=f"(v[14]), "=f"(v[15])
      : "r"(from)
      : "memory");
}

extern __shared__ __align__(1024) unsigned char tiles[];

/// Begins the copies of a pair of tiles and their products, for all of k.
template <class A, class B, unsigned Stages>
static __device__ __forceinline__ void feed(uint64_t a, uint64_t b, unsigned row, unsigned column,
                                            unsigned count, unsigned arrivals, unsigned ends,
                                            unsigned sums) {
  const auto fetch = [&](unsigned t) {
    const unsigned stage = t % Stages, barrier = arrivals + 8 * stage;
    const unsigned to = fermataShared(tiles) + stage * kStageBytes;
    fermataExpectBytes(barrier, kStageBytes);
    A::fetch(to, a, t * kTileK, row, barrier);
    B::fetch(to + 2 * kTileK * kTileM, b, t * kTileK, column, barrier);
  };
  for (unsigned t = 0; t < Stages && t < count; ++t) fetch(t);
#pragma unroll 1
  for (unsigned t = 0; t < count; ++t) {
    const unsigned stage = t % Stages, at = fermataShared(tiles) + stage * kStageBytes;
    fermataAwaitPhase(arrivals + 8 * stage, t / Stages & 1);
#pragma unroll
    for (unsigned k = 0; k < kTileK / 16; ++k)
      multiply(sums, A::descriptor(at, k), B::descriptor(at + 2 * kTileK * kTileM, k), t + k);
    arriveBehind(ends + 8 * stage);
    // Behind the products of tile t - 1 its place takes another tile, so there are two at least.
    if (t == 0 || t - 1 + Stages >= count) continue;
    fermataAwaitPhase(ends + 8 * ((t - 1) % Stages), (t - 1) / Stages & 1);
    fetch(t - 1 + Stages);
  }
}

template <class A, class B, unsigned Stages>
static __device__ __forceinline__ void product(uint64_t a, uint64_t b, uint64_t c, unsigned n) {
  __shared__ __align__(8) uint64_t arrivals[Stages], ends[Stages];
  __shared__ __align__(8) uint64_t over;  // of the whole product
  __shared__ unsigned slot;
  const unsigned row = blockIdx.y * kTileM, column = blockIdx.x * kTileN, count = n / kTileK;
  const unsigned warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < Stages; ++s) {
      fermataInitBarrier(fermataShared(&arrivals[s]));
      fermataInitBarrier(fermataShared(&ends[s]));
    }
    fermataInitBarrier(fermataShared(&over));
  }
  if (warp == 0)
    asm volatile(
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;\n"
        "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" ::"r"(fermataShared(&slot)),
        "r"(kTileN)
        : "memory");
  __syncthreads();
  const unsigned sums = slot;
  if (threadIdx.x == 0) {
    feed<A, B, Stages>(a, b, row, column, count, fermataShared(arrivals), fermataShared(ends),
                       sums);
    arriveBehind(fermataShared(&over));
  }
  fermataAwaitPhase(fermataShared(&over), 0);
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  using Out = A;
#pragma unroll
  for (unsigned j = 0; j < kTileN / 16; ++j) {
    float v[16];
    load(sums + (warp << 21) + 16 * j, v);
#pragma unroll
    for (unsigned p = 0; p < 2; ++p) {
      uint4 piece;
      piece.x = fermataHalves(v[8 * p], v[8 * p + 1]);
      piece.y = fermataHalves(v[8 * p + 2], v[8 * p + 3]);
      piece.z = fermataHalves(v[8 * p + 4], v[8 * p + 5]);
      piece.w = fermataHalves(v[8 * p + 6], v[8 * p + 7]);
      *reinterpret_cast<uint4*>(tiles + Out::at(threadIdx.x, 2 * j + p)) = piece;
    }
  }
  fermataFenceEngine();
  __syncthreads();
  if (threadIdx.x == 0) {
    Out::store(c, column, row, fermataShared(tiles));
    fermataCommitBulk();
    fermataAwaitBulk();
  }
  if (warp == 0)
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(sums), "r"(kTileN)
                 : "memory");
}

#define PRODUCT(name, span, mode, stages)                                               \
  extern "C" __global__ void name(FermataTensorMap, FermataTensorMap, FermataTensorMap, \
                                  unsigned n) {                                         \
    product<TensorTile<kTileM, span, mode>, TensorTile<kTileN, span, mode>, stages>(    \
        FERMATA_PARAMETER(#name "_param_0"), FERMATA_PARAMETER(#name "_param_1"),       \
        FERMATA_PARAMETER(#name "_param_2"), n);                                        \
  }
#define PRODUCTS(stages)                       \
  PRODUCT(tcgemm_none_##stages, 16, 0, stages) \
  PRODUCT(tcgemm_32B_##stages, 32, 6, stages)  \
  PRODUCT(tcgemm_64B_##stages, 64, 4, stages)  \
  PRODUCT(tcgemm_128B_##stages, 128, 2, stages)
PRODUCTS(2)
PRODUCTS(3)
PRODUCTS(4)
