// wmma: tiles that are loaded, multiplied and stored, against a product of plain matrices.
// Fragments are opaque (PTX ISA): only the whole can be checked.

#include "tests/ptx/matrices.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A matrix in memory: row- or column-major, with a stride.
struct Tile {
  unsigned rows, columns, bits;  ///< bits per element
  bool row;
  unsigned stride;

  /// Returns the first bit of an element.
  std::size_t at(unsigned r, unsigned c) const {
    return std::size_t{row ? r * stride + c : c * stride + r} * bits;
  }
  std::size_t size() const { return std::size_t{row ? rows : columns} * stride * bits / 8; }
  const char* layout() const { return row ? "row" : "col"; }
};

struct Form {
  std::string shape;
  unsigned m, n, k;
  std::string a, b, sum, result;
  std::string operation = {};  ///< for b1: ".xor.popc" or ".and.popc"
};

unsigned registersOf(const std::string& type, unsigned elements) {
  if (type == "f64") return elements / 32;
  return std::max(1U, elements * elementBits(type) / 1024);
}

double valueAt(const std::string& type, const Bytes& memory, std::size_t at) {
  const unsigned width = elementBits(type);
  Word bits = 0;
  std::memcpy(&bits, &memory[at / 8], std::max(1U, width / 8));
  return numberOf(type, width < 8 ? bits >> (at % 8) & ((1U << width) - 1) : bits);
}

/// Stores a small integer: its sums are exact in any type and order.
void put(const std::string& type, Bytes& memory, std::size_t at, int value) {
  const Word bits = elementOf(type, value);
  const unsigned width = elementBits(type);
  if (width >= 8) {
    std::memcpy(&memory[at / 8], &bits, width / 8);
    return;
  }
  const unsigned mask = ((1U << width) - 1) << (at % 8);
  memory[at / 8] = static_cast<std::uint8_t>((memory[at / 8] & ~mask) | (bits << (at % 8) & mask));
}

Bytes filled(const std::string& type, const Tile& tile, std::mt19937& random) {
  Bytes memory(tile.size(), 0x55);
  const bool isSigned = type[0] != 'u' && type != "b1";
  for (unsigned r = 0; r < tile.rows; ++r) {
    for (unsigned c = 0; c < tile.columns; ++c)
      put(type, memory, tile.at(r, c), static_cast<int>(random() % 15) - (isSigned ? 7 : 0));
  }
  return memory;
}

/// Lists the registers of a fragment; 'C' lists those of c, last one first.
std::string fragment(char name, unsigned count) {
  if (name != 'C') return braced(std::string(1, name), 0, count);
  std::string text;
  for (unsigned r = count; r-- > 0;) text += (text.empty() ? "{%c" : ", %c") + std::to_string(r);
  return text + "}";
}

struct Layouts {
  bool a, b, c, d;
  unsigned pad;
  const char* space;  ///< space of a and b: ".global", ".shared" or ""
  char results;       ///< registers of the product: 'd', or overlapping 'a', 'b' or 'c'
};

/// Copies a and b to shared memory; %rd90 becomes the address of the copies.
std::string toShared(std::size_t aBytes, std::size_t bBytes) {
  return "mov.u32 %r1, %r90; IN: cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %rd1, %rd90;ld.global.u8 "
         "%rs1, [%rd1]; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1; st.shared.u8 [%r2], %rs1;add.u32 "
         "%r1, %r1, 32; setp.lt.u32 %p1, %r1, " +
         std::to_string(aBytes + bBytes) +
         "; @%p1 bra IN; bar.sync 0; cvta.shared.u64 %rd90, tile;";
}

void check(const Form& f, const Layouts& layouts) {
  std::mt19937 random(11);
  const auto tile = [&](unsigned rows, unsigned columns, const std::string& type, bool row) {
    const unsigned bits = elementBits(type);
    const unsigned pad = layouts.pad * 128 / bits;
    return Tile{rows, columns, bits, row, (row ? columns : rows) + pad};
  };
  const Tile a = tile(f.m, f.k, f.a, layouts.a), b = tile(f.k, f.n, f.b, layouts.b);
  const Tile c = tile(f.m, f.n, f.sum, layouts.c), d = tile(f.m, f.n, f.result, layouts.d);
  Bytes in = filled(f.a, a, random);
  const Bytes inB = filled(f.b, b, random), inC = filled(f.sum, c, random);
  const std::size_t atB = in.size(), atC = atB + inB.size();
  in.insert(in.end(), inB.begin(), inB.end());
  in.insert(in.end(), inC.begin(), inC.end());
  const bool halves = f.a == "f16";
  const unsigned countA = halves ? 8 : registersOf(f.a, f.m * f.k);
  const unsigned countB = halves ? 8 : registersOf(f.b, f.k * f.n);
  const unsigned countC = registersOf(f.sum, f.m * f.n), countD = registersOf(f.result, f.m * f.n);
  const std::string width = f.a == "f64" ? "64" : "32";
  std::string body = ".reg .b" + width + " %a<8>, %b<8>, %c<8>, %d<8>;";
  const bool shared = std::string(layouts.space) == ".shared";
  if (shared || *layouts.space == '\0') body += toShared(a.size(), b.size());
  const std::string base = shared ? "tile" : "%rd90";
  // Without padding the stride is left out: its default applies.
  const auto stride = [&](const Tile& t) {
    return layouts.pad == 0 ? std::string() : ", " + std::to_string(t.stride);
  };
  body += std::string("mov.u64 %rd80, %rd90; ld.param.u64 %rd81, [in];") +
          "wmma.load.a.sync.aligned." + a.layout() + "." + f.shape + layouts.space + "." + f.a +
          " " + fragment('a', countA) + ", [" + base + "]" + stride(a) + ";" +
          "wmma.load.b.sync.aligned." + b.layout() + "." + f.shape + layouts.space + "." + f.b +
          " " + fragment('b', countB) + ", [" + base + "+" + std::to_string(atB) + "]" + stride(b) +
          ";" + "wmma.load.c.sync.aligned." + c.layout() + "." + f.shape + ".global." + f.sum +
          " " + fragment('c', countC) + ", [%rd81+" + std::to_string(atC) + "]" + stride(c) + ";" +
          "wmma.mma" + f.operation + ".sync.aligned." + a.layout() + "." + b.layout() + "." +
          f.shape + "." + f.result + (halves ? "" : "." + f.a + "." + f.b) + "." + f.sum + " " +
          fragment(layouts.results, countD) + ", " + fragment('a', countA) + ", " +
          fragment('b', countB) + ", " + fragment('c', countC) + ";" +
          "wmma.store.d.sync.aligned." + d.layout() + "." + f.shape + ".global." + f.result +
          " [%rd91], " + fragment(layouts.results, countD) + stride(d) + ";";
  const Bytes out =
      runBody<std::uint8_t>(body, in, d.size(), {}, ".shared .align 32 .b8 tile[8192];");
  for (unsigned row = 0; row < f.m; ++row) {
    for (unsigned column = 0; column < f.n; ++column) {
      double sum = valueAt(f.sum, inC, c.at(row, column));
      for (unsigned k = 0; k < f.k; ++k) {
        const double x = valueAt(f.a, in, a.at(row, k)), y = valueAt(f.b, inB, b.at(k, column));
        sum += f.operation == ".xor.popc" ? (x != y ? 1 : 0) : x * y;
      }
      BOOST_TEST_REQUIRE(valueAt(f.result, out, d.at(row, column)) == sum,
                         row << " " << column << " " << body);
    }
  }
}

std::vector<Form> forms() {
  std::vector<Form> all;
  const Form shapes[] = {{"m16n16k16", 16, 16, 16, "", "", "", ""},
                         {"m32n8k16", 32, 8, 16, "", "", "", ""},
                         {"m8n32k16", 8, 32, 16, "", "", "", ""}};
  for (Form f : shapes) {
    const auto add = [&](const char* a, const char* b, const char* sum, const char* result) {
      f.a = a;
      f.b = b;
      f.sum = sum;
      f.result = result;
      all.push_back(f);
    };
    add("f16", "f16", "f32", "f32");
    add("f16", "f16", "f16", "f16");
    add("f16", "f16", "f16", "f32");
    add("f16", "f16", "f32", "f16");
    add("bf16", "bf16", "f32", "f32");
    add("s8", "s8", "s32", "s32");
    add("u8", "u8", "s32", "s32");
  }
  all.push_back({"m16n16k8", 16, 16, 8, "tf32", "tf32", "f32", "f32"});
  all.push_back({"m8n8k4", 8, 8, 4, "f64", "f64", "f64", "f64"});
  for (const char* const type : {"s4", "u4"})
    all.push_back({"m8n8k32", 8, 8, 32, type, type, "s32", "s32"});
  for (const char* const operation : {".xor.popc", ".and.popc"})
    all.push_back({"m8n8k128", 8, 8, 128, "b1", "b1", "s32", "s32", operation});
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wmma)

BOOST_AUTO_TEST_CASE(tiles_agree_with_plain_matrices) {
  for (const Form& form : forms()) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      const bool rowByColumn = (bits & 3) == 1;
      if (elementBits(form.a) < 8 && !rowByColumn) continue;
      const char* const spaces[] = {".global", ".shared", ""};
      check(form, {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, bits % 3,
                   spaces[bits % 3], "dabC"[(bits + bits / 4) % 4]});
    }
  }
}

BOOST_AUTO_TEST_CASE(a_fragment_is_that_of_mma) {
  // Sums are laid out like c of mma.m16n8k16: lane 4g + t has columns 2t, 2t + 1 of rows g, g + 8.
  std::vector<float> in(256);
  for (unsigned k = 0; k < 256; ++k) in[k] = static_cast<float>(k);
  const auto out = runBody<float>(
      ".reg .b32 %c<8>; wmma.load.c.sync.aligned.row.m16n16k16.f32 " + fragment('c', 8) +
          ", [%rd90], 16; mul.wide.u32 %rd1, %r90, 32; add.u64 %rd1, %rd1, %rd91;st.global.v4.b32 "
          "[%rd1], {%c0, %c1, %c2, %c3}; st.global.v4.b32 [%rd1+16], {%c4, %c5, %c6, %c7};",
      in, 256);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned row = lane / 4 + (i / 2 % 2) * 8, column = lane % 4 * 2 + i % 2 + i / 4 * 8;
      BOOST_TEST(out[8 * lane + i] == in[16 * row + column]);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_subnormal_sum_is_zero_in_f16) {
  const auto out = runBody<std::uint32_t>(
      ".reg .b32 %c<8>, %d<4>; mov.u32 %r1, 0; mov.u32 %r2, 0x80000001; mov.u32 %r3, "
      "0x33800000;wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32 {%d0, %d1, %d2, %d3},{%r1, %r1, "
      "%r1, %r1, %r1, %r1, %r1, %r1}, {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1},{%r2, %r3, %r2, "
      "%r3, %r2, %r3, %r2, %r3}; mul.wide.u32 %rd1, %r90, 4; add.u64 %rd1, %rd1, "
      "%rd91;st.global.u32 [%rd1], %d0;",
      32);
  for (const std::uint32_t word : out) BOOST_TEST(word == 0x00018000U);  // -0 and 2^-24
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  refuses("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1, %r2}, [%rd1];",
          "expected 8 registers in braces");
  refuses("wmma.load.a.sync.aligned.col.m8n8k128.b1 {%r1}, [%rd1];",
          "unsupported form 'wmma.load.a.sync.aligned.col.m8n8k128.b1'; a is .row");
  const std::string operands = " {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};";
  BOOST_TEST(parseError(kernelText("wmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32" +
                                   operands)) == "");
  for (const std::string form :
       {"sync.aligned.col.row.m8n8k32.s32.u4.u4.s32", "sync.aligned.row.col.m8n8k32.s32.u8.u8.s32",
        "sync.aligned.row.col.m8n8k128.s32.b1.b1.s32",
        "sync.aligned.row.col.m16n16k16.f32.e4m3.e4m3.f32",
        "xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32.satfinite"})
    refuses("wmma.mma." + form + operands, "unsupported form");
  refuses("wmma.load.d.sync.aligned.row.m16n16k16.f32 {%r1}, [%rd1];", "unsupported form");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
