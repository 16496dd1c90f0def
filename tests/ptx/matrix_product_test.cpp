// mma against a product of plain matrices. The places of elements in fragments are written here
// from the PTX ISA ("Matrix Fragments for mma"), independently of the lane code.

#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/warp.h>

#include "tests/ptx/matrices.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

struct Form {
  std::string shape, types;  ///< types of d, a, b and c
  unsigned m, k;
  std::string a, b, sum, result;
};

unsigned perRegister(const Form& f) {
  return f.a == "f64" ? 1 : 32 / elementBits(f.a);
}

/// Returns the place of element i of a's fragment. With 16 rows, every other register has rows 8 to
/// 15.
Place placeInA(const Form& f, unsigned lane, unsigned i) {
  const unsigned per = perRegister(f), group = lane >> 2, thread = lane % 4, r = i / per;
  if (f.m == 8) return {group, thread * per + i % per + 4 * per * r};
  return {r % 2 == 0 ? group : group + 8, thread * per + i % per + 4 * per * (r / 2)};
}
Place placeInB(const Form& f, unsigned lane, unsigned i) {
  const unsigned per = perRegister(f), group = lane >> 2, thread = lane % 4;
  return {thread * per + i % per + 4 * per * (i / per), group};
}
Place placeInC(unsigned lane, unsigned i) {
  return {(lane >> 2) + (i >= 2 ? 8 : 0), lane % 4 * 2 + (i & 1)};
}

/// Returns the result by the README: products are exact, sums start at c and are formed in double
/// in order of k, and the result is rounded once.
Word expected(const Form& f, const Matrix& a, const Matrix& b, const Matrix& c, Place p,
              bool clamp) {
  const bool differ = f.types.find("xor") != std::string::npos;
  double sum = numberOf(f.sum, c.at(p));
  for (unsigned k = 0; k < f.k; ++k) {
    const double x = numberOf(f.a, a.at({p.row, k})), y = numberOf(f.b, b.at({k, p.column}));
    sum = differ ? sum + (x != y ? 1 : 0) : std::fma(x, y, sum);
  }
  return elementOf(f.result, clamp ? std::fmin(std::fmax(sum, INT32_MIN), INT32_MAX) : sum);
}

void check(const Form& f, Numbers& numbers, unsigned firstResult, bool clamp = false) {
  Matrix a(f.m, f.k), b(f.k, 8), c(f.m, 8), wanted(f.m, 8);
  numbers.fill(a, f.a);
  numbers.fill(b, f.b);
  numbers.fill(c, f.sum);
  for (unsigned row = 0; row < f.m; ++row) {
    for (unsigned column = 0; column < 8; ++column)
      wanted.at({row, column}) = expected(f, a, b, c, {row, column}, clamp);
  }
  const auto packed = [](const Matrix& matrix, const std::string& type, auto place) {
    return pack(elementBits(type), static_cast<unsigned>(matrix.bits.size()) / 32,
                [&](unsigned lane, unsigned i) { return matrix.at(place(lane, i)); });
  };
  const auto inA = [&](unsigned lane, unsigned i) { return placeInA(f, lane, i); };
  const auto inB = [&](unsigned lane, unsigned i) { return placeInB(f, lane, i); };
  const Fragment registers = packed(wanted, f.result, placeInC);
  const Fragment got =
      run({"mma.sync.aligned." + f.shape + ".row.col" + (clamp ? ".satfinite." : ".") + f.types,
           {packed(a, f.a, inA), packed(b, f.b, inB), packed(c, f.sum, placeInC)},
           registers.size(),
           firstResult,
           f.a == "f64"});
  for (std::size_t r = 0; r < got.size(); ++r)
    BOOST_TEST(got[r] == registers[r], tt::per_element());
}

std::vector<Form> forms() {
  std::vector<Form> all;
  const auto add = [&](const std::string& shape, const std::string& result, const std::string& a,
                       const std::string& b, const std::string& sum) {
    const auto k = static_cast<unsigned>(std::stoi(shape.substr(shape.find('k') + 1)));
    all.push_back({shape, result + "." + a + "." + b + "." + sum, shape[1] == '8' ? 8U : 16U, k, a,
                   b, sum, result});
  };
  for (const std::string shape : {"m16n8k8", "m16n8k16"}) {
    add(shape, "f32", "f16", "f16", "f32");
    add(shape, "f16", "f16", "f16", "f16");
    add(shape, "f32", "bf16", "bf16", "f32");
  }
  for (const std::string shape : {"m16n8k4", "m16n8k8"}) add(shape, "f32", "tf32", "tf32", "f32");
  for (const std::string shape : {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"})
    add(shape, "f64", "f64", "f64", "f64");
  for (const std::string shape : {"m16n8k16", "m16n8k32"}) {
    for (const std::string a : {"e4m3", "e5m2"}) {
      for (const std::string b : {"e4m3", "e5m2"}) {
        for (const std::string sum : {"f32", "f16"}) add(shape, sum, a, b, sum);
      }
    }
  }
  for (const std::string shape : {"m8n8k128", "m16n8k128", "m16n8k256"}) {
    for (const std::string operation : {".xor.popc", ".and.popc"}) {
      add(shape, "s32", "b1", "b1", "s32");
      all.back().types += operation;
    }
  }
  for (const std::string a : {"s", "u"}) {
    for (const std::string b : {"s", "u"}) {
      for (const std::string shape : {"m8n8k16", "m16n8k16", "m16n8k32"})
        add(shape, "s32", a + "8", b + "8", "s32");
      for (const std::string shape : {"m8n8k32", "m16n8k32", "m16n8k64"})
        add(shape, "s32", a + "4", b + "4", "s32");
    }
  }
  return all;
}

/// A warp with rows of random words for every register of a form.
class Rows {
 public:
  explicit Rows(Word seed) {
    std::mt19937_64 random(seed);
    for (Word& word : words_) word = random() & 0xbfffbfffbfffbfffU;
    for (unsigned r = 0; r < kRows; ++r) code_.matrixRows.push_back(r * kWideRowBytes);
    machine_.code = &code_;
    warp_.machine = &machine_;
    warp_.base[0] = warp_.base[1] = reinterpret_cast<std::uint8_t*>(words_.data());
  }
  const Words& after(Handler handler) {
    Instruction i;
    i.product.flags = kSignedA | kSignedB;
    handler(warp_, i, kAllLanes);
    return words_;
  }

 private:
  static constexpr unsigned kRows = 16;
  Words words_ = Words(kRows * kWarpLanes);
  KernelCode code_;
  Machine machine_;
  Warp warp_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(matrix_products)

BOOST_AUTO_TEST_CASE(every_form_agrees_with_plain_matrices) {
  Numbers plain(false), special(true);
  for (const Form& form : forms()) {
    BOOST_TEST_CONTEXT(form.shape << " " << form.types) {
      check(form, plain, kApart);
      check(form, plain, kFirstSource + 1, form.sum == "s32" && form.a != "b1");
      // Over a part of b and c.
      for (unsigned first = kFirstSource + 3; first < kFirstSource + 9; ++first)
        check(form, plain, first);
      if (form.sum != "s32" && form.sum != "f64") check(form, special, kFirstSource);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_fast_lanes_agree_with_the_portable_ones) {
  for (const Factor factor : {Factor::F16, Factor::Bf16, Factor::Tf32, Factor::F64, Factor::Byte,
                              Factor::Nibble, Factor::Float8, Factor::Bit}) {
    for (const Sum sum : {Sum::F32, Sum::F16, Sum::S32, Sum::F64}) {
      for (const std::uint8_t m : {8, 16}) {
        for (const std::uint16_t k : {4, 8, 16, 32, 64, 128, 256}) {
          const MatrixForm form{factor, sum, sum, m, k};
          const Handler fast = matrixHandler(form), portable = portableMatrixHandler(form);
          BOOST_TEST_REQUIRE((fast == nullptr) == (portable == nullptr));
          if (fast != nullptr) BOOST_TEST((Rows(k).after(fast) == Rows(k).after(portable)));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  const std::string operands = " {%r1, %r2}, {%r3, %r4}, {%r5}, {%r1, %r2};";
  const std::string mma = "mma.sync.aligned.", good = mma + "m16n8k8.row.col.f16.f16.f16.f16";
  BOOST_TEST(parseError(kernelText(good + operands)) == "");
  for (const std::string form :
       {"m16n8k8.row.row.f16.f16.f16.f16", "m16n8k8.row.col.f16.f16.bf16.f16",
        "m16n8k8.row.col.f16.f16.f16.s32", "m16n8k8.row.col.f16.f16.f16.f32",
        "m16n8k16.row.col.f32.e4m3.e4m3.f16", "m16n8k32.row.col.f32.e4m3.f16.f32",
        "m8n8k128.row.col.s32.b1.b1.s32.xor", "m8n8k128.row.col.satfinite.s32.b1.b1.s32.xor.popc",
        "m8n8k4.col.row.f64.f64.f64.f64", "m16n8k16.row.col.rz.f64.f64.f64.f64",
        "m16n8k8.row.col.satfinite.f16.f16.f16.f16", "sp.m16n8k16.row.col.s32.s8.s8.s32"})
    refuses(mma + form + operands, "unsupported form '" + mma + form + "'");
  refuses(mma + "m16n8k16.row.col.f16.f16.f16.f16" + operands, "expected 4 registers in braces");
  RunOptions options;
  options.block.x = 31;
  expectError([&] { runBody<int>(good + operands, 1, options); }, {"lane 31"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
