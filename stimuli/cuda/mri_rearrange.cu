// The last kernel of a pass of MRI gridding's radix sort (after Parboil), mri4: every block of 1024
// keys is sorted by the pass's four bits, and its 256 threads, four neighbouring keys each, move
// them to their places among all.
//
// Shared memory holds the block's 16 places u32[16], then the digits u32[1024]. Digits are stored
// at [4 t + k] and read at [4 t - 1 - k]: stride 4, degree 4. This is the reason to take the kernel
// for MRI-grid-4 of van den Braak et al., which is not published: table 5 has bits 2 to 6 for the
// stride of 4 by 32 lanes, and 0^4 and 1^5 for the 16 consecutive places. The keys decide which
// lanes still walk back and which places they look up, but not the addresses of the stride.

constexpr unsigned kThreads = 256;
constexpr unsigned kKeys = 4;  // keys per thread
constexpr unsigned kDigits = 16;

struct Shared {
  unsigned places[kDigits];
  unsigned digits[kThreads * kKeys];
};

/// Moves the keys. places[digit * gridDim.x + block] is the place of the block's first key of this
/// digit. The digit is the four bits of a key from bit `shift` on.
extern "C" __global__ void mri_rearrange(const unsigned* keys, const unsigned* values,
                                         const unsigned* places, unsigned* sortedKeys,
                                         unsigned* sortedValues, unsigned shift) {
  __shared__ Shared s;
  const unsigned t = threadIdx.x;
  const unsigned first = (blockIdx.x * kThreads + t) * kKeys;
  if (t < kDigits) s.places[t] = places[t * gridDim.x + blockIdx.x];
  unsigned key[kKeys];
  unsigned digit[kKeys];
#pragma unroll
  for (unsigned k = 0; k < kKeys; ++k) {
    key[k] = keys[first + k];
    digit[k] = key[k] >> shift & (kDigits - 1);
    s.digits[kKeys * t + k] = digit[k];
  }
  __syncthreads();

  // Find the first key's rank among equal digits: walk back to where its run begins.
  unsigned rank = 0;
#pragma unroll 1
  for (int i = static_cast<int>(kKeys * t) - 1; i >= 0 && s.digits[i] == digit[0]; --i) ++rank;
#pragma unroll
  for (unsigned k = 0; k < kKeys; ++k) {
    if (k > 0) rank = digit[k] == digit[k - 1] ? rank + 1 : 0;
    const unsigned place = s.places[digit[k]] + rank;
    sortedKeys[place] = key[k];
    sortedValues[place] = values[first + k];
  }
}
