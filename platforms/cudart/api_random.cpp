// cuRAND's host interface. The host computes the numbers and writes them where the program asks:
// nothing is launched, and no simulated time passes.
#include <fermata/platforms/cudart/copies.h>
#include <fermata/platforms/cudart/normal_numbers.h>
#include <fermata/platforms/cudart/random_lanes.h>
#include <fermata/platforms/cudart/streams.h>
#include <fermata/stimuli/cuda/include/curand.h>
#include <fermata/stimuli/cuda/include/parts/random_words.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

using namespace fermata::cudart;

struct curandGenerator_st {
  bool philox = false, combined = false;  ///< neither: XORWOW
  bool ofHost = false;                    ///< writes to the host's memory
  std::uint64_t seed = 0, offset = 0;
  cudaStream_t stream = nullptr;
  std::unique_ptr<XorwowLanes> lanes = nullptr;  ///< null: not begun
  std::unique_ptr<CombinedLanes> combinedLanes = nullptr;
  std::uint64_t position = 0;  ///< Philox: number of the next result
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
    const bool combined = type == CURAND_RNG_PSEUDO_MRG32K3A;
    requireThat(
        philox || combined || type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW,
        CURAND_STATUS_TYPE_ERROR,
        "a generator that there is not; expected CURAND_RNG_PSEUDO_XORWOW, "
        "CURAND_RNG_PSEUDO_MRG32K3A or CURAND_RNG_PSEUDO_PHILOX4_32_10");
    if (!ofHost) (void)soundSession();
    auto made = std::make_unique<curandGenerator_st>();
    made->philox = philox;
    made->combined = combined;
    made->ofHost = ofHost;
    generators().insert(made.get());
    *to = made.release();
  };
  return random(name, make, CURAND_STATUS_INITIALIZATION_FAILED);
}

/// Begins the sequences anew with the next call that generates.
void restart(curandGenerator_st& generator) {
  generator.lanes = nullptr;
  generator.combinedLanes = nullptr;
  generator.position = generator.offset;
}
/// Calls act(lanes) with the sequences of the generator, which is not Philox.
template <class Act>
void withLanes(curandGenerator_st& one, Act act) {
  if (one.combined && one.combinedLanes == nullptr)
    one.combinedLanes = std::make_unique<CombinedLanes>(one.seed, one.offset);
  if (!one.combined && one.lanes == nullptr)
    one.lanes = std::make_unique<XorwowLanes>(one.seed, one.offset);
  one.combined ? act(*one.combinedLanes) : act(*one.lanes);
}

/// Writes results where the program wants them, many at a time.
template <class T>
class Results {
 public:
  Results(const curandGenerator_st& generator, T* to) : generator_(generator), to_(to) {
    requireThat(to != nullptr, CURAND_STATUS_OUT_OF_RANGE, "no place for the numbers");
    requireStream(generator.stream);
  }
  void put(const T* results, std::size_t count) {
    kept_.insert(kept_.end(), results, results + count);
    if (kept_.size() >= kMost) flush();
  }
  void flush() {
    const std::size_t bytes = kept_.size() * sizeof(T);
    if (generator_.ofHost) {
      std::memcpy(to_, kept_.data(), bytes);
    } else if (bytes != 0) {
      copy(soundSession(), to_, kept_.data(), bytes, cudaMemcpyHostToDevice);
    }
    to_ += kept_.size();
    kept_.clear();
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 20;
  const curandGenerator_st& generator_;
  T* to_;
  std::vector<T> kept_;
};

constexpr unsigned kGroup = 4;  ///< results that a lane of Philox gives at once

/// Generates results of Philox: `perDraw` of them are resultsOf(words, place). A lane takes one
/// block for a group of floats and two for a group of doubles. Each call begins at the blocks that
/// floats would have reached (measured).
template <class T, class Draw>
void generatePhilox(curandGenerator_st& one, Results<T>& to, std::size_t count, unsigned words,
                    unsigned perDraw, Draw resultsOf) {
  const unsigned blocks = words / perDraw;
  const std::uint64_t first = one.position / kGroup;
  while (count != 0) {
    const std::uint64_t group = one.position / kGroup, lane = group % kPhiloxLanes;
    const std::uint64_t begun =
        first / kPhiloxLanes + (lane < first % kPhiloxLanes ? std::uint64_t{1} : 0);
    const std::uint64_t block = begun + (group / kPhiloxLanes - begun) * blocks;
    std::array<std::uint32_t, 2 * kGroup> all{};
    for (unsigned k = 0; k < blocks; ++k) {
      const auto four = philoxBlock(one.seed, lane, block + k);
      std::copy(four.begin(), four.end(), all.begin() + 4 * k);
    }
    std::array<T, kGroup> results;
    for (unsigned k = 0; k < kGroup / perDraw; ++k)
      resultsOf(all.data() + k * words, results.data() + k * perDraw);
    const auto skipped = static_cast<std::size_t>(one.position % kGroup);
    const std::size_t now = std::min(kGroup - skipped, count);
    to.put(results.data() + skipped, now);
    one.position += now;
    count -= now;
  }
}

/// Generates results that take `words` words for `perDraw` of them: resultsOf(words, place).
template <class T, class Draw>
void generate(curandGenerator_st& one, T* place, std::size_t count, unsigned words,
              unsigned perDraw, Draw resultsOf) {
  if (count == 0) return;
  Results<T> to(one, place);
  if (one.philox) {
    generatePhilox(one, to, count, words, perDraw, resultsOf);
  } else {
    withLanes(one, [&](auto& lanes) {
      for (std::size_t done = 0; done < count; done += perDraw) {
        std::uint32_t drawn[4];
        T results[2];
        lanes.draw(drawn, words);
        resultsOf(drawn, results);
        to.put(results, perDraw);
      }
    });
  }
  to.flush();
}

/// Returns the words that a number takes which has as many bits as T.
template <class T>
unsigned wordsOf(const curandGenerator_st& one) {
  return one.combined ? 1 : sizeof(T) / sizeof(std::uint32_t);
}
double uniformDouble(const curandGenerator_st& one, const std::uint32_t* words) {
  return one.combined ? fermata_cuda::combinedUniform(*words)
                      : fermata_cuda::uniform(words[0], words[1]);
}

/// Generates numbers `of(x)` of normal ones with mean and deviation.
template <class T, class Of>
curandStatus_t generateNormal(const char* name, curandGenerator_t generator, T* to,
                              std::size_t count, T mean, T deviation, Of of) {
  return with(name, generator, [&](curandGenerator_st& one) {
    requireThat(one.philox || count % 2 == 0, CURAND_STATUS_LENGTH_NOT_MULTIPLE,
                "an odd number of normal numbers; expected an even one, or Philox");
    generate(one, to, count, 2 * wordsOf<T>(one), 2, [&](const std::uint32_t* words, T* place) {
      using fermata_cuda::combinedUniform;
      const std::pair<T, T> pair = one.combined
                                       ? boxMuller<T>(static_cast<T>(combinedUniform(words[0])),
                                                      static_cast<T>(combinedUniform(words[1])))
                                       : normalPair(words, T());
      place[0] = of(mean + deviation * pair.first);
      place[1] = of(mean + deviation * pair.second);
    });
  });
}

/// Returns the number of exponential times that fit into `lambda`; for a large lambda, the normal
/// approximation. `take(words, count)` gives words.
template <class Take>
unsigned poisson(double lambda, Take take) {
  std::uint32_t words[4];
  if (lambda > 4000) {
    take(words, 4);
    const double n = lambda + std::sqrt(lambda) * normalPair(words, 0.0).first + 0.5;
    return n < 0 ? 0 : static_cast<unsigned>(n);
  }
  unsigned n = 0;
  for (double time = 0;; ++n) {
    take(words, 2);
    time -= std::log(fermata_cuda::uniform(words[0], words[1]));
    if (time >= lambda) return n;
  }
}

void generatePoisson(curandGenerator_st& one, Results<unsigned>& to, double lambda) {
  unsigned result = 0;
  if (one.philox) {
    // Each result has a sequence of its own, behind those of the other distributions.
    const std::uint64_t sequence = one.position++ | std::uint64_t{1} << 63;
    std::uint64_t block = 0;
    result = poisson(lambda, [&](std::uint32_t* words, unsigned count) {
      const auto four = philoxBlock(one.seed, sequence, block++);
      std::copy_n(four.begin(), count, words);
    });
  } else {
    withLanes(one, [&](auto& lanes) {
      bool first = true;
      result = poisson(lambda, [&](std::uint32_t* words, unsigned count) {
        std::exchange(first, false) ? lanes.draw(words, count) : lanes.drawAgain(words, count);
        for (unsigned k = 0; one.combined && k < count; ++k)
          words[k] = fermata_cuda::combinedBits(words[k]);
      });
    });
  }
  to.put(&result, 1);
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
  return with("curandGenerateSeeds", generator, [&](curandGenerator_st& one) {
    if (!one.philox) withLanes(one, [](auto&) {});
  });
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* to, size_t count) {
  return with("curandGenerate", generator, [&](curandGenerator_st& one) {
    generate(one, to, count, 1, 1, [&](const std::uint32_t* words, unsigned* place) {
      *place = one.combined ? fermata_cuda::combinedBits(*words) : *words;
    });
  });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long*, size_t) {
  return with("curandGenerateLongLong", generator, [&](curandGenerator_st&) {
    requireThat(false, CURAND_STATUS_TYPE_ERROR, "not a quasirandom generator of 64 bits");
  });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, size_t count) {
  return with("curandGenerateUniform", generator, [&](curandGenerator_st& one) {
    generate(one, to, count, 1, 1, [&](const std::uint32_t* words, float* place) {
      *place = one.combined ? static_cast<float>(uniformDouble(one, words))
                            : fermata_cuda::uniform(*words);
    });
  });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to, size_t count) {
  return with("curandGenerateUniformDouble", generator, [&](curandGenerator_st& one) {
    generate(
        one, to, count, wordsOf<double>(one), 1,
        [&](const std::uint32_t* words, double* place) { *place = uniformDouble(one, words); });
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
    if (count == 0) return;
    Results<unsigned> results(one, to);
    for (; count != 0; --count) generatePoisson(one, results, lambda);
    results.flush();
  });
}

}  // extern "C"
