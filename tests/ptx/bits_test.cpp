// Logic, shifts, bit counts, fields and permutations against bit-by-bit oracles.

#include "tests/ptx/operation.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

bool bitOf(Word value, Word k) {
  return (value >> k & 1U) != 0;
}

/// Assembles a result from its bits, one at a time.
Word assembled(unsigned width, const std::function<bool(Word)>& bit) {
  Word result = 0;
  for (Word k = 0; k < width; ++k) result |= Word{bit(k)} << k;
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bit_operations)

BOOST_AUTO_TEST_CASE(logic) {
  for (const unsigned width : {16U, 32U, 64U}) {
    const std::string type = "b" + std::to_string(width);
    const auto two = [&](const std::string& name, bool (*f)(bool, bool)) {
      checkUniform(name, type, [=](Word a, Word b) {
        return assembled(width, [&](Word k) { return f(bitOf(a, k), bitOf(b, k)); });
      });
    };
    two("and", [](bool a, bool b) { return a && b; });
    two("or", [](bool a, bool b) { return a || b; });
    two("xor", [](bool a, bool b) { return a != b; });
    checkUniform("not", type,
                 [=](Word a) { return assembled(width, [&](Word k) { return !bitOf(a, k); }); });
    checkUniform("cnot", type, [](Word a) { return a == 0; });
  }
}

BOOST_AUTO_TEST_CASE(shifts_clamp_at_the_width) {
  for (const unsigned width : {16U, 32U, 64U}) {
    const std::string w = std::to_string(width);
    const auto shift = [&](const std::string& opcode, bool left, bool sign) {
      checkOperation(opcode + w + " b" + w + ", b" + w + ", u32", [=](Word a, Word n) {
        return assembled(width, [&](Word k) {
          if (left) return k >= n && bitOf(a, k - n);
          return k + n < width ? bitOf(a, k + n) : sign && bitOf(a, width - 1);
        });
      });
    };
    shift("shl.b", true, false);
    shift("shr.u", false, false);
    shift("shr.b", false, false);
    shift("shr.s", false, true);
  }
}

BOOST_AUTO_TEST_CASE(counts) {
  for (const unsigned width : {32U, 64U}) {
    const std::string w = std::to_string(width);
    checkOperation("popc.b" + w + " b32, b" + w, [=](Word a) {
      Word n = 0;
      for (unsigned k = 0; k < width; ++k) n += bitOf(a, k);
      return n;
    });
    checkOperation("clz.b" + w + " b32, b" + w, [=](Word a) {
      Word n = 0;
      while (n < width && !bitOf(a, width - 1 - n)) ++n;
      return n;
    });
    checkUniform("brev", "b" + w, [=](Word a) {
      return assembled(width, [&](Word k) { return bitOf(a, width - 1 - k); });
    });
    for (const bool isSigned : {false, true}) {
      const std::string operands = (isSigned ? "s" : "u") + w + " b32, b" + w;
      const auto find = [=](Word a) {
        const bool skip = isSigned && bitOf(a, width - 1);
        for (unsigned k = width; k-- > 0;) {
          if (bitOf(a, k) != skip) return Word{k};
        }
        return Word{0xffffffff};
      };
      checkOperation("bfind." + operands, find);
      checkOperation("bfind.shiftamt." + operands,
                     [=](Word a) { return find(a) == 0xffffffff ? find(a) : width - 1 - find(a); });
    }
  }
}

BOOST_AUTO_TEST_CASE(fields) {
  for (const unsigned width : {32U, 64U}) {
    const std::string w = std::to_string(width);
    for (const std::string sign : {"s", "u"}) {
      const std::string type = sign + w;
      checkOperation("bfe." + type + " " + type + ", " + type + ", u32, u32",
                     [=](Word a, Word b, Word c) {
                       const Word at = b & 255, length = c & 255;
                       const Word top = std::min<Word>(at + length - 1, width - 1);
                       const bool beyond = sign == "s" && length != 0 && bitOf(a, top);
                       return assembled(width, [&](Word k) {
                         return k < length && at + k < width ? bitOf(a, at + k) : beyond;
                       });
                     });
    }
    checkOperation("bfi.b" + w + " b" + w + ", b" + w + ", b" + w + ", u32, u32",
                   [=](Word a, Word b, Word c, Word d) {
                     const Word at = c & 255, length = d & 255;
                     return assembled(width, [&](Word k) {
                       return k >= at && k < at + length ? bitOf(a, k - at) : bitOf(b, k);
                     });
                   });
  }
}

BOOST_AUTO_TEST_CASE(permutations) {
  const auto byteAt = [](Word a, Word b, unsigned k) { return ((b << 32 | a) >> (8 * k)) & 255; };
  const std::string operands = " b32, b32, b32, b32";
  checkOperation("prmt.b32" + operands, [=](Word a, Word b, Word c) {
    Word result = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned selector = c >> (4 * k) & 15;
      Word byte = byteAt(a, b, selector & 7);
      if ((selector & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
      result |= byte << (8 * k);
    }
    return result;
  });
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
    checkOperation("prmt.b32." + mode.name + operands, [=](Word a, Word b, Word c) {
      Word result = 0;
      for (unsigned k = 0; k < 4; ++k)
        result = result << 8 | byteAt(a, b, static_cast<unsigned>(mode.rows[c & 3][k] - '0'));
      return result;
    });
  }
}

BOOST_AUTO_TEST_CASE(funnels_and_tables) {
  for (const std::string direction : {"l", "r"}) {
    for (const std::string mode : {"wrap", "clamp"}) {
      checkOperation(
          "shf." + direction + "." + mode + ".b32 b32, b32, b32, b32", [=](Word a, Word b, Word c) {
            const Word n = mode == "wrap" ? c % 32 : std::min<Word>(c, 32);
            const auto whole = [&](Word k) { return bitOf(b << 32 | a, k); };
            return assembled(
                32, [&](Word k) { return direction == "l" ? whole(32 + k - n) : whole(k + n); });
          });
    }
  }
  for (const unsigned table : {0x96U, 0xe8U, 0xfeU, 0x80U, 0x1U}) {
    checkOperation(
        "lop3.b32 b32, b32, b32, b32, " + std::to_string(table), [=](Word a, Word b, Word c) {
          return assembled(32, [&](Word k) {
            return bitOf(
                table, (bitOf(a, k) ? 4U : 0U) | (bitOf(b, k) ? 2U : 0U) | (bitOf(c, k) ? 1U : 0U));
          });
        });
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
