// wgmma against a product of plain matrices. The places of elements in shared memory are written
// here from CuTe's canonical layouts (CUTLASS, mma_traits_sm90_gmma.hpp), element by element, and
// those in registers from the PTX ISA ("Register Fragments for wgmma").

#include <bitset>

#include "tests/ptx/matrices.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

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
  bool barrier = true;   ///< between the stores of the factors and the fence
  unsigned skipped = 0;  ///< bytes of k before the descriptors' start
  bool sparse = false;   ///< of a half of the elements are stored
  bool ofBits = false;   ///< elements are eight bits each of a product of bits
  unsigned selector = 0;
};

unsigned bitsOf(const Form& f) {
  return elementBits(f.a);
}
/// Stored elements of a row of a, and elements of a column of b.
unsigned storedOf(const Form& f) {
  return 256 / bitsOf(f);
}
unsigned depthOf(const Form& f) {
  return f.sparse ? 2 * storedOf(f) : storedOf(f);
}

/// Elements that a stores: columns by row, and four bits of metadata per chunk of columns.
struct Places {
  Matrix columns, metadata;
};
/// Draws one of two elements of tf32, and two of four of other types.
Places drawPlaces(const Form& f, std::mt19937& random) {
  const unsigned stored = f.a == "tf32" ? 1 : 2, chunks = storedOf(f) / stored;
  Places places{{kRows, storedOf(f)}, {kRows, chunks}};
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      unsigned low = random() % 3, high = low + 1 + random() % (3 - low);
      if (stored == 1) low = random() % 2 * 2, high = low + 1;
      places.metadata.at({row, chunk}) = low | high << 2;
      places.columns.at({row, chunk * stored}) =
          stored == 1 ? chunk * 2 + low / 2 : chunk * 4 + low;
      if (stored == 2) places.columns.at({row, chunk * 2 + 1}) = chunk * 4 + high;
    }
  }
  return places;
}

/// Packs the metadata as CuTe's ELayout_64x16, _64x32 and _64x64 say
/// (mma_traits_sm90_gmma_sparse.hpp). Lanes that the selector does not name get random bits.
Words packMetadata(const Form& f, const Matrix& metadata, std::mt19937& random) {
  Words words(kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    words[t] = random();
    if (bitsOf(f) != 8 && t / 2 % 2 != f.selector) continue;
    words[t] = 0;
    const unsigned row = t / 32 * 16 + t / 4 % 8;
    for (unsigned four = 0; four < 8; ++four) {
      const Word bits = bitsOf(f) == 8 ? metadata.at({row + t % 2 * 8, t / 2 % 2 * 8 + four})
                                       : metadata.at({row + four / 4 * 8, t % 2 * 4 + four % 4});
      words[t] |= bits << (4 * four);
    }
  }
  return words;
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
  const unsigned bytes = bitsOf(f) / 8, start = isA ? 1024 : kStartOfB;
  const unsigned times = f.sparse && !isA ? 2 : 1;  // as deep
  if (f.swizzle == 0)                               // strides not powers of two
    return {start, 128, 256 * times + 16, 0, bytes, transposed};
  if (!transposed) return {start, 16, 8 * f.swizzle, f.swizzle, bytes, false};
  return {start, 16 * f.swizzle * times, 8 * f.swizzle, f.swizzle, bytes, true};
}

/// Returns the element of the result in a row of a and a column, which is a row of b.
Word expected(const Form& f, const Matrix& a, const Matrix& b, const Matrix& c,
              const Places& places, Place p) {
  double sum = f.adds ? numberOf(f.sum, c.at(p)) : 0;
  for (unsigned s = 0; s < storedOf(f); ++s) {
    const auto k = f.sparse ? static_cast<unsigned>(places.columns.at({p.row, s})) : s;
    const Word left = a.at({p.row, s}), right = b.at({p.column, k});
    const double product = f.ofBits ? static_cast<double>(std::bitset<8>(left & right).count())
                                    : numberOf(f.a, left) * numberOf(f.b, right);
    sum += f.negated ? -product : product;
  }
  return elementOf(f.sum, f.clamps ? std::fmin(std::fmax(sum, INT32_MIN), INT32_MAX) : sum);
}

/// Place of element `i` of a thread's part of d; placeInA(): of a, with `per` elements per
/// register.
Place placeInD(unsigned thread, unsigned i) {
  const unsigned warp = thread / 32, lane = thread % 32;
  return {16 * warp + lane / 4 + (i / 2 % 2 != 0 ? 8 : 0), i / 4 * 8 + lane % 4 * 2 + i % 2};
}
Place placeInA(unsigned thread, unsigned i, unsigned per) {
  const unsigned warp = thread / 32, lane = thread % 32, r = i / per;
  return {16 * warp + lane / 4 + (r % 2 != 0 ? 8 : 0), lane % 4 * per + i % per + r / 2 * 4 * per};
}

std::string mnemonicOf(const Form& f) {
  if (f.ofBits)
    return "wgmma.mma_async.sync.aligned.m64n" + std::to_string(f.n) + "k256.s32.b1.b1.and.popc";
  return std::string("wgmma.mma_async.") + (f.sparse ? "sp." : "") + "sync.aligned.m64n" +
         std::to_string(f.n) + "k" + std::to_string(depthOf(f)) + (f.clamps ? ".satfinite." : ".") +
         f.sum + "." + f.a + "." + f.b;
}

std::string immediatesOf(const Form& f) {
  if (f.sum == "s32") return "";
  std::string text = f.negated ? ", -1, 1" : ", 1, 1";
  if (bitsOf(f) != 16) return text;
  if (!f.inRegisters) text += f.transposedA ? ", 1" : ", 0";
  return text + (f.transposedB ? ", 1" : ", 0");
}

/// Returns the body: it loads the window from `in`, then the registers of a and of c.
std::string bodyOf(const Form& f, unsigned registersOfA, unsigned registersOfD) {
  std::string text =
      ".reg .b32 %a<4>; .reg .b32 %e<1>; .reg .b32 %d<128>; mov.u32 %r1, 0; W: mad.lo.u32 %r2, "
      "%r1, 128, %r90; "
      "mul.wide.u32 %rd1, %r2, 4; add.u64 %rd1, %rd1, %rd90; ld.global.b32 %r3, [%rd1]; mov.u32 "
      "%r4, tile; mad.lo.u32 %r4, %r2, 4, %r4; st.shared.b32 [%r4], %r3; add.u32 %r1, %r1, 1; "
      "setp.lt.u32 %p1, %r1, " +
      std::to_string(kWindow / 512) +
      "; @%p1 bra W; mad.wide.u32 %rd2, %r90, 4, %rd90; mad.wide.u32 %rd3, %r90, 4, %rd91;";
  const auto load = [&](char name, unsigned count, unsigned first) {
    for (unsigned r = 0; r < count; ++r)
      text += "ld.global.b32 %" + std::string(1, name) + std::to_string(r) + ", [%rd2+" +
              std::to_string(kWindow + 512 * (first + r)) + "];";
  };
  load('a', registersOfA, 0);
  load('d', registersOfD, registersOfA);
  if (f.sparse) load('e', 1, registersOfA + registersOfD);
  const auto descriptor = [&](bool isA) {
    return std::to_string(tileOf(f, isA).descriptor(f.skipped));
  };
  text += "mov.b64 %rd4, " + descriptor(true) + "; mov.b64 %rd5, " + descriptor(false) +
          "; setp.eq.u32 %p2, %r90, " + (f.adds ? "%r90" : "999") +
          (f.barrier ? "; bar.sync 0" : "") + "; wgmma.fence.sync.aligned; " + mnemonicOf(f) + " " +
          braced("d", 0, registersOfD) + ", " + (f.inRegisters ? braced("a", 0, 4) : "%rd4") +
          ", %rd5" + (f.sparse ? ", %e0, " + std::to_string(f.selector) : "") + ", %p2" +
          immediatesOf(f) + "; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
  if (!f.barrier)
    text +=
        "V: sub.u32 %r4, %r4, 512; st.shared.b32 [%r4], %r1; sub.u32 %r1, %r1, 1; setp.gt.u32 "
        "%p1, %r1, 1; @%p1 bra V;";
  for (unsigned r = 0; r < registersOfD; ++r)
    text += "st.global.b32 [%rd3+" + std::to_string(512 * r) + "], %d" + std::to_string(r) + ";";
  return text;
}

void check(const Form& f) {
  std::mt19937 random(7);
  Numbers numbers;
  const unsigned depth = depthOf(f), bits = bitsOf(f), ofSum = f.sum == "f16" ? 16 : 32;
  const unsigned skipped = f.skipped * 8 / bits;
  Matrix a(kRows, storedOf(f)), b(f.n, depth), c(kRows, f.n), d(kRows, f.n);
  const Places places = drawPlaces(f, random);
  numbers.fill(a, f.a);
  numbers.fill(b, f.b);
  numbers.fill(c, f.sum);
  // It reaches only rows that store column 5.
  if (f.sparse && f.b == "f16") b.at({3, 5}) = 0x7c00;
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned column = 0; column < f.n; ++column)
      d.at({row, column}) = expected(f, a, b, c, places, {row, column});
  }
  std::vector<std::uint8_t> window(kWindow);
  for (auto& byte : window) byte = static_cast<std::uint8_t>(random());  // nobody reads it
  const auto put = [&](const Tile& tile, const Matrix& matrix) {
    const unsigned across = matrix.columns;
    for (unsigned i = 0; i < matrix.bits.size(); ++i)
      std::memcpy(&window[tile.at(i / across, i % across + skipped)], &matrix.bits[i], bits / 8);
  };
  if (!f.inRegisters) put(tileOf(f, true), a);
  put(tileOf(f, false), b);

  std::vector<std::uint32_t> in(kWindow / 4);
  std::memcpy(in.data(), window.data(), kWindow);
  const auto append = [&](const Fragment& fragment) {
    for (const Words& one : fragment) in.insert(in.end(), one.begin(), one.end());
  };
  const auto packed = [&](const Matrix& matrix) {
    return pack(
        ofSum, f.n / 2, [&](unsigned thread, unsigned i) { return matrix.at(placeInD(thread, i)); },
        kThreads);
  };
  const unsigned registersOfA = f.inRegisters ? 4 : 0, per = 32 / bits;
  if (f.inRegisters)
    append(pack(
        bits, 4 * per, [&](unsigned thread, unsigned i) { return a.at(placeInA(thread, i, per)); },
        kThreads));
  append(packed(c));
  if (f.sparse) append({packMetadata(f, places.metadata, random)});

  RunOptions options;
  options.block = {kThreads, 1, 1};
  const Fragment wanted = packed(d);
  const auto out = runBody<std::uint32_t>(
      bodyOf(f, registersOfA, static_cast<unsigned>(wanted.size())), in, wanted.size() * kThreads,
      options, ".shared .align 1024 .b8 tile[98304];");
  unsigned wrong = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    wrong += out[i] != wanted[i / kThreads][i % kThreads] ? 1 : 0;
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

BOOST_AUTO_TEST_CASE(products_of_bits_agree_with_plain_matrices) {
  std::vector<Form> forms;
  for (const unsigned swizzle : {0U, 32U, 64U, 128U}) {
    Form form = of("s32", "u8", "u8", swizzle == 64 ? 256 : 24, swizzle);
    form.ofBits = true;
    form.inRegisters = swizzle == 64;
    forms.push_back(form);
    form.adds = false;
    forms.push_back(form);
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

BOOST_AUTO_TEST_CASE(sparse_products_of_every_type_agree_with_plain_matrices) {
  std::vector<Form> forms;
  for (Form form :
       {of("f32", "f16", "f16", 24), of("f16", "f16", "f16", 8), of("f32", "bf16", "bf16", 16),
        of("f32", "tf32", "tf32", 40), of("s32", "s8", "u8", 24), of("s32", "u8", "s8", 32),
        of("f32", "e4m3", "e5m2", 16), of("f16", "e5m2", "e5m2", 8)}) {
    form.sparse = true;
    for (const bool inRegisters : {false, true}) {
      form.inRegisters = inRegisters;
      form.selector = bitsOf(form) != 8 && inRegisters ? 1 : 0;
      form.clamps = form.sum == "s32" && inRegisters;
      form.negated = form.sum != "s32" && inRegisters;
      forms.push_back(form);
    }
  }
  for (const unsigned swizzle : {0U, 32U, 64U, 128U}) {
    for (unsigned transposes = 0; transposes < 4; ++transposes) {
      Form form = of("f32", "f16", "f16", transposes == 0 ? 256 : 136, swizzle);
      form.sparse = true;
      form.transposedA = (transposes & 1) != 0;
      form.transposedB = (transposes & 2) != 0 || swizzle == 32;
      forms.push_back(form);
    }
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(the_warps_meet_before_and_behind_products) {
  Form form = of("f32", "f16", "f16", 64, 128);
  form.barrier = false;
  checkAll({form});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
