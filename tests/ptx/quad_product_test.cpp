// mma.m8n8k4 of f16 against four products of plain matrices. The places of elements are written
// here from the PTX ISA ("Matrix Fragments for mma.m8n8k4 with .f16 floating point type").
#include <boost/test/unit_test.hpp>
#include <random>

#include "tests/ptx/half_values.h"
#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

using Words = std::vector<std::uint32_t>;

struct Form {
  bool rowA, rowB, halfSum, halfResult;
};

struct Place {
  unsigned matrix, row, column;
};

/// Returns a thread's product: 0 for threads 0 to 3 and 16 to 19, 1 for 4 to 7 and 20 to 23, ..
unsigned productOf(unsigned lane) {
  return lane % 16 / 4;
}
Place placeInA(bool row, unsigned lane, unsigned i) {
  const unsigned upper = lane < 16 ? 0 : 4;
  return row ? Place{productOf(lane), lane % 4 + upper, i}
             : Place{productOf(lane), i % 4 + upper, lane % 4};
}
Place placeInB(bool row, unsigned lane, unsigned i) {
  const unsigned upper = lane < 16 ? 0 : 4;
  return row ? Place{productOf(lane), lane % 4, i + upper}
             : Place{productOf(lane), i, lane % 4 + upper};
}
Place placeInC(bool half, unsigned lane, unsigned i) {
  const unsigned upper = lane < 16 ? 0 : 4;
  if (half) return {productOf(lane), lane % 4 + upper, i};
  return {productOf(lane), (lane & 1U) + (i & 2U) + upper, (i & 4U) + (lane & 2U) + (i & 1U)};
}

/// Four matrices of 8 x 8, as bits; a and b use a part of each.
struct Matrices {
  std::uint32_t bits[4][8][8] = {};
  std::uint32_t& at(const Place& p) { return bits[p.matrix][p.row][p.column]; }
  std::uint32_t at(const Place& p) const { return bits[p.matrix][p.row][p.column]; }
};

/// Packs elements into the registers of the 32 lanes, register by register.
template <class Where>
Words pack(const Matrices& matrices, bool half, unsigned elements, Where where) {
  const unsigned per = half ? 2 : 1;
  Words words(32 * elements / per);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < elements; ++i)
      words[i / per * 32 + lane] |= matrices.at(where(lane, i)) << (i % per * 16);
  }
  return words;
}

float singleOf(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
double valueOf(bool half, std::uint32_t bits) {
  return half ? values("f16").of(bits) : static_cast<double>(singleOf(bits));
}
std::uint32_t rounded(bool half, double value) {
  if (half)
    return static_cast<std::uint32_t>(
        values("f16").nearest(static_cast<Quad>(value), 0, 'n', std::signbit(value)));
  const auto single = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &single, sizeof bits);
  return single != single ? 0x7fffffffU : bits;
}

/// Returns the product: exact products, sums in double from c on in order of k, rounded once.
Matrices product(const Form& f, const Matrices& a, const Matrices& b, const Matrices& c) {
  Matrices d;
  for (unsigned m = 0; m < 4; ++m) {
    for (unsigned row = 0; row < 8; ++row) {
      for (unsigned column = 0; column < 8; ++column) {
        double sum = valueOf(f.halfSum, c.at({m, row, column}));
        for (unsigned k = 0; k < 4; ++k)
          sum += valueOf(true, a.at({m, row, k})) * valueOf(true, b.at({m, k, column}));
        d.at({m, row, column}) = rounded(f.halfResult, sum);
      }
    }
  }
  return d;
}

std::string list(unsigned first, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k)
    text += (k == 0 ? "{%r" : ", %r") + std::to_string(first + k);
  return text + "}";
}

/// Runs the instruction; a is in registers from %r10 on, b from %r20, c from %r30.
Words execute(const Form& f, const Words& a, const Words& b, const Words& c, unsigned firstResult) {
  Words in;
  std::string body =
      "mul.wide.u32 %rd1, %r90, 4; add.u64 %rd2, %rd1, %rd91; add.u64 %rd1, %rd1, %rd90;";
  const auto load = [&](unsigned first, const Words& words) {
    for (unsigned r = 0; r < words.size() / 32; ++r)
      body += "ld.global.b32 %r" + std::to_string(first + r) + ", [%rd1+" +
              std::to_string(4 * in.size() + 128 * r) + "];";
    in.insert(in.end(), words.begin(), words.end());
  };
  load(10, a);
  load(20, b);
  load(30, c);
  const unsigned results = f.halfResult ? 4 : 8;
  body += std::string("mma.sync.aligned.m8n8k4.") + (f.rowA ? "row." : "col.") +
          (f.rowB ? "row." : "col.") + (f.halfResult ? "f16" : "f32") + ".f16.f16." +
          (f.halfSum ? "f16 " : "f32 ") + list(firstResult, results) + ", " + list(10, 2) + ", " +
          list(20, 2) + ", " + list(30, c.size() / 32) + ";";
  for (unsigned r = 0; r < results; ++r)
    body += "st.global.b32 [%rd2+" + std::to_string(128 * r) + "], %r" +
            std::to_string(firstResult + r) + ";";
  return runBody<std::uint32_t>(body, in, 32 * results);
}

void check(const Form& f, unsigned firstResult, std::mt19937& random) {
  const auto half = [&] {
    const unsigned special = random() % 400;
    const auto bits = static_cast<std::uint32_t>(random());
    if (special < 2) return (bits & 0x8000U) | 0x7c00U | special;  // an infinity, a NaN
    return (bits & 0x83ffU) | (special % 16 == 0 ? 0U : 0x2800U + (bits >> 16 & 0x1c00U));
  };
  Matrices a, b, c;
  for (unsigned m = 0; m < 4; ++m) {
    for (unsigned row = 0; row < 8; ++row) {
      for (unsigned column = 0; column < 8; ++column) {
        a.at({m, row, column}) = half();
        b.at({m, row, column}) = half();
        c.at({m, row, column}) =
            f.halfSum ? half() : rounded(false, std::ldexp(1.0 + random(), -34));
      }
    }
  }
  const auto inA = [&](unsigned lane, unsigned i) { return placeInA(f.rowA, lane, i); };
  const auto inB = [&](unsigned lane, unsigned i) { return placeInB(f.rowB, lane, i); };
  const auto inC = [&](unsigned lane, unsigned i) { return placeInC(f.halfSum, lane, i); };
  const auto inD = [&](unsigned lane, unsigned i) { return placeInC(f.halfResult, lane, i); };
  const Words got = execute(f, pack(a, true, 4, inA), pack(b, true, 4, inB),
                            pack(c, f.halfSum, 8, inC), firstResult);
  const Words wanted = pack(product(f, a, b, c), f.halfResult, 8, inD);
  BOOST_TEST(got == wanted, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(quad_products)

BOOST_AUTO_TEST_CASE(every_form_agrees_with_plain_matrices) {
  std::mt19937 random(5);
  for (unsigned bits = 0; bits < 16; ++bits) {
    const Form form{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    if (form.halfResult && !form.halfSum) continue;
    // Results in registers apart, over a, over b, and over another part of c.
    for (const unsigned firstResult : {50U, 10U, 19U, 28U}) {
      BOOST_TEST_CONTEXT("form " << bits << " results from " << firstResult)
      check(form, firstResult, random);
    }
  }
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  const auto error = [](const std::string& form) {
    return parseError(kernelText("mma.sync.aligned.m8n8k4." + form +
                                 " {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r7, %r8}, {%r1, %r2, %r3, "
                                 "%r4};"));
  };
  BOOST_TEST(error("row.col.f16.f16.f16.f16") == "");
  BOOST_TEST(error("row.col.f32.f16.f16.f16").find("expected 8 registers") != std::string::npos);
  for (const std::string form :
       {"row.f16.f16.f16.f16", "row.col.f16.f16.f16.f32", "row.col.f32.bf16.bf16.f32",
        "row.col.s32.f16.f16.s32", "row.col.satfinite.f16.f16.f16.f16"})
    BOOST_TEST(error(form).find("unsupported form") != std::string::npos, form);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
