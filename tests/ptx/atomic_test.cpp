// Atomics on shared, global and generic addresses: lanes act in rising order.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

struct Case {
  std::string opcode;  ///< %s stands for the space
  Word start, operand;
  std::function<Word(Word)> update;  ///< one lane's change of the word
};

/// Runs the atomic with 32 lanes on one word: each lane must see the changes of the lanes below it.
void check(const Case& one) {
  for (const std::string space : {".global", ".shared", ""}) {
    std::string opcode = one.opcode;
    opcode.replace(opcode.find("%s"), 2, space);
    const std::string cell = space == ".shared" ? "[cell]" : "[%rd5]";
    const std::string text =
        "mad.wide.u32 %rd1, %r92, 4, %rd91; .shared .b32 cell; mov.u64 %rd5, cell; cvta.shared.u64 "
        "%rd5, %rd5;" +
        std::string(space == ".global" ? "add.s64 %rd5, %rd91, 128;" : "") + "mov.u32 %r3, " +
        std::to_string(one.start) + ";" + (space == ".shared" ? "st.shared.u32 " : "st.u32 ") +
        cell + ", %r3; atom" + opcode + " %r1, " + cell + ", " + std::to_string(one.operand) +
        "; st.global.u32 [%rd1], %r1; " + (space == ".shared" ? "ld.shared.u32" : "ld.u32") +
        " %r2, " + cell + "; st.global.u32 [%rd91+132], %r2;";
    BOOST_TEST_CONTEXT(opcode) {
      const auto out = runBody<Word>(text, 34);
      Word value = one.start;
      for (unsigned lane = 0; lane < 32; ++lane) {
        BOOST_TEST(out[lane] == value);
        value = one.update(value);
      }
      BOOST_TEST(out[33] == value);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(atomics)

BOOST_AUTO_TEST_CASE(words) {
  check({"%s.add.u32", 5, 3, [](Word v) { return v + 3; }});
  check({"%s.add.s32", 5, 0xffffffff, [](Word v) { return v - 1; }});
  check({"%s.min.u32", 0xfffffff0, 7, [](Word v) { return std::min(v, 7U); }});
  check({"%s.min.s32", 0xfffffff0, 7, [](Word v) { return v; }});
  check({"%s.max.u32", 5, 0x80000000, [](Word) { return 0x80000000; }});
  check({"%s.max.s32", 5, 0x80000000, [](Word v) { return v; }});
  check({"%s.inc.u32", 0, 5, [](Word v) { return v >= 5 ? 0 : v + 1; }});
  check({"%s.dec.u32", 2, 5, [](Word v) { return v == 0 || v > 5 ? 5 : v - 1; }});
  check({"%s.exch.b32", 1, 9, [](Word) { return 9U; }});
  check({"%s.and.b32", 0xff, 0x3c, [](Word v) { return v & 0x3c; }});
  check({"%s.or.b32", 0xf0, 0x3c, [](Word v) { return v | 0x3c; }});
  check({"%s.xor.b32", 0xff, 0x3c, [](Word v) { return v ^ 0x3c; }});
  check({".relaxed.gpu%s.add.u32", 0, 1, [](Word v) { return v + 1; }});
}

BOOST_AUTO_TEST_CASE(floats) {
  const auto out = runBody<float>(
      "mov.f32 %f1, 0f3F000000; red.global.add.f32 [%rd91], %f1; mov.f64 %fd1, 0d3FD0000000000000; "
      "red.global.add.f64 [%rd91+8], %fd1;",
      4);
  BOOST_TEST(out[0] == 16.0F);
  double twice = 0;
  std::memcpy(&twice, &out[2], sizeof twice);
  BOOST_TEST(twice == 8.0);
}

BOOST_AUTO_TEST_CASE(long_words) {
  const auto out = runBody<std::uint64_t>(R"(
cvt.u64.u32 %rd1, %r90; red.global.add.u64 [%rd91], 0x100000000; red.global.max.u64 [%rd91+8], %rd1; red.global.min.s64 [%rd91+16], -5;
red.global.or.b64 [%rd91+24], 0xf000000000000001; atom.global.exch.b64 %rd2, [%rd91+32], %rd1; setp.eq.u32 %p1, %r90, 31; @%p1 st.global.u64 [%rd91+40], %rd2;)",
                                          6);
  const std::vector<std::uint64_t> wanted = {32ULL << 32,        31, static_cast<std::uint64_t>(-5),
                                             0xf000000000000001, 31, 30};
  BOOST_TEST(out == wanted, tt::per_element());
}

// Compare and swap passes the word from lane to lane: a lane stores only if it finds its own
// number.
BOOST_AUTO_TEST_CASE(compare_and_swap) {
  const auto out = runBody<Word>(
      "mad.wide.u32 %rd1, %r92, 4, %rd91; add.u32 %r1, %r90, 1; atom.global.cas.b32 %r2, "
      "[%rd91+128], %r90, %r1; st.global.u32 [%rd1], %r2;",
      33);
  for (Word lane = 0; lane < 32; ++lane) BOOST_TEST(out[lane] == lane);
  BOOST_TEST(out[32] == 32U);
}

// The form that the timing model sees, and whether something reads the result.
BOOST_AUTO_TEST_CASE(forms) {
  struct Row {
    std::string text;
    AtomicForm form;
    bool unread;
  };
  const Row rows[] = {
      {"red.shared.add.u32 [s], 1;", AtomicForm::Count, true},
      {"atom.shared.add.u32 %r1, [s], 1;", AtomicForm::Count, true},
      {"atom.shared.add.u32 _, [s], 1;", AtomicForm::Count, true},
      {"atom.shared.add.u32 %r1, [s], 1; st.global.u32 [%rd91], %r1;", AtomicForm::Plain, false},
      {"atom.shared.add.u32 %r1, [s], 1; setp.eq.u32 %p1, %r1, 0; @%p1 exit;", AtomicForm::Plain,
       false},
      {"red.shared.add.s32 [s], 1;", AtomicForm::Plain, true},
      {"red.shared.add.u32 [s], 2;", AtomicForm::Plain, true},
      {"red.shared.add.u32 [s], %r90;", AtomicForm::Plain, true},
      {"red.shared.max.u32 [s], 1;", AtomicForm::Plain, true},
      {"red.shared.inc.u32 [s], 1;", AtomicForm::Plain, true},
      {"atom.shared.exch.b64 %rd1, [s], %rd90;", AtomicForm::Plain, true},
      {"atom.shared.cas.b32 %r1, [s], 0, 1; st.global.u32 [%rd91], %r1;", AtomicForm::Swap, false},
      {"atom.shared.cas.b64 %rd1, [s], 0, 1;", AtomicForm::Swap, true},
      {"red.shared.add.f32 [s], %f1;", AtomicForm::Float, true},
      {"red.shared.add.f64 [s], %fd1;", AtomicForm::Double, true},
      {"red.shared.add.noftz.f16x2 [s], %r1;", AtomicForm::Half, true},
      {"red.shared.add.noftz.bf16x2 [s], %r1;", AtomicForm::Half, true},
      {"red.shared.add.u64 [s], 1;", AtomicForm::Wide, true},
      {"red.shared.or.b64 [s], %rd90;", AtomicForm::Wide, true},
      {"mbarrier.arrive.shared.b64 _, [s];", AtomicForm::Count, true},
      {"mbarrier.arrive.shared.b64 %rd1, [s]; st.global.u64 [%rd91], %rd1;", AtomicForm::Count,
       false},
  };
  for (const Row& row : rows) {
    const auto module = parse(kernelText(".shared .align 8 .b8 s[8]; " + row.text), "k.ptx");
    const Kernel& kernel = module->kernel("k");
    unsigned count = 0;
    for (std::uint32_t pc = 0; pc < kernel.instructionCount(); ++pc) {
      const StaticInstruction& one = kernel.staticInstruction(pc);
      if (one.operation != MemoryOperation::Atomic) continue;
      BOOST_TEST((one.form == row.form), row.text);
      BOOST_TEST(one.unread == row.unread, row.text);
      ++count;
    }
    BOOST_TEST(count == 1U, row.text);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
