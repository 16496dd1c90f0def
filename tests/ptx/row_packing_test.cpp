// Registers share rows: a kernel computes the same values as with a row per register.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

std::vector<Word> results(const std::string& body) {
  RunOptions options;
  options.block.x = 32;
  return runBody<Word>("mad.wide.u32 %rd2, %r92, 4, %rd91;" + body + " st.global.u32 [%rd2], %r2;",
                       32, options);
}

std::string reg(unsigned number) {
  return "%r" + std::to_string(number);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(row_packing)

BOOST_AUTO_TEST_CASE(a_lane_reads_what_others_had_before_the_instruction) {
  const auto out = results(
      "mul.lo.u32 %r1, %r90, 7; xor.b32 %r3, %r90, 1; shfl.sync.idx.b32 %r2, %r1, %r3, 31, -1;");
  for (Word lane = 0; lane < 32; ++lane) BOOST_TEST(out[lane] == (lane ^ 1) * 7);
}

BOOST_AUTO_TEST_CASE(a_result_that_nobody_reads_does_not_overwrite_another) {
  const auto out = results(
      "mov.u32 %r3, 5; add.u32 %r4, %r90, %r3; mul.wide.u32 %rd3, %r4, 3;mov.b64 {%r2, %r3}, %rd3;"
      // These reads keep all other rows in use there.
      "xor.b32 %r2, %r2, %r4; xor.b32 %r2, %r2, %r90; xor.b32 %r2, %r2, %r92;");
  for (Word lane = 0; lane < 32; ++lane) BOOST_TEST(out[lane] == (3 * (lane + 5) ^ (lane + 5)));
}

BOOST_AUTO_TEST_CASE(a_wider_result_leaves_its_narrow_source_alone) {
  const auto out = results(
      "add.u32 %r1, %r90, 5; cvt.u64.u32 %rd3, %r1; shl.b64 %rd4, %rd3, 33;mov.b64 {%r3, %r4}, "
      "%rd4; add.u32 %r2, %r3, %r4;");
  for (Word lane = 0; lane < 32; ++lane) BOOST_TEST(out[lane] == 2 * (lane + 5));
}

BOOST_AUTO_TEST_CASE(what_is_never_written_is_zero_whatever_others_leave_behind) {
  std::string body = "mov.u32 %r2, 0;";
  for (unsigned k = 10; k < 40; ++k)
    body += "add.u32 " + reg(k) + ", %r90, " + std::to_string(k) + "; xor.b32 %r2, %r2, " + reg(k) +
            ";";
  const auto out = results(body + "mov.u32 %r2, %r50;");
  for (const Word value : out) BOOST_TEST(value == 0U);
}

// Each lane keeps the registers of its own path while those of the other path come and go.
BOOST_AUTO_TEST_CASE(paths_that_part_do_not_disturb_each_other) {
  const auto out = results(
      "and.b32 %r3, %r90, 1; setp.eq.u32 %p1, %r3, 0; mov.u32 %r10, %r90; @%p1 bra EVEN;add.u32 "
      "%r11, %r10, 100; add.u32 %r12, %r11, %r11; sub.u32 %r2, %r12, %r10; bra JOIN;EVEN: add.u32 "
      "%r21, %r10, 7; mul.lo.u32 %r22, %r21, 3; add.u32 %r2, %r22, %r21;JOIN: add.u32 %r2, %r2, "
      "%r10;");
  for (Word lane = 0; lane < 32; ++lane)
    BOOST_TEST(out[lane] == (lane % 2 == 0 ? 4 * (lane + 7) + lane : 2 * (lane + 100)));
}

// Predicates take no rows: their logic is unaffected where registers have moved.
BOOST_AUTO_TEST_CASE(predicates_stay_where_they_are) {
  const auto out = results(
      "setp.lt.u32 %p3, %r90, 20; setp.gt.u32 %p4, %r90, 5; mov.pred %p5, 0;add.u32 %r3, %r90, 1; "
      "add.u32 %r4, %r3, 1; add.u32 %r5, %r4, 1; and.pred %p6, %p3, %p4;xor.pred %p7, %p6, %p5; "
      "selp.u32 %r2, %r5, 0, %p7;");
  for (Word lane = 0; lane < 32; ++lane)
    BOOST_TEST(out[lane] == (lane > 5 && lane < 20 ? lane + 3 : 0));
}

// A register written under a predicate keeps its value in the other lanes.
BOOST_AUTO_TEST_CASE(a_guarded_write_keeps_the_lanes_it_leaves_out) {
  const auto out = results(
      "setp.lt.u32 %p1, %r90, 9; add.u32 %r3, %r90, 1000; mov.u32 %r4, %r90; mov.u32 %r5, "
      "%r4;mov.u32 %r6, %r5; @%p1 mov.u32 %r3, %r6; mov.u32 %r7, %r90; add.u32 %r7, %r7, "
      "%r7;mov.u32 %r2, %r3;");
  for (Word lane = 0; lane < 32; ++lane) BOOST_TEST(out[lane] == (lane < 9 ? lane : lane + 1000));
}

// Random straight and looping code, against one variable per register.
BOOST_AUTO_TEST_CASE(equals_registers_of_their_own) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    constexpr unsigned kRegisters = 30;
    struct Step {
      unsigned to, a, b, operation;
    };
    std::vector<Step> loop(60);
    for (Step& step : loop)
      step = {static_cast<unsigned>(random() % kRegisters),
              static_cast<unsigned>(random() % kRegisters),
              static_cast<unsigned>(random() % kRegisters), static_cast<unsigned>(random() % 3)};
    const char* const names[] = {"add.u32 ", "mul.lo.u32 ", "xor.b32 "};
    std::string body = "mov.u32 %r80, 3; mov.u32 %r10, %r90; mov.u32 %r11, 77; L: ";
    for (const Step& step : loop)
      body += names[step.operation] + reg(10 + step.to) + ", " + reg(10 + step.a) + ", " +
              reg(10 + step.b) + ";";
    body += "sub.u32 %r80, %r80, 1; setp.ne.u32 %p1, %r80, 0; @%p1 bra L;mov.u32 %r2, " +
            reg(10 + loop.back().to) + ";";
    const auto out = results(body);
    for (Word lane = 0; lane < 32; ++lane) {
      std::vector<Word> value(kRegisters, 0);
      value[0] = lane;
      value[1] = 77;
      for (unsigned round = 0; round < 3; ++round) {
        for (const Step& step : loop) {
          const Word a = value[step.a], b = value[step.b];
          value[step.to] = step.operation == 0 ? a + b : step.operation == 1 ? a * b : a ^ b;
        }
      }
      BOOST_TEST_REQUIRE(out[lane] == value[loop.back().to]);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
