// Exclusive prefix sum of n integers: every block scans its segment and writes the segment's sum,
// one block scans the sums, and a last kernel adds them back.
//   0  sequential addresses (Hillis and Steele): 256 elements per block; each step reads a
//      neighbour at a distance of 1, 2, 4 ..; half of the array holds zeros, so that no step tests
//      a bound. No conflict
//   1  work-efficient tree (Blelloch): 1024 elements per block of 512 threads, at index
//      2 s t + s - 1; the degree is 2, 4, 8, 16, 32, 16, 8, 4, 2 up the tree
//      and back

constexpr unsigned kScanThreads = 256;
constexpr unsigned kTreeThreads = 512;
constexpr unsigned kTreeElements = 2 * kTreeThreads;

extern "C" __global__ void scan_0(const unsigned* in, unsigned* out, unsigned* sums, unsigned n) {
  __shared__ volatile unsigned words[2 * kScanThreads];
  const unsigned i = blockIdx.x * kScanThreads + threadIdx.x;
  const unsigned own = i < n ? in[i] : 0;
  const unsigned place = threadIdx.x + kScanThreads;
  words[threadIdx.x] = 0;
  words[place] = own;
#pragma unroll 1
  for (unsigned distance = 1; distance < kScanThreads; distance *= 2) {
    __syncthreads();
    const unsigned sum = words[place] + words[place - distance];
    __syncthreads();
    words[place] = sum;
  }
  const unsigned inclusive = words[place];
  if (i < n) out[i] = inclusive - own;
  if (threadIdx.x == kScanThreads - 1) sums[blockIdx.x] = inclusive;
}

extern "C" __global__ void scan_1(const unsigned* in, unsigned* out, unsigned* sums, unsigned n) {
  __shared__ unsigned words[kTreeElements];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * kTreeElements + t;
  words[t] = i < n ? in[i] : 0;
  words[t + kTreeThreads] = i + kTreeThreads < n ? in[i + kTreeThreads] : 0;

  unsigned s = 1;
#pragma unroll 1
  for (; s < kTreeElements; s *= 2) {
    __syncthreads();
    const unsigned left = 2 * s * t + s - 1;
    if (left < kTreeElements) words[left + s] += words[left];
  }
  __syncthreads();
  if (t == 0) {
    sums[blockIdx.x] = words[kTreeElements - 1];
    words[kTreeElements - 1] = 0;
  }
#pragma unroll 1
  for (s /= 2; s > 0; s /= 2) {
    __syncthreads();
    const unsigned left = 2 * s * t + s - 1;
    if (left < kTreeElements) {
      const unsigned below = words[left];
      const unsigned above = words[left + s];
      words[left] = above;
      words[left + s] = above + below;
    }
  }
  __syncthreads();
  if (i < n) out[i] = words[t];
  if (i + kTreeThreads < n) out[i + kTreeThreads] = words[t + kTreeThreads];
}

/// Adds to each element the sum of the segments before its own; segments have `segment` elements.
extern "C" __global__ void scan_add(unsigned* out, const unsigned* before, unsigned segment,
                                    unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += before[blockIdx.x * blockDim.x / segment];
}
