// Random kernels with branches, loops and addresses of every kind: the hashed kernel computes the
// results of the plain one.
#include "tests/software_hash/support.h"

namespace {

using namespace fermata::software_hash;
using namespace fermata::software_hash::test;

/// A random kernel. Its window has 192 bytes, then `tile` with 4096 bytes. Address registers hold a
/// multiple of their alignment in [tile + 64, tile + 2112). Offsets reach from -64 to 1900.
class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {}

  std::string text() {
    for (unsigned k = 0; k < 3; ++k) defineAddress(freshRegister());
    body(0, 14);
    // Adds up the contents of the tile and the computed values.
    body_ += R"(
  mov.u32 %r1, tile; add.s32 %r1, %r1, %r53; mov.u32 %r2, 0;
SUM: ld.shared.u32 %r3, [%r1]; mul.lo.u32 %r40, %r40, 31; add.s32 %r40, %r40, %r3;
  add.s32 %r1, %r1, 128; add.s32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 32; @%p2 bra SUM;
  add.s32 %r4, %r51, %r53; st.global.u32 [%r4], %r40;
)";
    return kernelText(".reg .u32 %a<" + std::to_string(count_ + 1) +
                          ">; mov.u32 %r40, 7; mov.u32 %r41, front;\n" + body_,
                      ".shared .align 16 .b8 front[192]; .shared .align 16 .b8 tile[4096];");
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  void line(const std::string& text) { body_ += "  " + text + "\n"; }
  static std::string number(std::int64_t value) { return std::to_string(value); }
  static std::string name(unsigned reg) { return "%a" + std::to_string(reg); }

  unsigned freshRegister() {
    alignment_.push_back(4U << below(3));
    return count_++;
  }

  /// Sets `to` to 32 bits that differ from lane to lane.
  void value(const std::string& to) {
    line("mad.lo.u32 " + to + ", %r52, " + number(1 + below(97)) + ", " + number(below(9999)) +
         ";");
    if (below(2) != 0) line("xor.b32 " + to + ", " + to + ", %r40;");
    line("and.b32 " + to + ", " + to + ", 2047;");
  }

  void defineAddress(unsigned reg) {
    const unsigned unit = alignment_[reg];
    const std::string guard = below(6) == 0 && reg + 1 != count_ ? "@%p1 " : "";
    value("%r10");
    line("and.b32 %r10, %r10, " + number((below(2048) | 1024U) & ~(unit - 1)) + ";");
    switch (below(4)) {
      case 0:
        line("mov.u32 %r11, tile;");
        line("add.s32 %r11, %r11, 64;");
        line(guard + "add.s32 " + name(reg) + ", %r11, %r10;");
        break;
      case 1:
        line(guard + "add.s32 " + name(reg) + ", %r10, " + number(256) + ";");
        break;
      case 2:
        line("shr.u32 %r11, %r10, 4; shl.b32 %r11, %r11, 4;");
        line(guard + "add.s32 " + name(reg) + ", %r11, " + number(256) + ";");
        break;
      default:
        line("sub.s32 %r11, " + number(2048 + 256 - unit) + ", %r10;");
        line(guard + "mov.u32 " + name(reg) + ", %r11;");
        break;
    }
  }

  void access() {
    const unsigned reg = below(count_);
    const unsigned unit = alignment_[reg];
    unsigned bytes = 1U << below(5);
    while (bytes > unit) bytes /= 2;
    const std::int64_t offset = std::int64_t{bytes} * (std::int64_t{below(1900 / bytes)} -
                                                       (below(4) == 0 ? 64 / bytes : 0));
    const std::string place =
        "[" + name(reg) + "+" + number(std::max<std::int64_t>(offset, -64)) + "]";
    const std::string guard = below(5) == 0 ? "@!%p1 " : "";
    const bool load = below(2) == 0;
    const std::string types[5] = {"u8", "u16", "u32", below(2) == 0 ? "u64" : "v2.u32",
                                  below(2) == 0 ? "v2.u64" : "v4.u32"};
    const std::string& type = types[__builtin_ctz(bytes)];
    const std::string datas[5] = {"%r20", "%r20", "%r20", type == "u64" ? "%rd20" : "{%r20, %r21}",
                                  type == "v2.u64" ? "{%rd20, %rd21}" : "{%r20, %r21, %r22, %r23}"};
    const std::string& data = datas[__builtin_ctz(bytes)];
    if (bytes == 4 && below(5) == 0) {
      line(guard + "atom.shared.add.u32 %r20, " + place + ", %r40;");
    } else if (load) {
      line(guard + "ld.shared." + type + " " + data + ", " + place + ";");
    } else {
      line("add.s32 %r20, %r20, %r40; mov.b64 %rd20, {%r20, %r21}; mov.b64 %rd21, {%r40, %r20};");
      line(guard + "st.shared." + type + " " + place + ", " + data + ";");
    }
    if (data.find("%rd") != std::string::npos) line("mov.b64 {%r20, %r21}, %rd20;");
    line("mad.lo.u32 %r40, %r40, 33, %r20; add.s32 %r40, %r40, %r21;");
  }

  void body(unsigned depth, unsigned statements) {
    for (unsigned k = 0; k < statements; ++k) {
      switch (below(depth < 2 ? 9 : 6)) {
        case 0:
          defineAddress(freshRegister());
          break;
        case 1:
          defineAddress(below(count_));
          break;
        case 6: {
          const std::string label = "L" + std::to_string(labels_++);
          line("and.b32 %r12, %r40, " + number(1U << below(4)) + "; setp.eq.u32 %p1, %r12, 0;");
          line("@%p1 bra " + label + ";");
          const unsigned before = count_;
          body(depth + 1, 5);
          line(label + ":");
          dropNewer(before);
          break;
        }
        case 7: {
          const std::string label = "L" + std::to_string(labels_++);
          const std::string counter = "%r3" + std::to_string(depth);
          line("mov.u32 " + counter + ", 0;");
          line(label + ":");
          body(depth + 1, 5);
          line("add.s32 " + counter + ", " + counter + ", 1; setp.lt.u32 %p3, " + counter + ", 3;");
          line("@%p3 bra " + label + ";");
          break;
        }
        case 8:
          line("and.b32 %r12, %r40, 2; setp.ne.u32 %p1, %r12, 0;");
          break;
        default:
          access();
      }
    }
  }

  /// Defines again the registers that only the branch has defined: later code may use them.
  void dropNewer(unsigned before) {
    for (unsigned reg = before; reg < count_; ++reg) {
      line("mov.u32 " + name(reg) + ", " + number(256 + 16 * below(60)) + ";");
    }
  }

  std::mt19937 random_;
  std::string body_;
  std::vector<unsigned> alignment_;
  unsigned count_ = 0;
  unsigned labels_ = 0;
};

/// Returns a random matrix of full rank, as text; it is often dense.
std::string randomMatrix(std::mt19937& random, unsigned addressBits) {
  for (;;) {
    std::string text = "matrix ";
    for (unsigned row = 0; row < 5; ++row) {
      const auto bits = static_cast<unsigned>(random() & random()) & ((1U << addressBits) - 1);
      text += (row == 0 ? "" : ",") + std::to_string(bits);
    }
    if (errorOf([&] { SoftwareHash{request(text)}; }) == "none") return text;
  }
}

BOOST_AUTO_TEST_SUITE(programs)

BOOST_DATA_TEST_CASE(compute_the_same, bdata::xrange(60U), seed) {
  const std::string text = Program(seed).text();
  const auto expected = run(text, 32);
  std::mt19937 random(seed);
  for (unsigned k = 0; k < 8; ++k) {
    HashRequest hash =
        request(k < 6 ? kHashes[(seed + 7 * k) % kHashes.size()] : randomMatrix(random, 10));
    if (k % 3 == 1) {
      hash.bankBytes = 8;
      hash.words = 6144;
    }
    hash.reuse = k != 0;
    BOOST_TEST_CONTEXT(hash.text << ", words of " << hash.bankBytes << '\n' << text) {
      const auto module = fermata::ptx::parse(text, "plain.ptx");
      const auto hashed = rewrite(*module, hash, k % 2 == 0 ? Lines::Kept : Lines::OneEach);
      BOOST_TEST(run(hashed.text, 32) == expected, tt::per_element());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
