// The first pass of a long Fourier transform, radix 2, decimation in frequency. The points lie in
// rows, and every column is transformed with the factors of the whole signal. Transforms of the
// rows then finish it (fft1, for rows of 32 points); rows are left in bit-reversed order. A block
// keeps 32 columns in shared memory, real and imaginary parts alternating. A warp always accesses
// 32 points of one row, 2 words apart: degree 2, unless a word is left out after every 32
// (pad=1).

constexpr unsigned kColumns = 32;

extern __shared__ float points[];

/// Transforms 32 columns; a block has 32 x rows / 2 threads, one for each butterfly.
template <unsigned Pad>
static __global__ void fft2(const float2* in, float2* out, unsigned columns) {
  constexpr float kPi = 3.14159265F;
  constexpr unsigned kPitch = kColumns + Pad;  // points; two words of a row are left out
  const unsigned half = blockDim.y;
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned column = blockIdx.x * kColumns + x;
  float* own = points + Pad * (x / 16);  // the first point after point 15
#pragma unroll
  for (unsigned k = 0; k < 2; ++k) {
    const unsigned row = k * half + y;
    const float2 point = in[row * columns + column];
    own[2 * (row * kPitch + x)] = point.x;
    own[2 * (row * kPitch + x) + 1] = point.y;
  }
#pragma unroll 1
  for (unsigned d = half; d > 0; d /= 2) {  // rows between the points of a butterfly
    const unsigned low = y & (d - 1);
    const unsigned i = (2 * y - low) * kPitch + x;
    const unsigned j = i + d * kPitch;
    const float angle =
        -kPi * static_cast<float>(low * columns + column) / static_cast<float>(d * columns);
    const float re = __cosf(angle);
    const float im = __sinf(angle);
    __syncthreads();
    const float aRe = own[2 * i];
    const float aIm = own[2 * i + 1];
    const float bRe = own[2 * j];
    const float bIm = own[2 * j + 1];
    own[2 * i] = aRe + bRe;
    own[2 * i + 1] = aIm + bIm;
    own[2 * j] = (aRe - bRe) * re - (aIm - bIm) * im;
    own[2 * j + 1] = (aRe - bRe) * im + (aIm - bIm) * re;
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 2; ++k) {
    const unsigned row = k * half + y;
    const unsigned i = row * kPitch + x;
    out[row * columns + column] = make_float2(own[2 * i], own[2 * i + 1]);
  }
}

// These kernels have mangled names: inlined into two with plain names, the body would become other
// code, with other instructions.
template __global__ void fft2<0>(const float2*, float2*, unsigned);
template __global__ void fft2<1>(const float2*, float2*, unsigned);
