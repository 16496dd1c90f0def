// Machine code: the instructions that a kernel costs from Volta on, and that it computes what PTX
// says.
#include <fermata/stimuli/ptx/machine_code.h>

#include <random>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

/// Returns the classes of the machine instructions after the prologue of kernelText, without the
/// exit: a letter each.
std::string lettersOf(const std::string& body) {
  static constexpr char kLetters[] = "ifsdbBgetDm";  // order of InstructionClass
  const auto module = parse(kernelText("\n\n" + body), "s.ptx");
  const Kernel& kernel = module->kernel("k");
  const MachineCode& code = kernel.machineCode();
  std::uint32_t prologue = 0;
  while (kernel.text(prologue).ptxLine <= 10) ++prologue;
  std::string letters;
  for (std::uint32_t at = code.first[prologue]; at < code.instructionCount(); ++at) {
    BOOST_TEST(code.statics[at].pc == at);
    if (code.statics[at].instructionClass == InstructionClass::Exit) break;
    letters += kLetters[static_cast<unsigned>(code.statics[at].instructionClass)];
  }
  return letters;
}

struct Becomes {
  const char* body;
  const char* letters;
};
std::ostream& operator<<(std::ostream& out, const Becomes& row) {
  return out << row.body;
}

// Instructions that ptxas 13.0 makes for sm_80.
const Becomes kRows[] = {
    {"add.s32 %r1, %r2, %r3;", "i"},
    {"mul.lo.s32 %r1, %r2, %r3;", "m"},
    {"mad.lo.s32 %r1, %r2, %r3, %r4;", "m"},
    {"fma.rn.f32 %f1, %f2, %f3, %f4;", "f"},
    {"add.f64 %fd1, %fd2, %fd3;", "d"},
    {"popc.b32 %r1, %r2;", "s"},
    {"cvt.rn.f32.s32 %f1, %r2;", "s"},
    {"max.f32 %f1, %f2, %f3;", "i"},
    {"setp.lt.f32 %p1, %f2, %f3;", "i"},
    {"bar.sync 0;", "B"},
    {"ld.global.u32 %r1, [%rd1];", "g"},
    // pairs of 32 bits
    {"add.s64 %rd1, %rd2, %rd3;", "ii"},
    {"xor.b64 %rd1, %rd2, %rd3;", "ii"},
    {"mul.lo.s64 %rd1, %rd2, %rd3;", "mmmi"},
    {"setp.lt.s64 %p1, %rd2, %rd3;", "ii"},
    {"min.s64 %rd1, %rd2, %rd3;", "iiii"},
    // divisions and roots
    {"div.u32 %r1, %r2, %r3;", "ssismmmmmiiiiimmii"},
    {"rem.s32 %r1, %r2, %r3;", "issismmmmiiiiiiiiimmii"},
    {"div.rn.f32 %f1, %f2, %f3;", "sfffffsb"},
    {"div.approx.ftz.f32 %f1, %f2, %f3;", "sf"},
    {"sqrt.rn.f32 %f1, %f2;", "isibffff"},
    {"rcp.rn.f32 %f1, %f2;", "iiibsfff"},
    {"ex2.approx.f32 %f1, %f2;", "ifsf"},
    {"ex2.approx.ftz.f32 %f1, %f2;", "s"},
    // operands
    {"ld.param.u32 %r1, [n]; add.s32 %r2, %r1, 1;", "i"},
    {"mov.u32 %r1, 7; add.s32 %r2, %r3, %r1;", "i"},
    {"mov.u32 %r1, %ntid.y; add.s32 %r2, %r3, %r1;", "i"},
    {"mov.u32 %r1, %tid.y; add.s32 %r2, %r3, %r1;", "ii"},
    {"cvta.to.global.u64 %rd1, %rd90; ld.global.u32 %r1, [%rd1];", "g"},
    {"neg.f32 %f1, %f2; add.f32 %f3, %f1, %f4;", "f"},
    {"neg.f32 %f1, %f2; st.global.f32 [%rd91], %f1;", "fg"},
    {"neg.s32 %r1, %r2; add.s32 %r3, %r1, %r4;", "i"},
    {"mul.wide.u32 %rd1, %r2, 4; add.s64 %rd2, %rd90, %rd1;", "m"},
    {"mul.wide.u32 %rd1, %r2, 4; add.s64 %rd2, %rd90, %rd1; add.s64 %rd3, %rd91, %rd1;", "miiii"},
    {"shl.b32 %r1, %r2, 2; add.s32 %r3, %r1, %r4;", "i"},
    {"add.s64 %rd1, %rd90, 16; ld.global.u32 %r1, [%rd1];", "g"},
    {"add.s64 %rd1, %rd90, 16; st.global.u64 [%rd91], %rd1;", "iig"},
    // a variable of a loop
    {"add.s32 %r1, %r2, 1; mov.u32 %r2, %r1; mov.u32 %r2, 3;", "ii"},
    {"add.s32 %r1, %r2, 1; st.global.u32 [%rd91], %r2; mov.u32 %r2, %r1; mov.u32 %r2, 3;", "igii"},
    // a result that may come later is not copied at once
    {"atom.shared.add.u32 %r1, [%r2], 1; mov.u32 %r3, %r1; add.u32 %r4, %r3, %r3;", "gii"},
};

/// Returns a program of `count` random instructions on %r1 to %r8, %f1 to %f8 and %rd1 to %rd4,
/// with a loop around half of them, that stores what it computes.
std::string randomBody(std::mt19937& random, unsigned count) {
  static const char* const kForms[] = {"add.s32 %r{a}, %r{b}, %r{c};",
                                       "mul.lo.s32 %r{a}, %r{b}, %r{c};",
                                       "div.u32 %r{a}, %r{b}, %r{c};",
                                       "rem.s32 %r{a}, %r{b}, %r{c};",
                                       "mov.u32 %r{a}, %r{b};",
                                       "mov.u32 %r{a}, 77;",
                                       "neg.s32 %r{a}, %r{b};",
                                       "xor.b32 %r{a}, %r{b}, %r{c};",
                                       "not.b32 %r{a}, %r{b};",
                                       "shl.b32 %r{a}, %r{b}, 3;",
                                       "cvt.u64.u32 %rd{d}, %r{b};",
                                       "cvt.u32.u64 %r{a}, %rd{e};",
                                       "mul.wide.u32 %rd{d}, %r{b}, %r{c};",
                                       "add.s64 %rd{d}, %rd{e}, %rd{d};",
                                       "mov.u64 %rd{d}, %rd{e};",
                                       "cvt.rn.f32.s32 %f{a}, %r{b};",
                                       "neg.f32 %f{a}, %f{b};",
                                       "mul.rn.f32 %f{a}, %f{b}, %f{c};",
                                       "add.rn.f32 %f{a}, %f{b}, %f{c};",
                                       "setp.lt.s32 %p1, %r{b}, %r{c};",
                                       "@%p1 mov.u32 %r{a}, %r{b};",
                                       "@%p1 div.u32 %r{a}, %r{b}, %r{c};",
                                       "selp.b32 %r{a}, %r{b}, %r{c}, %p1;",
                                       "mov.u32 %r{a}, %tid.x;"};
  const auto pick = [&](unsigned most) { return std::to_string(1 + random() % most); };
  std::string body = "mov.u32 %r50, 0; mov.u32 %r1, %tid.x; mov.u32 %r2, 9;\n";
  for (unsigned k = 0; k < count; ++k) {
    if (k == count / 4) body += "LOOP:\n";
    std::string form = kForms[random() % std::size(kForms)];
    for (const auto& [name, most] :
         {std::pair{"{a}", 8U}, {"{b}", 8U}, {"{c}", 8U}, {"{d}", 4U}, {"{e}", 4U}}) {
      for (std::size_t at; (at = form.find(name)) != std::string::npos;)
        form.replace(at, 3, pick(most));
    }
    body += form + "\n";
    if (k == 3 * count / 4)
      body += "add.u32 %r50, %r50, 1; setp.lt.u32 %p2, %r50, 3; @%p2 bra LOOP;\n";
  }
  body += "mad.wide.u32 %rd80, %r90, 64, %rd91;\n";
  for (unsigned r = 1; r <= 8; ++r) {
    const std::string number = std::to_string(r), at = std::to_string(4 * (r - 1));
    body += "st.global.u32 [%rd80+" + at + "], %r" + number + ";";
    body += "st.global.f32 [%rd80+" + std::to_string(32 + 4 * (r - 1)) + "], %f" + number + ";\n";
  }
  return body;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(machine_code)

BOOST_DATA_TEST_CASE(instructions_become_those_of_the_machine, bdata::make(kRows), row) {
  BOOST_TEST(lettersOf(row.body) == row.letters);
}

// Instructions that cost nothing, or several, compute the values of PTX all the same.
BOOST_DATA_TEST_CASE(random_programs_compute_what_ptx_says, bdata::xrange(100), seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  const std::string body = randomBody(random, 8 + seed);
  RunOptions ptx, sass;
  sass.executor.code = MachineLevel::Sass;
  const auto expected = runBody<std::uint32_t>(body, 32 * 16, ptx);
  BOOST_TEST(runBody<std::uint32_t>(body, 32 * 16, sass) == expected,
             boost::test_tools::per_element());
}

// Every instruction that peek() shows is the one that execute() executes.
BOOST_DATA_TEST_CASE(steps_follow_the_machine_code, bdata::xrange(20), seed) {
  std::mt19937 random(static_cast<unsigned>(seed) + 1000);
  ExecutorOptions options;
  options.code = MachineLevel::Sass;
  Bench bench(kernelText(randomBody(random, 40)), "k", options);
  bench.output<std::uint32_t>(32 * 16);
  const MachineCode& code = bench.launch.kernel->machineCode();
  const auto steps = bench.steps();
  BOOST_TEST(steps.size() > 40U);
  for (const Bench::Step& step : steps) {
    BOOST_TEST(step.known.pc == step.done.pc);
    BOOST_TEST(step.known.pc < code.instructionCount());
    for (unsigned k = 0; k < step.known.readCount; ++k)
      BOOST_TEST(step.known.reads[k] < code.registerCount);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
