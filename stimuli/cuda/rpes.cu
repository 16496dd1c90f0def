// Two-electron repulsion integrals (after Parboil's rpes, Rys polynomial equation solver): one
// integral (ij|kl) over four shells per block of 64 threads. A shell is a sum of Gaussians, so the
// integral is a sum over all combinations of four of them, shared by the threads; a tree over
// f32[64] of shared memory adds up. Shells are spherical (s): a Rys polynomial of degree 1, whose
// root does not matter and whose weight is the Boys function of order 0. The number of its terms
// depends on its argument: threads diverge.

constexpr unsigned kThreads = 64;
constexpr float kFactor = 34.9868367f;  // 2 pi^(5/2)

struct Shells {
  const float* centres;  // x, y, z of each shell
  const float* exponents;
  const float* coefficients;
  unsigned primitives;  // Gaussians per shell
};

/// The product of two Gaussians: a Gaussian between them.
struct Product {
  float exponent, factor, x, y, z;
};

struct Pair {
  unsigned first, second;
};

/// Returns pair `index` of (0,0), (1,0), (1,1), (2,0) ...
static __device__ __forceinline__ Pair pairAt(unsigned index) {
  unsigned row = static_cast<unsigned>(sqrtf(2.0f * static_cast<float>(index)));
#pragma unroll 1
  while (row * (row + 1) / 2 > index) --row;  // rounding made it one or two too large
  return {row, index - row * (row + 1) / 2};
}

static __device__ __forceinline__ Product multiply(const Shells& shells, Pair pair, unsigned first,
                                                   unsigned second) {
  const float* a = shells.centres + 3 * pair.first;
  const float* b = shells.centres + 3 * pair.second;
  const unsigned i = pair.first * shells.primitives + first;
  const unsigned j = pair.second * shells.primitives + second;
  const float alpha = shells.exponents[i];
  const float beta = shells.exponents[j];
  const float sum = alpha + beta;
  const float dx = a[0] - b[0];
  const float dy = a[1] - b[1];
  const float dz = a[2] - b[2];
  const float overlap = expf(-alpha * beta / sum * (dx * dx + dy * dy + dz * dz));
  return {sum, shells.coefficients[i] * shells.coefficients[j] * overlap,
          (alpha * a[0] + beta * b[0]) / sum, (alpha * a[1] + beta * b[1]) / sum,
          (alpha * a[2] + beta * b[2]) / sum};
}

/// Returns the weight: the integral of exp(-t u^2) over u from 0 to 1.
static __device__ __forceinline__ float rysWeight(float t) {
  if (t < 0.05f) return 1.0f - t * (0.333333333f - t * (0.1f - t * 0.0238095238f));
  if (t > 14.0f) return 0.886226925f * rsqrtf(t);  // the omitted tail is below e^-14 / 28
  float term = 1.0f;
  float sum = 1.0f;
#pragma unroll 1
  for (float odd = 3.0f; term > 1e-7f * sum; odd += 2.0f) {
    term *= 2.0f * t / odd;
    sum += term;
  }
  return sum * expf(-t);
}

/// Computes pair k of pairs of shells in block b, with k = i (i + 1) / 2 + j <= i. The grid has one
/// block per such pair.
extern "C" __global__ void rpes(const float* centres, const float* exponents,
                                const float* coefficients, float* integrals, unsigned primitives) {
  __shared__ float sums[kThreads];
  const Shells shells = {centres, exponents, coefficients, primitives};
  const unsigned t = threadIdx.x;
  const Pair quartet = pairAt(blockIdx.x);
  const Pair left = pairAt(quartet.first);
  const Pair right = pairAt(quartet.second);
  const unsigned squares = primitives * primitives;

  float sum = 0;
#pragma unroll 1
  for (unsigned c = t; c < squares * squares; c += kThreads) {
    const unsigned ij = c / squares;
    const unsigned kl = c % squares;
    const Product p = multiply(shells, left, ij / primitives, ij % primitives);
    const Product q = multiply(shells, right, kl / primitives, kl % primitives);
    const float all = p.exponent + q.exponent;
    const float product = p.exponent * q.exponent;
    const float dx = p.x - q.x;
    const float dy = p.y - q.y;
    const float dz = p.z - q.z;
    const float weight = rysWeight(product / all * (dx * dx + dy * dy + dz * dz));
    sum += p.factor * q.factor * kFactor / (product * sqrtf(all)) * weight;
  }
  sums[t] = sum;
#pragma unroll 1
  for (unsigned s = kThreads / 2; s > 0; s /= 2) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) integrals[blockIdx.x] = sums[0];
}
