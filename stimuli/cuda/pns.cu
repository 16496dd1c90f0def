// Simulation of a stochastic Petri net (after Parboil's pns), one trajectory per block of 256
// threads. Random numbers come from a Mersenne twister (MT19937, Matsumoto and Nishimura
// 1998). The block keeps its state, u32[624], in shared memory and renews it together: words
// t, t + 1 and t + 397, no conflict. Places and claims lie in global memory and are accessed
// at random.
//
// The net is a torus of 2 n rows of n places. Transition (row, column) takes a token from its own
// place and one from the row above, there a column further if its row is odd. It gives one to the
// next place of its row and one to the row below. Two transitions of neighbouring rows want each
// place; if both are ready, the one whose row has the parity of the step fires.

constexpr unsigned kThreads = 256;
constexpr unsigned kState = 624;
constexpr unsigned kMiddle = 397;
constexpr unsigned kLag = kState - kMiddle;

/// Sets the state to that of std::mt19937 after seeding.
static __device__ __forceinline__ void seedTwister(unsigned* state, unsigned seed) {
  if (threadIdx.x == 0) {
    unsigned word = seed;
    state[0] = word;
#pragma unroll 1
    for (unsigned i = 1; i < kState; ++i) {
      word = 1812433253U * (word ^ word >> 30) + i;
      state[i] = word;
    }
  }
  __syncthreads();
}

/// Renews words first to first + kLag - 1, which depend on each other's old values only.
static __device__ __forceinline__ void twist(unsigned* state, unsigned first) {
  const unsigned i = first + threadIdx.x;
  const bool active = threadIdx.x < kLag && i < kState;
  unsigned word = 0;
  if (active) {
    const unsigned low = state[i + 1 < kState ? i + 1 : 0];
    const unsigned joined = (state[i] & 0x80000000U) | (low & 0x7fffffffU);
    const unsigned far = state[i < kLag ? i + kMiddle : i - kLag];
    word = far ^ joined >> 1 ^ ((low & 1) != 0 ? 0x9908b0dfU : 0);
  }
  __syncthreads();
  if (active) state[i] = word;
  __syncthreads();
}

static __device__ __forceinline__ unsigned temper(unsigned word) {
  word ^= word >> 11;
  word ^= word << 7 & 0x9d2c5680U;
  word ^= word << 15 & 0xefc60000U;
  return word ^ word >> 18;
}

/// Takes a step: fires the transitions of threads with `chosen` set that are ready and not in
/// conflict. claims[i]: last claim on transition i, 256 * step + thread; steps count from 1.
static __device__ __forceinline__ void fire(unsigned* places, unsigned* claims, unsigned n,
                                            bool chosen, unsigned number, unsigned step) {
  const unsigned rows = 2 * n;
  const unsigned row = number % rows;
  const unsigned column = number / rows % n;
  const unsigned above = (row == 0 ? rows : row) - 1;
  const unsigned below = row + 1 == rows ? 0 : row + 1;
  const unsigned right = column + 1 == n ? 0 : column + 1;
  const unsigned left = (column == 0 ? n : column) - 1;
  const bool isOdd = row % 2 != 0;
  const unsigned shifted = isOdd ? right : column;

  const unsigned own = row * n + column;
  const unsigned taken = above * n + shifted;
  const unsigned claim = step * kThreads + threadIdx.x;
  unsigned ownTokens = 0;
  unsigned takenTokens = 0;
  if (chosen) {
    ownTokens = places[own];
    takenTokens = places[taken];
  }
  bool fires = ownTokens > 0 && takenTokens > 0;
  if (fires) claims[own] = claim;
  __syncthreads();
  // Several threads may have chosen one transition: the last to write its claim goes on.
  fires = fires && claims[own] == claim;
  if (fires && row % 2 != step % 2) {
    // Test the other transitions that want `taken` and `own`.
    fires = claims[taken] / kThreads != step &&
            claims[below * n + (isOdd ? column : left)] / kThreads != step;
  }
  if (fires) {
    places[own] = ownTokens - 1;
    places[taken] = takenTokens - 1;
  }
  __syncthreads();
  if (fires) {
    atomicAdd(places + row * n + right, 1U);
    atomicAdd(places + below * n + shifted, 1U);
  }
  __syncthreads();
}

/// Runs `rounds` rounds of 624 numbers: two steps of 256 and one of 112.
extern "C" __global__ void pns(unsigned* places, unsigned* claims, unsigned n, unsigned rounds,
                               unsigned seed) {
  __shared__ unsigned state[kState];
  unsigned* ownPlaces = places + blockIdx.x * 2 * n * n;
  unsigned* ownClaims = claims + blockIdx.x * 2 * n * n;
  seedTwister(state, seed + blockIdx.x);
  unsigned step = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; ++round) {
    twist(state, 0);
    twist(state, kLag);
    twist(state, 2 * kLag);
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < 3 * kThreads; i += kThreads) {
      const unsigned number = i < kState ? temper(state[i]) : 0;
      fire(ownPlaces, ownClaims, n, i < kState, number, ++step);
    }
  }
}
