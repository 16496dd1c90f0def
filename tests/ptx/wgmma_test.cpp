// wgmma against a product of plain matrices. The places of elements in shared memory are written
// here from CuTe's canonical layouts (CUTLASS, mma_traits_sm90_gmma.hpp), element by element, and
// those in registers from the PTX ISA ("Register Fragments for wgmma").
#include <boost/test/unit_test.hpp>
#include <random>

#include "tests/ptx/float8_values.h"
#include "tests/ptx/half_values.h"
#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

constexpr unsigned kThreads = 128, kRows = 64;
constexpr std::uint32_t kStartOfB = 32768, kWindow = 98304;

struct Form {
  std::string sum, a, b;
  unsigned n;
  unsigned swizzle = 0;  ///< bytes
  bool transposedA = false, transposedB = false;
  bool inRegisters = false, adds = true, negated = false, clamps = false;
  unsigned skipped = 0;  ///< bytes of k before the descriptors' start
};

unsigned bitsOf(const std::string& type) {
  return type == "tf32" ? 32 : type == "f16" || type == "bf16" ? 16 : 8;
}
unsigned depthOf(const Form& f) {
  return 256 / bitsOf(f.a);
}

double valueOf(const std::string& type, std::uint64_t bits) {
  if (type == "f16" || type == "bf16") return values(type).of(bits);
  if (type[0] == 'e') return float8Value(type, bits);
  if (type == "s8") return static_cast<std::int8_t>(bits);
  if (type == "u8") return static_cast<double>(bits);
  const auto word = static_cast<std::uint32_t>(type == "tf32" ? bits & 0xffffe000U : bits);
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

/// Strides of a tile in bytes, in CuTe's layouts: Swizzle<B,4,3> of (row, k).
struct Tile {
  std::uint32_t start, leading, stride;
  unsigned swizzle, bytes;
  bool transposed;

  std::uint32_t at(unsigned row, unsigned k) const {
    const unsigned units = swizzle == 0 ? 1 : swizzle / 16, per = 16 / bytes;  // `per`: CuTe's T
    std::uint32_t address = start;
    if (transposed && swizzle == 0) {
      address += row % per * bytes + row / per * stride + k % 8 * 16 + k / 8 * leading;
    } else if (transposed) {
      address += row % (per * units) * bytes + row / (per * units) * leading + k % 8 * 16 * units +
                 k / 8 * stride;
    } else {
      address += row % 8 * 16 * units + row / 8 * stride + k % per * bytes +
                 k / per * (swizzle == 0 ? leading : 16);
    }
    for (unsigned bit = 0; (16U << bit) < swizzle; ++bit)
      address ^= (address >> (7 + bit) & 1U) << (4 + bit);
    return address;
  }
  std::uint64_t descriptor(unsigned skipped) const {
    const std::uint64_t mode = swizzle == 0 ? 0 : swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
    return (start + skipped) / 16 | std::uint64_t{leading / 16} << 16 |
           std::uint64_t{stride / 16} << 32 | mode << 62;
  }
};
Tile tileOf(const Form& f, bool isA) {
  const bool transposed = isA ? f.transposedA : f.transposedB;
  const unsigned bytes = bitsOf(f.a) / 8, start = isA ? 1024 : kStartOfB;
  if (f.swizzle == 0) return {start, 128, 272, 0, bytes, transposed};  // strides not powers of two
  if (!transposed) return {start, 16, 8 * f.swizzle, f.swizzle, bytes, false};
  return {start, 16 * f.swizzle, 8 * f.swizzle, f.swizzle, bytes, true};
}

struct Matrix {
  Matrix(unsigned rows, unsigned across) : columns(across), bits(rows * across) {}
  std::uint64_t& at(unsigned row, unsigned column) { return bits[row * columns + column]; }
  std::uint64_t at(unsigned row, unsigned column) const { return bits[row * columns + column]; }
  unsigned columns;
  std::vector<std::uint64_t> bits;
};

std::uint64_t numberOf(const std::string& type, std::mt19937& random) {
  const std::uint32_t bits = random();
  if (type == "f16") return (bits & 0x83ffU) | (0x2800U + (bits >> 16 & 0x1c00U));
  if (type == "bf16") return (bits & 0x807fU) | (0x3e00U + (bits >> 16 & 0x0180U));
  if (type == "e4m3" || type == "e5m2") return bits & (type == "e4m3" ? 0xf7U : 0xbfU);
  if (type == "s8" || type == "u8") return bits & 0xffU;
  if (type == "s32") return bits % 3 == 0 ? 0x7ffffff0U + bits % 16 : bits;
  return (bits & 0x807fffffU) | (0x3e000000U + (bits & 0x03000000U) / 2);  // tf32, f32
}

std::uint64_t expected(const Form& f, const Matrix& a, const Matrix& b, std::uint64_t c,
                       unsigned row, unsigned column) {
  if (f.sum == "s32") {
    std::int64_t sum = f.adds ? static_cast<std::int32_t>(c) : 0;
    for (unsigned k = 0; k < depthOf(f); ++k)
      sum += static_cast<std::int64_t>(valueOf(f.a, a.at(row, k)) * valueOf(f.b, b.at(column, k)));
    if (f.clamps) sum = std::min<std::int64_t>(std::max<std::int64_t>(sum, INT32_MIN), INT32_MAX);
    return static_cast<std::uint32_t>(sum);
  }
  double sum = f.adds ? valueOf(f.sum, c) : 0;
  for (unsigned k = 0; k < depthOf(f); ++k) {
    const double product = valueOf(f.a, a.at(row, k)) * valueOf(f.b, b.at(column, k));
    sum += f.negated ? -product : product;
  }
  if (f.sum == "f16") return values("f16").nearest(sum, 0, 'n', std::signbit(sum));
  const auto single = static_cast<float>(sum);
  std::uint32_t bits;
  std::memcpy(&bits, &single, sizeof bits);
  return bits;
}

/// Place of element `i` of a thread's part of d; placeInA(): of a, with `per` elements per
/// register.
struct Place {
  unsigned row, column;
};
Place placeInD(unsigned thread, unsigned i) {
  const unsigned warp = thread / 32, lane = thread % 32;
  return {16 * warp + lane / 4 + (i / 2 % 2 != 0 ? 8 : 0), i / 4 * 8 + lane % 4 * 2 + i % 2};
}
Place placeInA(unsigned thread, unsigned i, unsigned per) {
  const unsigned warp = thread / 32, lane = thread % 32, r = i / per;
  return {16 * warp + lane / 4 + (r % 2 != 0 ? 8 : 0), lane % 4 * per + i % per + r / 2 * 4 * per};
}

std::string list(char name, unsigned count) {
  std::string text = "{";
  for (unsigned k = 0; k < count; ++k)
    text += (k == 0 ? "%" : ", %") + std::string(1, name) + std::to_string(k);
  return text + "}";
}

std::string mnemonicOf(const Form& f) {
  return "wgmma.mma_async.sync.aligned.m64n" + std::to_string(f.n) + "k" +
         std::to_string(depthOf(f)) + (f.clamps ? ".satfinite." : ".") + f.sum + "." + f.a + "." +
         f.b;
}

std::string immediatesOf(const Form& f) {
  if (f.sum == "s32") return "";
  std::string text = f.negated ? ", -1, 1" : ", 1, 1";
  if (bitsOf(f.a) != 16) return text;
  if (!f.inRegisters) text += f.transposedA ? ", 1" : ", 0";
  return text + (f.transposedB ? ", 1" : ", 0");
}

/// Returns the body: it loads the window from `in`, then the registers of a and of c.
std::string bodyOf(const Form& f, unsigned registersOfA, unsigned registersOfD) {
  std::string text =
      ".reg .b32 %a<4>; .reg .b32 %d<128>; mov.u32 %r1, 0; W: mad.lo.u32 %r2, %r1, "
      "128, %r90; mul.wide.u32 %rd1, %r2, 4; add.u64 %rd1, %rd1, %rd90; "
      "ld.global.b32 %r3, [%rd1]; mov.u32 %r4, tile; mad.lo.u32 %r4, %r2, 4, %r4; "
      "st.shared.b32 [%r4], %r3; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, " +
      std::to_string(kWindow / 512) +
      "; @%p1 bra W; mad.wide.u32 %rd2, %r90, 4, %rd90; mad.wide.u32 %rd3, %r90, 4, "
      "%rd91;";
  const auto load = [&](char name, unsigned count, unsigned first) {
    for (unsigned r = 0; r < count; ++r)
      text += "ld.global.b32 %" + std::string(1, name) + std::to_string(r) + ", [%rd2+" +
              std::to_string(kWindow + 512 * (first + r)) + "];";
  };
  load('a', registersOfA, 0);
  load('d', registersOfD, registersOfA);
  const auto descriptor = [&](bool isA) {
    return std::to_string(tileOf(f, isA).descriptor(f.skipped));
  };
  text += "mov.b64 %rd4, " + descriptor(true) + "; mov.b64 %rd5, " + descriptor(false) +
          "; setp.eq.u32 %p2, %r90, " + (f.adds ? "%r90" : "999") +
          "; bar.sync 0; wgmma.fence.sync.aligned; " + mnemonicOf(f) + " " +
          list('d', registersOfD) + ", " + (f.inRegisters ? list('a', 4) : "%rd4") + ", %rd5, %p2" +
          immediatesOf(f) + "; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
  for (unsigned r = 0; r < registersOfD; ++r)
    text += "st.global.b32 [%rd3+" + std::to_string(512 * r) + "], %d" + std::to_string(r) + ";";
  return text;
}

void check(const Form& f) {
  std::mt19937 random(7);
  const unsigned depth = depthOf(f), bits = bitsOf(f.a), ofSum = f.sum == "f16" ? 16 : 32;
  const unsigned skipped = f.skipped * 8 / bits;
  Matrix a(kRows, depth), b(f.n, depth), c(kRows, f.n);
  for (auto& one : a.bits) one = numberOf(f.a, random);
  for (auto& one : b.bits) one = numberOf(f.b, random);
  for (auto& one : c.bits) one = numberOf(f.sum, random);
  std::vector<std::uint8_t> window(kWindow);
  for (auto& byte : window) byte = static_cast<std::uint8_t>(random());  // nobody reads it
  const auto put = [&](const Tile& tile, const Matrix& matrix) {
    for (unsigned i = 0; i < matrix.bits.size(); ++i) {
      std::memcpy(&window[tile.at(i / depth, i % depth + skipped)], &matrix.bits[i], bits / 8);
    }
  };
  if (!f.inRegisters) put(tileOf(f, true), a);
  put(tileOf(f, false), b);

  std::vector<std::uint32_t> in(kWindow / 4);
  std::memcpy(in.data(), window.data(), kWindow);
  const auto pack = [&](unsigned count, unsigned per, unsigned width, const auto& matrix,
                        const auto& place) {
    const std::size_t first = in.size();
    in.resize(first + std::size_t{count} * kThreads);
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      for (unsigned i = 0; i < count * per; ++i) {
        const Place at = place(thread, i);
        in[first + i / per * kThreads + thread] |=
            static_cast<std::uint32_t>(matrix.at(at.row, at.column) << (i % per * width % 32));
      }
    }
  };
  const unsigned registersOfA = f.inRegisters ? 4 : 0, registersOfD = f.n * ofSum / 64;
  if (f.inRegisters)
    pack(4, 32 / bits, bits, a,
         [&](unsigned thread, unsigned i) { return placeInA(thread, i, 32 / bits); });
  pack(registersOfD, 32 / ofSum, ofSum, c, placeInD);

  RunOptions options;
  options.block = {kThreads, 1, 1};
  const auto out = runBody<std::uint32_t>(bodyOf(f, registersOfA, registersOfD), in,
                                          std::size_t{registersOfD} * kThreads, options,
                                          ".shared .align 1024 .b8 tile[98304];");
  unsigned wrong = 0;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    for (unsigned i = 0; i < f.n / 2; ++i) {
      const Place at = placeInD(thread, i);
      const unsigned per = 32 / ofSum;
      const std::uint32_t got = out[i / per * kThreads + thread] >> (i % per * ofSum % 32) &
                                (ofSum == 16 ? 0xffffU : 0xffffffffU);
      if (got == expected(f, a, b, c.at(at.row, at.column), at.row, at.column)) continue;
      if (++wrong <= 3) BOOST_ERROR("row " << at.row << ", column " << at.column << " is " << got);
    }
  }
  BOOST_TEST(wrong == 0U);
}

void checkAll(const std::vector<Form>& forms) {
  for (const Form& form : forms) {
    BOOST_TEST_CONTEXT(mnemonicOf(form) << immediatesOf(form) << " swizzle " << form.swizzle
                                        << (form.inRegisters ? " of registers" : ""))
    check(form);
  }
}

Form of(const std::string& sum, const std::string& a, const std::string& b, unsigned n,
        unsigned swizzle = 0) {
  Form f;
  f.sum = sum;
  f.a = a;
  f.b = b;
  f.n = n;
  f.swizzle = swizzle;
  return f;
}

std::string errorIn(const std::string& body) {
  RunOptions options;
  options.block = {kThreads, 1, 1};
  return errorOf([&] {
    runBody<std::uint32_t>(body, std::vector<std::uint32_t>(1), 1, options,
                           ".shared .align 1024 .b8 tile[4096];");
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(products_of_warp_groups)

BOOST_AUTO_TEST_CASE(every_type_agrees_with_plain_matrices) {
  std::vector<Form> forms;
  for (const bool inRegisters : {false, true}) {
    for (Form form :
         {of("f32", "f16", "f16", 24), of("f16", "f16", "f16", 8), of("f32", "bf16", "bf16", 16),
          of("f32", "tf32", "tf32", 40), of("s32", "s8", "u8", 24), of("s32", "u8", "s8", 32),
          of("f32", "e4m3", "e5m2", 16), of("f16", "e5m2", "e5m2", 8)}) {
      form.inRegisters = inRegisters;
      forms.push_back(form);
      form.adds = false;
      form.negated = form.clamps = false;
      (form.sum == "s32" ? form.clamps : form.negated) = true;
      forms.push_back(form);
      form.adds = true;
      forms.push_back(form);
    }
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(every_layout_agrees_with_plain_matrices) {
  std::vector<Form> forms;
  for (const unsigned swizzle : {0U, 32U, 64U, 128U}) {
    for (unsigned transposes = 0; transposes < 4; ++transposes) {
      Form form = of("f32", "f16", "f16", transposes == 0 ? 256 : 136, swizzle);
      form.transposedA = (transposes & 1) != 0;
      form.transposedB = (transposes & 2) != 0;
      forms.push_back(form);
    }
    forms.push_back(of("s32", "s8", "s8", 48, swizzle));
  }
  // The second and the fourth step of k in a row of 128 bytes.
  for (const unsigned skipped : {32U, 96U}) {
    forms.push_back(of("f32", "bf16", "bf16", 64, 128));
    forms.back().skipped = skipped;
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  const auto error = [](const std::string& form, const std::string& operands) {
    return parseError(kernelText("wgmma.mma_async.sync.aligned." + form + " " + operands + ";"));
  };
  const std::string four = "{%f1, %f2, %f3, %f4}";
  const auto refuses = [&](const std::string& form, const std::string& operands,
                           const std::string& why) {
    const std::string text = error(form, operands);
    BOOST_TEST(text.find(why) != std::string::npos, form << " " << operands << ": " << text);
  };
  BOOST_TEST(error("m64n8k16.f32.f16.f16", four + ", %rd1, %rd2, %p1, 1, 1, 0, 0") == "");
  refuses("m64n8k8.f32.f16.f16", four + ", %rd1, %rd2, %p1, 1, 1, 0, 0", "unsupported form");
  refuses("m64n264k16.f32.f16.f16", four + ", %rd1, %rd2, %p1, 1, 1, 0, 0", "unsupported form");
  refuses("m64n40k32.s32.s8.s8", four + ", %rd1, %rd2, %p1", "unsupported form");
  refuses("m64n8k16.f16.bf16.bf16", "{%r1, %r2}, %rd1, %rd2, %p1, 1, 1, 0, 0", "unsupported form");
  refuses("m64n16k16.f32.f16.f16", four + ", %rd1, %rd2, %p1, 1, 1, 0, 0", "expected 8 registers");
  refuses("m64n8k16.f32.f16.f16", four + ", %rd1, %rd2, %p1, 2, 1, 0, 0", "scale of 1 or -1");
  refuses("m64n8k16.f32.f16.f16", four + ", %rd1, %rd2, %p1, 1, 1, 0", "operands");
  refuses("m64n8k8.f32.tf32.tf32", four + ", %rd1, %rd2, %p1, 1, 1, 0, 0", "operands");

  const std::string product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " + four +
                              ", %rd1, %rd1, %p1, 1, 1, 0, 0;";
  const std::string tile = "mov.u32 %r1, tile; setp.eq.u32 %p1, %r90, 999; mov.b64 %rd1, ";
  BOOST_TEST(errorIn(tile + "0;" + product) == "");
  BOOST_TEST(errorIn(tile + "562949953421312;" + product)  // bit 49
                 .find("with a base offset; expected 0 in its bits 49 to 51") != std::string::npos);
  BOOST_TEST(errorIn(tile + "256;" + product)  // byte 4096
                 .find("a row of a factor is at 0x1000 of shared memory") != std::string::npos);
  BOOST_TEST(errorIn(tile + "0; cvt.u64.u32 %rd1, %r90;" + product)
                 .find("another matrix descriptor than lane 0 has") != std::string::npos);
  BOOST_TEST(errorIn(tile + "0; setp.lt.u32 %p2, %r90, 9; @%p2 " + product)
                 .find("expected all 32 lanes") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
