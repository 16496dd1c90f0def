// Logic, shifts, bit counts, fields and permutations against bit-by-bit oracles.
#include <boost/test/unit_test.hpp>

#include "tests/ptx/operation.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint64_t;

bool bitOf(Word value, unsigned k) {
  return (value >> k & 1U) != 0;
}

/// Assembles a result from its bits, one at a time.
Word assembled(unsigned width, const std::function<bool(unsigned)>& bit) {
  Word result = 0;
  for (unsigned k = 0; k < width; ++k) result |= static_cast<Word>(bit(k)) << k;
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bit_operations)

BOOST_AUTO_TEST_CASE(logic) {
  for (const unsigned width : {16U, 32U, 64U}) {
    const std::string type = "b" + std::to_string(width);
    const auto two = [&](const std::string& name, bool (*f)(bool, bool)) {
      checkOperation({name + "." + type,
                      type,
                      {type, type},
                      [=](Word a, Word b, Word, Word) {
                        return assembled(width,
                                         [&](unsigned k) { return f(bitOf(a, k), bitOf(b, k)); });
                      }},
                     type);
    };
    two("and", [](bool a, bool b) { return a && b; });
    two("or", [](bool a, bool b) { return a || b; });
    two("xor", [](bool a, bool b) { return a != b; });
    checkOperation({"not." + type,
                    type,
                    {type},
                    [=](Word a, Word, Word, Word) {
                      return assembled(width, [&](unsigned k) { return !bitOf(a, k); });
                    }},
                   type);
    checkOperation(
        {"cnot." + type, type, {type}, [](Word a, Word, Word, Word) { return Word{a == 0}; }},
        type);
  }
}

BOOST_AUTO_TEST_CASE(shifts_clamp_at_the_width) {
  for (const unsigned width : {16U, 32U, 64U}) {
    const std::string w = std::to_string(width);
    const auto shifted = [width](Word a, Word n, bool left, bool sign) {
      n &= 0xffffffff;
      return assembled(width, [&](unsigned k) {
        if (left) return k >= n && bitOf(a, static_cast<unsigned>(k - n));
        return k + n < width ? bitOf(a, static_cast<unsigned>(k + n)) : sign && bitOf(a, width - 1);
      });
    };
    checkOperation({"shl.b" + w,
                    "b" + w,
                    {"b" + w, "u32"},
                    [=](Word a, Word n, Word, Word) { return shifted(a, n, true, false); }},
                   "b" + w);
    checkOperation({"shr.u" + w,
                    "b" + w,
                    {"u" + w, "u32"},
                    [=](Word a, Word n, Word, Word) { return shifted(a, n, false, false); }},
                   "b" + w);
    checkOperation({"shr.b" + w,
                    "b" + w,
                    {"u" + w, "u32"},
                    [=](Word a, Word n, Word, Word) { return shifted(a, n, false, false); }},
                   "b" + w);
    checkOperation({"shr.s" + w,
                    "b" + w,
                    {"s" + w, "u32"},
                    [=](Word a, Word n, Word, Word) { return shifted(a, n, false, true); }},
                   "b" + w);
  }
}

BOOST_AUTO_TEST_CASE(counts) {
  for (const unsigned width : {32U, 64U}) {
    const std::string w = std::to_string(width);
    checkOperation({"popc.b" + w,
                    "b32",
                    {"b" + w},
                    [=](Word a, Word, Word, Word) {
                      Word n = 0;
                      for (unsigned k = 0; k < width; ++k) n += bitOf(a, k);
                      return n;
                    }},
                   "b" + w);
    checkOperation({"clz.b" + w,
                    "b32",
                    {"b" + w},
                    [=](Word a, Word, Word, Word) {
                      Word n = 0;
                      while (n < width && !bitOf(a, static_cast<unsigned>(width - 1 - n))) ++n;
                      return n;
                    }},
                   "b" + w);
    checkOperation({"brev.b" + w,
                    "b" + w,
                    {"b" + w},
                    [=](Word a, Word, Word, Word) {
                      return assembled(width, [&](unsigned k) { return bitOf(a, width - 1 - k); });
                    }},
                   "b" + w);
    for (const bool isSigned : {false, true}) {
      const std::string type = (isSigned ? "s" : "u") + w;
      const auto find = [=](Word a) {
        const bool skip = isSigned && bitOf(a, width - 1);
        for (unsigned k = width; k-- > 0;) {
          if (bitOf(a, k) != skip) return Word{k};
        }
        return Word{0xffffffff};
      };
      checkOperation(
          {"bfind." + type, "b32", {type}, [=](Word a, Word, Word, Word) { return find(a); }},
          type);
      checkOperation({"bfind.shiftamt." + type,
                      "b32",
                      {type},
                      [=](Word a, Word, Word, Word) {
                        return find(a) == 0xffffffff ? find(a) : width - 1 - find(a);
                      }},
                     type);
    }
  }
}

BOOST_AUTO_TEST_CASE(fields) {
  for (const unsigned width : {32U, 64U}) {
    const std::string w = std::to_string(width);
    for (const bool isSigned : {false, true}) {
      const std::string type = (isSigned ? "s" : "u") + w;
      checkOperation(
          {"bfe." + type,
           type,
           {type, "u32", "u32"},
           [=](Word a, Word b, Word c, Word) {
             const Word at = b & 255, length = c & 255;
             const Word top = std::min<Word>(at + length - 1, width - 1);
             const bool sign = isSigned && length != 0 && bitOf(a, static_cast<unsigned>(top));
             return assembled(width, [&](unsigned k) {
               return k < length && at + k < width ? bitOf(a, static_cast<unsigned>(at + k)) : sign;
             });
           }},
          type);
    }
    checkOperation({"bfi.b" + w,
                    "b" + w,
                    {"b" + w, "b" + w, "u32", "u32"},
                    [=](Word a, Word b, Word c, Word d) {
                      const Word at = c & 255, length = d & 255;
                      return assembled(width, [&](unsigned k) {
                        return k >= at && k < at + length ? bitOf(a, static_cast<unsigned>(k - at))
                                                          : bitOf(b, k);
                      });
                    }},
                   "b" + w);
  }
}

BOOST_AUTO_TEST_CASE(permutations) {
  const auto byteAt = [](Word a, Word b, unsigned k) {
    return ((b << 32 | (a & 0xffffffff)) >> (8 * k)) & 255;
  };
  checkOperation({"prmt.b32",
                  "b32",
                  {"b32", "b32", "b32"},
                  [=](Word a, Word b, Word c, Word) {
                    Word result = 0;
                    for (unsigned k = 0; k < 4; ++k) {
                      const unsigned selector = c >> (4 * k) & 15;
                      Word byte = byteAt(a, b, selector & 7);
                      if (selector & 8) byte = byte & 128 ? 255 : 0;
                      result |= byte << (8 * k);
                    }
                    return result;
                  }},
                 "b32");
  // The modes as listed in the tables of the PTX ISA: byte 3 first, for selectors 0 to 3.
  struct Mode {
    std::string name;
    const char* rows[4];
  };
  const Mode modes[] = {
      {"f4e", {"3210", "4321", "5432", "6543"}}, {"b4e", {"5670", "6701", "7012", "0123"}},
      {"rc8", {"0000", "1111", "2222", "3333"}}, {"ecl", {"3210", "3211", "3222", "3333"}},
      {"ecr", {"0000", "1110", "2210", "3210"}}, {"rc16", {"1010", "3232", "1010", "3232"}}};
  for (const Mode& mode : modes) {
    checkOperation({"prmt.b32." + mode.name,
                    "b32",
                    {"b32", "b32", "b32"},
                    [=](Word a, Word b, Word c, Word) {
                      Word result = 0;
                      for (unsigned k = 0; k < 4; ++k)
                        result = result << 8 |
                                 byteAt(a, b, static_cast<unsigned>(mode.rows[c & 3][k] - '0'));
                      return result;
                    }},
                   "b32");
  }
}

BOOST_AUTO_TEST_CASE(funnels_and_tables) {
  for (const bool left : {true, false}) {
    for (const bool wrap : {true, false}) {
      checkOperation(
          {std::string("shf.") + (left ? "l." : "r.") + (wrap ? "wrap" : "clamp") + ".b32",
           "b32",
           {"b32", "b32", "b32"},
           [=](Word a, Word b, Word c, Word) {
             const unsigned n =
                 static_cast<unsigned>(wrap ? c % 32 : std::min<Word>(c & 0xffffffff, 32));
             const auto whole = [&](unsigned k) { return k < 32 ? bitOf(a, k) : bitOf(b, k - 32); };
             return assembled(32,
                              [&](unsigned k) { return left ? whole(32 + k - n) : whole(k + n); });
           }},
          "b32");
    }
  }
  for (const unsigned table : {0x96U, 0xe8U, 0xfeU, 0x80U, 0x1U}) {
    checkOperation({"lop3.b32",
                    "b32",
                    {"b32", "b32", "b32"},
                    [=](Word a, Word b, Word c, Word) {
                      return assembled(32, [&](unsigned k) {
                        return bitOf(table, (bitOf(a, k) ? 4U : 0U) | (bitOf(b, k) ? 2U : 0U) |
                                                (bitOf(c, k) ? 1U : 0U));
                      });
                    },
                    0,
                    ", " + std::to_string(table)},
                   "b32");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
