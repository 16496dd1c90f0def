// Machine code: the instructions that a kernel costs from Volta on, and that it computes what PTX
// says.
#include <fermata/stimuli/ptx/machine_code.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

char letterOf(InstructionClass kind) {
  return "ifsdbBgetDm"[static_cast<unsigned>(kind)];
}

/// Calls visit(at, text) for each machine instruction of the body, in the machine's order; not for
/// those of the prologue of kernelText and the exit. `text`: of the instruction of PTX.
template <class Visit>
void eachOf(const Kernel& kernel, Visit visit) {
  const MachineCode& code = kernel.machineCode();
  for (std::uint32_t at = 0; at < code.instructionCount(); ++at) {
    BOOST_TEST(code.statics[at].pc == at);
    const CodeText& text = code.code->texts[code.pcOf[at]];
    const bool exits = code.statics[at].instructionClass == InstructionClass::Exit;
    if (text.ptxLine > 10 && !exits) visit(at, text);
  }
}

/// Returns the classes of the machine instructions that the body becomes, by instruction of PTX: a
/// letter each.
std::string lettersOf(const std::string& body) {
  const auto module = parse(kernelText("\n\n" + body), "s.ptx");
  const Kernel& kernel = module->kernel("k");
  std::map<std::uint32_t, std::string> all;  // by column
  eachOf(kernel, [&](std::uint32_t at, const CodeText& text) {
    all[text.ptxColumn] += letterOf(kernel.machineCode().statics[at].instructionClass);
  });
  std::string letters;
  for (const auto& [column, own] : all) letters += own;
  return letters;
}

/// Returns the names of the body's machine instructions in the machine's order, as "ld ld add".
std::string orderOf(const std::string& body) {
  const auto module = parse(kernelText("\n\n" + body), "s.ptx");
  std::string order;
  eachOf(module->kernel("k"), [&](std::uint32_t, const CodeText& text) {
    order += (order.empty() ? "" : " ") + text.opcode.substr(0, text.opcode.find('.'));
  });
  return order;
}

struct Becomes {
  const char* body;
  const char* letters;
};
std::ostream& operator<<(std::ostream& out, const Becomes& row) {
  return out << row.body;
}

// Instructions that ptxas 13.0 makes for sm_80, as ours are scheduled.
const Becomes kRows[] = {
    {"add.s32 %r1, %r2, %r3;", "m"},  // units for integers have more to do: see below
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
    {"add.s64 %rd1, %rd2, %rd3; st.global.u64 [%rd91], %rd1;", "iig"},
    {"xor.b64 %rd1, %rd2, %rd3; st.global.u64 [%rd91], %rd1;", "iig"},
    {"mul.lo.s64 %rd1, %rd2, %rd3; st.global.u64 [%rd91], %rd1;", "mmmig"},
    {"setp.lt.s64 %p1, %rd2, %rd3;", "ii"},
    {"min.s64 %rd1, %rd2, %rd3;", "iiii"},
    // divisions and roots
    {"div.u32 %r1, %r2, %r3;", "smmmisismmmmiiiiii"},
    {"rem.s32 %r1, %r2, %r3;", "iiiisimmisismmmmiiiiii"},
    {"div.rn.f32 %f1, %f2, %f3;", "ssfffffb"},
    {"div.approx.ftz.f32 %f1, %f2, %f3;", "sf"},
    {"sqrt.rn.f32 %f1, %f2;", "siibffff"},
    {"rcp.rn.f32 %f1, %f2;", "iiibsfff"},
    {"ex2.approx.f32 %f1, %f2;", "ifsf"},
    {"ex2.approx.ftz.f32 %f1, %f2;", "s"},
    // operands
    {"ld.param.u32 %r1, [n]; add.s32 %r2, %r1, 1;", "m"},
    {"mov.u32 %r1, 7; add.s32 %r2, %r3, %r1;", "m"},
    {"mov.u32 %r1, %ntid.y; add.s32 %r2, %r3, %r1;", "m"},
    {"mov.u32 %r1, %tid.y; add.s32 %r2, %r3, %r1;", "im"},
    {"cvta.to.global.u64 %rd1, %rd90; ld.global.u32 %r1, [%rd1];", "g"},
    {"neg.f32 %f1, %f2; add.f32 %f3, %f1, %f4;", "f"},
    {"neg.f32 %f1, %f2; st.global.f32 [%rd91], %f1;", "fg"},
    {"neg.s32 %r1, %r2; add.s32 %r3, %r1, %r4;", "m"},
    {"mul.wide.u32 %rd1, %r2, 4; add.s64 %rd2, %rd90, %rd1;", "m"},
    {"mul.wide.u32 %rd1, %r2, 4; add.s64 %rd2, %rd90, %rd1; add.s64 %rd3, %rd91, %rd1; "
     "ld.global.u32 %r3, [%rd2]; ld.global.u32 %r4, [%rd3];",
     "mmgg"},
    {"mul.wide.u32 %rd1, %r2, %r3; add.s64 %rd2, %rd90, %rd1; add.s64 %rd3, %rd91, %rd1; "
     "ld.global.u32 %r3, [%rd2]; ld.global.u32 %r4, [%rd3];",
     "miiiigg"},
    // addresses of 32 bits: nothing reads the upper half
    {"cvt.rzi.s64.f32 %rd1, %f1; add.s64 %rd2, %rd90, %rd1; ld.shared.u32 %r3, [%rd2];", "smg"},
    {"cvt.s64.s16 %rd1, %rs1; add.s64 %rd2, %rd90, %rd1; ld.shared.u32 %r3, [%rd2];", "img"},
    {"mul.wide.u32 %rd1, %r2, 4; add.s64 %rd2, %rd90, %rd1; ld.shared.u32 %r3, [%rd2];", "mg"},
    {"cvt.s64.s32 %rd1, %r2; shl.b64 %rd3, %rd1, 2; add.s64 %rd2, %rd90, %rd3; "
     "ld.shared.u32 %r3, [%rd2];",
     "mg"},
    {"cvt.s64.s32 %rd1, %r2; shl.b64 %rd3, %rd1, 2; add.s64 %rd2, %rd90, %rd3; "
     "ld.global.u32 %r3, [%rd2];",
     "iiig"},
    {"shl.b32 %r1, %r2, 2; add.s32 %r3, %r1, %r4;", "m"},
    {"add.s64 %rd1, %rd90, 16; ld.global.u32 %r1, [%rd1];", "g"},
    {"add.s64 %rd1, %rd90, 16; st.global.u64 [%rd91], %rd1;", "iig"},
    // a variable of a loop
    {"add.s32 %r1, %r2, 1; mov.u32 %r2, %r1; mov.u32 %r2, 3;", "mi"},
    {"add.s32 %r1, %r2, 1; st.global.u32 [%rd91], %r2; mov.u32 %r2, %r1; mov.u32 %r2, 3;", "mgii"},
    // a result that may come later is not copied at once
    {"atom.shared.add.u32 %r1, [%r2], 1; mov.u32 %r3, %r1; add.u32 %r4, %r3, %r3;", "gmi"},
};

/// Returns a program of `count` random instructions on %r1 to %r8, %f1 to %f8 and %rd1 to %rd4,
/// and on 16 words of shared memory of each thread, with a loop around half of them and branches
/// around some, that stores what it computes.
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
                                       "mov.u32 %r{a}, %tid.x;",
                                       "st.shared.u32 [%r60+{o}], %r{b};",
                                       "st.shared.u32 [%r60+{o}], %r{c};",
                                       "@%p1 st.shared.u32 [%r60+{o}], %r{b};",
                                       "ld.shared.u32 %r{a}, [%r60+{o}];",
                                       "ld.shared.u32 %r{c}, [%r60+{o}];",
                                       "bar.sync 0;"};
  const auto pick = [&](unsigned most) { return std::to_string(1 + random() % most); };
  std::string body =
      ".shared .align 16 .b8 words[2048]; mov.u32 %r61, words; mov.u32 %r62, %tid.x; "
      "mad.lo.u32 %r60, %r62, 64, %r61; mov.u32 %r50, 0; mov.u32 %r1, %tid.x; mov.u32 %r2, 9;\n";
  const auto instruction = [&](std::size_t forms) {
    std::string form = kForms[random() % forms];
    for (const auto& [name, most] :
         {std::pair{"{a}", 8U}, {"{b}", 8U}, {"{c}", 8U}, {"{d}", 4U}, {"{e}", 4U}}) {
      for (std::size_t at; (at = form.find(name)) != std::string::npos;)
        form.replace(at, 3, pick(most));
    }
    if (const std::size_t at = form.find("{o}"); at != std::string::npos)
      form.replace(at, 3, std::to_string(4 * (random() % 16)));
    return form + "\n";
  };
  const auto side = [&] {  // without the barrier, which is the last form
    std::string all;
    for (unsigned left = 1 + random() % 10; left != 0; --left)
      all += instruction(std::size(kForms) - 1);
    return all;
  };
  for (unsigned k = 0; k < count; ++k) {
    if (k == count / 4) body += "LOOP:\n";
    body += instruction(std::size(kForms));
    if (random() % 6 == 0) {
      const std::string number = std::to_string(k), negated = random() % 2 == 0 ? "!" : "";
      const bool two = random() % 3 == 0;
      body += "setp.gt.s32 %p3, %r" + pick(8) + ", 5; @" + negated + "%p3 bra S" + number + ";\n" +
              side() + (two ? "bra E" + number + ";\n" : "") + "S" + number + ":\n" +
              (two ? side() + "E" + number + ":\n" : "");
    }
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

/// Returns the words that a warp stores which executes the program, instruction by instruction.
std::vector<std::uint32_t> wordsOf(const std::string& body, MachineLevel code) {
  ExecutorOptions options;
  options.code = code;
  Bench bench(kernelText(body), "k", options);
  const std::uint64_t out = bench.output<std::uint32_t>(32 * 16);
  bench.steps();
  return bench.values<std::uint32_t>(out, 32 * 16);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(machine_code)

// Sums go to the units that have less to do in their block: those for integers, or those for
// multiply-adds, which take floats, too.
BOOST_AUTO_TEST_CASE(sums_go_where_less_is_to_do) {
  const auto countOf = [](const std::string& body, char letter) {
    const std::string letters = lettersOf("bra L; L: " + body);
    return std::count(letters.begin(), letters.end(), letter);
  };
  std::string sums, logic, floats;
  for (unsigned k = 1; k <= 8; ++k) {
    const std::string number = std::to_string(k);
    sums += "add.s32 %r" + number + ", %r20, %r" + std::to_string(20 + k) + "; ";
    logic += "xor.b32 %r" + std::to_string(40 + k) + ", %r30, %r31; ";
    floats += "mul.f32 %f" + number + ", %f20, %f21; ";
  }
  BOOST_TEST(countOf(sums, 'i') == 4);
  BOOST_TEST(countOf(sums, 'm') == 4);
  BOOST_TEST(countOf(logic + sums, 'm') == 8);
  BOOST_TEST(countOf(floats + sums, 'i') == 6);  // a float takes half the time
  BOOST_TEST(countOf("add.cc.u32 %r1, %r2, %r3; addc.u32 %r4, %r5, %r6; " + logic, 'm') == 0);
}

BOOST_DATA_TEST_CASE(instructions_become_those_of_the_machine, bdata::make(kRows), row) {
  BOOST_TEST(lettersOf(row.body) == row.letters);
}

// Blocks stand in the order in which ptxas schedules them, in outline.
BOOST_AUTO_TEST_CASE(loads_begin_early_and_chains_overlap) {
  BOOST_TEST(orderOf("ld.global.u32 %r1, [%rd91]; mul.hi.u32 %r2, %r1, 5; ld.global.u32 %r3, "
                     "[%rd91+8]; mul.hi.u32 %r4, %r3, 5; st.global.u32 [%rd91], %r2; "
                     "st.global.u32 [%rd91+4], %r4;") == "ld ld mul mul st st");
  // MUFU of the second square root before what follows that of the first
  const std::string roots = orderOf(
      "ex2.approx.f32 %f1, %f8; ex2.approx.f32 %f2, %f9; "
      "st.global.f32 [%rd91], %f1; st.global.f32 [%rd91+4], %f2;");
  BOOST_TEST(roots == "ex2 ex2 ex2 ex2 ex2 ex2 ex2 ex2 st st");
  const auto module =
      parse(kernelText("\n\nex2.approx.f32 %f1, %f8; ex2.approx.f32 %f2, %f9;"), "s");
  const MachineCode& code = module->kernel("k").machineCode();
  std::string letters;
  eachOf(module->kernel("k"), [&](std::uint32_t at, const CodeText&) {
    letters += letterOf(code.statics[at].instructionClass);
  });
  BOOST_TEST(letters.find("ss") != std::string::npos, letters);
}

// A counter changes in its own register, so it may pass a barrier; a new value may not.
BOOST_AUTO_TEST_CASE(values_behind_a_barrier_wait_for_it) {
  BOOST_TEST(orderOf("bar.sync 0; mul.hi.u32 %r3, %r1, %r2; st.shared.u32 [%r1], %r3; "
                     "st.shared.u32 [%r1+4], %r2;") == "bar mul st st");
  BOOST_TEST(orderOf("bar.sync 0; add.u32 %r4, %r4, 1; st.shared.u32 [%r1], %r4;") == "add bar st");
}

BOOST_AUTO_TEST_CASE(nothing_passes_what_it_must_not) {
  const auto stays = [](const std::string& body, const std::string& order) {
    BOOST_TEST(orderOf(body) == order);
  };
  // a load may read what is stored before it
  stays(
      "ld.global.u32 %r9, [%rd91]; st.shared.u32 [%r1], %r9; ld.shared.u32 %r2, [%r3]; "
      "st.global.u32 [%rd91], %r2;",
      "ld st ld st");
  stays(
      "ld.global.u32 %r9, [%rd91]; st.shared.u32 [%r1], %r9; bar.sync 0; ld.shared.u32 %r2, "
      "[%r3]; st.global.u32 [%rd91], %r2;",
      "ld st bar ld st");
  // a store that is ready waits for a load before it, which may read its word
  stays(
      "ld.global.u32 %r9, [%rd91]; ld.shared.u32 %r2, [%r9]; st.shared.u32 [%r1], %r5; "
      "st.global.u32 [%rd91], %r2;",
      "ld ld st st");
  // the time between two readings of the clock is that of what stands between them
  stays(
      "mov.u32 %r1, %clock; mul.hi.u32 %r2, %r5, %r6; mov.u32 %r3, %clock; mul.hi.u32 %r4, %r7, "
      "%r8;",
      "mov mul mov mul");
  // the value of before
  stays(
      "ld.global.u32 %r1, [%rd91]; st.global.u32 [%rd91+4], %r1; ld.global.u32 %r1, [%rd91+8]; "
      "st.global.u32 [%rd91+12], %r1;",
      "ld st ld st");
}

BOOST_AUTO_TEST_CASE(guards_have_registers_of_their_own) {
  const auto module =
      parse(kernelText("\n\nsetp.lt.s32 %p1, %r1, %r2; @%p1 bra A; bra.uni B; A: "
                       "atom.global.add.u32 %r4, [%rd91], %r1; B: selp.b32 %r3, 1, 2, %p1; "
                       "st.global.u32 [%rd91], %r3;"),
            "s");
  const Kernel& kernel = module->kernel("k");
  const MachineCode& code = kernel.machineCode();
  const StaticInstruction *compares = nullptr, *branches = nullptr, *selects = nullptr;
  unsigned count = 0;
  eachOf(kernel, [&](std::uint32_t at, const CodeText& text) {
    const StaticInstruction& one = code.statics[at];
    if (text.opcode.substr(0, 4) == "setp") compares = &one;
    if (text.opcode.substr(0, 4) == "selp") selects = &one;
    if (one.instructionClass != InstructionClass::Branch) return;
    branches = &one;
    ++count;
  });
  BOOST_TEST_REQUIRE((compares != nullptr && branches != nullptr && selects != nullptr));
  BOOST_TEST(count == 1U);  // the machine lets one of both ways fall through
  BOOST_TEST(compares->guard != StaticInstruction::kNoGuard);
  BOOST_TEST(branches->reads[0] == compares->guard);
  BOOST_TEST(selects->reads[selects->readCount - 1] == compares->writes[0]);
  BOOST_TEST(compares->guard < code.registerCount);
}

// Instructions that cost nothing, or several, compute the values of PTX all the same.
BOOST_DATA_TEST_CASE(random_programs_compute_what_ptx_says, bdata::xrange(100), seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  const std::string body = randomBody(random, 8 + seed);
  BOOST_TEST(wordsOf(body, MachineLevel::Sass) == wordsOf(body, MachineLevel::Ptx),
             boost::test_tools::per_element());
}

// Data of tensor memory, which the scoreboard does not know, are there behind the wait.
BOOST_AUTO_TEST_CASE(data_of_tensor_memory_are_waited_for) {
  std::string body =
      ".reg .b32 %v<40>; .shared .align 4 .b32 slot; mov.u32 %r5, slot; "
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], 32; ld.shared.u32 %r7, "
      "[%r5]; mul.lo.u32 %v0, %r90, 3; ";
  for (unsigned k = 1; k < 8; ++k)
    body += "add.u32 %v" + std::to_string(k) + ", %v0, " + std::to_string(k) + "; ";
  body +=
      "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r7], {%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}; "
      "tcgen05.wait::st.sync.aligned; tcgen05.ld.sync.aligned.32x32b.x8.b32 {%v10, %v11, %v12, "
      "%v13, %v14, %v15, %v16, %v17}, [%r7]; tcgen05.wait::ld.sync.aligned; add.u32 %r10, %v10, "
      "%v11; ";
  for (unsigned k = 12; k < 18; ++k) body += "add.u32 %r10, %r10, %v" + std::to_string(k) + "; ";
  body +=
      "mul.lo.u32 %r11, %r10, 5; mul.lo.u32 %r12, %r11, %r10; mul.lo.u32 %r13, %r12, %r10; "
      "mul.wide.u32 %rd1, %r90, 4; add.s64 %rd2, %rd91, %rd1; st.global.u32 [%rd2], %r13; "
      "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r7, 32;";
  const auto words = wordsOf(body, MachineLevel::Sass);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t sum = 24 * lane + 28;
    BOOST_TEST(words[lane] == 5 * sum * sum * sum);
  }
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
