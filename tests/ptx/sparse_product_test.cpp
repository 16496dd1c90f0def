// mma.sp against a product of plain matrices. The places of elements and of the metadata in
// fragments are written here from the PTX ISA ("Matrix Fragments for sparse mma", by shape).

#include <cmath>
#include <optional>

#include "tests/ptx/matrices.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

struct Form {
  unsigned k;
  std::string factor, other, sum;  ///< types of a, b and the sum
  std::string modifier;            ///< ".sp" or ".sp::ordered_metadata"
  unsigned selector;
  bool clamps = false;
};
unsigned bitsOf(const Form& f) {
  return elementBits(f.factor);
}
/// Columns of a chunk, which four bits of metadata describe.
unsigned chunkOf(const Form& f) {
  return f.factor == "tf32" ? 2 : bitsOf(f) == 4 ? 8 : 4;
}
/// True for the larger of the two shapes of a type, in which a register of a is short of a row.
bool isDeep(const Form& f) {
  return f.k * bitsOf(f) == 512;
}

/// The sparse matrix a: half of the elements of each row are stored.
struct Sparse {
  Matrix values;    ///< 16 rows of k / 2 elements
  Matrix columns;   ///< column of each value
  Matrix metadata;  ///< 16 rows, 4 bits per chunk
};

/// Draws the places of the stored elements: one of two (tf32), two of four, two pairs of four.
void drawPlaces(const Form& f, Sparse& a, std::mt19937& random) {
  const unsigned stored = chunkOf(f) / 2;
  for (unsigned i = 0; i < a.metadata.bits.size(); ++i) {
    const unsigned row = i / a.metadata.columns, chunk = i % a.metadata.columns;
    unsigned low = random() % 3, high = low + 1 + random() % (3 - low);
    if (stored == 1) {
      low = random() % 2 * 2;
      high = low + 1;
    }
    a.metadata.bits[i] = low | high << 2;
    for (unsigned s = 0; s < stored; ++s) {
      const unsigned place = stored == 1   ? low / 2
                             : stored == 2 ? (s == 0 ? low : high)
                                           : (s < 2 ? low : high) * 2 + s % 2;
      a.columns.at({row, chunk * stored + s}) = chunk * chunkOf(f) + place;
    }
  }
}

/// Returns the product: stored elements in order of k, summed in double from c on, rounded once.
Matrix product(const Form& f, const Sparse& a, const Matrix& b, const Matrix& c) {
  Matrix d(16, 8);
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      double sum = numberOf(f.sum, c.at({row, column}));
      for (unsigned s = 0; s < f.k / 2; ++s) {
        const auto k = static_cast<unsigned>(a.columns.at({row, s}));
        sum += numberOf(f.factor, a.values.at({row, s})) * numberOf(f.other, b.at({k, column}));
      }
      d.at({row, column}) =
          elementOf(f.sum, f.clamps ? std::fmin(std::fmax(sum, INT32_MIN), INT32_MAX) : sum);
    }
  }
  return d;
}

Fragment packA(const Form& f, const Matrix& a) {
  const unsigned per = 32 / bitsOf(f);  // elements of a register
  return pack(bitsOf(f), f.k / 4, [&](unsigned lane, unsigned i) {
    const unsigned r = i / per;
    return a.at({lane / 4 + r % 2 * 8, lane % 4 * per + i % per + r / 2 * 4 * per});
  });
}
Fragment packB(const Form& f, const Matrix& b) {
  const unsigned per = 32 / bitsOf(f);
  return pack(bitsOf(f), f.k / 4, [&](unsigned lane, unsigned i) {
    return b.at({lane % 4 * per + i % per + i / per * 4 * per, lane / 4});
  });
}
Fragment packC(const Form& f, const Matrix& c) {
  return pack(elementBits(f.sum), 4, [&](unsigned lane, unsigned i) {
    return c.at({lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + i % 2});
  });
}

/// Packs the metadata. Types of 16 and 32 bits: a lane holds four chunks of row lane / 4 and, in
/// the upper half, of row lane / 4 + 8. The selector names the lane of four or, of the deep shape,
/// the pair of lanes, one for the first four chunks. Types of 4 and 8 bits: an even lane holds
/// eight chunks of row lane / 4, an odd one of row lane / 4 + 8. The selector names the pair; of
/// the deep shape, the second pair holds the other chunks. Words of other lanes are random: not
/// read.
Words packMetadata(const Form& f, const Sparse& a, std::mt19937& random) {
  Words words(32);
  const bool small = bitsOf(f) <= 8;
  for (unsigned lane = 0; lane < 32; ++lane) {
    words[lane] = random();
    const unsigned of = lane % 4;
    const bool reads = small && isDeep(f)     ? true
                       : !small && !isDeep(f) ? of == f.selector
                                              : of / 2 == f.selector;
    if (!reads) continue;
    words[lane] = 0;
    for (unsigned four = 0; four < 8; ++four) {
      unsigned row = lane / 4 + four / 4 * 8, chunk = four % 4;
      if (!small && isDeep(f)) chunk += of % 2 * 4;
      if (small) {
        row = lane / 4 + of % 2 * 8;
        chunk = four + (isDeep(f) ? of / 2 * 8 : 0);
      }
      words[lane] |= a.metadata.at({row, chunk}) << (4 * four);
    }
  }
  return words;
}

/// Returns an infinity or, if the type has none, a NaN; of integers, nothing.
std::optional<Word> infinityOf(const std::string& type) {
  if (type == "f16") return 0x7c00;
  if (type == "bf16") return 0x7f80;
  if (type == "tf32") return 0x7f800000;
  if (type == "e4m3") return 0x7f;
  if (type == "e5m2") return 0x7c;
  return std::nullopt;
}

void check(const Form& f, unsigned firstResult, std::mt19937& random, Numbers& numbers) {
  Sparse a{{16, f.k / 2}, {16, f.k / 2}, {16, f.k / chunkOf(f)}};
  Matrix b(f.k, 8), c(16, 8);
  numbers.fill(a.values, f.factor);
  numbers.fill(b, f.other);
  numbers.fill(c, f.sum);
  drawPlaces(f, a, random);
  // It reaches only rows that store column 5.
  if (const auto infinity = infinityOf(f.other)) b.at({5, 3}) = *infinity;
  const Fragment wanted = packC(f, product(f, a, b, c));
  const Fragment got = run(
      {"mma" + f.modifier + ".sync.aligned.m16n8k" + std::to_string(f.k) + ".row.col." +
           (f.clamps ? "satfinite." : "") + f.sum + "." + f.factor + "." + f.other + "." + f.sum,
       {packA(f, a.values), packB(f, b), packC(f, c), {packMetadata(f, a, random)}},
       wanted.size(),
       firstResult,
       false,
       ", " + std::to_string(f.selector)});
  for (std::size_t r = 0; r < got.size(); ++r) BOOST_TEST(got[r] == wanted[r], tt::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sparse_products)

BOOST_AUTO_TEST_CASE(every_form_agrees_with_plain_matrices) {
  std::mt19937 random(3);
  Numbers numbers;
  for (Form f : std::vector<Form>{{16, "f16", "f16", "f32", ".sp", 0},
                                  {16, "f16", "f16", "f16", ".sp", 0},
                                  {16, "bf16", "bf16", "f32", ".sp", 0},
                                  {8, "tf32", "tf32", "f32", ".sp", 0},
                                  {32, "s8", "u8", "s32", ".sp", 0},
                                  {32, "u8", "s8", "s32", ".sp", 0, true},
                                  {64, "s4", "u4", "s32", ".sp", 0},
                                  {64, "u4", "s4", "s32", ".sp", 0, true},
                                  {32, "e4m3", "e5m2", "f32", ".sp", 0},
                                  {32, "e5m2", "e4m3", "f16", ".sp", 0}}) {
    for (const bool deep : {false, true}) {
      if (deep) f.k *= 2;
      if (!deep && f.factor[0] == 'e') continue;  // of these there is the deep shape only
      const unsigned selectors = (bitsOf(f) <= 8 ? 2 : 4) / (deep ? 2 : 1);
      for (f.selector = 0; f.selector < selectors; ++f.selector) {
        f.modifier = f.selector % 2 == 0 ? ".sp" : ".sp::ordered_metadata";
        // Results in registers apart, and over a, b, c and the metadata.
        for (const unsigned firstResult : {50U, 10U, 12U, 14U, 16U, 18U, 20U, 22U}) {
          BOOST_TEST_CONTEXT("k " << f.k << " " << f.factor << " " << f.sum << " selector "
                                  << f.selector << " results from " << firstResult)
          check(f, firstResult, random, numbers);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  const std::string mma = "mma.sp.sync.aligned.", good = "m16n8k16.row.col.f16.f16.f16.f16";
  const auto statement = [&](const std::string& form, const std::string& selector) {
    return mma + form + " {%r1, %r2}, {%r3, %r4}, {%r5, %r6}, {%r7, %r8}, %r9, " + selector + ";";
  };
  BOOST_TEST(parseError(kernelText(statement(good, "3"))) == "");
  refuses(statement(good, "4"), "the sparsity selector is 4");
  refuses(statement(good, "%r9"), "the sparsity selector");
  refuses(statement("m16n8k32.row.col.f16.f16.f16.f16", "0"), "expected 4 registers");
  for (const std::string form :
       {"m16n8k32.row.col.f32.tf32.tf32.f32", "m16n8k16.row.col.s32.s8.s8.s32",
        "m16n8k32.row.col.f32.e4m3.e4m3.f32", "m16n8k16.row.col.f32.f16.f16.f16",
        "m16n8k16.col.row.f16.f16.f16.f16", "m16n8k16.row.col.f16.bf16.bf16.f16"})
    refuses(statement(form, "0"), "unsupported form '" + mma + form);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
