// Separable convolution, the pass along the rows: every row of an image with 17 weights, pixels
// outside the image being 0. A block of 16x4 threads makes 4 rows of 128 pixels; it keeps them and
// the 16 pixels on either side in f32[4][160]. A half warp reads 16 words of its row in sequence,
// but the rows of the two halves are 160 = 5 * 32 words apart: every read and store has degree 2.

constexpr unsigned kRadius = 8;
constexpr unsigned kWidth = 16;   ///< threads along a row
constexpr unsigned kHeight = 4;   ///< rows of a block
constexpr unsigned kResults = 8;  ///< pixels per thread, kWidth apart
constexpr unsigned kSegments = kResults + 2;

__constant__ float weights[2 * kRadius + 1];

extern "C" __global__ void conv1(const float* in, float* out, unsigned width) {
  __shared__ float rows[kHeight][kSegments * kWidth];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned first = blockIdx.x * kResults * kWidth;  // the block's first pixel in the row
  const unsigned row = (blockIdx.y * kHeight + y) * width;
#pragma unroll
  for (unsigned i = 0; i < kSegments; ++i) {
    // Left of the image the difference wraps, so the test against the width rejects it as well.
    const unsigned column = first + x + i * kWidth - kWidth;
    rows[y][x + i * kWidth] = column < width ? in[row + column] : 0;
  }
  __syncthreads();
#pragma unroll
  for (unsigned i = 1; i <= kResults; ++i) {
    float sum = 0;
#pragma unroll
    for (unsigned j = 0; j <= 2 * kRadius; ++j) {
      sum += weights[2 * kRadius - j] * rows[y][x + i * kWidth + j - kRadius];
    }
    out[row + first + x + (i - 1) * kWidth] = sum;
  }
}
