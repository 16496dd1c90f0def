// Two-point angular correlation (after Parboil's tpacf): histograms, by logarithmic bins of the
// angle, of the pairs within a set of directions and between two sets. A block has 256 threads;
// each holds one direction and meets a tile of 256 others in shared memory, which all threads read
// together.
//
// A block counts in u32[20][128] of shared memory, one histogram for two threads. Lanes 2 i and 2 i
// + 1 with equal bins add to one word. A warp's 16 histograms lie in neighbouring banks, so that
// lanes with different bins meet too (128 words per bin: the same banks). A tree adds the
// histograms up; at the end 20 threads read the first of each bin, 128 words apart: degree 20.
//
// Products are fused explicitly (fmaf), so that the host finds the same bin to the bit.

constexpr unsigned kThreads = 256;
constexpr unsigned kBins = 20;
constexpr unsigned kHistograms = kThreads / 2;

struct Direction {
  float x, y, z;
};

struct Counters {
  Direction tile[kThreads];
  unsigned bins[kBins][kHistograms];
};

// Cosines of 10^(k / 5) minutes of arc, k = 1 to 19. Bin b lies between bounds b - 1 and b, five
// per decade from a minute on; the first and the last bin take all beyond.
__constant__ float bounds[kBins - 1] = {0.999999881f, 0.999999762f, 0.999999344f, 0.999998331f,
                                        0.999995768f, 0.99998939f,  0.999973297f, 0.999932945f,
                                        0.999831557f, 0.999576926f, 0.998937488f, 0.997331738f,
                                        0.993302107f, 0.983204126f, 0.957989514f, 0.895596206f,
                                        0.744722009f, 0.401129454f, -0.261507958f};

/// Returns an angle's bin by its cosine: the number of bounds above it.
static __device__ __forceinline__ unsigned binOf(float cosine) {
  unsigned low = 0;
  unsigned high = kBins - 1;
#pragma unroll 1
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (cosine < bounds[middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Scales vectors to the length 1. in, out: all x, all y, all z.
extern "C" __global__ void tpacf_normalise(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  const float y = in[i + n];
  const float z = in[i + 2 * n];
  const float length = sqrtf(fmaf(x, x, fmaf(y, y, z * z)));
  out[i] = x / length;
  out[i + n] = y / length;
  out[i + 2 * n] = z / length;
}

/// Returns direction `i` of all `n`.
static __device__ __forceinline__ Direction directionAt(const float* all, unsigned n, unsigned i) {
  return {all[i], all[i + n], all[i + 2 * n]};
}

/// Counts pairs in sets 0 to `sets` of `points` directions each; set 0 is the observed one. Block b
/// <= sets counts set b, block sets + s set 0 with set s. histograms: 20 bins per block.
extern "C" __global__ void tpacf(const float* directions, unsigned* histograms, unsigned sets,
                                 unsigned points) {
  __shared__ Counters counters;
  const unsigned t = threadIdx.x;
  const unsigned all = (sets + 1) * points;
  const bool isSelf = blockIdx.x <= sets;
  const unsigned tileSet = isSelf ? blockIdx.x * points : 0;
  const unsigned ownSet = (isSelf ? blockIdx.x : blockIdx.x - sets) * points;

  unsigned* words = &counters.bins[0][0];
#pragma unroll 1
  for (unsigned i = t; i < kBins * kHistograms; i += kThreads) words[i] = 0;

#pragma unroll 1
  for (unsigned first = 0; first < points; first += kThreads) {
    __syncthreads();  // the previous tile has been read
    if (first + t < points) counters.tile[t] = directionAt(directions, all, tileSet + first + t);
    __syncthreads();
    const unsigned visited = min(kThreads, points - first);
#pragma unroll 1
    for (unsigned start = isSelf ? first : 0; start < points; start += kThreads) {
      const unsigned own = start + t;
      if (own >= points) continue;
      const Direction a = directionAt(directions, all, ownSet + own);
#pragma unroll 1
      for (unsigned k = 0; k < visited; ++k) {
        if (isSelf && own <= first + k) continue;  // count each pair once
        const Direction& b = counters.tile[k];
        const unsigned bin = binOf(fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)));
        atomicAdd(&counters.bins[bin][t / 2], 1U);
      }
    }
  }

#pragma unroll 1
  for (unsigned s = kHistograms / 2; s > 0; s /= 2) {
    __syncthreads();
    if (t >= s) continue;
#pragma unroll 1
    for (unsigned bin = 0; bin < kBins; ++bin) counters.bins[bin][t] += counters.bins[bin][t + s];
  }
  __syncthreads();
  if (t < kBins) histograms[blockIdx.x * kBins + t] = counters.bins[t][0];
}
