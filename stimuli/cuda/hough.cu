// The voting step of a Hough transform: every edge pixel votes, for each direction theta, for the
// line rho = x cos(theta) + y sin(theta) through it (Duda and Hart 1972). A block has one theta and
// keeps all its distances rho in shared memory, in `copies` copies (van den Braak, Nugteren, Mesman
// and Corporaal, Fast Hough Transform on GPUs: Exploration of Algorithm Trade-Offs, ACIVS 2011).
// Copies lie one behind the other, or bin by bin (histogram.cu); thread t votes in copy t mod
// copies.
//
// Sine and cosine are multiples of 2^-14, at whole degrees, so that a vote is exact: x, y < 2^16
// and a rho below 2^17 take 31 bits.

constexpr int kFraction = 14;
__constant__ short kSine[91] = {
    0,     286,   572,   857,   1143,  1428,  1713,  1997,  2280,  2563,  2845,  3126,  3406,
    3686,  3964,  4240,  4516,  4790,  5063,  5334,  5604,  5872,  6138,  6402,  6664,  6924,
    7182,  7438,  7692,  7943,  8192,  8438,  8682,  8923,  9162,  9397,  9630,  9860,  10087,
    10311, 10531, 10749, 10963, 11174, 11381, 11585, 11786, 11982, 12176, 12365, 12551, 12733,
    12911, 13085, 13255, 13421, 13583, 13741, 13894, 14044, 14189, 14330, 14466, 14598, 14726,
    14849, 14968, 15082, 15191, 15296, 15396, 15491, 15582, 15668, 15749, 15826, 15897, 15964,
    16026, 16083, 16135, 16182, 16225, 16262, 16294, 16322, 16344, 16362, 16374, 16382, 16384,
};

extern __shared__ unsigned space[];

static __device__ __forceinline__ int sine(int degrees) {  // 0 to 180
  return kSine[degrees <= 90 ? degrees : 180 - degrees];
}
static __device__ __forceinline__ int cosine(int degrees) {
  return degrees <= 90 ? kSine[90 - degrees] : -kSine[degrees - 90];
}

/// Votes. edges: n pixels, y * 65536 + x. step: degrees from a block's theta to the next. centre:
/// word of rho 0, of the `rhos` words of a copy. votes: rhos words per theta.
template <bool IsStretched>
static __device__ __forceinline__ void vote(const unsigned* edges, unsigned* votes, unsigned n,
                                            int step, int centre, unsigned rhos, unsigned copies) {
  const unsigned t = threadIdx.x;
#pragma unroll 1
  for (unsigned i = t; i < rhos * copies; i += blockDim.x) space[i] = 0;
  __syncthreads();

  const int theta = static_cast<int>(blockIdx.x) * step;
  const int c = cosine(theta);
  const int s = sine(theta);
  unsigned* own = space + t % copies * (IsStretched ? 1 : rhos);
#pragma unroll 1
  for (unsigned i = t; i < n; i += blockDim.x) {
    const int x = static_cast<int>(edges[i] & 0xffff);
    const int y = static_cast<int>(edges[i] >> 16);
    const int rho = (x * c + y * s + (1 << (kFraction - 1))) >> kFraction;  // the nearest
    atomicAdd(own + (centre + rho) * (IsStretched ? copies : 1), 1U);
  }
  __syncthreads();

#pragma unroll 1
  for (unsigned rho = t; rho < rhos; rho += blockDim.x) {
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < copies; ++k)
      sum += space[IsStretched ? rho * copies + k : k * rhos + rho];
    votes[blockIdx.x * rhos + rho] = sum;
  }
}

extern "C" __global__ void hough_replicated(const unsigned* edges, unsigned* votes, unsigned n,
                                            int step, int centre, unsigned rhos, unsigned copies) {
  vote<false>(edges, votes, n, step, centre, rhos, copies);
}
extern "C" __global__ void hough_stretched(const unsigned* edges, unsigned* votes, unsigned n,
                                           int step, int centre, unsigned rhos, unsigned copies) {
  vote<true>(edges, votes, n, step, centre, rhos, copies);
}
