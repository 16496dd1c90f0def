// Separable convolution, the pass along the columns: every column of an image with 17 weights,
// pixels outside the image being 0. A block of 16x8 threads makes 16 columns of 64 pixels; it keeps
// each, with the 8 pixels above and below, as one row of f32[16][80], so that a thread walks along
// a row. Neighbours in a warp are 80 = 5 * 16 words apart, and every read and store has degree 8;
// with rows padded to 81 words (pad=1) it is 2, as a half warp meets the bank after its last with
// the other's first.

constexpr unsigned kRadius = 8;
constexpr unsigned kWidth = 16;   ///< columns of a block
constexpr unsigned kHeight = 8;   ///< threads along a column
constexpr unsigned kResults = 8;  ///< pixels per thread, kHeight apart
constexpr unsigned kSegments = kResults + 2;

__constant__ float weights[2 * kRadius + 1];

template <unsigned Pad>
static __global__ void conv2(const float* in, float* out, unsigned width, unsigned height) {
  __shared__ float columns[kWidth][kSegments * kHeight + Pad];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned first = blockIdx.y * kResults * kHeight;  // the block's first row
  const unsigned column = blockIdx.x * kWidth + x;
#pragma unroll
  for (unsigned i = 0; i < kSegments; ++i) {
    // Above the image the difference wraps, so the test against the height rejects it as well.
    const unsigned row = first + y + i * kHeight - kHeight;
    columns[x][y + i * kHeight] = row < height ? in[row * width + column] : 0;
  }
  __syncthreads();
#pragma unroll
  for (unsigned i = 1; i <= kResults; ++i) {
    float sum = 0;
#pragma unroll
    for (unsigned j = 0; j <= 2 * kRadius; ++j) {
      sum += weights[2 * kRadius - j] * columns[x][y + i * kHeight + j - kRadius];
    }
    out[(first + y + (i - 1) * kHeight) * width + column] = sum;
  }
}

// These kernels have mangled names: inlined into two with plain names, the body would become other
// code, with fewer reads of the shared array.
template __global__ void conv2<0>(const float*, float*, unsigned, unsigned);
template __global__ void conv2<1>(const float*, float*, unsigned, unsigned);
