// Fast Walsh-Hadamard transform (natural order, not scaled) of one vector per block, in shared
// memory: radix-4 steps at strides N/4, N/16, ..., then one radix-2 step of neighbours if log2 N is
// odd. A block has N/4 threads. Strides of 8 and 2 words have degree 4, the step of neighbours
// degree 2.

extern __shared__ float data[];

extern "C" __global__ void fwt(const float* in, float* out, unsigned log2n) {
  const unsigned n = 1U << log2n;
  const unsigned t = threadIdx.x;
  const unsigned base = blockIdx.x << log2n;
  for (unsigned i = t; i < n; i += blockDim.x) data[i] = in[base + i];

#pragma unroll 1
  for (unsigned s = n >> 2; s > 0; s >>= 2) {
    const unsigned low = t & (s - 1);
    const unsigned i = ((t - low) << 2) + low;
    __syncthreads();
    const float a = data[i];
    const float b = data[i + s];
    const float c = data[i + 2 * s];
    const float d = data[i + 3 * s];
    const float ac = a + c;
    const float bd = b + d;
    const float ca = a - c;
    const float db = b - d;
    data[i] = ac + bd;
    data[i + s] = ac - bd;
    data[i + 2 * s] = ca + db;
    data[i + 3 * s] = ca - db;
  }
  if (log2n & 1) {
    __syncthreads();
    for (unsigned p = t; p < n / 2; p += blockDim.x) {
      const float a = data[2 * p];
      const float b = data[2 * p + 1];
      data[2 * p] = a + b;
      data[2 * p + 1] = a - b;
    }
  }
  __syncthreads();
  for (unsigned i = t; i < n; i += blockDim.x) out[base + i] = data[i];
}
