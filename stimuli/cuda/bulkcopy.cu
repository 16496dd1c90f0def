// Copies of blocks by the engine, over and over: one thread of a block begins `deep` copies of
// `bytes` and waits for all of them, `rounds` times. The blocks lie one behind the other.

constexpr unsigned kMost = 65536;
constexpr unsigned kTries = 100000;  // the loop of results/silicon/probes/cluster.cu

/// Copies in, then lets all threads store what has arrived.
extern "C" __global__ void bulkcopy_in(const unsigned* in, unsigned* out, unsigned bytes,
                                       unsigned deep, unsigned rounds) {
  __shared__ __align__(128) unsigned words[kMost / 4];
  __shared__ __align__(8) uint64_t arrival;
  const unsigned barrier = fermataShared(&arrival);
  const unsigned count = bytes * deep / 4;
  const unsigned* from = in + blockIdx.x * count;
  if (threadIdx.x == 0) {
    fermataInitBarrier(barrier);
#pragma unroll 1
    for (unsigned round = 0; round < rounds; ++round) {
      fermataExpectBytes(barrier, bytes * deep);
      const unsigned* source = from;
      unsigned target = fermataShared(words);
      for (unsigned i = deep; i != 0; --i, source += bytes / 4, target += bytes)
        fermataFetchBlock(target, source, bytes, barrier);
      for (unsigned tries = 0; tries < kTries && !fermataIsOver(barrier, round & 1); ++tries) {
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) out[blockIdx.x * count + i] = words[i];
}

/// Lets all threads load the words, then copies them out.
extern "C" __global__ void bulkcopy_out(const unsigned* in, unsigned* out, unsigned bytes,
                                        unsigned deep, unsigned rounds) {
  __shared__ __align__(128) unsigned words[kMost / 4];
  const unsigned count = bytes * deep / 4;
  unsigned* to = out + blockIdx.x * count;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) words[i] = in[blockIdx.x * count + i];
  fermataFenceEngine();
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (unsigned round = 0; round < rounds; ++round) {
      unsigned* target = to;
      unsigned source = fermataShared(words);
      for (unsigned i = deep; i != 0; --i, source += bytes, target += bytes / 4)
        fermataStoreBlock(target, source, bytes);
      fermataCommitBulk();
      fermataAwaitBulk();
    }
  }
}
