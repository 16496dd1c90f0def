#include <fermata/models/search/degree_kernels.h>

#include <algorithm>

#if defined(__GNUC__) && defined(__x86_64__) && !defined(FERMATA_NO_CLONES)
#define FERMATA_HAS_AVX2
#include <immintrin.h>
#endif

namespace fermata::search::kernels {
namespace {

using Banks = std::array<std::uint8_t, kMostSteps * kStepBytes>;

std::uint64_t weighted(const std::uint64_t* weight, const Degrees& degrees) {
  std::uint64_t sum = 0;
  // A place without a set has degree 0 and weight 0.
  for (unsigned s = 0; s < kBlockSets; ++s) sum += weight[s] * (std::uint64_t{degrees[s]} - 1);
  return sum;
}

struct Portable {
  static void linearBanks(const NibbleBlocks& sets, const Block& block, const NibbleTables& tables,
                          Banks& banks) {
    const std::uint8_t* plane = sets.planes.data() + block.first * (sets.count + 1) * kStepBytes;
    for (unsigned q = 0; q < block.steps; ++q) {
      for (unsigned i = 0; i < kStepBytes; ++i) {
        std::uint8_t bank = plane[sets.count * kStepBytes + i];
        for (unsigned j = 0; j < sets.count; ++j) {
          bank ^= tables.table[j][plane[j * kStepBytes + i] & 15U];
        }
        banks[q * kStepBytes + i] = bank;
      }
      plane += (sets.count + 1) * kStepBytes;
    }
  }

  static void degrees(const Banks& bank, unsigned steps, std::uint32_t, Degrees& degrees) {
    for (unsigned s = 0; s < kBlockSets; ++s) {
      std::array<std::uint8_t, kMostBanks> load{};
      unsigned largest = 0;
      for (unsigned q = 0; q < steps; ++q) {
        for (unsigned b = 0; b < 4; ++b) {
          const std::uint8_t place = bank[q * kStepBytes + s * 4 + b];
          if (place < kNoBank) largest = std::max<unsigned>(largest, ++load[place]);
        }
      }
      degrees[s] = largest;
    }
  }
};

#ifdef FERMATA_HAS_AVX2
#define FERMATA_AVX2 __attribute__((target("avx2"), always_inline)) static inline

struct Avx2 {
  FERMATA_AVX2 __m256i load(const std::uint8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }

  FERMATA_AVX2 void linearBanks(const NibbleBlocks& sets, const Block& block,
                                const NibbleTables& tables, Banks& banks) {
    const std::uint8_t* plane = sets.planes.data() + block.first * (sets.count + 1) * kStepBytes;
    __m256i table[NibbleTables::kMost];
    for (unsigned j = 0; j < NibbleTables::kMost; ++j) {
      table[j] = _mm256_broadcastsi128_si256(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(tables.table[j].data())));
    }
    for (unsigned q = 0; q < block.steps; ++q) {
      __m256i bank = _mm256_shuffle_epi8(table[0], load(plane));
      for (unsigned j = 1; j < sets.count; ++j) {
        bank = _mm256_xor_si256(bank, _mm256_shuffle_epi8(table[j], load(plane + j * kStepBytes)));
      }
      if (block.padded) bank = _mm256_or_si256(bank, load(plane + sets.count * kStepBytes));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(banks.data() + q * kStepBytes), bank);
      plane += (sets.count + 1) * kStepBytes;
    }
  }

  struct Sum {
    __m256i low;
    __m256i carry;
  };
  FERMATA_AVX2 Sum add(__m256i a, __m256i b, __m256i c) {
    const __m256i half = _mm256_xor_si256(a, b);
    return {_mm256_xor_si256(half, c),
            _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(half, c))};
  }

  /// Adds the masks of four words of each set to `ones`; two carries remain.
  FERMATA_AVX2 void addStep(__m256i bank, __m256i& ones, __m256i& carry0, __m256i& carry1) {
    const __m256i one = _mm256_set1_epi32(1);
    const __m256i byte = _mm256_set1_epi32(255);
    const __m256i x0 = _mm256_sllv_epi32(one, _mm256_and_si256(bank, byte));
    const __m256i x1 = _mm256_sllv_epi32(one, _mm256_and_si256(_mm256_srli_epi32(bank, 8), byte));
    const __m256i x2 = _mm256_sllv_epi32(one, _mm256_and_si256(_mm256_srli_epi32(bank, 16), byte));
    const __m256i x3 = _mm256_sllv_epi32(one, _mm256_srli_epi32(bank, 24));
    const Sum first = add(ones, x0, x1);
    const Sum second = add(first.low, x2, x3);
    ones = second.low;
    carry0 = first.carry;
    carry1 = second.carry;
  }

  /// Returns the largest load of the 32 banks from `part` on.
  FERMATA_AVX2 __m256i largestOf(const Banks& banks, unsigned steps, std::uint32_t part) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i lowest = _mm256_set1_epi8(static_cast<char>(part));
    __m256i plane[6] = {zero, zero, zero, zero, zero, zero};
    for (unsigned q = 0; q < steps; q += 2) {
      // Banks below the part wrap around to 32 or more, which shifts the one out.
      const __m256i bank0 = _mm256_sub_epi8(load(banks.data() + q * kStepBytes), lowest);
      const __m256i bank1 = _mm256_sub_epi8(load(banks.data() + (q + 1) * kStepBytes), lowest);
      __m256i carry[4];
      addStep(bank0, plane[0], carry[0], carry[1]);
      addStep(bank1, plane[0], carry[2], carry[3]);
      const Sum two0 = add(plane[1], carry[0], carry[1]);
      const Sum two1 = add(two0.low, carry[2], carry[3]);
      plane[1] = two1.low;
      const Sum four = add(plane[2], two0.carry, two1.carry);
      plane[2] = four.low;
      const __m256i sixteen = _mm256_and_si256(plane[3], four.carry);
      plane[3] = _mm256_xor_si256(plane[3], four.carry);
      plane[5] = _mm256_or_si256(plane[5], _mm256_and_si256(plane[4], sixteen));
      plane[4] = _mm256_xor_si256(plane[4], sixteen);
    }
    // From the highest plane down: keep the largest banks that have the bit, if any has it.
    __m256i still = _mm256_set1_epi32(-1);
    __m256i largest = zero;
    for (unsigned k = 6; k-- > 0;) {
      const __m256i have = _mm256_and_si256(still, plane[k]);
      const __m256i none = _mm256_cmpeq_epi32(have, zero);
      still = _mm256_blendv_epi8(have, still, none);
      largest = _mm256_or_si256(largest, _mm256_andnot_si256(none, _mm256_set1_epi32(1 << k)));
    }
    return largest;
  }

  FERMATA_AVX2 void degrees(const Banks& bank, unsigned steps, std::uint32_t banks,
                            Degrees& degrees) {
    __m256i largest = largestOf(bank, steps, 0);
    for (std::uint32_t part = 32; part < banks; part += 32) {
      largest = _mm256_max_epu32(largest, largestOf(bank, steps, part));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(degrees.data()), largest);
  }
};

#undef FERMATA_AVX2
#endif

void look(const WordBlocks& sets, const Block& block, const std::uint8_t* table, Banks& bank) {
  const std::uint32_t* word = sets.words.data() + block.first * kStepBytes;
  for (unsigned i = 0; i < block.steps * kStepBytes; ++i) bank[i] = table[word[i]];
}

// One call per block: the block is enough work to hide the call, and the pieces above are inlined
// into code for their processor.
#ifdef FERMATA_HAS_AVX2
__attribute__((target("avx2"))) void linearAvx2(const NibbleBlocks& sets, const Block& block,
                                                const NibbleTables& tables, std::uint32_t banks,
                                                Degrees& degrees) {
  Banks bank;
  Avx2::linearBanks(sets, block, tables, bank);
  Avx2::degrees(bank, block.steps, banks, degrees);
}

__attribute__((target("avx2"))) void countAvx2(const Banks& bank, unsigned steps,
                                               std::uint32_t banks, Degrees& degrees) {
  Avx2::degrees(bank, steps, banks, degrees);
}
#endif

void linearDegrees(Form form, const NibbleBlocks& sets, const Block& block,
                   const NibbleTables& tables, std::uint32_t banks, Degrees& degrees) {
#ifdef FERMATA_HAS_AVX2
  if (form == Form::Avx2) {
    linearAvx2(sets, block, tables, banks, degrees);
    return;
  }
#endif
  static_cast<void>(form);
  Banks bank;
  Portable::linearBanks(sets, block, tables, bank);
  Portable::degrees(bank, block.steps, banks, degrees);
}

}  // namespace

Form bestForm() {
#ifdef FERMATA_HAS_AVX2
  if (__builtin_cpu_supports("avx2")) return Form::Avx2;
#endif
  return Form::Portable;
}

void tableDegrees(Form form, const WordBlocks& sets, const Block& block, const std::uint8_t* table,
                  std::uint32_t banks, Degrees& degrees) {
  Banks bank;
  look(sets, block, table, bank);
#ifdef FERMATA_HAS_AVX2
  if (form == Form::Avx2) {
    countAvx2(bank, block.steps, banks, degrees);
    return;
  }
#endif
  static_cast<void>(form);
  Portable::degrees(bank, block.steps, banks, degrees);
}

namespace {

/// Sums weighted degrees, block after block, until the sum exceeds `limit`. `count`: called with a
/// block, sets its degrees.
template <class Sets, class Count>
std::uint64_t sumUntil(std::uint64_t limit, const Sets& sets, Count count) {
  std::uint64_t sum = 0;
  Degrees degrees;
  const std::uint64_t* weight = sets.weight.data();
  for (const Block& block : sets.blocks) {
    count(block, degrees);
    sum += weighted(weight, degrees);
    weight += kBlockSets;
    if (sum > limit) break;
  }
  return sum;
}

}  // namespace

std::uint64_t linearSum(Form form, const NibbleBlocks& sets, const NibbleTables& tables,
                        std::uint32_t banks, std::uint64_t limit) {
  return sumUntil(limit, sets, [&](const Block& block, Degrees& degrees) {
    linearDegrees(form, sets, block, tables, banks, degrees);
  });
}

std::uint64_t tableSum(Form form, const WordBlocks& sets, const std::uint8_t* table,
                       std::uint32_t banks, std::uint64_t limit) {
  return sumUntil(limit, sets, [&](const Block& block, Degrees& degrees) {
    tableDegrees(form, sets, block, table, banks, degrees);
  });
}

}  // namespace fermata::search::kernels
