// cuRAND's host interface. The host computes the numbers and writes them where the program asks:
// nothing is launched, and no simulated time passes.
#include <fermata/platforms/cudart/copies.h>
#include <fermata/platforms/cudart/random_lanes.h>
#include <fermata/platforms/cudart/streams.h>
#include <fermata/stimuli/cuda/include/curand.h>
#include <fermata/stimuli/cuda/include/parts/random_words.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

using namespace fermata::cudart;

struct curandGenerator_st {
  bool philox = false;
  bool ofHost = false;  ///< writes to the host's memory
  std::uint64_t seed = 0, offset = 0;
  cudaStream_t stream = nullptr;
  std::unique_ptr<RandomLanes> lanes = nullptr;  ///< null: not begun
  unsigned next = 0;                             ///< lane of the next draw
};

namespace {

/// Ends a call with a status of cuRAND.
struct RandomError : ApiError {
  RandomError(curandStatus_t status_, const char* text)
      : ApiError(cudaErrorInvalidValue, text), status(status_) {}
  curandStatus_t status;
};
void requireThat(bool holds, curandStatus_t status, const char* text) {
  if (!holds) throw RandomError(status, text);
}

std::set<curandGenerator_t>& generators() {
  static auto* const all = new std::set<curandGenerator_t>;
  return *all;
}

/// Runs a call. `otherwise` is the status of an error of the runtime, whose last error stays.
template <class Body>
curandStatus_t random(const char* name, Body body,
                      curandStatus_t otherwise = CURAND_STATUS_LAUNCH_FAILURE) {
  curandStatus_t status = otherwise;
  const cudaError_t last = lastError();
  const cudaError_t code = api(name, [&] {
    try {
      body();
    } catch (const RandomError& error) {
      status = error.status;
      throw;
    }
  });
  lastError() = last;
  return code == cudaSuccess ? CURAND_STATUS_SUCCESS : status;
}
/// Runs a call with a generator.
template <class Body>
curandStatus_t with(const char* name, curandGenerator_t generator, Body body) {
  return random(name, [&] {
    requireThat(generators().count(generator) != 0, CURAND_STATUS_NOT_INITIALIZED,
                "not a generator");
    body(*generator);
  });
}

curandStatus_t create(const char* name, curandGenerator_t* to, curandRngType_t type, bool ofHost) {
  const auto make = [&] {
    requireThat(to != nullptr, CURAND_STATUS_OUT_OF_RANGE, "no place for the generator");
    const bool philox = type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
    requireThat(philox || type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW,
                CURAND_STATUS_TYPE_ERROR,
                "a generator that there is not; expected CURAND_RNG_PSEUDO_XORWOW or "
                "CURAND_RNG_PSEUDO_PHILOX4_32_10");
    if (!ofHost) (void)soundSession();
    auto made = std::make_unique<curandGenerator_st>();
    made->philox = philox;
    made->ofHost = ofHost;
    generators().insert(made.get());
    *to = made.release();
  };
  return random(name, make, CURAND_STATUS_INITIALIZATION_FAILED);
}

/// Begins the sequences anew with the next call that generates.
void restart(curandGenerator_st& generator) {
  generator.lanes = nullptr;
  generator.next = 0;
}
RandomLanes& lanesOf(curandGenerator_st& generator) {
  if (generator.lanes != nullptr) return *generator.lanes;
  generator.lanes = generator.philox ? makePhilox(generator.seed) : makeXorwow(generator.seed);
  RandomLanes& lanes = *generator.lanes;
  const unsigned words = lanes.wordsPerDraw();
  const std::uint64_t draws = generator.offset / words;
  generator.next = static_cast<unsigned>(draws % lanes.count());
  for (unsigned lane = 0; lane < lanes.count(); ++lane) {
    const std::uint64_t rounds = draws / lanes.count() + (lane < generator.next ? 1 : 0);
    if (rounds != 0) lanes.skip(lane, rounds * words);
  }
  return lanes;
}

/// Writes results where the program wants them.
void deliver(const curandGenerator_st& generator, void* to, const void* results,
             std::size_t bytes) {
  if (generator.ofHost) {
    std::memcpy(to, results, bytes);
  } else {
    copy(soundSession(), to, results, bytes, cudaMemcpyHostToDevice);
  }
}

/// Generates `count` results: `draw(lanes, lane, to)` writes `perDraw` of them.
template <class T, class Draw>
void generate(curandGenerator_st& generator, T* to, std::size_t count, unsigned perDraw,
              Draw draw) {
  if (count == 0) return;
  requireThat(to != nullptr, CURAND_STATUS_OUT_OF_RANGE, "no place for the numbers");
  requireStream(generator.stream);
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  RandomLanes& lanes = lanesOf(generator);
  std::vector<T> results(std::min(kChunk, count + perDraw));
  while (count != 0) {
    const std::size_t now = std::min(kChunk, count);
    for (std::size_t i = 0; i < now; i += perDraw) {
      T* const place = results.data() + i;
      draw(lanes, generator.next, place);
      generator.next = generator.next + 1 == lanes.count() ? 0 : generator.next + 1;
    }
    deliver(generator, to, results.data(), now * sizeof(T));
    to += now;
    count -= now;
  }
}

/// Generates results that take `words` words each, and are `perWords(words, to)`.
template <class T, class Results>
void generateFrom(curandGenerator_st& generator, T* to, std::size_t count, unsigned words,
                  unsigned perDraw, Results resultsOf) {
  const unsigned least = lanesOf(generator).wordsPerDraw(),
                 draws = words < least ? least / words : 1;
  generate(generator, to, count, perDraw * draws, [&](RandomLanes& lanes, unsigned lane, T* place) {
    std::uint32_t all[4];
    lanes.take(lane, all, words * draws);
    for (unsigned i = 0; i < draws; ++i) resultsOf(all + i * words, place + i * perDraw);
  });
}

/// Returns a pair of normal numbers (Box and Muller) from two uniform ones.
template <class T>
std::pair<T, T> normalPair(T u, T v) {
  const T radius = std::sqrt(T(-2) * std::log(u));
  const T angle = v * T(6.283185307179586);
  return {radius * std::sin(angle), radius * std::cos(angle)};
}
std::pair<float, float> normalPair(const std::uint32_t* words, float) {
  return normalPair(fermata_cuda::uniform(words[0]), fermata_cuda::uniform(words[1]));
}
std::pair<double, double> normalPair(const std::uint32_t* words, double) {
  return normalPair(fermata_cuda::uniform(words[0], words[1]),
                    fermata_cuda::uniform(words[2], words[3]));
}

/// Generates numbers `of(x)` of normal ones with mean and deviation.
template <class T, class Of>
curandStatus_t generateNormal(const char* name, curandGenerator_t generator, T* to,
                              std::size_t count, T mean, T deviation, Of of) {
  return with(name, generator, [&](curandGenerator_st& one) {
    requireThat(count % 2 == 0, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                "an odd number of normal numbers; expected an even one");
    constexpr unsigned kWords = 2 * sizeof(T) / sizeof(std::uint32_t);
    generateFrom(one, to, count, kWords, 2, [&](const std::uint32_t* words, T* place) {
      const std::pair<T, T> pair = normalPair(words, T());
      place[0] = of(mean + deviation * pair.first);
      place[1] = of(mean + deviation * pair.second);
    });
  });
}

/// Returns the number of exponential times that fit into `lambda`; for a large lambda, the normal
/// approximation. curand_poisson() of kernels does so, too.
unsigned poisson(RandomLanes& lanes, unsigned lane, double lambda) {
  std::uint32_t words[4];
  if (lambda > 4000) {
    lanes.take(lane, words, 4);
    const double n = lambda + std::sqrt(lambda) * normalPair(words, 0.0).first + 0.5;
    return n < 0 ? 0 : static_cast<unsigned>(n);
  }
  unsigned n = 0;
  for (double time = 0;; ++n) {
    lanes.take(lane, words, 2);
    time -= std::log(fermata_cuda::uniform(words[0], words[1]));
    if (time >= lambda) return n;
  }
}

}  // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create("curandCreateGenerator", generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create("curandCreateGeneratorHost", generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  return with("curandDestroyGenerator", generator, [&](curandGenerator_st&) {
    generators().erase(generator);
    delete generator;
  });
}
curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  *value = type == MAJOR_VERSION   ? CURAND_VER_MAJOR
           : type == MINOR_VERSION ? CURAND_VER_MINOR
                                   : CURAND_VER_PATCH;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  return with("curandSetStream", generator, [&](curandGenerator_st& one) {
    requireStream(stream);
    one.stream = stream;
  });
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  return with("curandSetPseudoRandomGeneratorSeed", generator, [&](curandGenerator_st& one) {
    one.seed = seed;
    restart(one);
  });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return with("curandSetGeneratorOffset", generator, [&](curandGenerator_st& one) {
    requireThat(!one.philox || offset % 4 == 0, CURAND_STATUS_OUT_OF_RANGE,
                "an offset of Philox that is no multiple of 4");
    one.offset = offset;
    restart(one);
  });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  return with("curandSetGeneratorOrdering", generator, [&](curandGenerator_st&) {
    requireThat(order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
                    order == CURAND_ORDERING_PSEUDO_LEGACY ||
                    order == CURAND_ORDERING_PSEUDO_DYNAMIC,
                CURAND_STATUS_OUT_OF_RANGE,
                "an order that there is not; expected CURAND_ORDERING_PSEUDO_DEFAULT");
  });
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int) {
  return with("curandSetQuasiRandomGeneratorDimensions", generator, [&](curandGenerator_st&) {
    requireThat(false, CURAND_STATUS_TYPE_ERROR, "not a quasirandom generator");
  });
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return with("curandGenerateSeeds", generator, [&](curandGenerator_st& one) { lanesOf(one); });
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* to, size_t count) {
  return with("curandGenerate", generator, [&](curandGenerator_st& one) {
    generateFrom(one, to, count, 1, 1,
                 [](const std::uint32_t* words, unsigned* place) { *place = *words; });
  });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long*, size_t) {
  return with("curandGenerateLongLong", generator, [&](curandGenerator_st&) {
    requireThat(false, CURAND_STATUS_TYPE_ERROR, "not a quasirandom generator of 64 bits");
  });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, size_t count) {
  return with("curandGenerateUniform", generator, [&](curandGenerator_st& one) {
    generateFrom(one, to, count, 1, 1, [](const std::uint32_t* words, float* place) {
      *place = fermata_cuda::uniform(*words);
    });
  });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to, size_t count) {
  return with("curandGenerateUniformDouble", generator, [&](curandGenerator_st& one) {
    generateFrom(one, to, count, 2, 1, [](const std::uint32_t* words, double* place) {
      *place = fermata_cuda::uniform(words[0], words[1]);
    });
  });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* to, size_t count,
                                    float mean, float deviation) {
  return generateNormal("curandGenerateNormal", generator, to, count, mean, deviation,
                        [](float x) { return x; });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* to, size_t count,
                                          double mean, double deviation) {
  return generateNormal("curandGenerateNormalDouble", generator, to, count, mean, deviation,
                        [](double x) { return x; });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* to, size_t count,
                                       float mean, float deviation) {
  return generateNormal("curandGenerateLogNormal", generator, to, count, mean, deviation,
                        [](float x) { return std::exp(x); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* to, size_t count,
                                             double mean, double deviation) {
  return generateNormal("curandGenerateLogNormalDouble", generator, to, count, mean, deviation,
                        [](double x) { return std::exp(x); });
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* to, size_t count,
                                     double lambda) {
  return with("curandGeneratePoisson", generator, [&](curandGenerator_st& one) {
    requireThat(lambda > 0 && lambda <= 4e9, CURAND_STATUS_OUT_OF_RANGE,
                "a lambda that is not above 0");
    generate(one, to, count, 1, [&](RandomLanes& lanes, unsigned lane, unsigned* place) {
      *place = poisson(lanes, lane, lambda);
    });
  });
}

}  // extern "C"
