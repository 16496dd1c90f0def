// mma against a product of plain matrices. The places of elements in fragments are written here
// from the PTX ISA ("Matrix Fragments for mma"), independently of the lane code.
#include <boost/test/unit_test.hpp>
#include <random>

#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/warp.h>

#include "tests/ptx/float8_values.h"
#include "tests/ptx/half_values.h"
#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

using Words = std::vector<std::uint64_t>;  // one register: a word per lane

struct Form {
  std::string shape, types;  ///< types of d, a, b and c
  unsigned m, k;
  unsigned bits;  ///< bits per element of a and b
  std::string a, b, sum, result;
};

struct Place {
  unsigned row, column;
};

unsigned perRegister(unsigned bits) {
  return bits == 64 ? 1 : 32 / bits;
}

/// Returns the place of element i of a's fragment. With 16 rows, every other register has rows 8 to
/// 15.
Place placeInA(const Form& f, unsigned lane, unsigned i) {
  const unsigned per = perRegister(f.bits), group = lane >> 2, thread = lane % 4, r = i / per;
  if (f.m == 8) return {group, thread * per + i % per + 4 * per * r};
  return {r % 2 == 0 ? group : group + 8, thread * per + i % per + 4 * per * (r / 2)};
}
Place placeInB(const Form& f, unsigned lane, unsigned i) {
  const unsigned per = perRegister(f.bits), group = lane >> 2, thread = lane % 4;
  return {thread * per + i % per + 4 * per * (i / per), group};
}
Place placeInC(unsigned lane, unsigned i) {
  return {(lane >> 2) + (i >= 2 ? 8 : 0), lane % 4 * 2 + (i & 1)};
}

struct Matrix {
  Matrix(unsigned rows, unsigned across) : columns(across), bits(rows * across) {}
  std::uint64_t& at(Place p) { return bits[p.row * columns + p.column]; }
  std::uint64_t at(Place p) const { return bits[p.row * columns + p.column]; }
  unsigned columns;
  Words bits;
};

template <class Where>
std::vector<Words> pack(const Matrix& matrix, unsigned bits, Where where) {
  const unsigned per = perRegister(bits);
  const auto count = static_cast<unsigned>(matrix.bits.size()) / 32;
  std::vector<Words> registers(count / per, Words(32));
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < count; ++i)
      registers[i / per][lane] |= matrix.at(where(lane, i)) << (i % per * bits % 64);
  }
  return registers;
}

std::uint64_t doubleBits(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

double floating(const std::string& type, std::uint64_t bits) {
  if (type == "f16" || type == "bf16") return values(type).of(bits);
  if (type[0] == 'e') return float8Value(type, bits);
  if (type == "f64") {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  const auto word = static_cast<std::uint32_t>(type == "tf32" ? bits & 0xffffe000U : bits);
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

std::uint64_t roundedTo(const std::string& type, double value) {
  if (type == "f16") return values(type).nearest(value, 0, 'n', std::signbit(value));
  if (type == "f64") return doubleBits(value);
  const auto single = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &single, sizeof bits);
  return single != single ? 0x7fffffffU : bits;
}

std::int64_t integer(const std::string& type, std::uint64_t bits) {
  const auto width = static_cast<unsigned>(std::stoi(type.substr(1)));
  const bool negative = type[0] == 's' && (bits >> (width - 1) & 1U) != 0;
  return static_cast<std::int64_t>(bits) - (negative ? std::int64_t{1} << width : 0);
}

/// Returns the result by the README: products are exact, f64 uses fma, other sums start at c and
/// are formed in double in order of k, and the result is rounded once.
std::uint64_t expected(const Form& f, const Matrix& a, const Matrix& b, std::uint64_t c, Place p,
                       bool clamp) {
  if (f.a == "b1") {
    const bool differ = f.types.find("xor") != std::string::npos;
    for (unsigned k = 0; k < f.k; ++k) {
      const std::uint64_t x = a.at({p.row, k}), y = b.at({k, p.column});
      c += differ ? x ^ y : x & y;
    }
    return static_cast<std::uint32_t>(c);
  }
  if (f.sum == "s32") {
    std::int64_t sum = static_cast<std::int32_t>(c);
    for (unsigned k = 0; k < f.k; ++k)
      sum += integer(f.a, a.at({p.row, k})) * integer(f.b, b.at({k, p.column}));
    if (clamp) sum = std::min<std::int64_t>(std::max<std::int64_t>(sum, INT32_MIN), INT32_MAX);
    return static_cast<std::uint32_t>(sum);
  }
  double sum = floating(f.sum, c);
  for (unsigned k = 0; k < f.k; ++k)
    sum = std::fma(floating(f.a, a.at({p.row, k})), floating(f.b, b.at({k, p.column})), sum);
  return roundedTo(f.result, sum);
}

/// Draws moderate numbers, zeros and subnormals, and infinities and NaNs if `special`.
class Numbers {
 public:
  explicit Numbers(bool special) : special_(special) {}
  std::uint64_t of(const std::string& type) {
    const std::uint64_t bits = random_();
    if (type == "b1") return bits >> 40 & 1U;
    if (type[0] == 's' || type[0] == 'u') {
      const auto width = static_cast<unsigned>(std::stoi(type.substr(1)));
      if (width == 32) return (bits >> 40) % 5 == 0 ? 0x7ffffff0U + bits % 32 : bits & 0xffffffffU;
      return bits & ((1U << width) - 1);
    }
    if (type[0] == 'e') {
      if (special_ && (bits >> 32) % 67 == 0) return (bits & 0xffU) | 0x7cU;
      const bool finite = std::isfinite(float8Value(type, bits & 0xffU));
      return (bits & 0xffU) ^ (finite ? 0U : 0x40U);
    }
    if (type == "f16") return half(bits, 0x7c00, 10, 12);
    if (type == "bf16") return half(bits, 0x7f80, 7, 120);
    const double value = std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits)),
                                    static_cast<int>(bits % 21) - 73);
    if (type == "f64") return doubleBits(value);
    if (special_ && bits % 61 == 0) return 0xff800000U;
    return roundedTo("f32", value) | (type == "tf32" ? bits % 0x2000 : 0);
  }

 private:
  std::uint64_t half(std::uint64_t bits, unsigned infinity, unsigned fraction, unsigned middle) {
    const std::uint64_t sign = bits >> 20 & 0x8000U, digits = bits & ((1U << fraction) - 1);
    if (special_ && (bits >> 32) % 97 == 0) return sign | infinity;
    if (special_ && (bits >> 32) % 89 == 0) return sign | infinity | (digits & 1U);
    if ((bits >> 32) % 13 == 0) return sign | digits;
    return sign | (middle + (bits >> 50) % 8) << fraction | digits;
  }
  bool special_;
  std::mt19937_64 random_{7};
};

std::string list(unsigned first, std::size_t count, bool wide) {
  std::string text;
  for (unsigned k = 0; k < count; ++k)
    text += (k == 0 ? "{%r" : ", %r") + std::string(wide ? "d" : "") + std::to_string(first + k);
  return text + "}";
}

constexpr unsigned kFirstSource = 10, kApart = 50;  // register numbers

std::vector<Words> execute(const Form& f, const std::vector<std::vector<Words>>& sources,
                           const std::string& modifier, unsigned firstResult) {
  const bool wide = f.bits == 64;
  const std::string type = wide ? "b64 %rd" : "b32 %r";
  Words in;
  std::string body =
      "mul.wide.u32 %rd1, %r90, 8; add.u64 %rd2, %rd1, %rd91; add.u64 %rd1, %rd1, %rd90;";
  std::string operands;
  unsigned next = kFirstSource;
  for (const std::vector<Words>& fragment : sources) {
    operands += ", " + list(next, fragment.size(), wide);
    for (const Words& one : fragment) {
      body += "ld.global." + type + std::to_string(next++) + ", [%rd1+" +
              std::to_string(8 * in.size()) + "];";
      in.insert(in.end(), one.begin(), one.end());
    }
  }
  const unsigned results = f.m / 8 * (f.result == "f16" ? 1 : 2);
  body += "mma.sync.aligned." + f.shape + ".row.col" + modifier + "." + f.types + " " +
          list(firstResult, results, wide) + operands + ";";
  for (unsigned r = 0; r < results; ++r)
    body += "st.global." + std::string(wide ? "b64" : "b32") + " [%rd2+" + std::to_string(256 * r) +
            "], %r" + (wide ? "d" : "") + std::to_string(firstResult + r) + ";";
  const Words out = runBody<std::uint64_t>(body, in, 32 * results);
  std::vector<Words> registers;
  for (unsigned r = 0; r < results; ++r)
    registers.emplace_back(out.begin() + 32 * r, out.begin() + 32 * (r + 1));
  return registers;
}

unsigned widthOf(const std::string& type) {
  return type == "f16" ? 16 : type == "f64" ? 64 : 32;
}

void check(const Form& f, Numbers& numbers, unsigned firstResult, bool clamp = false) {
  Matrix a(f.m, f.k), b(f.k, 8), c(f.m, 8);
  for (std::uint64_t& bits : a.bits) bits = numbers.of(f.a);
  for (std::uint64_t& bits : b.bits) bits = numbers.of(f.b);
  for (std::uint64_t& bits : c.bits) bits = numbers.of(f.sum);
  const auto inA = [&](unsigned lane, unsigned i) { return placeInA(f, lane, i); };
  const auto inB = [&](unsigned lane, unsigned i) { return placeInB(f, lane, i); };
  const auto got =
      execute(f, {pack(a, f.bits, inA), pack(b, f.bits, inB), pack(c, widthOf(f.sum), placeInC)},
              clamp ? ".satfinite" : "", firstResult);
  Matrix wanted(f.m, 8);
  for (unsigned row = 0; row < f.m; ++row) {
    for (unsigned column = 0; column < 8; ++column)
      wanted.at({row, column}) = expected(f, a, b, c.at({row, column}), {row, column}, clamp);
  }
  const auto registers = pack(wanted, widthOf(f.result), placeInC);
  BOOST_TEST_REQUIRE(registers.size() == got.size());
  for (std::size_t r = 0; r < got.size(); ++r)
    BOOST_TEST(got[r] == registers[r], boost::test_tools::per_element());
}

std::vector<Form> forms() {
  std::vector<Form> all;
  const auto add = [&](const std::string& shape, unsigned bits, const std::string& result,
                       const std::string& a, const std::string& b, const std::string& sum) {
    const auto k = static_cast<unsigned>(std::stoi(shape.substr(shape.find('k') + 1)));
    all.push_back({shape, result + "." + a + "." + b + "." + sum, shape[1] == '8' ? 8U : 16U, k,
                   bits, a, b, sum, result});
  };
  for (const std::string shape : {"m16n8k8", "m16n8k16"}) {
    add(shape, 16, "f32", "f16", "f16", "f32");
    add(shape, 16, "f16", "f16", "f16", "f16");
    add(shape, 16, "f32", "bf16", "bf16", "f32");
  }
  for (const std::string shape : {"m16n8k4", "m16n8k8"})
    add(shape, 32, "f32", "tf32", "tf32", "f32");
  for (const std::string shape : {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"})
    add(shape, 64, "f64", "f64", "f64", "f64");
  for (const std::string shape : {"m16n8k16", "m16n8k32"}) {
    for (const std::string a : {"e4m3", "e5m2"}) {
      for (const std::string b : {"e4m3", "e5m2"}) {
        for (const std::string sum : {"f32", "f16"}) add(shape, 8, sum, a, b, sum);
      }
    }
  }
  for (const std::string shape : {"m8n8k128", "m16n8k128", "m16n8k256"}) {
    for (const std::string operation : {".xor.popc", ".and.popc"}) {
      add(shape, 1, "s32", "b1", "b1", "s32");
      all.back().types += operation;
    }
  }
  for (const std::string a : {"s", "u"}) {
    for (const std::string b : {"s", "u"}) {
      for (const std::string shape : {"m8n8k16", "m16n8k16", "m16n8k32"})
        add(shape, 8, "s32", a + "8", b + "8", "s32");
      for (const std::string shape : {"m8n8k32", "m16n8k32", "m16n8k64"})
        add(shape, 4, "s32", a + "4", b + "4", "s32");
    }
  }
  return all;
}

/// A warp with rows of random words for every register of a form.
class Rows {
 public:
  explicit Rows(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::uint64_t& word : words_) word = random() & 0xbfffbfffbfffbfffU;
    for (unsigned r = 0; r < kRows; ++r) code_.matrixRows.push_back(r * kWideRowBytes);
    machine_.code = &code_;
    warp_.machine = &machine_;
    warp_.base[0] = warp_.base[1] = reinterpret_cast<std::uint8_t*>(words_.data());
  }
  const std::vector<std::uint64_t>& after(Handler handler) {
    Instruction i;
    i.product.flags = kSignedA | kSignedB;
    handler(warp_, i, kAllLanes);
    return words_;
  }

 private:
  static constexpr unsigned kRows = 16;
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(kRows * kWarpLanes);
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
      check(form, plain, kFirstSource + 1, form.sum == "s32" && form.bits > 1);
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
  const auto error = [](const std::string& statement) { return parseError(kernelText(statement)); };
  const std::string operands = " {%r1, %r2}, {%r3, %r4}, {%r5}, {%r1, %r2};";
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  BOOST_TEST(error("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16" + operands) == "");
  for (const std::string form :
       {"m16n8k8.row.row.f16.f16.f16.f16", "m16n8k8.row.col.f16.f16.bf16.f16",
        "m16n8k8.row.col.f16.f16.f16.s32", "m16n8k8.row.col.f16.f16.f16.f32",
        "m16n8k16.row.col.f32.e4m3.e4m3.f16", "m16n8k32.row.col.f32.e4m3.f16.f32",
        "m8n8k128.row.col.s32.b1.b1.s32.xor", "m8n8k128.row.col.satfinite.s32.b1.b1.s32.xor.popc",
        "m8n8k4.col.row.f64.f64.f64.f64", "m16n8k16.row.col.rz.f64.f64.f64.f64",
        "m16n8k8.row.col.satfinite.f16.f16.f16.f16", "sp.m16n8k64.row.col.s32.s8.s8.s32"})
    BOOST_TEST(has(error("mma.sync.aligned." + form + operands),
                   "unsupported form 'mma.sync.aligned." + form + "'"),
               form);
  BOOST_TEST(has(error("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16" + operands),
                 "expected 4 registers in braces"));
  RunOptions options;
  options.block.x = 31;
  BOOST_TEST(has(errorOf([&] {
                   runBody<int>("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16" + operands,
                                std::vector<int>{}, 1, options);
                 }),
                 "lane 31"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
