// Products of tcgen05.mma of every kind against plain matrices, with factors in every layout. The
// layouts come from CuTe's description of them (NVIDIA CUTLASS, mma_sm100_desc.hpp).
#include <cmath>

#include "tests/ptx/matrices.h"
#include "tests/ptx/tensor_memory.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

constexpr unsigned kStartOfB = 32768, kColumnOfA = 300, kColumnOfD = 8, kColumnOfScales = 400;

struct Form {
  std::string kind, a, b, sum;
  unsigned m, n;
  unsigned swizzle = 0;  ///< bytes; 1: 128 by 32 bytes
  bool transposedA = false, transposedB = false;
  bool negatedA = false, negatedB = false;
  bool inTensor = false, adds = true, clamps = false;
  unsigned blocks = 0;    ///< of k, with a scale each
  bool nvScales = false;  ///< scales are e4m3
  unsigned scaleId = 0;
  unsigned shift = 0;
  bool disables = false;
};
std::ostream& operator<<(std::ostream& out, const Form& f) {
  return out << f.kind << ' ' << f.a << ' ' << f.b << " to " << f.sum << ' ' << f.m << 'x' << f.n
             << " swizzle " << f.swizzle << (f.transposedA ? " A'" : "")
             << (f.transposedB ? " B'" : "") << (f.inTensor ? " of tensor memory" : "");
}

bool isTiny(const std::string& type) {
  return type == "e2m1" || type == "e2m3" || type == "e3m2";
}
unsigned widthOf(const std::string& type) {
  return type == "e2m1" ? 4 : isTiny(type) ? 6 : elementBits(type);
}
/// Bits that an element and its gap take in shared memory.
unsigned strideOf(const Form& f, const std::string& type) {
  return f.kind.find("mxf4") == 0 ? 4 : std::max(8U, widthOf(type));
}
double valueOf(const std::string& type, Word bits) {
  if (!isTiny(type)) return numberOf(type, bits);
  const int exponentBits = type[1] - '0', fractionBits = type[3] - '0';
  const int bias = (1 << (exponentBits - 1)) - 1;
  const double fraction =
      static_cast<double>(bits % (Word{1} << fractionBits)) / (1 << fractionBits);
  const auto exponent = static_cast<int>(bits >> fractionBits) % (1 << exponentBits);
  const double value =
      exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  return (bits >> (exponentBits + fractionBits) & 1U) != 0 ? -value : value;
}
unsigned depthOf(const Form& f) {
  return 256 / strideOf(f, f.a);
}

/// A factor in shared memory. Strides are in bytes.
struct Tile {
  std::uint32_t start, leading, stride;
  unsigned swizzle, bits;
  bool transposed;

  /// Returns the address of the chunk of 16 bytes that holds an element, swizzled.
  std::uint32_t chunkAt(unsigned row, unsigned k) const {
    const unsigned per = 128 / bits, bytes = swizzle == 1 ? 128 : swizzle;
    const unsigned units = bytes == 0 ? 1 : bytes / 16, repeat = swizzle == 1 ? 4 : 8;
    std::uint32_t at = start;
    if (!transposed) {
      at += row % 8 * 16 * units + row / 8 * stride + k / per * (bytes == 0 ? leading : 16);
    } else if (bytes == 0) {
      at += row / per * stride + k % 8 * 16 + k / 8 * leading;
    } else {
      at += row / per % units * 16 + row / per / units * leading + k % repeat * bytes +
            k / repeat * stride;
    }
    if (swizzle == 1) return at ^ (at >> 7 & 3U) << 5;
    for (unsigned bit = 0; (16U << bit) < bytes; ++bit) at ^= (at >> (7 + bit) & 1U) << (4 + bit);
    return at;
  }
  /// Returns the number of the element in its chunk.
  unsigned within(unsigned row, unsigned k) const { return (transposed ? row : k) % (128 / bits); }
  std::uint64_t descriptor() const {
    const std::uint64_t mode = swizzle == 0     ? 0
                               : swizzle == 1   ? 1
                               : swizzle == 128 ? 2
                               : swizzle == 64  ? 4
                                                : 6;
    return start / 16 | std::uint64_t{leading / 16} << 16 | std::uint64_t{stride / 16} << 32 |
           std::uint64_t{1} << 46 | mode << 61;
  }
};
Tile tileOf(const Form& f, bool isA) {
  const bool transposed = isA ? f.transposedA : f.transposedB;
  const unsigned bits = strideOf(f, isA ? f.a : f.b), start = isA ? 1024 : kStartOfB;
  const unsigned bytes = f.swizzle == 1 ? 128 : f.swizzle;
  if (bytes == 0)
    return {start, transposed ? 144U : 128U, transposed ? 592U : 272U, 0, bits, transposed};
  if (!transposed) return {start, 16, 8 * bytes, f.swizzle, bits, false};
  const unsigned groups = 256 / bits / (f.swizzle == 1 ? 4 : 8);
  const unsigned group = (f.swizzle == 1 ? 4 : 8) * bytes;
  return {start, groups * group, group, f.swizzle, bits, true};
}

void putBits(std::uint8_t* at, unsigned first, unsigned width, Word bits) {
  for (unsigned k = 0; k < width; ++k) {
    const unsigned bit = first + k;
    at[bit / 8] =
        static_cast<std::uint8_t>((at[bit / 8] & ~(1U << bit % 8)) | (bits >> k & 1U) << bit % 8);
  }
}

std::uint32_t numberIn(const std::vector<std::string>& names, const std::string& name) {
  for (unsigned k = 0; k < names.size(); ++k) {
    if (names[k] == name) return k;
  }
  throw std::logic_error(name);
}
std::uint32_t typeOf(const Form& f, const std::string& type) {
  if (f.kind == "f16" || f.kind == "tf32") return numberIn({"f16", "bf16", "tf32"}, type);
  if (f.kind == "i8") return numberIn({"u8", "s8"}, type);
  if (f.kind.find("mxf4") == 0) return 1;
  return numberIn({"e4m3", "e5m2", "", "e2m3", "e3m2", "e2m1"}, type);
}
std::uint32_t descriptorOf(const Form& f) {
  std::uint32_t bits = typeOf(f, f.a) << 7 | typeOf(f, f.b) << 10 | f.negatedA * 1U << 13 |
                       f.negatedB * 1U << 14 | f.transposedA * 1U << 15 | f.transposedB * 1U << 16 |
                       f.n / 8 << 17 | f.m / 16 << 24;
  if (f.blocks != 0) return bits | f.scaleId << 4 | f.scaleId << 29 | (f.nvScales ? 0U : 1U) << 23;
  return bits | numberIn({"f16", "f32", "s32"}, f.sum) << 4 | f.clamps * 1U << 3;
}

/// Returns the lane of row m.
unsigned laneOf(const Form& f, unsigned row) {
  return f.m == 128 ? row : row / 16 * 32 + row % 16;
}

/// A test: matrices, and where they lie.
struct Case {
  explicit Case(const Form& form)
      : f(form),
        a(f.m, depthOf(f)),
        b(f.n, depthOf(f)),
        c(f.m, f.n),
        scalesA(f.m, 4),
        scalesB(f.n, 4) {
    fill(a, f.a);
    fill(b, f.b);
    numbers.fill(c, f.sum);
    for (Matrix* scales : {&scalesA, &scalesB}) {
      for (Word& one : scales->bits) one = f.nvScales ? random() % 0x7f : 117 + random() % 20;
    }
    for (auto& byte : window) byte = static_cast<std::uint8_t>(random());  // nobody reads it
    for (std::uint32_t& word : words.words) word = random();
    place();
  }
  void fill(Matrix& matrix, const std::string& type) {
    if (!isTiny(type)) return numbers.fill(matrix, type);
    for (Word& bits : matrix.bits) bits = random() % (1U << widthOf(type));
  }
  void place() {
    for (unsigned row = 0; row < f.m; ++row) {
      for (unsigned n = 0; n < f.n; ++n)
        words.at(laneOf(f, row), kColumnOfD + n) = static_cast<std::uint32_t>(c.at({row, n}));
      for (unsigned k = 0; k < depthOf(f); ++k) put(true, row, k, a.at({row, k}));
      for (unsigned block = 0; block < f.blocks; ++block)
        putScale(kColumnOfScales, row, block, scalesA);
    }
    for (unsigned n = 0; n < f.n; ++n) {
      for (unsigned k = 0; k < depthOf(f); ++k) put(false, n, k, b.at({n, k}));
      for (unsigned block = 0; block < f.blocks; ++block)
        putScale(kColumnOfScales + 4, n, block, scalesB);
    }
  }
  void putScale(unsigned column, unsigned row, unsigned block, const Matrix& scales) {
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      auto* const at =
          reinterpret_cast<std::uint8_t*>(&words.at(32 * quarter + row % 32, column + row / 32));
      at[f.scaleId + block] = static_cast<std::uint8_t>(scales.at({row, block}));
    }
  }
  void put(bool isA, unsigned row, unsigned k, Word bits) {
    const std::string& type = isA ? f.a : f.b;
    const unsigned stride = strideOf(f, type), width = widthOf(type);
    if (isA && f.inTensor) {
      // A float of 4 bits lies in bits 2 to 5 of its byte.
      const unsigned within = k * stride % 32 + (width == 4 && stride == 8 ? 2 : 0);
      auto* const at =
          reinterpret_cast<std::uint8_t*>(&words.at(laneOf(f, row), kColumnOfA + k * stride / 32));
      return putBits(at, within, width, bits);
    }
    const Tile tile = tileOf(f, isA);
    const unsigned number = tile.within(row, k);
    putBits(&window[tile.chunkAt(row, k)], number * width, width, bits);
  }

  double scaleOf(const Matrix& scales, unsigned row, unsigned k) const {
    if (f.blocks == 0) return 1;
    const Word bits = scales.at({row, k / (depthOf(f) / f.blocks)});
    return f.nvScales ? numberOf("e4m3", bits) : std::ldexp(1.0, static_cast<int>(bits) - 127);
  }
  std::uint32_t expected(unsigned row, unsigned n) const {
    double sum =
        f.adds ? std::ldexp(numberOf(f.sum, c.at({row, n})), -static_cast<int>(f.shift)) : 0;
    for (unsigned k = 0; k < depthOf(f); ++k) {
      const double product = valueOf(f.a, a.at({row, k})) * scaleOf(scalesA, row, k) *
                             (valueOf(f.b, b.at({n, k})) * scaleOf(scalesB, n, k));
      sum += f.negatedA != f.negatedB ? -product : product;
    }
    if (f.clamps) sum = std::fmin(std::fmax(sum, INT32_MIN), INT32_MAX);
    return static_cast<std::uint32_t>(elementOf(f.sum, sum));
  }

  std::string text() const {
    const auto descriptor = [&](bool isA) { return std::to_string(tileOf(f, isA).descriptor()); };
    std::string text = "mov.b64 %rd1, " + descriptor(true) + "; mov.b64 %rd2, " +
                       descriptor(false) + "; mov.u32 %r20, " + std::to_string(descriptorOf(f)) +
                       "; add.u32 %r21, %r6, " + std::to_string(kColumnOfA) +
                       "; add.u32 %r22, %r6, " + std::to_string(kColumnOfScales) +
                       "; add.u32 %r23, %r22, 4; mov.u32 %r24, 0; mov.u32 %r25, 65552; "
                       "setp.eq.u32 %p4, %r90, " +
                       (f.adds ? "0" : "9") + "; tcgen05.mma.cta_group::1.kind::" + f.kind;
    if (f.blocks != 0) text += ".block_scale.scale_vec::" + std::to_string(f.blocks) + "X";
    text += " [%r6+" + std::to_string(kColumnOfD) + "], " + (f.inTensor ? "[%r21]" : "%rd1") +
            ", %rd2, %r20, ";
    if (f.blocks != 0) text += "[%r22], [%r23], ";
    if (f.disables) text += "{%r24, %r25, %r24, %r24}, ";
    text += "%p4";
    if (f.shift != 0) text += ", " + std::to_string(f.shift);
    return text + "; ";
  }

  Form f;
  std::mt19937 random{7};
  Numbers numbers;
  Matrix a, b, c, scalesA, scalesB;
  std::vector<std::uint8_t> window = std::vector<std::uint8_t>(98304);
  TensorWords words;
};

void check(const Form& f) {
  Case one(f);
  TensorWords wanted = one.words;
  for (unsigned row = 0; row < f.m; ++row) {
    // Lanes 36 and 48 are disabled.
    const unsigned lane = laneOf(f, row);
    if (f.disables && (lane == 36 || lane == 48)) continue;
    for (unsigned n = 0; n < f.n; ++n) wanted.at(lane, kColumnOfD + n) = one.expected(row, n);
  }
  runOnTensorMemory(byOneThread(one.text()), one.window, one.words, true);
  unsigned wrong = 0;
  for (unsigned k = 0; k < wanted.words.size(); ++k)
    wrong += wanted.words[k] != one.words.words[k] ? 1 : 0;
  BOOST_TEST(wrong == 0U);
}

void checkAll(const std::vector<Form>& forms) {
  for (const Form& form : forms) {
    BOOST_TEST_CONTEXT(form)
    check(form);
  }
}

Form of(const std::string& kind, const std::string& a, const std::string& b, const std::string& sum,
        unsigned m, unsigned n, unsigned swizzle = 0) {
  Form f{};
  f.kind = kind;
  f.a = a;
  f.b = b;
  f.sum = sum;
  f.m = m;
  f.n = n;
  f.swizzle = swizzle;
  f.adds = true;
  return f;
}

const Form kKinds[] = {
    of("f16", "f16", "f16", "f32", 128, 48),      of("f16", "f16", "f16", "f16", 128, 16),
    of("f16", "bf16", "bf16", "f32", 64, 24),     of("tf32", "tf32", "tf32", "f32", 128, 32),
    of("tf32", "tf32", "tf32", "f32", 64, 8),     of("i8", "s8", "u8", "s32", 128, 32),
    of("i8", "u8", "s8", "s32", 64, 24),          of("f8f6f4", "e4m3", "e5m2", "f32", 128, 16),
    of("f8f6f4", "e5m2", "e4m3", "f16", 64, 8),   of("f8f6f4", "e2m3", "e3m2", "f32", 128, 32),
    of("f8f6f4", "e2m1", "e4m3", "f32", 128, 16), of("f8f6f4", "e3m2", "e2m1", "f32", 64, 40)};

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_products)

BOOST_AUTO_TEST_CASE(every_kind_agrees_with_plain_matrices) {
  std::vector<Form> forms;
  for (Form form : kKinds) {
    for (const bool inTensor : {false, true}) {
      form.inTensor = inTensor;
      form.adds = true;
      form.negatedA = form.negatedB = form.clamps = false;
      forms.push_back(form);
      form.adds = form.sum == "s32";
      (form.sum == "s32" ? form.clamps : inTensor ? form.negatedA : form.negatedB) = true;
      forms.push_back(form);
    }
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(every_layout_agrees_with_plain_matrices) {
  std::vector<Form> forms;
  for (const unsigned swizzle : {0U, 32U, 64U, 128U, 1U}) {
    for (unsigned transposes = swizzle == 1 ? 3 : 0; transposes < 4; ++transposes) {
      for (Form form : {of("f16", "f16", "f16", "f32", 128, transposes == 0 ? 256 : 144, swizzle),
                        of("tf32", "tf32", "tf32", "f32", 64, 40, swizzle),
                        of("i8", "s8", "s8", "s32", 128, 96, swizzle)}) {
        form.transposedA = (transposes & 1) != 0;
        form.transposedB = (transposes & 2) != 0;
        forms.push_back(form);
      }
    }
    if (swizzle != 1) forms.push_back(of("f8f6f4", "e2m1", "e2m3", "f32", 128, 64, swizzle));
  }
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(scales_of_blocks_agree_with_plain_matrices) {
  std::vector<Form> forms;
  for (const unsigned id : {0U, 3U}) {
    Form form = of("mxf8f6f4", "e4m3", "e2m1", "f32", 128, 72, 128);
    form.blocks = 1;
    form.scaleId = id;
    forms.push_back(form);
  }
  Form form = of("mxf4", "e2m1", "e2m1", "f32", 128, 256, 64);
  form.blocks = 2;
  form.scaleId = 2;
  forms.push_back(form);
  form = of("mxf4nvf4", "e2m1", "e2m1", "f32", 128, 8);
  form.blocks = 4;
  form.nvScales = true;
  forms.push_back(form);
  form.nvScales = false;
  form.inTensor = true;
  form.negatedA = true;
  forms.push_back(form);
  checkAll(forms);
}

BOOST_AUTO_TEST_CASE(sums_are_scaled_and_lanes_left_alone) {
  Form form = of("f16", "f16", "f16", "f32", 128, 32);
  form.shift = 5;
  form.disables = true;
  Form halves = of("f16", "f16", "f16", "f16", 64, 16);
  halves.disables = true;
  checkAll({form, halves});
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  const auto errorOfForm = [](const Form& form, const std::string& before = "") {
    Case one(form);
    std::string text = one.text();
    text.insert(text.find("tcgen05"), before);
    return errorOf([&] { runOnTensorMemory(byOneThread(text), one.window, one.words, true); });
  };
  const Form plain = of("f16", "f16", "f16", "f32", 128, 16);
  BOOST_TEST(errorOfForm(plain) == "");
  expect(errorOfForm(of("f16", "f16", "f16", "f32", 128, 24)),
         {"a product of 128 rows and 24 columns; expected 64 or 128 rows and a multiple of 16"});
  expect(errorOfForm(of("f16", "f16", "f16", "f32", 32, 16)), {"a product of 32 rows"});
  expect(errorOfForm(plain, "or.b32 %r20, %r20, 4; "),
         {"of a sparse product; expected 0 in its bit 2"});
  expect(errorOfForm(plain, "or.b32 %r20, %r20, 8; "), {"that clamps floats"});
  expect(errorOfForm(plain, "or.b32 %r20, %r20, 256; "), {"with type 2 for .kind::f16"});
  expect(errorOfForm(plain, "or.b32 %r20, %r20, 32; "),
         {"with sums of type 3 for .kind::f16; expected 0 or 1"});
  expect(errorOfForm(plain, "add.u32 %r6, %r6, 65536; "),
         {"128 rows from lane 1 of tensor memory on"});
  expect(errorOfForm(plain, "add.u32 %r6, %r6, 500; "), {"column 512 of tensor memory is beyond"});
  expect(errorOfForm(plain, "mov.b64 %rd2, 70368744194047; "),
         {"of shared memory; expected them in"});
  Form turned = of("f8f6f4", "e2m1", "e4m3", "f32", 128, 16);
  turned.transposedA = true;
  expect(errorOfForm(turned), {"a transposed factor of 4- or 6-bit floats"});

  const std::string mma = "tcgen05.mma";
  const std::string rest = ".cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;";
  BOOST_TEST(parseError(kernelText(mma + rest)) == "");
  refuses(mma + ".sp" + rest, "sparse products of tcgen05 are not supported");
  refuses(mma + ".ws" + rest, "(.ws) are not supported");
  refuses(mma + ".cta_group::2.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;", "pairs of CTAs");
  refuses(mma + ".cta_group::1.kind::f64 [%r1], %rd1, %rd2, %r2, %p1;", "expected a kind");
  refuses(mma + ".cta_group::1.kind::mxf4 [%r1], %rd1, %rd2, %r2, %p1;",
          "'.block_scale' is of the kinds");
  refuses(mma + ".cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, 16;", "the scale of d");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
