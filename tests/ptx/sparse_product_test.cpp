// mma.sp against a product of plain matrices. The places of elements and of the metadata in
// fragments are written here from the PTX ISA ("Matrix Fragments for sparse mma.m16n8k16 / m16n8k32
// with .f16 and .bf16 types").
#include <boost/test/unit_test.hpp>
#include <random>

#include "tests/ptx/half_values.h"
#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

using Words = std::vector<std::uint32_t>;
using Matrix = std::vector<std::vector<std::uint32_t>>;

struct Form {
  unsigned k;
  std::string factor, sum;  ///< types of the factors and of the sum
  std::string modifier;     ///< ".sp" or ".sp::ordered_metadata"
  unsigned selector;
};

Matrix matrix(unsigned rows, unsigned columns) {
  return Matrix(rows, std::vector<std::uint32_t>(columns));
}

/// The sparse matrix a: two of each four elements are stored.
struct Sparse {
  Matrix values;     ///< 16 rows of k / 2 elements
  Matrix positions;  ///< position of each value in its four
};

float singleOf(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
double valueOf(const std::string& type, std::uint32_t bits) {
  return type == "f32" ? static_cast<double>(singleOf(bits)) : values(type).of(bits);
}
std::uint32_t rounded(const std::string& type, double value) {
  if (type == "f16")
    return static_cast<std::uint32_t>(
        values(type).nearest(static_cast<Quad>(value), 0, 'n', std::signbit(value)));
  const auto single = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &single, sizeof bits);
  return single != single ? 0x7fffffffU : bits;
}

/// Returns the product: stored elements in order of k, summed in double from c on, rounded once.
Matrix product(const Form& f, const Sparse& a, const Matrix& b, const Matrix& c) {
  Matrix d = matrix(16, 8);
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      double sum = valueOf(f.sum, c[row][column]);
      for (unsigned k = 0; k < f.k; ++k) {
        for (unsigned s = k / 4 * 2; s < k / 4 * 2 + 2; ++s) {
          if (a.positions[row][s] == k % 4)
            sum += valueOf(f.factor, a.values[row][s]) * valueOf(f.factor, b[k][column]);
        }
      }
      d[row][column] = rounded(f.sum, sum);
    }
  }
  return d;
}

/// Packs at(lane, i), element i of a lane, into registers, register by register.
template <class At>
Words pack(unsigned elements, bool halves, At at) {
  const unsigned per = halves ? 2 : 1;
  Words words(32 * elements / per);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < elements; ++i)
      words[i / per * 32 + lane] |= at(lane, i) << (i % per * 16);
  }
  return words;
}

Words packA(const Form& f, const Matrix& a) {
  return pack(f.k / 4, true, [&](unsigned lane, unsigned i) {
    const unsigned row = lane / 4 + (i / 2 % 2 == 0 ? 0 : 8);
    const unsigned firstColumn = lane % 4 * 4 + (i < 4 ? 0 : 16);  // in a; two of four are stored
    return a[row][firstColumn / 2 + i % 2];
  });
}
Words packB(const Form& f, const Matrix& b) {
  return pack(f.k / 4, true, [&](unsigned lane, unsigned i) {
    return b[lane % 4 * 2 + i % 2 + i / 2 * 8][lane / 4];
  });
}
Words packC(const Form& f, const Matrix& c) {
  return pack(4, f.sum == "f16", [&](unsigned lane, unsigned i) {
    return c[lane / 4 + (i < 2 ? 0 : 8)][lane % 4 * 2 + i % 2];
  });
}

/// Packs the metadata: 4 bits per four elements, of row lane / 4 and, in the upper half, of row
/// lane / 4 + 8. With m16n8k16 the lane of a quad that the selector names holds all 16 columns.
/// With m16n8k32 the first or second pair of lanes holds 16 columns each. The other lanes' words
/// are not read: they are random.
Words packMetadata(const Form& f, const Sparse& a, std::mt19937& random) {
  Words words(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    words[lane] = static_cast<std::uint32_t>(random());
    const bool contributes = f.k == 16 ? lane % 4 == f.selector : lane % 4 / 2 == f.selector;
    if (!contributes) continue;
    words[lane] = 0;
    const unsigned first = f.k == 16 ? 0 : lane % 2 * 4;
    for (unsigned four = 0; four < 8; ++four) {
      const unsigned row = lane / 4 + four / 4 * 8, s = 2 * (first + four % 4);
      words[lane] |= (a.positions[row][s] | a.positions[row][s + 1] << 2) << (4 * four);
    }
  }
  return words;
}

std::string list(unsigned first, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k)
    text += (k == 0 ? "{%r" : ", %r") + std::to_string(first + k);
  return text + "}";
}

/// Runs the instruction; a is in registers from %r10 on, b from %r14, c from %r18, metadata in
/// %r22.
Words execute(const Form& f, const std::vector<Words>& sources, unsigned firstResult) {
  Words in;
  std::string body =
      "mul.wide.u32 %rd1, %r90, 4; add.u64 %rd2, %rd1, %rd91; add.u64 %rd1, %rd1, %rd90;";
  std::string operands;
  for (unsigned k = 0; k < sources.size(); ++k) {
    const unsigned first = 10 + 4 * k;
    const std::size_t count = sources[k].size() / 32;
    for (unsigned r = 0; r < count; ++r)
      body += "ld.global.b32 %r" + std::to_string(first + r) + ", [%rd1+" +
              std::to_string(4 * in.size() + 128 * r) + "];";
    operands += ", " + (k == 3 ? "%r" + std::to_string(first) : list(first, count));
    in.insert(in.end(), sources[k].begin(), sources[k].end());
  }
  const std::size_t results = sources[2].size() / 32;
  body += "mma" + f.modifier + ".sync.aligned.m16n8k" + std::to_string(f.k) + ".row.col." + f.sum +
          "." + f.factor + "." + f.factor + "." + f.sum + " " + list(firstResult, results) +
          operands + ", " + std::to_string(f.selector) + ";";
  for (unsigned r = 0; r < results; ++r)
    body += "st.global.b32 [%rd2+" + std::to_string(128 * r) + "], %r" +
            std::to_string(firstResult + r) + ";";
  return runBody<std::uint32_t>(body, in, 32 * results);
}

void check(const Form& f, unsigned firstResult, std::mt19937& random) {
  const auto half = [&](const std::string& type) {
    const auto bits = static_cast<std::uint32_t>(random());
    return (bits & 0x807fU) |
           (type == "f16" ? 0x3000U + (bits >> 16 & 0xf80U) : 0x3f00U + (bits >> 16 & 0x180U));
  };
  Sparse a{matrix(16, f.k / 2), matrix(16, f.k / 2)};
  Matrix b = matrix(f.k, 8), c = matrix(16, 8);
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned s = 0; s < f.k / 2; s += 2) {
      const unsigned first = random() % 3;
      a.positions[row][s] = first;
      a.positions[row][s + 1] = first + 1 + static_cast<unsigned>(random() % (3 - first));
      a.values[row][s] = half(f.factor);
      a.values[row][s + 1] = half(f.factor);
    }
    for (std::uint32_t& bits : c[row])
      bits = f.sum == "f16" ? half("f16") : rounded("f32", std::ldexp(1.0 + random(), -31));
  }
  for (auto& row : b) {
    for (std::uint32_t& bits : row) bits = half(f.factor);
  }
  b[5][3] = f.factor == "f16" ? 0x7c00 : 0x7f80;  // reaches only rows that store column 5
  const Words got = execute(
      f, {packA(f, a.values), packB(f, b), packC(f, c), packMetadata(f, a, random)}, firstResult);
  BOOST_TEST(got == packC(f, product(f, a, b, c)), boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sparse_products)

BOOST_AUTO_TEST_CASE(every_form_agrees_with_plain_matrices) {
  std::mt19937 random(3);
  for (const unsigned k : {16U, 32U}) {
    for (const auto& [factor, sum] : std::vector<std::pair<std::string, std::string>>{
             {"f16", "f32"}, {"f16", "f16"}, {"bf16", "f32"}}) {
      for (unsigned selector = 0; selector < (k == 16 ? 4U : 2U); ++selector) {
        const Form f{k, factor, sum, selector % 2 == 0 ? ".sp" : ".sp::ordered_metadata", selector};
        // Results in registers apart, and over a, b, c and the metadata.
        for (const unsigned firstResult : {50U, 10U, 13U, 17U, 21U}) {
          BOOST_TEST_CONTEXT("k " << k << " " << factor << " " << sum << " selector " << selector
                                  << " results from " << firstResult)
          check(f, firstResult, random);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  const auto error = [](const std::string& form, const std::string& selector) {
    return parseError(kernelText("mma.sp.sync.aligned." + form +
                                 " {%r1, %r2}, {%r3, %r4}, {%r5, %r6}, {%r7, %r8}, %r9, " +
                                 selector + ";"));
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  BOOST_TEST(error("m16n8k16.row.col.f16.f16.f16.f16", "3") == "");
  BOOST_TEST(has(error("m16n8k16.row.col.f16.f16.f16.f16", "4"), "the sparsity selector is 4"));
  BOOST_TEST(has(error("m16n8k16.row.col.f16.f16.f16.f16", "%r9"), "the sparsity selector"));
  BOOST_TEST(has(error("m16n8k32.row.col.f16.f16.f16.f16", "0"), "expected 4 registers"));
  for (const std::string form :
       {"m16n8k8.row.col.f32.tf32.tf32.f32", "m16n8k16.row.col.f32.tf32.tf32.f32",
        "m16n8k32.row.col.s32.s8.s8.s32", "m16n8k16.row.col.f32.f16.f16.f16",
        "m16n8k16.col.row.f16.f16.f16.f16", "m16n8k16.row.col.f16.bf16.bf16.f16"})
    BOOST_TEST(has(error(form, "0"), "unsupported form 'mma.sp.sync.aligned." + form), form);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
