// Facts that the timing model gets: classes, spaces, scoreboard registers, register pressure,
// layout.

#include <fermata/stimuli/ptx/execution_counts.h>
#include <fermata/stimuli/ptx/used_variables.h>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

/// Returns the decoded form of one statement after the prologue of kernelText.
StaticInstruction only(const std::string& statement) {
  const auto module = parse(kernelText("DONE: " + statement), "s.ptx");
  const Kernel& kernel = module->kernel("k");
  std::uint32_t pc = 0;
  while (kernel.text(pc).ptxLine < 9) ++pc;
  return kernel.staticInstruction(pc);
}

struct Row {
  std::string statement;
  InstructionClass instructionClass;
  MemorySpace space;
  MemoryOperation operation;
  unsigned bytes, reads, writes;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_AUTO_TEST_CASE(classes) {
  using C = InstructionClass;
  using S = MemorySpace;
  using O = MemoryOperation;
  const std::vector<Row> rows = {
      {"add.s32 %r1, %r2, %r3;", C::Integer, S::None, O::Load, 0, 2, 1},
      {"add.s32 %r1, %r1, 1;", C::Integer, S::None, O::Load, 0, 1, 1},
      {"@%p1 add.s32 %r1, %r2, %r3;", C::Integer, S::None, O::Load, 0, 3, 1},
      {"mad.lo.s32 %r1, %r2, %r3, %r4;", C::Integer, S::None, O::Load, 0, 3, 1},
      {"addc.cc.u32 %r1, %r2, %r3;", C::Integer, S::None, O::Load, 0, 3, 2},
      {"setp.lt.s32 %p1|%p2, %r2, %r3;", C::Integer, S::None, O::Load, 0, 2, 2},
      {"selp.b32 %r1, %r2, %r3, %p1;", C::Integer, S::None, O::Load, 0, 3, 1},
      {"mov.u32 %r1, %tid.x;", C::Integer, S::None, O::Load, 0, 0, 1},
      {"cvt.rn.f32.s32 %f1, %r1;", C::Integer, S::None, O::Load, 0, 1, 1},
      {"div.u32 %r1, %r2, %r3;", C::Division, S::None, O::Load, 0, 2, 1},
      {"rem.s64 %rd1, %rd2, %rd3;", C::Division, S::None, O::Load, 0, 2, 1},
      {"neg.f64 %fd1, %fd2;", C::Integer, S::None, O::Load, 0, 1, 1},
      {"abs.f64 %fd1, %fd2;", C::Integer, S::None, O::Load, 0, 1, 1},
      {"copysign.f64 %fd1, %fd2, %fd3;", C::Integer, S::None, O::Load, 0, 2, 1},
      {"neg.f32 %f1, %f2;", C::Float, S::None, O::Load, 0, 1, 1},
      {"fma.rn.f32 %f1, %f2, %f3, %f4;", C::Float, S::None, O::Load, 0, 3, 1},
      {"add.rz.f32 %f1, %f2, %f3;", C::Float, S::None, O::Load, 0, 2, 1},
      {"add.f32x2 %rd1, %rd2, %rd3;", C::Float, S::None, O::Load, 0, 2, 1},
      {"fma.rp.f32x2 %rd1, %rd2, %rd3, %rd4;", C::Float, S::None, O::Load, 0, 3, 1},
      {"max.f32 %f1, %f2, %f3;", C::Float, S::None, O::Load, 0, 2, 1},
      {"sin.approx.f32 %f1, %f2;", C::Special, S::None, O::Load, 0, 1, 1},
      {"div.rn.f32 %f1, %f2, %f3;", C::Special, S::None, O::Load, 0, 2, 1},
      {"sqrt.rn.f32 %f1, %f2;", C::Special, S::None, O::Load, 0, 1, 1},
      {"rcp.approx.ftz.f32 %f1, %f2;", C::Special, S::None, O::Load, 0, 1, 1},
      {"mul.f64 %fd1, %fd2, %fd3;", C::Double, S::None, O::Load, 0, 2, 1},
      {"rcp.rn.f64 %fd1, %fd2;", C::Double, S::None, O::Load, 0, 1, 1},
      {"@%p1 bra DONE;", C::Branch, S::None, O::Load, 0, 1, 0},
      {"bar.sync 0;", C::Barrier, S::None, O::Load, 0, 0, 0},
      {"exit;", C::Exit, S::None, O::Load, 0, 0, 0},
      {"ld.param.u32 %r1, [n];", C::Memory, S::Parameter, O::Load, 4, 0, 1},
      {"ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", C::Memory, S::Global, O::Load, 16, 1, 4},
      {"ld.const.u16 %rs1, [%rd1];", C::Memory, S::Constant, O::Load, 2, 1, 1},
      {"ld.u32 %r1, [%rd1];", C::Memory, S::Generic, O::Load, 4, 1, 1},
      {"ld.local.u64 %rd2, [%rd1];", C::Memory, S::Local, O::Load, 8, 1, 1},
      {"@!%p1 st.shared.v4.u32 [%r9], {%r1, %r2, %r3, %r4};", C::Memory, S::Shared, O::Store, 16, 6,
       0},
      {"st.shared.v2.u32 [%r9], {%r1, %r1};", C::Memory, S::Shared, O::Store, 8, 2, 0},
      {"atom.shared.cas.b32 %r1, [%r9], %r2, %r3;", C::Memory, S::Shared, O::Atomic, 4, 3, 1},
      {"red.global.add.u32 [%rd1], %r2;", C::Memory, S::Global, O::Atomic, 4, 2, 0},
  };
  for (const Row& row : rows) {
    const StaticInstruction got = only(row.statement);
    BOOST_TEST_CONTEXT(row.statement) {
      BOOST_TEST((got.instructionClass == row.instructionClass));
      BOOST_TEST((got.space == row.space));
      BOOST_TEST((got.operation == row.operation));
      BOOST_TEST(got.bytesPerLane == row.bytes);
      BOOST_TEST(got.readCount == row.reads);
      BOOST_TEST(got.writeCount == row.writes);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_address_is_known_to_be_in_a_register) {
  const auto module = parse(
      moduleText(".global .u32 sum; .visible .entry first() { ret; } .entry k() { .reg .b32 %r<4>; "
                 ".reg .b64 %rd<2>; atom.global.add.u32 %r1, [%rd1], %r2; atom.global.add.u32 %r1, "
                 "[sum], %r2; }"),
      "a.ptx");
  const Kernel& kernel = module->kernel("k");
  BOOST_TEST(kernel.staticInstruction(0).addressRead);
  BOOST_TEST(kernel.staticInstruction(0).readCount == 2U);
  BOOST_TEST(!kernel.staticInstruction(1).addressRead);
  BOOST_TEST(kernel.instructionsBefore() == 1U);
  BOOST_TEST(module->kernel("first").instructionsBefore() == 0U);
}

BOOST_AUTO_TEST_CASE(registers_are_dense_and_distinct) {
  const auto module =
      parse(moduleText(
                ".entry k() { .reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .pred %p<3>; add.u32 %r1, "
                "%r7, %r8; add.u64 %rd1, %rd1, 1; setp.eq.u32 %p1, %r1, 0; @%p1 mov.u32 %r1, 1; }"),
            "r.ptx");
  const Kernel& kernel = module->kernel("k");
  BOOST_TEST(kernel.registerCount() == 5U);
  const StaticInstruction& add = kernel.staticInstruction(0);
  const StaticInstruction& compare = kernel.staticInstruction(2);
  const StaticInstruction& move = kernel.staticInstruction(3);
  BOOST_TEST(add.writes[0] == compare.reads[0]);
  BOOST_TEST(compare.writes[0] == move.reads[0]);
  BOOST_TEST(move.writes[0] == add.writes[0]);
  for (std::uint32_t pc = 0; pc < kernel.instructionCount(); ++pc) {
    BOOST_TEST(kernel.staticInstruction(pc).pc == pc);
    for (unsigned k = 0; k < kernel.staticInstruction(pc).readCount; ++k)
      BOOST_TEST(kernel.staticInstruction(pc).reads[k] < kernel.registerCount());
  }
}

BOOST_AUTO_TEST_CASE(register_pressure) {
  const auto pressure = [](const std::string& body) {
    return parse(moduleText(".entry k(.param .u64 a) { .reg .b32 %r<99>; .reg .b64 %rd<9>; .reg "
                            ".pred %p<9>; .reg .f64 %fd<9>; ld.param.u64 %rd1, [a];" +
                            body + "}"),
                 "p.ptx")
               ->kernel("k")
               .registersPerThread() -
           Kernel::kReservedRegisters;
  };
  BOOST_TEST(pressure("ret;") ==
             2U);  // even if nobody reads it, a 64-bit result still needs its registers
  BOOST_TEST(
      pressure(
          "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4]; ld.global.u32 %r3, [%rd1+8]; "
          "add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; st.global.u32 [%rd1], %r1;") == 5U);
  // Loading the same values one after another needs fewer registers.
  BOOST_TEST(
      pressure("ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4]; add.u32 %r1, %r1, %r2; "
               "ld.global.u32 %r3, [%rd1+8]; add.u32 %r1, %r1, %r3; st.global.u32 [%rd1], %r1;") ==
      4U);
  BOOST_TEST(pressure("ld.global.f64 %fd1, [%rd1]; add.f64 %fd2, %fd1, %fd1; mul.f64 %fd1, %fd1, "
                      "%fd2; st.global.f64 [%rd1], %fd1;") == 6U);
  // Values live around a loop need registers; predicates do not count.
  BOOST_TEST(pressure("mov.u32 %r1, 0; mov.u32 %r2, 9; L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, "
                      "%r1, 5; @%p1 bra L; add.u32 %r1, %r1, %r2; st.global.u32 [%rd1], %r1;") ==
             4U);
  // A guarded write does not end the old value's life.
  BOOST_TEST(
      pressure("mov.u32 %r1, 0; ld.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0; ld.global.u32 "
               "%r3, [%rd1]; @%p1 mov.u32 %r1, %r3; st.global.u32 [%rd1], %r1;") == 4U);
}

BOOST_AUTO_TEST_CASE(shared_layout) {
  const auto module = parse(moduleText(R"(
.shared .align 4 .b8 unused[4096];
.shared .align 4 .b8 first[10];
.shared .align 16 .b8 second[4];
.func f() { .shared .align 8 .b8 own[8]; .reg .b32 a; mov.u32 a, own; ret; }
.entry k() { .reg .b32 a; .shared .b64 third; mov.u32 a, third; mov.u32 a, second; mov.u32 a, first; call f; }
.entry none() { ret; })"),
                            "s.ptx");
  // In order of declaration: first 0..9, second 16..19, own of f 24..31, third 32..39.
  BOOST_TEST(module->kernel("k").staticSharedBytes() == 40U);
  BOOST_TEST(module->kernel("none").staticSharedBytes() == 0U);
  BOOST_TEST(!module->kernel("k").usesDynamicShared());
}

BOOST_AUTO_TEST_CASE(an_entry_uses_what_it_and_its_calls_name) {
  const auto ast = parseSyntax(moduleText(R"(
.shared .u32 last;
.global .u32 table;
.shared .u32 unused;
.func g() { .reg .b32 a; mov.u32 a, table; ret; }
.func other() { .reg .b32 a; mov.u32 a, unused; ret; }
.func f() { .shared .u32 own; .reg .b32 a; mov.u32 a, own; call g; ret; }
.entry k() { .reg .b32 a; call f; mov.u32 a, last; ret; }
.entry unrelated() { .reg .b32 a; mov.u32 a, unused; ret; })"),
                               "u.ptx");
  const auto& functions = ast->functions;
  const UsedVariables used = usedVariables(*ast, *functions[3]);
  const std::vector<const Variable*> variables = {ast->variables[0].get(), ast->variables[1].get()};
  const std::vector<const Function*> walked = {functions[0].get(), functions[2].get(),
                                               functions[3].get()};
  BOOST_TEST((used.ofModule == variables));
  BOOST_TEST((used.functions == walked));
  BOOST_TEST(used.all.size() == 3U);  // includes f's `own`
}

BOOST_AUTO_TEST_CASE(guarded_off_instructions_still_issue) {
  Bench bench(kernelText("setp.eq.u32 %p1, 0, 1; @%p1 st.u32 [%rd90], 1; @%p1 bar.sync 0;"));
  unsigned idle = 0;
  for (const auto& [known, out] : bench.steps()) {
    if (out.active != 0) continue;
    ++idle;
    BOOST_TEST((out.space == MemorySpace::Global || out.space == MemorySpace::None));
  }
  BOOST_TEST(idle == 2U);
}

BOOST_AUTO_TEST_CASE(an_executor_runs_launch_after_launch) {
  const auto module = parse(moduleText(R"(.global .u32 total;
.entry k(.param .u32 n) { .reg .b32 a; .shared .b32 s; ld.param.u32 a, [n]; red.shared.add.u32 [s], a; bar.sync 0; ld.shared.u32 a, [s]; red.global.add.u32 [total], a; })"),
                            "a.ptx");
  DeviceMemory memory;
  Executor executor(4, memory);
  Launch launch;
  launch.kernel = &module->kernel("k");
  launch.grid.x = 3;
  launch.block.x = 2;
  launch.parameters = {5, 0, 0, 0};
  runFunctionally(executor, launch);
  launch.parameters[0] = 1;
  runFunctionally(executor, launch);
  std::uint32_t total = 0;
  memory.read(executor.symbolAddress(*module, "total"), &total, sizeof total);
  BOOST_TEST(total == 3U * 2 * (2 * 5 + 2 * 1));
  BOOST_TEST(executor.instructionsExecuted() == 3U * 6);
}

// Counts tell launches apart; CTAs behind those that ended elsewhere can be run alone.
BOOST_AUTO_TEST_CASE(an_execution_is_counted) {
  const auto module = parse(moduleText(R"(.global .u32 total;
.entry k() { .reg .b32 a, b; .shared .b32 s[64]; mov.u32 a, %tid.x; shl.b32 a, a, 3; mov.u32 b, s; add.u32 a, a, b; st.shared.u32 [a], a; ld.global.u32 a, [total]; red.global.add.u32 [total], 1; })"),
                            "a.ptx");
  DeviceMemory memory;
  Executor executor(4, memory);
  Launch launch;
  launch.kernel = &module->kernel("k");
  launch.grid.x = 5;
  launch.block.x = 24;
  ExecutionCounts whole, rest;
  runCounted(executor, launch, whole);
  BOOST_TEST(whole.instructions() == executor.instructionsExecuted());
  BOOST_TEST(whole.lanes == 24 * whole.instructions());
  BOOST_TEST(whole.shared[static_cast<unsigned>(MemoryOperation::Store)] == 5U);
  BOOST_TEST(whole.banks == 5U * 16);  // every other bank
  BOOST_TEST(whole.global == 5U * 2);
  BOOST_TEST(whole.sectors == 0U);
  executor.begin(launch);
  runRest(executor, 3, rest);
  BOOST_TEST(5 * rest.instructions() == 2 * whole.instructions());
  std::uint32_t total = 0;
  memory.read(executor.symbolAddress(*module, "total"), &total, sizeof total);
  BOOST_TEST(total == (5U + 2) * 24);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
