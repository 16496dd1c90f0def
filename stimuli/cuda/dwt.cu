// Haar wavelet transform (orthonormal) of one signal per block. Every step halves the signal into
// sums and differences of neighbours. The result is the differences of all steps, the last steps
// first, and the last sum. A block has one thread for each pair of the signal. The sums stay in
// place: step k reads at 2^k t, so strides of 2, 4, 8, 16 and 32 words have degrees 2, 4, 8, 16 and
// 16 and, with fewer threads each, 8, 4 and 2. With pad=1 a word is left out after every 16 sums
// (not in the signal of the first step): strides of 4 and 8 have degree 2, longer ones 1, the first
// sums 2.

extern __shared__ float data[];

/// Returns the word of sum i.
template <unsigned Pad>
static __device__ __forceinline__ unsigned wordOf(unsigned i) {
  return i + Pad * (i / 16);
}

template <unsigned Pad>
static __device__ __forceinline__ void transform(const float* in, float* out) {
  constexpr float kHalfRoot = 0.707106781F;
  const unsigned t = threadIdx.x;
  unsigned pairs = blockDim.x;
  in += 2 * blockIdx.x * pairs;
  out += 2 * blockIdx.x * pairs;
  data[t] = in[t];
  data[t + pairs] = in[t + pairs];
  __syncthreads();
  const float a = data[2 * t];
  const float b = data[2 * t + 1];
  __syncthreads();
  out[pairs + t] = (a - b) * kHalfRoot;
  data[wordOf<Pad>(t)] = (a + b) * kHalfRoot;

  unsigned distance = 1;
#pragma unroll 1
  for (pairs /= 2; pairs > 0; pairs /= 2) {
    __syncthreads();
    if (t < pairs) {
      const unsigned i = 2 * distance * t;
      float& sum = data[wordOf<Pad>(i)];
      const float left = sum;
      const float right = data[wordOf<Pad>(i + distance)];
      out[pairs + t] = (left - right) * kHalfRoot;
      sum = (left + right) * kHalfRoot;
    }
    distance *= 2;
  }
  if (t == 0) out[0] = data[0];
}

extern "C" __global__ void dwt_0(const float* in, float* out) {
  transform<0>(in, out);
}
extern "C" __global__ void dwt_1(const float* in, float* out) {
  transform<1>(in, out);
}
