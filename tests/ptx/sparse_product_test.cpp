// mma.sp against a product of plain matrices. The places of elements and of the metadata in
// fragments are written here from the PTX ISA ("Matrix Fragments for sparse mma.m16n8k16 / m16n8k32
// with .f16 and .bf16 types").

#include "tests/ptx/matrices.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

struct Form {
  unsigned k;
  std::string factor, sum;  ///< types of the factors and of the sum
  std::string modifier;     ///< ".sp" or ".sp::ordered_metadata"
  unsigned selector;
};

/// The sparse matrix a: two of each four elements are stored.
struct Sparse {
  Matrix values;     ///< 16 rows of k / 2 elements
  Matrix positions;  ///< position of each value in its four
};

/// Returns the product: stored elements in order of k, summed in double from c on, rounded once.
Matrix product(const Form& f, const Sparse& a, const Matrix& b, const Matrix& c) {
  Matrix d(16, 8);
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      double sum = numberOf(f.sum, c.at({row, column}));
      for (unsigned s = 0; s < f.k / 2; ++s) {
        const auto k = s / 2 * 4 + static_cast<unsigned>(a.positions.at({row, s}));
        sum += numberOf(f.factor, a.values.at({row, s})) * numberOf(f.factor, b.at({k, column}));
      }
      d.at({row, column}) = elementOf(f.sum, sum);
    }
  }
  return d;
}

Fragment packA(const Form& f, const Matrix& a) {
  return pack(16, f.k / 4, [&](unsigned lane, unsigned i) {
    const unsigned row = lane / 4 + (i / 2 % 2 == 0 ? 0 : 8);
    const unsigned firstColumn = lane % 4 * 4 + (i < 4 ? 0 : 16);  // in a; two of four are stored
    return a.at({row, firstColumn / 2 + i % 2});
  });
}
Fragment packB(const Form& f, const Matrix& b) {
  return pack(16, f.k / 4, [&](unsigned lane, unsigned i) {
    return b.at({lane % 4 * 2 + i % 2 + i / 2 * 8, lane / 4});
  });
}
Fragment packC(const Form& f, const Matrix& c) {
  return pack(elementBits(f.sum), 4, [&](unsigned lane, unsigned i) {
    return c.at({lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + i % 2});
  });
}

/// Packs the metadata: 4 bits per four elements, of row lane / 4 and, in the upper half, of row
/// lane / 4 + 8. With m16n8k16 the lane of a quad that the selector names holds all 16 columns.
/// With m16n8k32 the first or second pair of lanes holds 16 columns each. The other lanes' words
/// are not read: they are random.
Words packMetadata(const Form& f, const Sparse& a, std::mt19937& random) {
  Words words(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    words[lane] = random();
    const bool contributes = f.k == 16 ? lane % 4 == f.selector : lane % 4 / 2 == f.selector;
    if (!contributes) continue;
    words[lane] = 0;
    const unsigned first = f.k == 16 ? 0 : lane % 2 * 4;
    for (unsigned four = 0; four < 8; ++four) {
      const unsigned row = lane / 4 + four / 4 * 8, s = 2 * (first + four % 4);
      words[lane] |= (a.positions.at({row, s}) | a.positions.at({row, s + 1}) << 2) << (4 * four);
    }
  }
  return words;
}

void check(const Form& f, unsigned firstResult, std::mt19937& random, Numbers& numbers) {
  Sparse a{{16, f.k / 2}, {16, f.k / 2}};
  Matrix b(f.k, 8), c(16, 8);
  numbers.fill(a.values, f.factor);
  numbers.fill(b, f.factor);
  numbers.fill(c, f.sum);
  for (unsigned i = 0; i < a.positions.bits.size(); i += 2) {
    const Word first = random() % 3;
    a.positions.bits[i] = first;
    a.positions.bits[i + 1] = first + 1 + random() % (3 - first);
  }
  b.at({5, 3}) = f.factor == "f16" ? 0x7c00 : 0x7f80;  // reaches only rows that store column 5
  const Fragment wanted = packC(f, product(f, a, b, c));
  const Fragment got =
      run({"mma" + f.modifier + ".sync.aligned.m16n8k" + std::to_string(f.k) + ".row.col." + f.sum +
               "." + f.factor + "." + f.factor + "." + f.sum,
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
  for (const unsigned k : {16U, 32U}) {
    for (const auto& [factor, sum] : std::vector<std::pair<std::string, std::string>>{
             {"f16", "f32"}, {"f16", "f16"}, {"bf16", "f32"}}) {
      for (unsigned selector = 0; selector < (k == 16 ? 4U : 2U); ++selector) {
        const Form f{k, factor, sum, selector % 2 == 0 ? ".sp" : ".sp::ordered_metadata", selector};
        // Results in registers apart, and over a, b, c and the metadata.
        for (const unsigned firstResult : {50U, 10U, 12U, 14U, 16U, 18U, 20U, 22U}) {
          BOOST_TEST_CONTEXT("k " << k << " " << factor << " " << sum << " selector " << selector
                                  << " results from " << firstResult)
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
       {"m16n8k8.row.col.f32.tf32.tf32.f32", "m16n8k16.row.col.f32.tf32.tf32.f32",
        "m16n8k32.row.col.s32.s8.s8.s32", "m16n8k16.row.col.f32.f16.f16.f16",
        "m16n8k16.col.row.f16.f16.f16.f16", "m16n8k16.row.col.f16.bf16.bf16.f16"})
    refuses(statement(form, "0"), "unsupported form '" + mma + form);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
