// Short branches that become predicates in machine code: where ptxas 13.0 makes them so.
#include <fermata/stimuli/ptx/short_branches.h>

#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/machine_code.h>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

std::string times(unsigned count, const std::string& text) {
  std::string all;
  for (unsigned k = 0; k < count; ++k) all += text;
  return all;
}
const std::string kAdd = "add.f32 %f1, %f1, %f2; ";
const std::string kLoad = "ld.global.f32 %f3, [%rd90+64]; ";

/// Machine code of a branch by %p1 around `body`, with what computes the predicate before it.
struct Branched {
  explicit Branched(const std::string& body)
      : module(parse(
            kernelText("ld.global.f32 %f1, [%rd90]; ld.global.f32 %f2, [%rd90+4]; "
                       "setp.lt.f32 %p1, %f1, %f2; " +
                           body + "st.global.f32 [%rd91], %f1;",
                       ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);"),
            "s")),
        code(module->kernel("k").machineCode()) {
    for (const Instruction& i : code.code->instructions) {
      branches += isBranch(i) ? 1 : 0;
      guarded += !isBranch(i) && i.guard.number != kTruePredicate ? 1 : 0;
    }
  }
  std::shared_ptr<const Module> module;
  const MachineCode& code;
  unsigned branches = 0, guarded = 0;
};

struct ShortBranch {
  const char* what;
  std::string body;
  unsigned branches, guarded;
};
std::ostream& operator<<(std::ostream& out, const ShortBranch& one) {
  return out << one.what;
}

std::string around(const std::string& side) {
  return "@%p1 bra L; " + side + "L: ";
}
std::string both(unsigned first, unsigned second) {
  return "@%p1 bra E; " + times(first, kAdd) + "bra J; E: " + times(second, kAdd) + "J: ";
}

const ShortBranch kShortBranches[] = {
    {"8 instructions", around(times(8, kAdd)), 0, 8},
    {"9 instructions", around(times(9, kAdd)), 1, 0},
    {"20 with a load from global memory", around(kLoad + times(19, kAdd)), 0, 20},
    {"21 with a load from global memory", around(kLoad + times(20, kAdd)), 1, 0},
    {"9 with a load from shared memory", around("ld.shared.f32 %f3, [%r1]; " + times(8, kAdd)), 1,
     0},
    {"products into addresses count as one",
     around("mul.wide.u32 %rd1, %r1, 4; add.s64 %rd2, %rd90, %rd1; st.global.f32 [%rd2], %f1; "
            "mul.wide.u32 %rd3, %r1, 8; add.s64 %rd4, %rd90, %rd3; st.global.f32 [%rd4], %f1; "
            "mul.wide.u32 %rd5, %r1, 12; add.s64 %rd6, %rd90, %rd5; st.global.f32 [%rd6], %f1; "
            "mul.wide.u32 %rd7, %r1, 16; add.s64 %rd8, %rd90, %rd7; st.global.f32 [%rd8], %f1; "),
     0, 4},
    {"sides of 7 and 10", both(7, 10), 0, 17},
    {"sides of 8 and 1", both(8, 1), 2, 0},
    {"sides of 1 and 11", both(1, 11), 2, 0},
    {"a jump behind the branch", "@%p1 bra L; bra M; M: " + kAdd + "L: ", 0, 1},
    {"a jump around the side", "@%p1 bra M; bra L; M: " + kAdd + "L: ", 0, 1},
    {"an atomic", around("atom.global.add.u32 %r1, [%rd90], 1; "), 1, 0},
    {"a shuffle", around("shfl.sync.down.b32 %r1, %r1, 1, 31, 0xffffffff; "), 1, 0},
    {"a division, which has branches", around("div.rn.f32 %f1, %f1, %f2; "), 1, 0},
    {"a side that changes the predicate", around("setp.lt.f32 %p1, %f2, %f1; " + kAdd), 1, 0},
    {"a call of the library",
     around("{ .param .b64 p; st.param.b64 [p], %rd1; .param .b64 q; st.param.b64 [q], %rd2; "
            ".param .b32 v; call (v), vprintf, (p, q); ld.param.b32 %r2, [v]; }"),
     1, 0},
    {"a guard within", around("@%p2 add.f32 %f1, %f1, %f2; "), 1, 1},
    {"a branch into the side", "@%p1 bra L; " + kAdd + "M: " + kAdd + "L: @%p2 bra M; ", 2, 0},
    {"one within another", around(kAdd + "@%p2 bra M; " + kAdd + "M: " + kAdd), 1, 1},
    {"two in a row", around(kAdd) + "@%p2 bra M; " + kAdd + "M: ", 0, 2},
};

/// Returns what the lanes of a warp store, of which those with an even number have %p1, executed
/// instruction by instruction.
std::vector<float> stored(const std::string& side, MachineLevel code) {
  ExecutorOptions options;
  options.code = code;
  Bench bench(
      kernelText("and.b32 %r1, %r90, 1; setp.eq.u32 %p1, %r1, 0; cvt.rn.f32.u32 %f1, %r90; mov.f32 "
                 "%f2, 0f40000000; mul.wide.u32 %rd1, %r90, 4; add.s64 %rd2, %rd91, %rd1; "
                 "setp.gt.u32 %p2, %r90, 9; setp.lt.u32 %p3, %r90, 20; " +
                 side + "st.global.f32 [%rd2], %f1;"),
      "k", options);
  const std::uint64_t out = bench.output<float>(32);
  bench.steps();
  return bench.values<float>(out, 32);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(short_branches)

BOOST_DATA_TEST_CASE(become_predicates_where_ptxas_makes_them_so,
                     boost::unit_test::data::make(kShortBranches), one) {
  const Branched found(one.body);
  BOOST_TEST(found.branches == one.branches);
  BOOST_TEST(found.guarded == one.guarded);
}

// An address for a guarded access alone, and a parameter, are there for every lane.
BOOST_AUTO_TEST_CASE(calculations_for_guarded_instructions_need_no_guard) {
  const Branched found(
      around("ld.param.u64 %rd4, [in]; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd2, %rd4, %rd1; "
             "ld.global.f32 %f1, [%rd2]; "));
  BOOST_TEST(found.branches == 0U);
  BOOST_TEST(found.guarded == 1U);
}

// Values, not only how many instructions have guards.
const std::string kSides[] = {
    around(kAdd),
    "@!%p1 bra L; " + kAdd + "L: ",
    both(3, 5),
    "@%p1 bra M; bra.uni L; M: " + kAdd + "L: ",
    "@!%p1 bra L; bra.uni M; M: " + kAdd + "L: ",
    around(kAdd + "@%p2 bra M; " + kAdd + "M: " + kAdd),
    around(kAdd) + "@%p2 bra M; " + kAdd + "bra N; M: @%p3 bra N; " + times(2, kAdd) + "N: ",
    // the sum of the turn before is read outside of the side: lanes that go around keep theirs
    "mov.u32 %r5, 0; LOOP: add.f32 %f1, %f1, %f4; @%p1 bra L; add.f32 %f4, %f2, %f1; add.f32 %f2, "
    "%f2, %f4; L: add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 3; @%p4 bra LOOP; ",
    // a parameter at a place that the lane computes may lie outside for lanes that go around
    "@!%p1 bra L; mul.wide.u32 %rd3, %r1, 1000; mov.u64 %rd4, in; add.s64 %rd5, %rd4, %rd3; "
    "ld.param.u32 %r2, [%rd5]; cvt.rn.f32.u32 %f1, %r2; L: ",
};

BOOST_DATA_TEST_CASE(lanes_compute_what_branches_say, boost::unit_test::data::make(kSides), side) {
  BOOST_TEST(stored(side, MachineLevel::Sass) == stored(side, MachineLevel::Ptx),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
