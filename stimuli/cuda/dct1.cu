// Discrete cosine transform (type II, orthonormal) of every 8x8 block of an image. A block of
// 8x4x2 threads takes 32x16 pixels, that is 4x2 of the 8x8 blocks with 8 threads each, into f32[16
// * 32]. A thread transforms a row in place, then a column. Along a row its neighbours are 32
// words apart: degree 8, unless each row is padded by one word. Along a column they are in the
// next word: no conflict. The 8 threads of an 8x8 block are in one warp, so no barrier separates
// the passes.

constexpr unsigned kSide = 8;
constexpr unsigned kWidth = 32;
constexpr unsigned kHeight = 16;

/// Transforms 8 values: sums and differences of mirrored values, then the even and the odd outputs
/// from their own four terms. kN is cos(N pi / 16) / 2.
static __device__ __forceinline__ void transform(float (&v)[kSide]) {
  constexpr float k1 = 0.490392640F;
  constexpr float k2 = 0.461939766F;
  constexpr float k3 = 0.415734806F;
  constexpr float k4 = 0.353553391F;
  constexpr float k5 = 0.277785117F;
  constexpr float k6 = 0.191341716F;
  constexpr float k7 = 0.0975451610F;
  const float s0 = v[0] + v[7];
  const float s1 = v[1] + v[6];
  const float s2 = v[2] + v[5];
  const float s3 = v[3] + v[4];
  const float d0 = v[0] - v[7];
  const float d1 = v[1] - v[6];
  const float d2 = v[2] - v[5];
  const float d3 = v[3] - v[4];
  v[0] = k4 * (s0 + s1 + s2 + s3);
  v[4] = k4 * (s0 - s1 - s2 + s3);
  v[2] = k2 * (s0 - s3) + k6 * (s1 - s2);
  v[6] = k6 * (s0 - s3) - k2 * (s1 - s2);
  v[1] = k1 * d0 + k3 * d1 + k5 * d2 + k7 * d3;
  v[3] = k3 * d0 - k7 * d1 - k1 * d2 - k5 * d3;
  v[5] = k5 * d0 - k1 * d1 + k7 * d2 + k3 * d3;
  v[7] = k7 * d0 - k5 * d1 + k3 * d2 - k1 * d3;
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

extern "C" __global__ void dct1_0(const float* in, float* out, unsigned width) {
  transformBlocks<0>(in, out, width);
}
extern "C" __global__ void dct1_1(const float* in, float* out, unsigned width) {
  transformBlocks<1>(in, out, width);
}
