// cuRAND's host interface: the published example, the order of the results, equality with the
// generators in kernels, continued calls, offsets, and the moments of the distributions.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>

#include "check.h"

#define RANDOM(call) GIVES(call, CURAND_STATUS_SUCCESS)

static curandGenerator_t generatorOf(curandRngType_t type, unsigned long long seed,
                                     bool ofHost = false) {
  curandGenerator_t made = nullptr;
  RANDOM(ofHost ? curandCreateGeneratorHost(&made, type) : curandCreateGenerator(&made, type));
  RANDOM(curandSetPseudoRandomGeneratorSeed(made, seed));
  return made;
}
template <class T, class Make>
static std::vector<T> made(size_t count, Make make) {
  T* const memory = newOnDevice<T>(count);
  RANDOM(make(memory, count));
  return toHost(memory, count);
}
static std::vector<unsigned> wordsOf(curandGenerator_t generator, size_t count) {
  return made<unsigned>(count,
                        [&](unsigned* to, size_t n) { return curandGenerate(generator, to, n); });
}

/// Word i of a sequence per thread, as the host interface orders them.
__global__ void inKernel(unsigned* xorwow, unsigned* philox, double* pairs, double* uniform) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState a;
  curand_init(77, i % 4096, i / 4096, &a);
  xorwow[i] = curand(&a);
  curandStatePhilox4_32_10_t b;
  curand_init(77, i / 4 % 65536, i % 4, &b);
  philox[i] = curand(&b);
  curandStatePhilox4_32_10_t d;
  curand_init(77, i / 4, 2 * (i % 4), &d);
  uniform[i] = curand_uniform_double(&d);
  if (i % 2 == 0) {
    curandState c;
    curand_init(77, i / 2, 0, &c);
    const double2 pair = curand_normal2_double(&c);
    pairs[i] = pair.x;
    pairs[i + 1] = pair.y;
  }
}

static void checkExample() {
  // Seed 1234 in the example of cuRAND's guide prints these.
  const float published[] = {0.1455f, 0.8202f, 0.5504f, 0.2948f, 0.9147f,
                             0.8690f, 0.3219f, 0.7829f, 0.0113f, 0.2855f};
  curandGenerator_t generator = generatorOf(CURAND_RNG_PSEUDO_DEFAULT, 1234);
  const auto got =
      made<float>(10, [&](float* to, size_t n) { return curandGenerateUniform(generator, to, n); });
  for (int i = 0; i < 10; ++i)
    if (std::fabs(got[i] - published[i]) > 0.00006f) fail("number %d is %.4f", i, got[i]);
  RANDOM(curandDestroyGenerator(generator));
}

static void checkOrder() {
  const unsigned count = 8192;
  unsigned* const words = newOnDevice<unsigned>(2 * count);
  double* const pairs = newOnDevice<double>(2 * count);
  inKernel<<<count / 256, 256>>>(words, words + count, pairs, pairs + count);
  curandGenerator_t xorwow = generatorOf(CURAND_RNG_PSEUDO_XORWOW, 77);
  curandGenerator_t philox = generatorOf(CURAND_RNG_PSEUDO_PHILOX4_32_10, 77);
  const std::vector<unsigned> ofXorwow = toHost(words, count), first = wordsOf(xorwow, count);
  expectSame("XORWOW", first, ofXorwow);
  expectSame("Philox", wordsOf(philox, count), toHost(words + count, count));
  // Calls go on where the last one ended; an offset skips as many results.
  const std::vector<unsigned> later = wordsOf(xorwow, 5000);
  RANDOM(curandSetGeneratorOffset(xorwow, count + 1000));
  expectSame("offset", wordsOf(xorwow, 4000),
             std::vector<unsigned>(later.begin() + 1000, later.end()));
  std::vector<unsigned> ofPhilox = toHost(words + count, count);
  RANDOM(curandSetGeneratorOffset(philox, 1));
  unsigned from = 1;
  for (unsigned each : {1u, 5u, 2u, 7u}) {
    expectSame("parts of Philox", wordsOf(philox, each),
               std::vector<unsigned>(&ofPhilox[from], &ofPhilox[from + each]));
    from += each;
  }
  RANDOM(curandSetGeneratorOffset(philox, 0));
  const auto doubles = made<double>(
      count, [&](double* to, size_t n) { return curandGenerateUniformDouble(philox, to, n); });
  expectSame("doubles of Philox", doubles, toHost(pairs + count, count));
  RANDOM(curandSetGeneratorOffset(philox, 4 * 65536ull * 3 + 8));
  curandGenerator_t host = generatorOf(CURAND_RNG_PSEUDO_PHILOX4_32_10, 77, true);
  std::vector<unsigned> all(4 * 65536 * 3 + 12);
  RANDOM(curandGenerate(host, all.data(), all.size()));
  expectSame("offset of Philox", wordsOf(philox, 4),
             std::vector<unsigned>(all.end() - 4, all.end()));

  RANDOM(curandSetGeneratorOffset(xorwow, 0));
  const auto normal = made<double>(count, [&](double* to, size_t n) {
    return curandGenerateNormalDouble(xorwow, to, n, 0.0, 1.0);
  });
  const std::vector<double> expected = toHost(pairs, count);
  for (unsigned i = 0; i < count; ++i)
    if (std::fabs(normal[i] - expected[i]) > 1e-13) fail("normal number %u is %g", i, normal[i]);
  for (curandGenerator_t one : {xorwow, philox, host}) RANDOM(curandDestroyGenerator(one));
}

__global__ void combinedInKernel(unsigned* words, float* uniform) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStateMRG32k3a s;
  curand_init(77, i, 0, &s);
  words[i] = curand(&s);
  uniform[i] = curand_uniform(&s);
}

static void checkCombined() {
  const unsigned count = 4096, lanes = 81920;
  // Words of cuRAND 10.4, seed 1234: the first of two sequences, and the second of the first one.
  curandGenerator_t host = generatorOf(CURAND_RNG_PSEUDO_MRG32K3A, 1234, true);
  std::vector<unsigned> words(lanes + 1);
  RANDOM(curandGenerate(host, words.data(), words.size()));
  expectSame("MRG32k3a", std::vector<unsigned>{words[0], words[1], words[lanes]},
             std::vector<unsigned>{3379073520, 653317650, 2521876100});

  unsigned* const ofKernel = newOnDevice<unsigned>(count);
  float* const uniform = newOnDevice<float>(count);
  combinedInKernel<<<count / 256, 256>>>(ofKernel, uniform);
  curandGenerator_t g = generatorOf(CURAND_RNG_PSEUDO_MRG32K3A, 77);
  expectSame("MRG32k3a of kernels", wordsOf(g, count), toHost(ofKernel, count));
  RANDOM(curandSetGeneratorOffset(g, lanes));
  const auto later =
      made<float>(count, [&](float* to, size_t n) { return curandGenerateUniform(g, to, n); });
  expectSame("uniform numbers of MRG32k3a", later, toHost(uniform, count));
  for (curandGenerator_t one : {host, g}) RANDOM(curandDestroyGenerator(one));
}

template <class T>
static void expectMoments(const char* name, const std::vector<T>& x, double mean, double variance) {
  double sum = 0, squares = 0;
  for (const T one : x) sum += one, squares += double(one) * one;
  const double m = sum / x.size(), v = squares / x.size() - m * m;
  if (std::fabs(m - mean) > 5 * std::sqrt(variance / x.size()) ||
      std::fabs(v / variance - 1) > 10 / std::sqrt(double(x.size())))
    fail("%s: mean %g, variance %g; expected %g, %g", name, m, v, mean, variance);
}

static void checkMoments(curandRngType_t type) {
  curandGenerator_t g = generatorOf(type, 5, true);
  std::vector<float> f(20000);
  std::vector<double> d(20000);
  std::vector<unsigned> u(20000);
  RANDOM(curandGenerateUniform(g, f.data(), f.size()));
  expectMoments("uniform", f, 0.5, 1 / 12.);
  RANDOM(curandGenerateUniformDouble(g, d.data(), d.size()));
  expectMoments("uniform double", d, 0.5, 1 / 12.);
  RANDOM(curandGenerateNormal(g, f.data(), f.size(), 3, 2));
  expectMoments("normal", f, 3, 4);
  RANDOM(curandGenerateNormalDouble(g, d.data(), d.size(), -3, 0.5));
  expectMoments("normal double", d, -3, 0.25);
  RANDOM(curandGenerateLogNormal(g, f.data(), f.size(), 1, 0.5f));
  for (float& x : f) x = std::log(x);
  expectMoments("log-normal", f, 1, 0.25);
  RANDOM(curandGenerateLogNormalDouble(g, d.data(), d.size(), 1, 0.5));
  for (double& x : d) x = std::log(x);
  expectMoments("log-normal double", d, 1, 0.25);
  for (double lambda : {6.5, 5000.0}) {
    RANDOM(curandGeneratePoisson(g, u.data(), u.size(), lambda));
    expectMoments("Poisson", u, lambda, lambda);
  }
  RANDOM(curandDestroyGenerator(g));
}

static void checkErrors() {
  curandGenerator_t g = nullptr;
  GIVES(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32), CURAND_STATUS_TYPE_ERROR);
  GIVES(curandSetPseudoRandomGeneratorSeed(g, 1), CURAND_STATUS_NOT_INITIALIZED);
  g = generatorOf(CURAND_RNG_PSEUDO_DEFAULT, 1);
  float* const memory = newOnDevice<float>(16);
  GIVES(curandGenerateNormal(g, memory, 15, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  GIVES(curandGenerateUniform(g, memory, 17), CURAND_STATUS_LAUNCH_FAILURE);
  GIVES(curandGenerateUniform(g, nullptr, 1), CURAND_STATUS_OUT_OF_RANGE);
  GIVES(curandGenerateLongLong(g, nullptr, 1), CURAND_STATUS_TYPE_ERROR);
  GIVES(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_SEEDED), CURAND_STATUS_OUT_OF_RANGE);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  RANDOM(curandSetStream(g, stream));
  RANDOM(curandGenerateUniform(g, memory, 16));
  RANDOM(curandDestroyGenerator(g));
  GIVES(curandDestroyGenerator(g), CURAND_STATUS_NOT_INITIALIZED);
  int version = 0;
  RANDOM(curandGetVersion(&version));
  EXPECT(version == CURAND_VERSION);
  CHECK(cudaGetLastError());
}

int main() {
  checkExample();
  checkOrder();
  checkCombined();
  checkMoments(CURAND_RNG_PSEUDO_XORWOW);
  checkMoments(CURAND_RNG_PSEUDO_MRG32K3A);
  checkMoments(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  checkErrors();
  puts("PASS");
}
