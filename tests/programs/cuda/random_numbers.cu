// Random numbers in kernels: Philox by its authors' test vectors, states that skip ahead, and the
// moments of the distributions.
#include <curand_kernel.h>

#include <cmath>

#include "check.h"

__global__ void published(uint4* out) {
  curandStatePhilox4_32_10_t s;
  curand_init(0, 0, 0, &s);
  out[0] = curand4(&s);
  curand_init(0x299f31d0a4093822ull, 0x0370734413198a2eull, 0, &s);
  for (int i = 0; i < 4; ++i) skipahead(0x85a308d3243f6a88ull, &s);  // each step gives four numbers
  out[1] = curand4(&s);
}

/// Sets 1 if a state that skipped n numbers continues like one that drew n.
template <class State>
__global__ void skips(int* same) {
  const unsigned long long n = threadIdx.x * threadIdx.x * 41ull + threadIdx.x;  // up to 39000
  State drawn, skipped, begun;
  curand_init(17, threadIdx.x, 0, &drawn);
  skipped = drawn;
  curand_init(17, threadIdx.x, n, &begun);
  for (unsigned long long i = 0; i < n; ++i) curand(&drawn);
  skipahead(n, &skipped);
  int right = 1;
  for (int i = 0; i < 5; ++i) {
    const unsigned number = curand(&drawn);
    right &= number == curand(&skipped) && number == curand(&begun);
  }
  // Far skips: twice 2^40 equals 2^41, and whole sequences may be skipped in any order between.
  State once = drawn, twice = drawn;
  skipahead(1ull << 41, &once);
  skipahead_sequence(3, &once);
  skipahead_sequence(1, &twice);
  skipahead(1ull << 40, &twice);
  skipahead_sequence(2, &twice);
  skipahead(1ull << 40, &twice);
  right &= curand(&once) == curand(&twice) && curand(&once) != curand(&drawn);
  same[threadIdx.x] = right;
}

const int kKinds = 8;

template <class State>
__global__ void draw(double* sums, int count) {  // per kind: the sum, and the sum of squares
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  State s;
  curand_init(2024, t, 0, &s);
  for (int kind = 0; kind < kKinds; ++kind) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
      double x = 0;
      if (kind == 0) x = curand_uniform(&s);
      if (kind == 1) x = curand_uniform_double(&s);
      if (kind == 2) x = curand_normal(&s);
      if (kind == 3) x = curand_normal_double(&s);
      if (kind == 4) x = curand_normal2(&s).y;
      if (kind == 5) x = logf(curand_log_normal(&s, 1.0f, 0.5f));
      if (kind == 6) x = log(curand_log_normal2_double(&s, 1.0, 0.5).x);
      if (kind == 7) x = curand_poisson(&s, 6.5);
      sum += x;
      squares += x * x;
    }
    atomicAdd(&sums[2 * kind], sum);
    atomicAdd(&sums[2 * kind + 1], squares);
  }
}

template <class State>
void test(const char* name, int count) {
  const int threads = 32, total = 4 * 64 * count;
  int* same;
  CHECK(cudaMallocManaged(&same, threads * sizeof(int)));
  skips<State><<<1, threads>>>(same);
  CHECK(cudaDeviceSynchronize());
  for (int t = 0; t < threads; ++t)
    if (same[t] != 1) fail("%s: thread %d skips amiss", name, t);
  double* sums;
  CHECK(cudaMallocManaged(&sums, 2 * kKinds * sizeof(double)));
  CHECK(cudaMemset(sums, 0, 2 * kKinds * sizeof(double)));
  draw<State><<<4, 64>>>(sums, count);
  CHECK(cudaDeviceSynchronize());
  const double means[kKinds] = {0.5, 0.5, 0, 0, 0, 1, 1, 6.5};
  const double variances[kKinds] = {1 / 12., 1 / 12., 1, 1, 1, 0.25, 0.25, 6.5};
  for (int kind = 0; kind < kKinds; ++kind) {
    const double mean = sums[2 * kind] / total;
    const double variance = sums[2 * kind + 1] / total - mean * mean;
    if (std::fabs(mean - means[kind]) < 5 * std::sqrt(variances[kind] / total) &&
        std::fabs(variance / variances[kind] - 1) < 10 / std::sqrt(double(total)))
      continue;
    fail("%s %d: mean %g, variance %g; expected %g, %g", name, kind, mean, variance, means[kind],
         variances[kind]);
  }
}

int main() {
  const int count = 20;
  uint4* out;
  CHECK(cudaMallocManaged(&out, 2 * sizeof(uint4)));
  published<<<1, 1>>>(out);
  CHECK(cudaDeviceSynchronize());
  const unsigned expected[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8,
                               0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
  for (int i = 0; i < 8; ++i)
    if ((&out[0].x)[i] != expected[i])
      fail("word %d is %08x, expected %08x", i, (&out[0].x)[i], expected[i]);
  if (sizeof(curandState) != 48 || sizeof(curandStatePhilox4_32_10_t) != 64)
    fail("states have another size than cuRAND's");
  if (sizeof(curandStateMRG32k3a) != 48) fail("a state of MRG32k3a has another size than cuRAND's");
  test<curandState>("XORWOW", count);
  test<curandStateMRG32k3a>("MRG32k3a", count);
  test<curandStatePhilox4_32_10_t>("Philox", count);
  puts("PASS");
}
