// ldmatrix and stmatrix against the fragment layout of the ISA: thread 4r + c of a warp holds
// elements 2c and 2c + 1 of row r, and with .trans of column r.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Half = std::uint16_t;
using Word = std::uint32_t;

constexpr unsigned kPitch = 80;  // bytes per row
constexpr const char* kItems = ".shared .align 16 .b8 tile[2560];";

/// Puts row `lane` of the tile at (lane * 5 % 32) * kPitch; lanes without a row get a bad address.
std::string rowAddresses(unsigned matrices) {
  return "mul.lo.u32 %r1, %r90, 5; and.b32 %r1, %r1, 31; mul.lo.u32 %r1, %r1, 80;mov.u32 %r2, "
         "tile; add.u32 %r2, %r2, %r1; setp.ge.u32 %p1, %r90, " +
         std::to_string(8 * matrices) + "; @%p1 mov.u32 %r2, 0xfffffff1;";
}

unsigned rowStart(unsigned lane) {  // in halves
  return lane * 5 % 32 * kPitch / 2;
}

std::string registers(unsigned matrices) {
  std::string list = "{%r10";
  for (unsigned m = 1; m < matrices; ++m) list += ", %r1" + std::to_string(m);
  return list + "}";
}

std::string opcode(const char* name, unsigned matrices, bool transposed, const char* space) {
  return std::string(name) + ".sync.aligned.m8n8.x" + std::to_string(matrices) +
         (transposed ? ".trans" : "") + space + ".b16 ";
}

/// Returns the place in the tile, in halves, of element `part` of a lane's register of matrix m.
unsigned place(unsigned m, unsigned lane, unsigned part, bool transposed) {
  const unsigned group = lane / 4, pair = 2 * (lane % 4) + part;
  const unsigned row = transposed ? pair : group, column = transposed ? group : pair;
  return rowStart(8 * m + row) + column;
}

std::vector<Half> tileValues() {
  std::vector<Half> values(1280);
  for (unsigned k = 0; k < values.size(); ++k) values[k] = static_cast<Half>(k * 40503U + 7);
  return values;
}

constexpr const char* kCopyIn = R"(
mov.u32 %r3, %r90; mov.u32 %r6, tile;
IN: shl.b32 %r4, %r3, 1; cvt.u64.u32 %rd1, %r4; add.u64 %rd1, %rd1, %rd90; ld.global.u16 %rs1, [%rd1];
add.u32 %r5, %r6, %r4; st.shared.u16 [%r5], %rs1; add.u32 %r3, %r3, 32; setp.lt.u32 %p2, %r3, 1280; @%p2 bra IN;
bar.sync 0;)";
constexpr const char* kCopyOut = R"(
bar.sync 0; mov.u32 %r3, %r90; mov.u32 %r6, tile;
OUT: shl.b32 %r4, %r3, 1; add.u32 %r5, %r6, %r4; ld.shared.u16 %rs1, [%r5]; cvt.u64.u32 %rd1, %r4; add.u64 %rd1, %rd1, %rd91;
st.global.u16 [%rd1], %rs1; add.u32 %r3, %r3, 32; setp.lt.u32 %p2, %r3, 1280; @%p2 bra OUT;)";

std::string storeRegisters(unsigned matrices) {
  std::string text = "mul.wide.u32 %rd2, %r90, 16; add.u64 %rd2, %rd2, %rd91;";
  for (unsigned m = 0; m < matrices; ++m)
    text += "st.global.u32 [%rd2+" + std::to_string(4 * m) + "], %r1" + std::to_string(m) + ";";
  return text;
}

void checkLoad(unsigned matrices, bool transposed, const char* space, bool checked) {
  RunOptions options;
  options.executor.checkUninitialised = options.executor.carryData = checked;
  const std::vector<Half> tile = tileValues();
  const bool generic = *space == '\0';
  const std::string address =
      generic ? "cvt.u64.u32 %rd3, %r2; cvta.shared.u64 %rd3, %rd3;" : "cvt.u64.u32 %rd3, %r2;";
  const auto out = runBody<Word, Half>(
      kCopyIn + rowAddresses(matrices) + address + opcode("ldmatrix", matrices, transposed, space) +
          registers(matrices) + ", [%rd3];" + storeRegisters(matrices),
      tile, 128, options, kItems);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned m = 0; m < matrices; ++m) {
      const Word wanted = tile[place(m, lane, 0, transposed)] |
                          static_cast<Word>(tile[place(m, lane, 1, transposed)]) << 16;
      BOOST_REQUIRE_EQUAL(out[4 * lane + m], wanted);
    }
  }
}

void checkStore(unsigned matrices, bool transposed) {
  std::string values;
  for (unsigned m = 0; m < matrices; ++m)
    values += "mad.lo.u32 %r1" + std::to_string(m) + ", %r90, 2654435, " +
              std::to_string(m * 977 + 0x30001) + ";";
  std::vector<Half> wanted = tileValues();
  const auto out = runBody<Half>(kCopyIn + rowAddresses(matrices) + values +
                                     opcode("stmatrix", matrices, transposed, ".shared") +
                                     "[%r2], " + registers(matrices) + ";" + kCopyOut,
                                 wanted, 1280, {}, kItems);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned m = 0; m < matrices; ++m) {
      const Word word = lane * 2654435 + m * 977 + 0x30001;
      wanted[place(m, lane, 0, transposed)] = static_cast<Half>(word);
      wanted[place(m, lane, 1, transposed)] = static_cast<Half>(word >> 16);
    }
  }
  BOOST_TEST((out == wanted));
}

std::string failure(const std::string& body, unsigned threads = 32) {
  RunOptions options;
  options.block.x = threads;
  return errorOf([&] { runBody<Word>(body, 1, options, kItems); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(matrix_memory)

BOOST_AUTO_TEST_CASE(every_form_agrees_with_the_layout) {
  for (const unsigned matrices : {1U, 2U, 4U}) {
    for (const bool transposed : {false, true}) {
      BOOST_TEST_CONTEXT(matrices << " matrices, transposed: " << transposed) {
        checkLoad(matrices, transposed, ".shared", false);
        checkLoad(matrices, transposed, ".shared::cta", true);
        checkStore(matrices, transposed);
      }
    }
  }
  checkLoad(4, true, "", false);
}

// Thread 4r + c has elements 2c and 2c + 1 of row r, and then of column r.
BOOST_AUTO_TEST_CASE(a_matrix_in_registers_is_transposed) {
  std::vector<Half> matrix(64);
  for (unsigned k = 0; k < 64; ++k) matrix[k] = static_cast<Half>(k * 40503U + 7);
  const auto out = runBody<Half>(
      "mul.wide.u32 %rd1, %r90, 4; add.u64 %rd2, %rd1, %rd90; add.u64 %rd3, %rd1, %rd91; "
      "ld.global.u32 %r10, [%rd2]; movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10; "
      "movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r10; sub.u32 %r12, %r10, %r11; "
      "add.u32 %r11, %r11, %r12; st.global.u32 [%rd3], %r11;",
      matrix, 64);
  for (unsigned row = 0; row < 8; ++row) {
    for (unsigned column = 0; column < 8; ++column)
      BOOST_REQUIRE_EQUAL(out[8 * row + column], matrix[8 * column + row]);
  }
  refuses("movmatrix.sync.aligned.m8n8.b16 %r1, %r2;", "expected .m8n8.trans");
  refuses("movmatrix.sync.aligned.m8n8.trans.b8 %r1, %r2;", "expected .b16");
  expect(failure("movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;", 24), {"lane 24"});
}

BOOST_AUTO_TEST_CASE(bad_uses_are_refused) {
  const std::string load = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r10, %r11}, [%r2];";
  const std::string store = "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r10};";
  const std::string rows = "shl.b32 %r2, %r90, 4; mov.u32 %r1, tile;";
  BOOST_TEST(failure(rows + load + store) == "");
  expect(failure("mov.u32 %r1, tile; mad.lo.u32 %r2, %r90, 16, 8;" + load),
         {"shared load of 16 bytes at address 0x8 is misaligned; expected a multiple of 16"});
  expect(failure("mul.lo.u32 %r2, %r90, 512;" + store), {"is out of bounds"});
  expect(failure(rows + load, 24), {"lane 24"});
  expect(failure(rows + "setp.lt.u32 %p1, %r90, 31; @%p1 " + store),
         {"expected all 32 lanes of the warp together (.aligned)"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
