// Divergence: every kernel against a computation of each thread alone.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Thread = std::function<std::uint32_t(std::uint32_t tid, std::uint32_t value)>;

/// Runs `body` in two CTAs and compares with `thread`. Each thread has its input in %r1 and leaves
/// its result in %r2, which is stored unless the thread exits.
void check(const std::string& body, const Thread& thread, unsigned block = 77) {
  std::mt19937 random(3);
  std::vector<std::uint32_t> in(2 * block);
  for (std::uint32_t& value : in) value = random() % 50;
  RunOptions options;
  options.grid.x = 2;
  options.block.x = block;
  const auto out = runBody<std::uint32_t>(
      "mad.wide.u32 %rd1, %r92, 4, %rd90; mad.wide.u32 %rd2, %r92, 4, %rd91; ld.global.u32 %r1, "
      "[%rd1]; mov.u32 %r2, 0;\n" +
          body + "\nst.global.u32 [%rd2], %r2;",
      in, in.size(), options);
  for (std::uint32_t k = 0; k < in.size(); ++k) BOOST_TEST(out[k] == thread(k % block, in[k]));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(control_flow)

BOOST_AUTO_TEST_CASE(nested_conditions) {
  check(R"(
setp.lt.u32 %p1, %r1, 25; @%p1 bra LOW;
  setp.lt.u32 %p2, %r1, 40; @!%p2 bra HIGH;
    add.u32 %r2, %r1, 100; bra.uni JOIN2;
  HIGH: add.u32 %r2, %r1, 200;
  JOIN2: mul.lo.u32 %r2, %r2, 3; bra JOIN;
LOW: and.b32 %r3, %r1, 1; setp.eq.u32 %p2, %r3, 0; @%p2 bra EVEN;
  sub.u32 %r2, %r1, 7; bra JOIN;
EVEN: add.u32 %r2, %r1, 9;
JOIN: add.u32 %r2, %r2, 1;)",
        [](std::uint32_t, std::uint32_t v) {
          return (v >= 25 ? (v < 40 ? v + 100 : v + 200) * 3 : v % 2 == 0 ? v + 9 : v - 7) + 1;
        });
}

BOOST_AUTO_TEST_CASE(loops_within_loops) {
  check(R"(
mov.u32 %r3, 0;
OUTER: setp.ge.u32 %p1, %r3, %r1; @%p1 bra DONE;
  and.b32 %r4, %r3, 3;
  INNER: setp.eq.u32 %p2, %r4, 0; @%p2 bra NEXT; add.u32 %r2, %r2, %r4; sub.u32 %r4, %r4, 1; bra INNER;
  NEXT: add.u32 %r3, %r3, 1; bra OUTER;
DONE:)",
        [](std::uint32_t, std::uint32_t v) {
          std::uint32_t sum = 0;
          for (std::uint32_t k = 0; k < v; ++k) sum += (k & 3) * ((k & 3) + 1) / 2;
          return sum;
        });
}

BOOST_AUTO_TEST_CASE(break_and_continue) {
  check(R"(
mov.u32 %r3, 0;
LOOP: add.u32 %r3, %r3, 1; setp.gt.u32 %p1, %r3, 60; @%p1 bra DONE;
  and.b32 %r4, %r3, 3; setp.eq.u32 %p2, %r4, 2; @%p2 bra LOOP;
  add.u32 %r2, %r2, %r3; setp.eq.u32 %p3, %r3, %r1; @%p3 bra BROKEN;
  bra LOOP;
BROKEN: add.u32 %r2, %r2, 1000;
DONE:)",
        [](std::uint32_t, std::uint32_t v) {
          std::uint32_t sum = 0;
          for (std::uint32_t k = 1; k <= 60; ++k) {
            if ((k & 3) == 2) continue;
            sum += k;
            if (k == v) return sum + 1000;
          }
          return sum;
        });
}

BOOST_AUTO_TEST_CASE(early_exits) {
  check(R"(
setp.lt.u32 %p1, %r1, 10; @%p1 exit;
setp.gt.u32 %p2, %r1, 30; @!%p2 bra ON; setp.gt.u32 %p3, %r1, 45; @%p3 bra LEAVE; st.global.u32 [%rd2], 7; ret; LEAVE: ret;
ON: and.b32 %r3, %r90, 1; setp.eq.u32 %p4, %r3, 1; @%p4 ret; add.u32 %r2, %r1, 1;)",
        [](std::uint32_t tid, std::uint32_t v) -> std::uint32_t {
          return v < 10 ? 0 : v > 30 ? (v > 45 ? 0 : 7) : tid % 2 == 1 ? 0 : v + 1;
        });
}

// Lanes that exit within a loop leave the other lanes looping.
BOOST_AUTO_TEST_CASE(exits_within_loops) {
  check(R"(
mov.u32 %r3, 0;
LOOP: add.u32 %r3, %r3, 1; setp.eq.u32 %p1, %r3, %r1; @%p1 bra OUT; setp.lt.u32 %p2, %r3, 20; @%p2 bra LOOP; bra END;
OUT: st.global.u32 [%rd2], %r3; exit;
END: mov.u32 %r2, 99;)",
        [](std::uint32_t, std::uint32_t v) -> std::uint32_t { return v >= 1 && v <= 20 ? v : 99; });
}

BOOST_AUTO_TEST_CASE(switch_as_compare_tree) {
  check(R"(
rem.u32 %r3, %r1, 6;
setp.gt.s32 %p1, %r3, 2; @%p1 bra UPPER;
setp.eq.s32 %p2, %r3, 0; @%p2 bra C0; setp.eq.s32 %p2, %r3, 1; @%p2 bra C1; bra C2;
UPPER: setp.eq.s32 %p2, %r3, 3; @%p2 bra C3; setp.eq.s32 %p2, %r3, 4; @%p2 bra C4; mov.u32 %r2, 55; bra END;
C0: mov.u32 %r2, 10; bra END;
C1: add.u32 %r2, %r1, 1;
C2: add.u32 %r2, %r2, 2; bra END;
C3: mov.u32 %r2, 3; bra C4B;
C4: mov.u32 %r2, 4;
C4B: mul.lo.u32 %r2, %r2, %r1;
END:)",
        [](std::uint32_t, std::uint32_t v) -> std::uint32_t {
          switch (v % 6) {
            case 0:
              return 10;
            case 1:
              return v + 3;
            case 2:
              return 2;
            case 3:
              return 3 * v;
            case 4:
              return 4 * v;
            default:
              return 55;
          }
        });
}

BOOST_AUTO_TEST_CASE(predication_of_any_instruction) {
  check(R"(
setp.lt.u32 %p1, %r1, 20; setp.gt.u32 %p2, %r90, 40;
@%p1 add.u32 %r2, %r1, 3;
@!%p1 mul.lo.u32 %r2, %r1, 2;
@%p2 setp.eq.u32 %p1, 0, 0;
@%p1 st.global.u32 [%rd2], %r2;
@%p1 ret;
@!%p2 ld.global.u32 %r4, [%rd1];
@!%p2 add.u32 %r2, %r2, %r4;)",
        [](std::uint32_t tid, std::uint32_t v) {
          return v < 20 ? v + 3 : tid > 40 ? 2 * v : 3 * v;
        });
}

// An irreducible graph: two entries into a loop.
BOOST_AUTO_TEST_CASE(irreducible_flow) {
  check(R"(
mov.u32 %r3, %r1; and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 1; @%p1 bra B;
A: add.u32 %r2, %r2, 1; sub.u32 %r3, %r3, 1; setp.le.s32 %p2, %r3, 0; @%p2 bra END;
B: add.u32 %r2, %r2, 100; sub.u32 %r3, %r3, 1; setp.le.s32 %p2, %r3, 0; @!%p2 bra A;
END:)",
        [](std::uint32_t, std::uint32_t v) {
          std::int32_t left = static_cast<std::int32_t>(v);
          std::uint32_t sum = 0;
          bool inA = v % 2 == 0;
          do {
            sum += inA ? 1 : 100;
            inA = !inA;
          } while (--left > 0);
          return sum;
        });
}

// The sides of a branch run together from where they meet: one execution of the tail for both.
BOOST_AUTO_TEST_CASE(paths_join_at_the_post_dominator) {
  Bench bench(
      kernelText("setp.lt.u32 %p1, %r90, 7; @%p1 bra A; mov.u32 %r1, 1; bra J; A: mov.u32 "
                 "%r1, 2; J: add.u32 %r1, %r1, 1;"));
  unsigned tails = 0;
  for (const auto& [known, out] : bench.steps()) {
    const std::uint32_t pc = known.pc;
    const std::string& opcode = bench.launch.kernel->text(pc).opcode;
    if (opcode == "add.u32") {
      ++tails;
      BOOST_TEST(out.active == kAllLanes);
    }
    if (opcode == "mov.u32" && pc > 8) BOOST_TEST((out.active == 0x7fU || out.active == ~0x7fU));
  }
  BOOST_TEST(tails == 1U);
}

BOOST_AUTO_TEST_CASE(partial_warps_have_fewer_lanes) {
  Bench bench(kernelText("mov.u32 %r1, 1;"));
  bench.output<std::uint32_t>(1);
  bench.launch.block = {5, 3, 3};
  bench.executor.begin(bench.launch);
  BOOST_TEST(bench.executor.warpsPerCta() == 2U);
  bench.executor.startCta(0, 0);
  WarpInstruction out;
  bench.executor.execute(1, out);
  BOOST_TEST(out.active == (1U << 13) - 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
