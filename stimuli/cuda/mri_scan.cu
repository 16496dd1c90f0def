// The scan kernels of MRI gridding, after Parboil's work-efficient tree: sums go up the tree at
// index 2 s t + s - 1 for s = 1, 2, 4 .. and prefixes come down. There is no padding, except for
// mri1 with pad=1: a word left out after every 32 removes all its conflicts.
//
// The paper by van den Braak et al. does not publish which kernels are MRI-grid-1 to 4. They are
// chosen by its table 5:
//   mri1  bits 0 to 9 paired as 0^5 .. 4^9: strides up to 512, so the scan of a segment of 1024
//         words by 512 threads (up and down). A block makes 141 shared stores, as their section 2
//         says, and 177 loads, where they count 194.
//   mri2  bits 1 to 6 (2, 3, 4, 5, 1^6): a tree of 128 words, so one sweep by 64 threads over
//         the sums of segments; words 2 t and 2 t + 1 are loaded by thread t. The up-sweep.
//   mri3  the same configuration: the down-sweep, same words.
//   mri4  see mri_rearrange.cu.

constexpr unsigned kSegmentThreads = 512;
constexpr unsigned kSweepThreads = 64;

/// Returns the place of word i of a tree.
template <unsigned Pad>
static __device__ __forceinline__ constexpr unsigned placeOf(unsigned i) {
  return i + Pad * (i / 32);
}

/// Leaves at word i the sum of the 2^k words up to it; 2^k is the lowest bit of i + 1. `threads` is
/// a power of two; there are twice as many words.
template <unsigned Pad>
static __device__ __forceinline__ void sweepUp(unsigned* words, unsigned threads) {
  const unsigned t = threadIdx.x;
  unsigned s = 1;
#pragma unroll 1
  for (unsigned active = threads; active > 0; active /= 2) {
    __syncthreads();
    if (t < active) {
      const unsigned left = 2 * s * t + s - 1;
      words[placeOf<Pad>(left + s)] += words[placeOf<Pad>(left)];
    }
    s *= 2;
  }
}

/// Hands prefixes down: each node gives its prefix to its left child, and its prefix plus the left
/// child's sum to its right one. The last word must hold the prefix of all.
template <unsigned Pad>
static __device__ __forceinline__ void sweepDown(unsigned* words, unsigned threads) {
  const unsigned t = threadIdx.x;
  unsigned s = threads;
#pragma unroll 1
  for (unsigned active = 1; active <= threads; active *= 2) {
    __syncthreads();
    if (t < active) {
      const unsigned left = 2 * s * t + s - 1;
      const unsigned sum = words[placeOf<Pad>(left)];
      const unsigned before = words[placeOf<Pad>(left + s)];
      words[placeOf<Pad>(left)] = before;
      words[placeOf<Pad>(left + s)] = before + sum;
    }
    s /= 2;
  }
}

/// Replaces each segment of 1024 of the n words by its exclusive prefix sums, and stores the
/// segment's sum, with 512 threads.
template <unsigned Pad>
static __global__ void mri_scan_segments(unsigned* data, unsigned* sums, unsigned n) {
  __shared__ unsigned words[placeOf<Pad>(2 * kSegmentThreads)];
  const unsigned t = threadIdx.x;
  const unsigned low = blockIdx.x * 2 * kSegmentThreads + t;
  const unsigned high = low + kSegmentThreads;
  words[placeOf<Pad>(t)] = low < n ? data[low] : 0;
  words[placeOf<Pad>(t + kSegmentThreads)] = high < n ? data[high] : 0;
  sweepUp<Pad>(words, kSegmentThreads);
  __syncthreads();
  if (t == 0) {
    sums[blockIdx.x] = words[placeOf<Pad>(2 * kSegmentThreads - 1)];
    words[placeOf<Pad>(2 * kSegmentThreads - 1)] = 0;
  }
  sweepDown<Pad>(words, kSegmentThreads);
  __syncthreads();
  if (low < n) data[low] = words[placeOf<Pad>(t)];
  if (high < n) data[high] = words[placeOf<Pad>(t + kSegmentThreads)];
}

// These kernels have mangled names: inlined into two with plain names, the body would become other
// code, with other instructions.
template __global__ void mri_scan_segments<0>(unsigned*, unsigned*, unsigned);
template __global__ void mri_scan_segments<1>(unsigned*, unsigned*, unsigned);

/// Sweeps up in place over every `step`-th word (step - 1, 2 step - 1 ..), 2 * blockDim.x words per
/// block, with at most 64 threads, a power of two.
extern "C" __global__ void mri_sweep_up(unsigned* data, unsigned step) {
  __shared__ unsigned words[2 * kSweepThreads];
  const unsigned t = threadIdx.x;
  const unsigned left = (2 * (blockIdx.x * blockDim.x + t) + 1) * step - 1;
  words[2 * t] = data[left];
  words[2 * t + 1] = data[left + step];
  sweepUp<0>(words, blockDim.x);
  __syncthreads();
  data[left] = words[2 * t];
  data[left + step] = words[2 * t + 1];
}

/// Sweeps down in place over the words of mri_sweep_up().
extern "C" __global__ void mri_sweep_down(unsigned* data, unsigned step) {
  __shared__ unsigned words[2 * kSweepThreads];
  const unsigned t = threadIdx.x;
  const unsigned left = (2 * (blockIdx.x * blockDim.x + t) + 1) * step - 1;
  words[2 * t] = data[left];
  words[2 * t + 1] = data[left + step];
  sweepDown<0>(words, blockDim.x);
  __syncthreads();
  data[left] = words[2 * t];
  data[left + step] = words[2 * t + 1];
}
