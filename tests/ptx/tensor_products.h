// Products of tcgen05.mma, of one CTA or of a pair: matrices, where they lie, and what a plain
// product of them is. Layouts come from CuTe's description of them (NVIDIA CUTLASS,
// mma_sm100_desc.hpp), those of a pair's sums from the PTX ISA (data paths A and B).
#pragma once

#include <cmath>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/ptx/matrices.h"
#include "tests/ptx/tensor_memory.h"

namespace fermata::ptx::test {

inline constexpr unsigned kStartOfB = 32768, kColumnOfA = 300, kColumnOfD = 8,
                          kColumnOfScales = 400, kColumnOfMetadata = 416;

/// A form of tcgen05.mma.
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
  bool pair = false;    ///< of two CTAs
  bool keepsB = false;  ///< .ws
  bool sparse = false;
  unsigned selector = 0;
  bool shiftsRows = false;  ///< .ashift
  unsigned firstLane = 0;   ///< of a in tensor memory, d and metadata

  unsigned ctas() const { return pair ? 2 : 1; }
};
inline std::ostream& operator<<(std::ostream& out, const Form& f) {
  return out << (f.pair ? "pair " : "") << f.kind << ' ' << f.a << ' ' << f.b << " to " << f.sum
             << ' ' << f.m << 'x' << f.n << " swizzle " << f.swizzle << (f.transposedA ? " A'" : "")
             << (f.transposedB ? " B'" : "") << (f.inTensor ? " of tensor memory" : "")
             << (f.sparse ? " sparse" : "") << (f.shiftsRows ? " shifted" : "");
}

inline bool isTiny(const std::string& type) {
  return type == "e2m1" || type == "e2m3" || type == "e3m2";
}
inline unsigned fieldBits(const std::string& type) {
  return type == "e2m1" ? 4 : isTiny(type) ? 6 : elementBits(type);
}
/// Bits that an element and its gap take in shared memory.
inline unsigned strideOf(const Form& f, const std::string& type) {
  return f.kind.find("mxf4") == 0 ? 4 : std::max(8U, fieldBits(type));
}
inline double elementValue(const std::string& type, Word bits) {
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
/// Returns the elements of k that a holds; b has all.
inline unsigned depthOfA(const Form& f) {
  return 256 / strideOf(f, f.a);
}
inline unsigned depthOf(const Form& f) {
  return (f.sparse ? 2 : 1) * depthOfA(f);
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
inline Tile tileOf(const Form& f, bool isA) {
  const bool transposed = isA ? f.transposedA : f.transposedB;
  const unsigned bits = strideOf(f, isA ? f.a : f.b), start = isA ? 1024 : kStartOfB;
  const unsigned bytes = f.swizzle == 1 ? 128 : f.swizzle;
  const unsigned halves = !isA && f.sparse ? 2 : 1;  // of 64 bytes of k
  if (bytes == 0)
    return {start,     transposed ? 144U : 128U, halves * (transposed ? 576U : 256U) + 16, 0, bits,
            transposed};
  if (!transposed) return {start, 16, 8 * bytes, f.swizzle, bits, false};
  const unsigned groups = halves * 256 / bits / (f.swizzle == 1 ? 4 : 8);
  const unsigned group = (f.swizzle == 1 ? 4 : 8) * bytes;
  return {start, groups * group, group, f.swizzle, bits, true};
}

inline void putBits(std::uint8_t* at, unsigned first, unsigned width, Word bits) {
  for (unsigned k = 0; k < width; ++k) {
    const unsigned bit = first + k;
    at[bit / 8] =
        static_cast<std::uint8_t>((at[bit / 8] & ~(1U << bit % 8)) | (bits >> k & 1U) << bit % 8);
  }
}

inline std::uint32_t numberIn(const std::vector<std::string>& names, const std::string& name) {
  for (unsigned k = 0; k < names.size(); ++k) {
    if (names[k] == name) return k;
  }
  throw std::logic_error(name);
}
inline std::uint32_t typeOf(const Form& f, const std::string& type) {
  if (f.kind == "f16" || f.kind == "tf32") return numberIn({"f16", "bf16", "tf32"}, type);
  if (f.kind == "i8") return numberIn({"u8", "s8"}, type);
  if (f.kind.find("mxf4") == 0) return 1;
  return numberIn({"e4m3", "e5m2", "", "e2m3", "e3m2", "e2m1"}, type);
}
inline std::uint32_t descriptorOf(const Form& f) {
  std::uint32_t bits = typeOf(f, f.a) << 7 | typeOf(f, f.b) << 10 | f.negatedA * 1U << 13 |
                       f.negatedB * 1U << 14 | f.transposedA * 1U << 15 | f.transposedB * 1U << 16 |
                       f.n / 8 << 17 | f.m / 16 << 24 | f.sparse * 4U | f.selector;
  if (f.blocks != 0) return bits | f.scaleId << 4 | f.scaleId << 29 | (f.nvScales ? 0U : 1U) << 23;
  return bits | numberIn({"f16", "f32", "s32"}, f.sum) << 4 | f.clamps * 1U << 3;
}

/// A place in the tensor memory of a CTA.
struct TensorWord {
  unsigned cta, lane, column;
};
/// Returns the place of row m and column n of d, counted from its first column.
inline TensorWord placeOf(const Form& f, unsigned row, unsigned n) {
  if (f.keepsB) {
    const unsigned columns = f.n * f.m / 128;
    return {0, row + n / columns * f.m, n % columns};
  }
  const unsigned spread = row % 64 / 16 * 32 + row % 16 + f.firstLane;  // 16 rows in 32 lanes
  if (!f.pair) return {0, f.m == 128 ? row : spread, n};
  if (f.m == 256) return {row / 128, row % 128, n};
  if (f.sparse) return {row / 64, spread, n};
  return {row / 64, row % 64 + n / (f.n / 2) * 64, n % (f.n / 2)};
}

/// A test: matrices, and where they lie.
struct Case {
  explicit Case(const Form& form)
      : f(form),
        a(f.m, depthOfA(f)),
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
    for (unsigned cta = 0; cta < f.ctas(); ++cta) {
      for (auto& byte : windows[cta])
        byte = static_cast<std::uint8_t>(random());  // nobody reads it
      for (std::uint32_t& word : words[cta].words) word = random();
    }
    place();
  }
  void fill(Matrix& matrix, const std::string& type) {
    if (!isTiny(type)) return numbers.fill(matrix, type);
    for (Word& bits : matrix.bits) bits = random() % (1U << fieldBits(type));
  }
  void place() {
    for (unsigned row = 0; row < f.m; ++row) {
      for (unsigned n = 0; n < f.n; ++n) at(row, n) = static_cast<std::uint32_t>(c.at({row, n}));
      for (unsigned k = 0; k < depthOfA(f); ++k) put(true, row, k, a.at({row, k}));
      if (f.sparse) putMetadata(row);
      for (unsigned block = 0; block < f.blocks; ++block)
        putScale(row / rows(), kColumnOfScales, row % rows(), block, scalesA.at({row, block}));
    }
    for (unsigned n = 0; n < f.n; ++n) {
      for (unsigned k = 0; k < depthOf(f); ++k) put(false, n, k, b.at({n, k}));
      for (unsigned block = 0; block < f.blocks; ++block) {
        for (unsigned cta = 0; cta < f.ctas(); ++cta)
          putScale(cta, kColumnOfScales + 4, n, block, scalesB.at({n, block}));
      }
    }
  }
  /// Returns the rows of a that a CTA has.
  unsigned rows() const { return f.m / f.ctas(); }
  std::uint32_t& at(unsigned row, unsigned n) {
    const TensorWord place = placeOf(f, row, n);
    return words[place.cta].at(place.lane, kColumnOfD + place.column);
  }
  void putScale(unsigned cta, unsigned column, unsigned row, unsigned block, Word scale) {
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      auto* const at = reinterpret_cast<std::uint8_t*>(
          &words[cta].at(32 * quarter + row % 32, column + row / 32));
      at[f.scaleId + block] = static_cast<std::uint8_t>(scale);
    }
  }
  /// Draws which elements of a row stand in a, four bits for each chunk of k, and writes it.
  void putMetadata(unsigned row) {
    static const unsigned kPairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0x6, 0xe}, kOne[] = {0x4, 0xe};
    const bool one = f.kind == "tf32", wide = f.kind.find("mxf4") == 0;
    const unsigned chunks = depthOf(f) / (one ? 2 : wide ? 8 : 4);
    // The first of 16 rows, in the lanes that its sums are in.
    const TensorWord group = placeOf(f, row / 16 * 16, 0);
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      const unsigned bits = one ? kOne[random() % 2] : kPairs[random() % 7];
      for (unsigned part = 0; part < (one ? 1U : 2U); ++part) {
        const unsigned at = one ? bits / 8 : bits >> 2 * part & 3U;
        for (unsigned e = 0; e < (wide ? 2U : 1U); ++e)
          places[row].push_back(wide ? 8 * chunk + 2 * at + e : (one ? 2 : 4) * chunk + at);
      }
      for (unsigned e = 0; e < 4; ++e) {
        const unsigned bit = 4 * chunk + e;
        const bool shared = f.kind == "f16" || f.kind == "tf32";
        const unsigned lane = shared ? row % 8 + bit / 16 * 8 : row % 16;
        const unsigned within = shared ? bit % 16 + row % 16 / 8 * 16 : bit % 32;
        auto* const to = reinterpret_cast<std::uint8_t*>(&words[group.cta].at(
            group.lane + lane, kColumnOfMetadata + f.selector + (shared ? 0 : bit / 32)));
        putBits(to, within, 1, bits >> e & 1U);
      }
    }
  }
  void put(bool isA, unsigned row, unsigned k, Word bits) {
    const std::string& type = isA ? f.a : f.b;
    const unsigned stride = strideOf(f, type), width = fieldBits(type);
    if (isA && f.inTensor) {
      // A float of 4 bits lies in bits 2 to 5 of its byte.
      const unsigned within = k * stride % 32 + (width == 4 && stride == 8 ? 2 : 0);
      const TensorWord place = placeOf(f, row, 0);
      auto* const at = reinterpret_cast<std::uint8_t*>(
          &words[place.cta].at(place.lane, kColumnOfA + k * stride / 32));
      return putBits(at, within, width, bits);
    }
    const unsigned each = (isA ? f.m : f.n) / f.ctas();
    const Tile tile = tileOf(f, isA);
    const unsigned number = tile.within(row % each, k);
    putBits(&windows[row / each][tile.chunkAt(row % each, k)], number * width, width, bits);
  }

  double scaleOf(const Matrix& scales, unsigned row, unsigned k) const {
    if (f.blocks == 0) return 1;
    const Word bits = scales.at({row, k / (depthOf(f) / f.blocks)});
    return f.nvScales ? numberOf("e4m3", bits) : std::ldexp(1.0, static_cast<int>(bits) - 127);
  }
  std::uint32_t expected(unsigned row, unsigned n) const {
    double sum =
        f.adds ? std::ldexp(numberOf(f.sum, c.at({row, n})), -static_cast<int>(f.shift)) : 0;
    // The last row of each CTA is not shifted.
    const unsigned from = f.shiftsRows && (row + 1) % rows() != 0 ? row + 1 : row;
    for (unsigned number = 0; number < depthOfA(f); ++number) {
      const unsigned k = f.sparse ? places[from][number] : number;
      const double product = elementValue(f.a, a.at({from, number})) * scaleOf(scalesA, row, k) *
                             (elementValue(f.b, b.at({n, k})) * scaleOf(scalesB, n, k));
      sum += f.negatedA != f.negatedB ? -product : product;
    }
    if (f.clamps) sum = std::fmin(std::fmax(sum, INT32_MIN), INT32_MAX);
    return static_cast<std::uint32_t>(elementOf(f.sum, sum));
  }

  std::string text() const {
    const auto descriptor = [&](bool isA) { return std::to_string(tileOf(f, isA).descriptor()); };
    std::string text =
        "mov.b64 %rd1, " + descriptor(true) + "; mov.b64 %rd2, " + descriptor(false) +
        "; mov.u32 %r20, " + std::to_string(descriptorOf(f)) + "; add.u32 %r21, %r6, " +
        std::to_string(kColumnOfA + (f.firstLane << 16U)) + "; add.u32 %r22, %r6, " +
        std::to_string(kColumnOfScales) + "; add.u32 %r23, %r22, 4; add.u32 %r26, %r6, " +
        std::to_string(kColumnOfMetadata + (f.firstLane << 16U)) +
        "; mov.u32 %r24, 0; mov.u32 %r25, 65552; "
        "setp.eq.u32 %p4, %r90, " +
        (f.adds ? "0" : "9") + "; tcgen05.mma" + (f.keepsB ? ".ws" : "") + (f.sparse ? ".sp" : "") +
        ".cta_group::" + std::to_string(f.ctas()) + ".kind::" + f.kind;
    if (f.blocks != 0) text += ".block_scale.scale_vec::" + std::to_string(f.blocks) + "X";
    if (f.shiftsRows) text += ".ashift";
    text += " [%r6+" + std::to_string(kColumnOfD + (f.firstLane << 16U)) + "], " +
            (f.inTensor ? "[%r21]" : "%rd1") + ", %rd2, " + (f.sparse ? "[%r26], " : "") + "%r20, ";
    if (f.blocks != 0) text += "[%r22], [%r23], ";
    if (f.disables)
      text += std::string("{%r24, %r25, %r24, %r24") + (f.pair ? ", %r24, %r24, %r24, %r24" : "") +
              "}, ";
    text += "%p4";
    if (f.shift != 0) text += ", " + std::to_string(f.shift);
    return text + "; ";
  }

  Form f;
  std::mt19937 random{7};
  Numbers numbers;
  Matrix a, b, c, scalesA, scalesB;
  std::vector<std::vector<unsigned>> places{f.m};  ///< by row of a sparse a: steps of k
  std::vector<std::vector<std::uint8_t>> windows{f.ctas(), std::vector<std::uint8_t>(98304)};
  std::vector<TensorWords> words{f.ctas()};
};

/// Runs the product, and compares all of tensor memory afterwards with what is expected.
void check(const Form& f);
void checkAll(const std::vector<Form>& forms);
Form of(const std::string& kind, const std::string& a, const std::string& b, const std::string& sum,
        unsigned m, unsigned n, unsigned swizzle = 0);

}  // namespace fermata::ptx::test
