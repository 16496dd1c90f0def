// One step of K-means (Lloyd 1982; Linde, Buzo and Gray 1980 make code books for pictures so): each
// 2x2 pixels of an image are a point in four dimensions, which joins the nearest centre. Each
// centre counts its points and sums their levels in shared memory, by atomics, in `copies` copies
// like those of histogram.cu.
//   replicated  whole copies one behind the other
//   stretched   the copies of a word one behind the other
// Thread t adds to copy t mod copies.

constexpr unsigned kSides = 4;           // dimensions of a point
constexpr unsigned kWords = kSides + 1;  // words of a centre: its sums, its count
constexpr unsigned kMostCentres = 256;

extern __shared__ unsigned totals[];

/// Adds up. image: rows of `pairs` words of two levels each. n: points, of which a row of points
/// has `pairs`. centres: their levels, point by point. out: kWords per centre.
template <bool IsStretched>
static __device__ __forceinline__ void step(const unsigned* image, const unsigned short* centres,
                                            unsigned* out, unsigned pairs, unsigned n,
                                            unsigned count, unsigned copies) {
  __shared__ int known[kMostCentres * kSides];
  const unsigned t = threadIdx.x;
  const unsigned words = count * kWords;
#pragma unroll 1
  for (unsigned i = t; i < words * copies; i += blockDim.x) totals[i] = 0;
#pragma unroll 1
  for (unsigned i = t; i < count * kSides; i += blockDim.x) known[i] = centres[i];
  __syncthreads();

  unsigned* own = totals + t % copies * (IsStretched ? 1 : words);
  const unsigned pitch = IsStretched ? copies : 1;
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) {
    const unsigned above = image[i / pairs * 2 * pairs + i % pairs];
    const unsigned below = image[(i / pairs * 2 + 1) * pairs + i % pairs];
    const int point[kSides] = {static_cast<int>(above & 0xffff), static_cast<int>(above >> 16),
                               static_cast<int>(below & 0xffff), static_cast<int>(below >> 16)};
    unsigned nearest = 0;
    unsigned least = ~0U;
#pragma unroll 1
    for (unsigned k = 0; k < count; ++k) {
      unsigned distance = 0;
#pragma unroll
      for (unsigned s = 0; s < kSides; ++s) {
        const int difference = point[s] - known[k * kSides + s];
        distance += static_cast<unsigned>(difference * difference);
      }
      if (distance < least) {
        least = distance;
        nearest = k;
      }
    }
    unsigned* centre = own + nearest * kWords * pitch;
#pragma unroll
    for (unsigned s = 0; s < kSides; ++s)
      atomicAdd(centre + s * pitch, static_cast<unsigned>(point[s]));
    atomicAdd(centre + kSides * pitch, 1U);
  }
  __syncthreads();

#pragma unroll 1
  for (unsigned i = t; i < words; i += blockDim.x) {
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < copies; ++k)
      sum += totals[IsStretched ? i * copies + k : k * words + i];
    atomicAdd(out + i, sum);
  }
}

extern "C" __global__ void kmeans_replicated(const unsigned* image, const unsigned short* centres,
                                             unsigned* out, unsigned pairs, unsigned n,
                                             unsigned count, unsigned copies) {
  step<false>(image, centres, out, pairs, n, count, copies);
}
extern "C" __global__ void kmeans_stretched(const unsigned* image, const unsigned short* centres,
                                            unsigned* out, unsigned pairs, unsigned n,
                                            unsigned count, unsigned copies) {
  step<true>(image, centres, out, pairs, n, count, copies);
}
