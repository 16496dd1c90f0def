// Measures the cost of one atomic addition to shared memory (van den Braak et al., Simulation and
// Architecture Improvements of Atomic Operations on GPU Scratchpad Memory, equation 1). The first
// `conflicts` lanes of a warp go to words `stride` apart; each other lane goes to the word of its
// own number. Stride 0 is one word, 32 one bank, and 256 one bank and, with 1024 locks by address,
// one lock per four lanes.

extern __shared__ unsigned words[];

/// Makes `Additions` additions, each waiting for the one before it. At the end `memory` holds the
/// `count` words of shared memory, and `last` a word that waited for the last addition.
template <unsigned Additions>
static __device__ __forceinline__ void addAtomically(unsigned* memory, unsigned* last,
                                                     unsigned count, unsigned stride,
                                                     unsigned conflicts) {
  const unsigned t = threadIdx.x;
#pragma unroll 1
  for (unsigned i = t; i < count; i += blockDim.x) words[i] = 0;
  __syncthreads();

  const unsigned lane = t % 32;
  const unsigned index = lane < conflicts ? lane * stride : lane;
  // Compute the address even for no additions, so that kernels differ by their additions alone.
  unsigned old =
      reinterpret_cast<size_t>((__attribute__((address_space(3))) unsigned*)(words + index));
#pragma unroll
  for (unsigned k = 0; k < Additions; ++k)
    old = atomicAdd(words + index, k == 0 ? 1U : 1U + (old >> 31));  // no word gets that large
  last[t] = old;
  __syncthreads();

  unsigned i = t;
  asm volatile("" : "+r"(i));  // forces a new comparison
#pragma unroll 1
  for (; i < count; i += blockDim.x) memory[i] = words[i];
}

#define ATOMICBENCH(additions)                                                                 \
  extern "C" __global__ void atomicbench_##additions(                                          \
      unsigned* memory, unsigned* last, unsigned count, unsigned stride, unsigned conflicts) { \
    addAtomically<additions>(memory, last, count, stride, conflicts);                          \
  }
ATOMICBENCH(0)
ATOMICBENCH(1)
ATOMICBENCH(2)
ATOMICBENCH(4)
ATOMICBENCH(8)
ATOMICBENCH(16)
#undef ATOMICBENCH
