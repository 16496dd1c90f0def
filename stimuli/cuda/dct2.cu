// Inverse discrete cosine transform (type III, orthonormal) of every 8x8 block of an image: inverts
// dct1. A block of 8x4x2 threads takes 32x16 coefficients, that is 4x2 of the 8x8 blocks with 8
// threads each, into f32[16 * 32]. A thread transforms a row in place, then a column. Along a row
// its neighbours are 32 words apart: degree 8, unless each row is padded by one word. Along a
// column they are in the next word: no conflict. The 8 threads of an 8x8 block are in one warp, so
// no barrier separates the passes.

constexpr unsigned kSide = 8;
constexpr unsigned kWidth = 32;
constexpr unsigned kHeight = 16;

/// Transforms 8 values back: the even inputs give the common part of mirrored outputs, the odd
/// inputs their difference. kN is cos(N pi / 16) / 2.
static __device__ __forceinline__ void transform(float (&v)[kSide]) {
  constexpr float k1 = 0.490392640F;
  constexpr float k2 = 0.461939766F;
  constexpr float k3 = 0.415734806F;
  constexpr float k4 = 0.353553391F;
  constexpr float k5 = 0.277785117F;
  constexpr float k6 = 0.191341716F;
  constexpr float k7 = 0.0975451610F;
  const float a = k4 * (v[0] + v[4]);
  const float b = k4 * (v[0] - v[4]);
  const float c = k2 * v[2] + k6 * v[6];
  const float d = k6 * v[2] - k2 * v[6];
  const float e0 = a + c;
  const float e1 = b + d;
  const float e2 = b - d;
  const float e3 = a - c;
  const float o0 = k1 * v[1] + k3 * v[3] + k5 * v[5] + k7 * v[7];
  const float o1 = k3 * v[1] - k7 * v[3] - k1 * v[5] - k5 * v[7];
  const float o2 = k5 * v[1] - k1 * v[3] + k7 * v[5] + k3 * v[7];
  const float o3 = k7 * v[1] - k5 * v[3] + k3 * v[5] - k1 * v[7];
  v[0] = e0 + o0;
  v[1] = e1 + o1;
  v[2] = e2 + o2;
  v[3] = e3 + o3;
  v[4] = e3 - o3;
  v[5] = e2 - o2;
  v[6] = e1 - o1;
  v[7] = e0 - o0;
}

/// Transforms 8 words in place, `step` apart.
static __device__ __forceinline__ void transformLine(float* line, unsigned step) {
  float v[kSide];
#pragma unroll
  for (unsigned i = 0; i < kSide; ++i) v[i] = line[i * step];
  transform(v);
#pragma unroll
  for (unsigned i = 0; i < kSide; ++i) line[i * step] = v[i];
}

template <unsigned Pad>
static __device__ __forceinline__ void transformBlocks(const float* in, float* out,
                                                       unsigned width) {
  constexpr unsigned kRow = kWidth + Pad;  // words
  __shared__ float tile[kHeight * kRow];
  const unsigned x = threadIdx.x;
  float* corner = tile + threadIdx.z * kSide * kRow + threadIdx.y * kSide;
  const unsigned pixel = (blockIdx.y * kHeight + threadIdx.z * kSide) * width +
                         blockIdx.x * kWidth + threadIdx.y * kSide + x;
#pragma unroll
  for (unsigned i = 0; i < kSide; ++i) corner[i * kRow + x] = in[pixel + i * width];
  fermataForgetMemory();
  transformLine(corner + x * kRow, 1);
  fermataForgetMemory();
  transformLine(corner + x, kRow);
  fermataForgetMemory();
#pragma unroll
  for (unsigned i = 0; i < kSide; ++i) out[pixel + i * width] = corner[i * kRow + x];
}

extern "C" __global__ void dct2_0(const float* in, float* out, unsigned width) {
  transformBlocks<0>(in, out, width);
}
extern "C" __global__ void dct2_1(const float* in, float* out, unsigned width) {
  transformBlocks<1>(in, out, width);
}
