// Computes y = A x for n rows of m floats. Tiles of 64 rows and 32 columns come into shared memory
// by asynchronous copies; a thread sums its row of each tile. With two stages a tile arrives while
// the one before is summed, with three stages two do; with one stage nothing overlaps.

constexpr unsigned kRows = 64;
constexpr unsigned kColumns = 32;

typedef float Four __attribute__((ext_vector_type(4)));

template <class Tile>
struct Stage {
  __align__(1024) unsigned char rows[kRows * Tile::kRowBytes];
  __align__(128) float x[kColumns];
};

/// Fetches tile `t` of the block as a group of copies. Behind the last tile the group is empty, so
/// that groups are counted alike.
template <class Tile>
static __device__ __forceinline__ void fetch(Stage<Tile>& stage, const float* a, const float* x,
                                             unsigned m, unsigned t) {
  if (t * kColumns < m) {
    fermataFetchTile<Tile, kRows, kRows>(fermataShared(stage.rows),
                                         a + blockIdx.x * kRows * m + t * kColumns, 4 * m);
    if (threadIdx.x < kColumns / 4) {
      fermataCopyAsync(fermataShared(stage.x + 4 * threadIdx.x),
                       x + t * kColumns + 4 * threadIdx.x);
    }
  }
  fermataCommitCopies();
}

template <class Tile>
static __device__ __forceinline__ float sumRow(const Stage<Tile>& stage) {
  Four sum = 0;
#pragma unroll
  for (unsigned i = 0; i < kColumns / 4; ++i) {
    sum += *reinterpret_cast<const Four*>(stage.rows + Tile::at(threadIdx.x, i)) *
           *reinterpret_cast<const Four*>(stage.x + 4 * i);
  }
  return sum.x + sum.y + sum.z + sum.w;
}

template <class Tile, unsigned Stages>
static __device__ __forceinline__ void multiply(const float* a, const float* x, float* y,
                                                unsigned m) {
  __shared__ Stage<Tile> stages[Stages];
  unsigned now = 0;
  unsigned free = Stages - 1;
  float sum = 0;
#pragma unroll
  for (unsigned t = 0; t + 1 < Stages; ++t) fetch(stages[t], a, x, m, t);
#pragma unroll 1
  for (unsigned t = 0; t < m / kColumns; ++t) {
    fetch(stages[free], a, x, m, t + Stages - 1);
    fermataWaitForCopies<Stages - 1>();
    __syncthreads();
    sum += sumRow(stages[now]);
    __syncthreads();
    free = now;
    now = now + 1 == Stages ? 0 : now + 1;
  }
  y[blockIdx.x * kRows + threadIdx.x] = sum;
}

template <unsigned Stages>
__global__ void cpasync_naive(const float* a, const float* x, float* y, unsigned m) {
  multiply<NaiveTile, Stages>(a, x, y, m);
}
template <unsigned Stages>
__global__ void cpasync_padded(const float* a, const float* x, float* y, unsigned m) {
  multiply<PaddedTile, Stages>(a, x, y, m);
}
template <unsigned Stages>
__global__ void cpasync_swizzled(const float* a, const float* x, float* y, unsigned m) {
  multiply<SwizzledTile, Stages>(a, x, y, m);
}

template __global__ void cpasync_naive<1>(const float*, const float*, float*, unsigned);
template __global__ void cpasync_naive<2>(const float*, const float*, float*, unsigned);
template __global__ void cpasync_naive<3>(const float*, const float*, float*, unsigned);
template __global__ void cpasync_padded<1>(const float*, const float*, float*, unsigned);
template __global__ void cpasync_padded<2>(const float*, const float*, float*, unsigned);
template __global__ void cpasync_padded<3>(const float*, const float*, float*, unsigned);
template __global__ void cpasync_swizzled<1>(const float*, const float*, float*, unsigned);
template __global__ void cpasync_swizzled<2>(const float*, const float*, float*, unsigned);
template __global__ void cpasync_swizzled<3>(const float*, const float*, float*, unsigned);
