// A histogram whose bins lie in the shared memory of all CTAs of a cluster (CUDA C++ Programming
// Guide, distributed shared memory), so that it may have more bins than one of them holds.
//   blocked      CTA r has bins r bins / ctas to (r + 1) bins / ctas - 1
//   interleaved  bin b lies in CTA b mod ctas

extern __shared__ unsigned counters[];

struct Place {
  unsigned rank, slot;
};
struct Blocked {
  static __device__ __forceinline__ Place of(unsigned bin, unsigned, unsigned part) {
    return {bin / part, bin % part};
  }
  static __device__ __forceinline__ unsigned bin(unsigned rank, unsigned slot, unsigned,
                                                 unsigned part) {
    return rank * part + slot;
  }
};
struct Interleaved {
  static __device__ __forceinline__ Place of(unsigned bin, unsigned ctas, unsigned) {
    return {bin % ctas, bin / ctas};
  }
  static __device__ __forceinline__ unsigned bin(unsigned rank, unsigned slot, unsigned ctas,
                                                 unsigned) {
    return slot * ctas + rank;
  }
};

/// Adds to `histogram` the counts of n values below `bins`, a multiple of the cluster's CTAs.
template <class Bins>
static __device__ __forceinline__ void count(const unsigned* values, unsigned* histogram,
                                             unsigned n, unsigned bins) {
  const unsigned rank = fermataClusterRank(), ctas = fermataClusterSize(), part = bins / ctas;
  const unsigned own = fermataShared(counters);
#pragma unroll 1
  for (unsigned slot = threadIdx.x; slot < part; slot += blockDim.x) counters[slot] = 0;
  fermataSyncCluster();
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const Place place = Bins::of(values[i], ctas, part);
    fermataAddAt(fermataAtRank(own + 4 * place.slot, place.rank), 1);
  }
  fermataSyncCluster();  // all have counted: no CTA ends while another adds to its bins
#pragma unroll 1
  for (unsigned slot = threadIdx.x; slot < part; slot += blockDim.x)
    atomicAdd(histogram + Bins::bin(rank, slot, ctas, part), counters[slot]);
}

extern "C" __global__ void clusterhist_blocked(const unsigned* values, unsigned* histogram,
                                               unsigned n, unsigned bins) {
  count<Blocked>(values, histogram, n, bins);
}
extern "C" __global__ void clusterhist_interleaved(const unsigned* values, unsigned* histogram,
                                                   unsigned n, unsigned bins) {
  count<Interleaved>(values, histogram, n, bins);
}
