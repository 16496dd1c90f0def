// Discrete cosine transform of every 8x8 block of an image of 16-bit integers, and its inverse, in
// fixed point. A block of 8x4x4 threads takes 32x32 samples, that is 4x4 of the 8x8 blocks with 8
// threads each, into s16[32 * 32]; half of the threads copy them, two per word. A thread transforms
// a row in place, as four words, then a column, sample by sample. Along a row its neighbours are 16
// words apart: all 8 lanes in one of 8 or 16 banks, unless each row is padded by one word. Along a
// column they are in the next sample: no conflict. The 8 threads of an 8x8 block are in one warp,
// so no barrier separates the passes.

constexpr unsigned kSide = 8;
constexpr unsigned kWidth = 32;  ///< samples of the block, as many as rows
constexpr unsigned kRowWords = kWidth / 2;

/// kN is cos(N pi / 16) / 2 in 16 fraction bits: the basis is orthonormal.
constexpr int k1 = 32138;
constexpr int k2 = 30274;
constexpr int k3 = 27246;
constexpr int k4 = 23170;
constexpr int k5 = 18205;
constexpr int k6 = 12540;
constexpr int k7 = 6393;

/// Rounds a number of 16 fraction bits to the nearest integer.
static __device__ __forceinline__ int rounded(int value) {
  return (value + 0x8000) >> 16;
}

/// Transforms by type II: sums and differences of mirrored values, then the even and the odd
/// outputs from their own four terms. Each output is rounded once.
struct Forward {
  static __device__ __forceinline__ void transform(int (&v)[kSide]) {
    const int s0 = v[0] + v[7];
    const int s1 = v[1] + v[6];
    const int s2 = v[2] + v[5];
    const int s3 = v[3] + v[4];
    const int d0 = v[0] - v[7];
    const int d1 = v[1] - v[6];
    const int d2 = v[2] - v[5];
    const int d3 = v[3] - v[4];
    v[0] = rounded(k4 * (s0 + s3 + s1 + s2));
    v[4] = rounded(k4 * (s0 + s3 - s1 - s2));
    v[2] = rounded(k2 * (s0 - s3) + k6 * (s1 - s2));
    v[6] = rounded(k6 * (s0 - s3) - k2 * (s1 - s2));
    v[1] = rounded(k1 * d0 + k3 * d1 + k5 * d2 + k7 * d3);
    v[3] = rounded(k3 * d0 - k7 * d1 - k1 * d2 - k5 * d3);
    v[5] = rounded(k5 * d0 - k1 * d1 + k7 * d2 + k3 * d3);
    v[7] = rounded(k7 * d0 - k5 * d1 + k3 * d2 - k1 * d3);
  }
};

/// Transforms by type III, the inverse: the even inputs give the common part of mirrored outputs,
/// the odd inputs their difference.
struct Inverse {
  static __device__ __forceinline__ void transform(int (&v)[kSide]) {
    const int a = k4 * (v[0] + v[4]);
    const int b = k4 * (v[0] - v[4]);
    const int c = k2 * v[2] + k6 * v[6];
    const int d = k6 * v[2] - k2 * v[6];
    const int e0 = a + c;
    const int e1 = b + d;
    const int e2 = b - d;
    const int e3 = a - c;
    const int o0 = k1 * v[1] + k3 * v[3] + k5 * v[5] + k7 * v[7];
    const int o1 = k3 * v[1] - k7 * v[3] - k1 * v[5] - k5 * v[7];
    const int o2 = k5 * v[1] - k1 * v[3] + k7 * v[5] + k3 * v[7];
    const int o3 = k7 * v[1] - k5 * v[3] + k3 * v[5] - k1 * v[7];
    v[0] = rounded(e0 + o0);
    v[1] = rounded(e1 + o1);
    v[2] = rounded(e2 + o2);
    v[3] = rounded(e3 + o3);
    v[4] = rounded(e3 - o3);
    v[5] = rounded(e2 - o2);
    v[6] = rounded(e1 - o1);
    v[7] = rounded(e0 - o0);
  }
};

/// Transforms four words of two samples each, the left sample in the lower half.
template <class Transform>
static __device__ __forceinline__ void transformRow(unsigned* row) {
  int v[kSide];
#pragma unroll
  for (unsigned i = 0; i < kSide / 2; ++i) {
    const unsigned pair = row[i];
    v[2 * i] = static_cast<short>(pair);
    v[2 * i + 1] = static_cast<int>(pair) >> 16;
  }
  Transform::transform(v);
#pragma unroll
  for (unsigned i = 0; i < kSide / 2; ++i)
    row[i] =
        (static_cast<unsigned>(v[2 * i + 1]) << 16) | (static_cast<unsigned>(v[2 * i]) & 0xffff);
}

template <class Transform>
static __device__ __forceinline__ void transformColumn(short* column, unsigned step) {
  int v[kSide];
#pragma unroll
  for (unsigned i = 0; i < kSide; ++i) v[i] = column[i * step];
  Transform::transform(v);
#pragma unroll
  for (unsigned i = 0; i < kSide; ++i) column[i * step] = static_cast<short>(v[i]);
}

/// Transforms the 8x8 blocks; `width` is in words.
template <class Transform, unsigned Pad>
static __device__ __forceinline__ void transformBlocks(const unsigned* in, unsigned* out,
                                                       unsigned width) {
  constexpr unsigned kRow = kRowWords + Pad;
  __shared__ unsigned tile[kWidth * kRow];
  const unsigned column = threadIdx.y * kSide + threadIdx.x;
  unsigned* top = tile + threadIdx.z * kSide * kRow;  // start of the warp's row of 8x8 blocks
  const unsigned first =
      (blockIdx.y * kWidth + threadIdx.z * kSide) * width + blockIdx.x * kRowWords + column;
  if (column < kRowWords) {
#pragma unroll
    for (unsigned i = 0; i < kSide; ++i) top[i * kRow + column] = in[first + i * width];
  }
  fermataForgetMemory();
  transformRow<Transform>(top + threadIdx.x * kRow + threadIdx.y * (kSide / 2));
  fermataForgetMemory();
  transformColumn<Transform>(reinterpret_cast<short*>(top) + column, 2 * kRow);
  fermataForgetMemory();
  if (column < kRowWords) {
#pragma unroll
    for (unsigned i = 0; i < kSide; ++i) out[first + i * width] = top[i * kRow + column];
  }
}

extern "C" __global__ void dctshort_0(const unsigned* in, unsigned* out, unsigned width) {
  transformBlocks<Forward, 0>(in, out, width);
}
extern "C" __global__ void dctshort_1(const unsigned* in, unsigned* out, unsigned width) {
  transformBlocks<Forward, 1>(in, out, width);
}
extern "C" __global__ void idctshort_0(const unsigned* in, unsigned* out, unsigned width) {
  transformBlocks<Inverse, 0>(in, out, width);
}
extern "C" __global__ void idctshort_1(const unsigned* in, unsigned* out, unsigned width) {
  transformBlocks<Inverse, 1>(in, out, width);
}
