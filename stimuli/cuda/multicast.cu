// Copies of blocks by the engine, for the blocks of a cluster: the first one begins `deep` copies
// of `bytes` into the shared memory of all blocks, or of itself alone, and those that receive wait
// for all of them, `rounds` times. All meet before each round.

constexpr unsigned kMost = 65536;

template <bool kForAll>
static __device__ __forceinline__ void copyIn(const unsigned* in, unsigned* out, unsigned bytes,
                                              unsigned deep, unsigned rounds) {
  __shared__ __align__(128) unsigned words[kMost / 4];
  __shared__ __align__(8) uint64_t arrival;
  const unsigned barrier = fermataShared(&arrival), rank = fermataClusterRank();
  const unsigned count = bytes * deep / 4;
  const unsigned* from = in + blockIdx.x / fermataClusterSize() * count;
  const bool receives = kForAll || rank == 0;
  if (threadIdx.x == 0) fermataInitBarrier(barrier);
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0 && receives) fermataExpectBytes(barrier, bytes * deep);
    fermataSyncCluster();
    if (threadIdx.x == 0 && rank == 0) {
      const unsigned* source = from;
      unsigned target = fermataShared(words);
      for (unsigned i = deep; i != 0; --i, source += bytes / 4, target += bytes) {
        if (kForAll)
          fermataShareBlock(target, source, bytes, barrier, (1U << fermataClusterSize()) - 1);
        else
          fermataFetchBlock(target, source, bytes, barrier);
      }
    }
    if (threadIdx.x == 0 && receives) fermataAwaitPhase(barrier, round & 1);
    __syncwarp();
  }
  fermataSyncCluster();
  unsigned* to = out + blockIdx.x * count;
  if (receives) {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) to[i] = words[i];
  } else {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) to[i] = from[i];
  }
}

extern "C" __global__ void multicast_all(const unsigned* in, unsigned* out, unsigned bytes,
                                         unsigned deep, unsigned rounds) {
  copyIn<true>(in, out, bytes, deep, rounds);
}
extern "C" __global__ void multicast_one(const unsigned* in, unsigned* out, unsigned bytes,
                                         unsigned deep, unsigned rounds) {
  copyIn<false>(in, out, bytes, deep, rounds);
}
