// Block compression of pictures (BC1, also called DXT1), after the CUDA SDK. A block of 64 threads
// encodes one tile of 4x4 pixels as two end colours of 16 bits and a code of 2 bits per pixel. The
// pixels are ordered along their principal axis. The threads share all ways of cutting that order
// into four runs, one per code, and solve each for the best end colours by least squares. The best
// cut is kept.
//
// Colours lie in shared memory as three floats: their stride of 3 words has no conflict, and in the
// search all threads read the same one. The six sums of the covariance have a stride of 6: no
// conflict for 16 lanes on 32 banks, degree 2 on 16.
//
// Sums of colours are whole numbers below 2^24 and therefore exact. Rounded operations are written
// one by one (fmaf), so that the host repeats them to the bit.

constexpr unsigned kThreads = 64;
constexpr unsigned kPixels = 16;
constexpr unsigned kCuts = 969;  // ways of cutting 16 pixels into four runs, some of them empty
constexpr float kNone = 1e30f;   // the error of no choice

/// Writes the codes of cut `i`, 2 bits per pixel in order: `first` pixels with code 0, then runs of
/// codes 2, 3 and 1, so that the colour moves steadily from one end to the other.
extern "C" __global__ void dxtc_cuts(unsigned* cuts) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kCuts) return;
  unsigned rest = i;
  unsigned first = 0;
#pragma unroll 1
  for (unsigned r = kPixels; rest >= (r + 1) * (r + 2) / 2; --r) {
    rest -= (r + 1) * (r + 2) / 2;
    ++first;
  }
  unsigned second = 0;
#pragma unroll 1
  for (unsigned r = kPixels - first; rest > r; --r) {
    rest -= r + 1;
    ++second;
  }
  const unsigned third = rest;
  unsigned codes = 0;
#pragma unroll 1
  for (unsigned k = 0; k < kPixels; ++k) {
    const unsigned code = k < first                    ? 0
                          : k < first + second         ? 2
                          : k < first + second + third ? 3
                                                       : 1;
    codes |= code << 2 * k;
  }
  cuts[i] = codes;
}

/// Returns the level, 0 to `Levels`, of a channel that is nearest to value / divisor of 0 to 255.
template <unsigned Levels>
static __device__ __forceinline__ float levelOf(float value, float divisor) {
  const float channel = fminf(fmaxf(value / divisor, 0.0f), 255.0f);
  return floorf(fmaf(channel, Levels / 255.0f, 0.5f));
}

/// Widens a level to 0 to 255 like a decoder: its high bits are repeated below.
template <unsigned Levels>
static __device__ __forceinline__ float channelOf(float level) {
  return Levels == 31 ? level * 8.0f + floorf(level * 0.25f)
                      : level * 4.0f + floorf(level * 0.0625f);
}

/// Least squares of one channel: weights of the pixels' codes (in thirds), and their sums.
struct Weights {
  float aa, bb, ab, determinant;
};
template <unsigned Levels>
static __device__ __forceinline__ float solveChannel(const Weights& w, float ax, float bx,
                                                     unsigned& start, unsigned& end) {
  const float startLevel = levelOf<Levels>(3.0f * (ax * w.bb - bx * w.ab), w.determinant);
  const float endLevel = levelOf<Levels>(3.0f * (bx * w.aa - ax * w.ab), w.determinant);
  start = start * (Levels + 1) + static_cast<unsigned>(startLevel);
  end = end * (Levels + 1) + static_cast<unsigned>(endLevel);
  const float a = channelOf<Levels>(startLevel);
  const float b = channelOf<Levels>(endLevel);
  const float squares = w.aa * (a * a) + w.bb * (b * b) + 2.0f * w.ab * (a * b);
  return fmaf(-6.0f, ax * a + bx * b, squares);
}

/// Returns nine times a cut's squared error, less a constant; kNone if the cut settles no end.
static __device__ __forceinline__ float evaluateCut(const float3* colors, float3 sum,
                                                    unsigned codes, unsigned& start,
                                                    unsigned& end) {
  Weights w{0, 0, 0, 0};
  float3 ax{0, 0, 0};
#pragma unroll 4
  for (unsigned i = 0; i < kPixels; ++i) {
    const unsigned code = codes >> 2 * i & 3;
    const float b = static_cast<float>(code & 2 ? 1 + (code & 1) : 3 * (code & 1));
    const float a = 3.0f - b;
    w.aa += a * a;
    w.bb += b * b;
    w.ab += a * b;
    ax.x += a * colors[i].x;
    ax.y += a * colors[i].y;
    ax.z += a * colors[i].z;
  }
  w.determinant = w.aa * w.bb - w.ab * w.ab;
  if (w.determinant == 0) return kNone;
  start = end = 0;
  const float red = solveChannel<31>(w, ax.x, 3.0f * sum.x - ax.x, start, end);
  const float green = solveChannel<63>(w, ax.y, 3.0f * sum.y - ax.y, start, end);
  const float blue = solveChannel<31>(w, ax.z, 3.0f * sum.z - ax.z, start, end);
  return red + green + blue;
}

/// Encodes tiles. pixels: by tile, red in the lowest byte. out: a tile's end colours, then codes.
extern "C" __global__ void dxtc(const unsigned* pixels, const unsigned* cuts, uint2* out) {
  __shared__ float3 colors[kPixels];
  __shared__ float3 sums[kPixels];
  __shared__ float covariance[kPixels * 6];
  __shared__ float places[kPixels];
  __shared__ unsigned ranks[kPixels];
  __shared__ float errors[kThreads];
  __shared__ unsigned winners[kThreads];
  const unsigned t = threadIdx.x;
  const bool hasPixel = t < kPixels;

  if (hasPixel) {
    const unsigned pixel = pixels[blockIdx.x * kPixels + t];
    colors[t].x = static_cast<float>(pixel & 0xff);
    colors[t].y = static_cast<float>(pixel >> 8 & 0xff);
    colors[t].z = static_cast<float>(pixel >> 16 & 0xff);
    sums[t] = colors[t];
  }
#pragma unroll 1
  for (unsigned d = kPixels / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
      sums[t].x += sums[t + d].x;
      sums[t].y += sums[t + d].y;
      sums[t].z += sums[t + d].z;
    }
  }
  __syncthreads();
  const float3 sum = sums[0];

  // Compute the covariance, times 256; then its main axis by repeated multiplication.
  if (hasPixel) {
    const float x = kPixels * colors[t].x - sum.x;
    const float y = kPixels * colors[t].y - sum.y;
    const float z = kPixels * colors[t].z - sum.z;
    float* own = covariance + 6 * t;
    own[0] = x * x;
    own[1] = x * y;
    own[2] = x * z;
    own[3] = y * y;
    own[4] = y * z;
    own[5] = z * z;
  }
#pragma unroll 1
  for (unsigned d = kPixels / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
#pragma unroll
      for (unsigned i = 0; i < 6; ++i) covariance[6 * t + i] += covariance[6 * (t + d) + i];
    }
  }
  __syncthreads();
  // Start from the channel that varies most, whose product with the main axis is not 0.
  const float* c = covariance;
  const bool isBlue = c[5] > fmaxf(c[0], c[3]);
  const bool isGreen = !isBlue && c[3] > c[0];
  float3 axis{isBlue || isGreen ? 0.0f : 1.0f, isGreen ? 1.0f : 0.0f, isBlue ? 1.0f : 0.0f};
#pragma unroll 1
  for (unsigned i = 0; i < 8; ++i) {
    const float x = fmaf(axis.x, c[0], fmaf(axis.y, c[1], axis.z * c[2]));
    const float y = fmaf(axis.x, c[1], fmaf(axis.y, c[3], axis.z * c[4]));
    const float z = fmaf(axis.x, c[2], fmaf(axis.y, c[4], axis.z * c[5]));
    const float largest = fmaxf(fmaxf(fabsf(x), fabsf(y)), fabsf(z));
    if (largest > 0) axis = {x / largest, y / largest, z / largest};
  }

  // Order the pixels by their places along the axis.
  if (hasPixel)
    places[t] = fmaf(colors[t].x, axis.x, fmaf(colors[t].y, axis.y, colors[t].z * axis.z));
  __syncthreads();
  float red = 0, green = 0, blue = 0;
  if (hasPixel) {
    unsigned rank = 0;
#pragma unroll
    for (unsigned i = 0; i < kPixels; ++i)
      rank += places[i] < places[t] || (places[i] == places[t] && i < t) ? 1 : 0;
    ranks[t] = rank;
    red = colors[t].x;
    green = colors[t].y;
    blue = colors[t].z;
  }
  __syncthreads();
  if (hasPixel) colors[ranks[t]] = {red, green, blue};
  __syncthreads();

  float bestError = kNone;
  unsigned bestStart = 0, bestEnd = 0, bestCodes = 0;
#pragma unroll 1
  for (unsigned i = t; i < kCuts; i += kThreads) {
    const unsigned codes = cuts[i];
    unsigned start = 0, end = 0;
    const float error = evaluateCut(colors, sum, codes, start, end);
    if (error < bestError) {
      bestError = error;
      bestStart = start;
      bestEnd = end;
      bestCodes = codes;
    }
  }
  errors[t] = bestError;
  winners[t] = t;
#pragma unroll 1
  for (unsigned d = kThreads / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d && errors[t + d] < errors[t]) {
      errors[t] = errors[t + d];
      winners[t] = winners[t + d];
    }
  }
  __syncthreads();
  if (t != winners[0]) return;

  // A decoder uses four colours if the first end is greater. Equal ends need only code 0.
  if (bestStart < bestEnd) {
    const unsigned start = bestStart;
    bestStart = bestEnd;
    bestEnd = start;
    bestCodes ^= 0x55555555;
  }
  unsigned codes = 0;
#pragma unroll 1
  for (unsigned i = 0; bestStart != bestEnd && i < kPixels; ++i)
    codes |= (bestCodes >> 2 * ranks[i] & 3) << 2 * i;
  out[blockIdx.x] = make_uint2(bestStart | bestEnd << 16, codes);
}
