// A product of matrices of halves, fed by an engine and multiplied by warp groups (sm_90): each
// block of four warps computes 64 x 64 of C = A B', of rows of A and rows of B. Tiles of 64 x 64
// halves lie in shared memory in boxes whose rows have the swizzle's bytes; without one they have
// 16, so that 8 rows are a core matrix. While one pair of tiles is multiplied, the next `Stages` -
// 1 are on their way.

#include "fermata_cuda_boxes.h"

constexpr unsigned kTile = 64;

/// Adds to d the product of 64 x 16 and 16 x 64 halves.
static __device__ __forceinline__ void multiply(float (&d)[32], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b));
}

template <class Tile, unsigned Stages>
static __device__ __forceinline__ void product(uint64_t a, uint64_t b, uint64_t c, unsigned n) {
  __shared__ __align__(1024) unsigned char tiles[2 * Stages][Tile::kBytes];
  __shared__ __align__(8) uint64_t arrivals[Stages];
  const unsigned row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  const auto fetch = [&](unsigned t) {
    const unsigned stage = t % Stages, barrier = fermataShared(&arrivals[stage]);
    fermataExpectBytes(barrier, 2 * Tile::kBytes);
    Tile::fetch(fermataShared(tiles[2 * stage]), a, t * kTile, row, barrier);
    Tile::fetch(fermataShared(tiles[2 * stage + 1]), b, t * kTile, column, barrier);
  };
  const unsigned count = n / kTile;
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < Stages; ++s) fermataInitBarrier(fermataShared(&arrivals[s]));
    for (unsigned t = 0; t < Stages - 1 && t < count; ++t) fetch(t);
  }
  __syncthreads();
  float d[32];
#pragma unroll
  for (float& one : d) one = 0;
#pragma unroll 1
  for (unsigned t = 0; t < count; ++t) {
    if (threadIdx.x == 0 && t + Stages - 1 < count) fetch(t + Stages - 1);
    const unsigned stage = t % Stages;
    fermataAwaitPhase(fermataShared(&arrivals[stage]), t / Stages & 1);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      multiply(d, Tile::descriptor(fermataShared(tiles[2 * stage]), k),
               Tile::descriptor(fermataShared(tiles[2 * stage + 1]), k));
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();  // all have read the tiles, which the next fetch overwrites
  }
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, to = fermataShared(tiles[0]);
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) {
    unsigned part[4];  // 8 x 8 each: upper left, lower left, upper right, lower right
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
      part[i] = fermataHalves(d[8 * j + 2 * i], d[8 * j + 2 * i + 1]);
    fermataStmatrix(to + Tile::at(16 * warp + lane % 16, 2 * j + lane / 16), part);
  }
  fermataFenceEngine();
  __syncthreads();
  if (threadIdx.x == 0) {
    Tile::store(c, column, row, to);
    fermataCommitBulk();
    fermataAwaitBulk();
  }
}

#define PRODUCT(name, span, mode, stages)                                               \
  extern "C" __global__ void name(FermataTensorMap, FermataTensorMap, FermataTensorMap, \
                                  unsigned n) {                                         \
    product<BoxTile<kTile, span, uint64_t{mode} << 62>, stages>(                        \
        FERMATA_PARAMETER(#name "_param_0"), FERMATA_PARAMETER(#name "_param_1"),       \
        FERMATA_PARAMETER(#name "_param_2"), n);                                        \
  }
#define PRODUCTS(stages)                        \
  PRODUCT(tmagemm_none_##stages, 16, 0, stages) \
  PRODUCT(tmagemm_32B_##stages, 32, 3, stages)  \
  PRODUCT(tmagemm_64B_##stages, 64, 2, stages)  \
  PRODUCT(tmagemm_128B_##stages, 128, 1, stages)
PRODUCTS(1)
PRODUCTS(2)
PRODUCTS(3)
