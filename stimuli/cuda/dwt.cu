// Haar wavelet transform (orthonormal) of one signal a block: every step halves the signal into
// sums and differences of neighbours; the differences of all steps and the last sum are the result,
// differences of the last steps first. A block has a thread for each pair of the signal. The sums
// stay in place: step k reads at 2^k t, so that strides of 2, 4, 8, 16 and 32 words conflict with
// degrees 2, 4, 8, 16 and 16 and, with fewer threads each, 8, 4 and 2. With pad=1 a word is left
// out after every 16 sums (but not in the signal, which the first step reads): strides of 4 and 8
// have degree 2 then, longer ones none, and the first sums, stored in sequence, 2.

extern __shared__ float data[];

/// Where sum i is.
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
