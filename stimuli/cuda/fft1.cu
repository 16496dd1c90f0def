// The last pass of a long Fourier transform, radix 2, decimation in frequency: transforms rows of
// 32 contiguous points, which fft2 leaves. The spectrum of a row is in bit-reversed order. A block
// of 512 threads takes 32 rows, 16 threads each; warp w has rows w and w + 16. Real and imaginary
// parts alternate in f32[2048]. A thread's first butterfly uses the points that it loads; the other
// four steps are in place; the result is copied out in sequence. Butterfly x of a step of distance
// d = 2^s takes point i = 2 x - x % d, whose bit s is 0. With two words per point and rows 1024
// words apart the degree is 4, and 2 for the first step and the copy. With pad=1 a word is left out
// after every 32: a row has no conflict, but a warp's two rows, 1056 words apart, still meet:
// degree 2, and 1 for the copy.

constexpr unsigned kLength = 32;  ///< points of a row
constexpr unsigned kRows = 32;    ///< rows of a block
constexpr unsigned kThreads = kRows * kLength / 2;
constexpr float kPi = 3.14159265F;

/// Returns point i's word. For numbers with no set bit in common, word(i + d) = word(i) + word(d).
template <unsigned Pad>
static __device__ __forceinline__ constexpr unsigned wordOf(unsigned i) {
  return 2 * i + Pad * (i / 16);
}

/// Stores the butterfly of points a and b, `distance` apart, which is number `low` of its group.
template <unsigned Pad>
static __device__ __forceinline__ void storeButterfly(float* place, unsigned distance, unsigned low,
                                                      float2 a, float2 b) {
  const float angle = -kPi / static_cast<float>(distance) * static_cast<float>(low);
  const float re = __cosf(angle);
  const float im = __sinf(angle);
  place[0] = a.x + b.x;
  place[1] = a.y + b.y;
  place[wordOf<Pad>(distance)] = (a.x - b.x) * re - (a.y - b.y) * im;
  place[wordOf<Pad>(distance) + 1] = (a.x - b.x) * im + (a.y - b.y) * re;
}

template <unsigned Pad>
static __global__ void fft1(const float2* in, float2* out) {
  __shared__ float points[wordOf<Pad>(kRows * kLength)];
  const unsigned t = threadIdx.x;
  const unsigned x = t % (kLength / 2);
  const unsigned row = t / 32 + (t & 16);
  float* own = points + wordOf<Pad>(kLength) * row;
  in += blockIdx.x * kRows * kLength;
  out += blockIdx.x * kRows * kLength;

  const float2 a = in[row * kLength + x];
  const float2 b = in[row * kLength + x + kLength / 2];
  storeButterfly<Pad>(own + 2 * x, kLength / 2, x, a, b);
  // A row belongs to the threads of one warp: no barrier stands between its steps.
#pragma unroll 1
  for (unsigned d = kLength / 4; d > 0; d /= 2) {
    fermataForgetMemory();
    const unsigned low = x & (d - 1);
    float* place = own + wordOf<Pad>(2 * x - low);
    const float2 first = make_float2(place[0], place[1]);
    const float2 second = make_float2(place[wordOf<Pad>(d)], place[wordOf<Pad>(d) + 1]);
    storeButterfly<Pad>(place, d, low, first, second);
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 2; ++k) {
    const unsigned i = k * kThreads + t;
    out[i] = make_float2(points[wordOf<Pad>(i)], points[wordOf<Pad>(i) + 1]);
  }
}

// These kernels have mangled names: inlined into two with plain names, the body would become other
// code, with other instructions.
template __global__ void fft1<0>(const float2*, float2*);
template __global__ void fft1<1>(const float2*, float2*);
