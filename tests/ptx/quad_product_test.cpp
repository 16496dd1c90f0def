// mma.m8n8k4 of f16 against four products of plain matrices. The places of elements are written
// here from the PTX ISA ("Matrix Fragments for mma.m8n8k4 with .f16 floating point type").

#include "tests/ptx/matrices.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

struct Form {
  bool rowA, rowB, halfSum, halfResult;
};

/// Place in one of four products.
struct PlaceOfFour {
  unsigned matrix, row, column;
};

/// Returns a thread's product: 0 for threads 0 to 3 and 16 to 19, 1 for 4 to 7 and 20 to 23, ..
unsigned productOf(unsigned lane) {
  return lane % 16 / 4;
}
PlaceOfFour placeInA(bool row, unsigned lane, unsigned i) {
  const unsigned upper = lane < 16 ? 0 : 4;
  return row ? PlaceOfFour{productOf(lane), lane % 4 + upper, i}
             : PlaceOfFour{productOf(lane), i % 4 + upper, lane % 4};
}
PlaceOfFour placeInB(bool row, unsigned lane, unsigned i) {
  const unsigned upper = lane < 16 ? 0 : 4;
  return row ? PlaceOfFour{productOf(lane), lane % 4, i + upper}
             : PlaceOfFour{productOf(lane), i, lane % 4 + upper};
}
PlaceOfFour placeInC(bool half, unsigned lane, unsigned i) {
  const unsigned upper = lane < 16 ? 0 : 4;
  if (half) return {productOf(lane), lane % 4 + upper, i};
  return {productOf(lane), (lane & 1U) + (i & 2U) + upper, (i & 4U) + (lane & 2U) + (i & 1U)};
}

/// Four matrices of 8 x 8; a and b use a part of each.
using Matrices = std::vector<Matrix>;

void check(const Form& f, unsigned firstResult, Numbers& numbers) {
  const std::string sumType = f.halfSum ? "f16" : "f32", resultType = f.halfResult ? "f16" : "f32";
  Matrices a(4, Matrix(8, 8)), b = a, c = a, d = a;
  for (unsigned m = 0; m < 4; ++m) {
    numbers.fill(a[m], "f16");
    numbers.fill(b[m], "f16");
    numbers.fill(c[m], sumType);
    for (unsigned i = 0; i < 64; ++i) {
      double sum = numberOf(sumType, c[m].bits[i]);
      for (unsigned k = 0; k < 4; ++k)
        sum += numberOf("f16", a[m].at({i / 8, k})) * numberOf("f16", b[m].at({k, i % 8}));
      d[m].bits[i] = elementOf(resultType, sum);
    }
  }
  const auto packed = [](const Matrices& matrices, bool half, unsigned count, auto place) {
    return pack(half ? 16 : 32, count, [&](unsigned lane, unsigned i) {
      const PlaceOfFour p = place(lane, i);
      return matrices[p.matrix].at({p.row, p.column});
    });
  };
  const auto inA = [&](unsigned lane, unsigned i) { return placeInA(f.rowA, lane, i); };
  const auto inB = [&](unsigned lane, unsigned i) { return placeInB(f.rowB, lane, i); };
  const auto inC = [&](unsigned lane, unsigned i) { return placeInC(f.halfSum, lane, i); };
  const auto inD = [&](unsigned lane, unsigned i) { return placeInC(f.halfResult, lane, i); };
  const Fragment wanted = packed(d, f.halfResult, 8, inD);
  const auto layout = [](bool row) { return row ? ".row" : ".col"; };
  const Fragment got =
      run({std::string("mma.sync.aligned.m8n8k4") + layout(f.rowA) + layout(f.rowB) + "." +
               resultType + ".f16.f16." + sumType,
           {packed(a, true, 4, inA), packed(b, true, 4, inB), packed(c, f.halfSum, 8, inC)},
           wanted.size(),
           firstResult});
  for (std::size_t r = 0; r < got.size(); ++r) BOOST_TEST(got[r] == wanted[r], tt::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(quad_products)

BOOST_AUTO_TEST_CASE(every_form_agrees_with_plain_matrices) {
  Numbers numbers(true);
  for (unsigned bits = 0; bits < 16; ++bits) {
    const Form form{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    if (form.halfResult && !form.halfSum) continue;
    // Results in registers apart, over a, over b, and over another part of c.
    for (const unsigned firstResult : {kApart, kFirstSource, kFirstSource + 2, kFirstSource + 5}) {
      BOOST_TEST_CONTEXT("form " << bits << " results from " << firstResult)
      check(form, firstResult, numbers);
    }
  }
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  const auto statement = [](const std::string& form) {
    return "mma.sync.aligned.m8n8k4." + form +
           " {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r7, %r8}, {%r1, %r2, %r3, %r4};";
  };
  BOOST_TEST(parseError(kernelText(statement("row.col.f16.f16.f16.f16"))) == "");
  refuses(statement("row.col.f32.f16.f16.f16"), "expected 8 registers");
  for (const std::string form :
       {"row.f16.f16.f16.f16", "row.col.f16.f16.f16.f32", "row.col.f32.bf16.bf16.f32",
        "row.col.s32.f16.f16.s32", "row.col.satfinite.f16.f16.f16.f16"})
    refuses(statement(form), "unsupported form");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
