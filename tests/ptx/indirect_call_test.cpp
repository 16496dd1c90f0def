// Branches through a table, calls by address, recursion: lanes that go different ways.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

std::vector<Word> results(const std::string& body, const std::string& items, Word n = 0,
                          std::size_t count = 32) {
  RunOptions options;
  options.block.x = static_cast<Word>(count);
  options.n = n;
  return runBody<Word>("mad.wide.u32 %rd2, %r92, 4, %rd91;" + body + " st.global.u32 [%rd2], %r2;",
                       count, options, items);
}

std::string failure(const std::string& body, const std::string& items = "",
                    const ExecutorOptions& executor = {}) {
  return errorOf([&] {
    RunOptions options;
    options.executor = executor;
    runBody<Word>(body, 32, options, items);
  });
}

const std::string kFunctions = R"(
.func (.param .b32 r) twice(.param .b32 a, .param .b64 b);
.func (.param .b32 r) square(.param .b32 a, .param .b64 b);
.func (.param .b32 r) tid(.param .b32 a, .param .b64 b);
.func other(.param .b64 a);
.extern .func (.param .b32 r) nobody(.param .b32 a, .param .b64 b);
.global .align 8 .u64 table[5] = {twice, square, tid, other, nobody};
.global .align 8 .b8 bytes[8] = {0xFF(square), 0xFF00(square), 0xFF0000(square), 0xFF000000(square), 0xFF00000000(square), 0xFF0000000000(square), 0xFF000000000000(square), 0xFF00000000000000(square)};
.func (.param .b32 r) twice(.param .b32 a, .param .b64 b) { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;
ld.param.b32 %r1, [a]; ld.param.b64 %rd1, [b]; cvt.u32.u64 %r2, %rd1; setp.gt.u32 %p1, %r1, 20; @%p1 bra BIG; add.u32 %r1, %r1, %r1; BIG: add.u32 %r1, %r1, %r2; st.param.b32 [r], %r1; ret; }
.func (.param .b32 r) square(.param .b32 a, .param .b64 b) { .reg .b32 %r<9>; .local .align 8 .b8 own[16];
ld.param.u32 %r1, [a]; st.local.u32 [own+4], %r1; ld.local.u32 %r2, [own+4]; mul.lo.u32 %r1, %r1, %r2; st.param.b32 [r], %r1; ret; }
.func (.param .b32 r) tid(.param .b32 a, .param .b64 b) { .reg .b32 %r<9>; mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r1, %r1, 1000, %r2; st.param.b32 [r], %r1; ret; }
.func other(.param .b64 a) { ret; }
)";

/// Calls the function at address %rd5 with %r90 and 7, in lanes with %p9; the result is in %r2.
const std::string kCall = R"(
{ .param .b32 p0; .param .b64 p1; .param .b32 rv; st.param.b32 [p0+0], %r90; st.param.b64 [p1+0], 7;
proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);
@%p9 call (rv), %rd5, (p0, p1), proto; ld.param.b32 %r2, [rv+0]; }
)";

/// Returns code that calls entry `index` (it sets %r1) of the table, in all lanes but 31.
std::string through(const std::string& index) {
  return index +
         " setp.ne.u32 %p9, %r90, 31; mov.u64 %rd6, table; mad.wide.u32 %rd6, %r1, 8, %rd6; "
         "ld.global.u64 %rd5, [%rd6];" +
         kCall;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(indirect)

BOOST_AUTO_TEST_CASE(branches_through_a_table_part_and_meet) {
  const std::string body = R"(
mov.u32 %r2, 5; rem.u32 %r1, %r90, 5; setp.ne.u32 %p1, %r90, 9;
where: .branchtargets A, B, C, A, JOIN;
@%p1 brx.idx %r1, where; add.u32 %r2, %r2, 100000; bra JOIN;
A: add.u32 %r2, %r2, 10; bra JOIN;
B: add.u32 %r2, %r2, 200; setp.lt.u32 %p2, %r90, 7; @%p2 bra C; bra JOIN;
C: add.u32 %r2, %r2, 3000;
JOIN: activemask.b32 %r3; setp.ne.b32 %p3, %r3, -1; @%p3 trap;)";
  const auto out = results(body, "");
  for (Word k = 0; k < 32; ++k) {
    const Word side = k % 5;
    Word wanted = 5;
    if (k == 9) wanted += 100000;
    if (k != 9 && (side == 0 || side == 3)) wanted += 10;
    if (k != 9 && side == 1) wanted += k < 7 ? 3200 : 200;
    if (side == 2) wanted += 3000;
    BOOST_TEST(out[k] == wanted);
  }
  expect(failure("add.u32 %r1, %r90, 1; L: .branchtargets A, B; brx.idx %r1, L; A: B:"),
         {"a branch to target 2; expected 0 to 1", "lane 1"});
}

BOOST_AUTO_TEST_CASE(calls_by_address_part_and_meet) {
  const auto out = results(
      through("rem.u32 %r1, %r90, 3;") + "activemask.b32 %r3; setp.ne.b32 %p3, %r3, -1; @%p3 trap;",
      kFunctions);
  for (Word k = 0; k < 31; ++k) {
    const Word twice = (k > 20 ? k : 2 * k) + 7;
    BOOST_TEST(out[k] == (k % 3 == 0 ? twice : k % 3 == 1 ? k * k : 1000 * k + 32));
  }
  BOOST_TEST(out[31] == 0U);  // its guard is off
  const auto byBytes = results(
      "setp.eq.u32 %p9, 1, 1; mov.u64 %rd6, bytes; ld.global.u64 %rd5, [%rd6]; mov.u64 %rd7, "
      "square; setp.ne.u64 %p3, %rd5, %rd7; @%p3 trap;" +
          kCall,
      kFunctions);
  for (Word k = 0; k < 32; ++k) BOOST_TEST(byBytes[k] == k * k);
}

BOOST_AUTO_TEST_CASE(addresses_of_nothing_that_fits) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {through("mov.u32 %r1, 3;"), "'other' does not fit the prototype of the call"},
      {through("mov.u32 %r1, 4;"), "'nobody' is declared but not defined"},
      {"setp.eq.u32 %p9, %r90, 5; mov.u64 %rd5, 0;" + kCall,
       "an indirect call of 0x0, where there"},
      {"setp.eq.u32 %p9, %r90, 5; mov.u64 %rd5, table;" + kCall, "where there is no function"},
      {"setp.eq.u32 %p9, %r90, 5; mov.u64 %rd5, tid; add.u64 %rd5, %rd5, 4;" + kCall,
       "where there is no function"},
  };
  for (const auto& [body, message] : table) {
    expect(failure(body, kFunctions),
           {message, "kernel 'k'", body[0] == 's' ? "lane 5" : "lane 0"});
  }
}

// A listed target is called even if nothing else takes its address; its parameters are registers.
BOOST_AUTO_TEST_CASE(listed_targets_and_registers) {
  const auto out = results(R"(
which: .calltargets inc, dec; setp.lt.u32 %p1, %r90, 9; mov.u64 %rd5, inc; mov.u64 %rd6, dec;
selp.b64 %rd5, %rd5, %rd6, %p1; cvt.u64.u32 %rd7, %r90; call (%rd8), %rd5, (%rd7, 3), which; cvt.u32.u64 %r2, %rd8;)",
                           ".func (.reg .u64 r) inc(.reg .u64 a, .reg .u16 b) { .reg .u64 t; "
                           "cvt.u64.u16 t, b; add.u64 r, a, t; ret; }\n"
                           ".func (.reg .u64 r) dec(.reg .u64 a, .reg .u16 b) { .reg .u64 t; "
                           "cvt.u64.u16 t, b; sub.u64 r, a, t; }\n");
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[k] == (k < 9 ? k + 3 : k - 3));
}

// Fibonacci numbers: each call has its own array, and the depth differs from lane to lane.
BOOST_AUTO_TEST_CASE(functions_that_call_themselves) {
  const std::string items = R"(
.func (.param .b32 r) fib(.param .b32 n) { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>; .local .align 16 .b8 own[16];
ld.param.b32 %r1, [n]; setp.lt.u32 %p1, %r1, 2; @%p1 bra SMALL; mov.u64 %rd1, own; cvta.local.u64 %rd2, %rd1; st.u32 [%rd2+8], %r1; sub.u32 %r2, %r1, 1;
{ .param .b32 p; .param .b32 q; st.param.b32 [p], %r2; call.uni (q), fib, (p); ld.param.b32 %r3, [q]; }
ld.local.u32 %r4, [own+8]; sub.u32 %r4, %r4, 2; { .param .b32 p; .param .b32 q; st.param.b32 [p], %r4; call (q), fib, (p); ld.param.b32 %r5, [q]; }
add.u32 %r3, %r3, %r5; st.param.b32 [r], %r3; ret; SMALL: st.param.b32 [r], %r1; ret; })";
  const auto out = results(
      "rem.u32 %r1, %r90, 13; { .param .b32 p; .param .b32 q; st.param.b32 [p], %r1; call (q), "
      "fib, (p); ld.param.b32 %r2, [q]; }",
      items, 0, 64);
  std::vector<Word> fib = {0, 1};
  while (fib.size() < 13) fib.push_back(fib[fib.size() - 1] + fib[fib.size() - 2]);
  for (Word k = 0; k < 64; ++k) BOOST_TEST(out[k] == fib[k % 13]);
}

BOOST_AUTO_TEST_CASE(recursion_that_does_not_end) {
  const std::string deep =
      ".func f(.reg .u32 a) { .local .b32 x; .reg .u32 t; add.u32 t, a, 1; st.local.u32 [x], t; "
      "call f, (t); ret; }";
  ExecutorOptions options;
  options.stackBytes = 256;
  expect(failure("call f, (%r90);", deep, options),
         {"stack overflow: 'f', 16 calls deep, needs 276 bytes of local memory; a thread has 260"});
  expect(failure("call f;", ".func g(); .func f() { call g; } .func g() { call f; }"),
         {"stack overflow: 'f', 4096 calls deep, needs 65552 bytes"});
  expect(failure("call f;", ".func f() { call f; ret; }"),
         {"stack overflow: 'f', 4096 calls deep, needs 65552 bytes"});
}

// The largest stack that fits: 16 SMs have 768 warps.
BOOST_AUTO_TEST_CASE(recursion_with_many_warps) {
  const std::string sum =
      ".func (.reg .u32 r) sum(.reg .u32 n) { .reg .pred p; .reg .u32 t; mov.u32 r, n; setp.eq.u32 "
      "p, n, 0; @p ret; sub.u32 t, n, 1; call (t), sum, (t); add.u32 r, r, t; ret; }";
  for (const std::uint32_t stack : {65536U, 0x08000000U}) {
    ExecutorOptions options;
    options.stackBytes = stack;
    Bench bench(kernelText("add.u32 %r1, %r90, 2000; call (%r2), sum, (%r1); mad.wide.u32 %rd2, "
                           "%r92, 4, %rd91; st.global.u32 [%rd2], %r2;",
                           sum),
                "k", options);
    bench.executor.setWarpSlots(768);
    const std::uint64_t out = bench.output<Word>(32);
    bench.run();
    const auto sums = bench.values<Word>(out, 32);
    for (Word k = 0; k < 32; ++k) BOOST_TEST(sums[k] == (2000 + k) * (2001 + k) / 2);
  }
}

// Each function calls all of them, itself too: none is inlined in more than one place.
BOOST_AUTO_TEST_CASE(functions_that_all_call_each_other) {
  constexpr int kFunctions = 10;
  std::string items;
  for (int k = 0; k < kFunctions; ++k)
    items += ".func (.reg .u32 r) f" + std::to_string(k) + "(.reg .u32 n);\n";
  for (int k = 0; k < kFunctions; ++k) {
    items += ".func (.reg .u32 r) f" + std::to_string(k) +
             "(.reg .u32 n) { .reg .pred p; .reg .u32 t; mov.u32 r, " + std::to_string(k) +
             "; setp.eq.u32 p, n, 0; @p ret; sub.u32 n, n, 1; ";
    for (int other = 0; other < kFunctions; ++other)
      items += "call (t), f" + std::to_string(other) + ", (n); add.u32 r, r, t; ";
    items += "ret; }\n";
  }
  const auto out = results("rem.u32 %r1, %r90, 3; call (%r2), f4, (%r1);", items);
  for (Word k = 0; k < 32; ++k) {
    const Word expected[] = {4, 4 + 45, 4 + 45 + 10 * 45};
    BOOST_TEST(out[k] == expected[k % 3]);
  }
}

// `switch (..) { case 0: ..; return; }` before a barrier, with either lane first.
BOOST_AUTO_TEST_CASE(an_early_return_in_a_switch) {
  for (const std::string number :
       {"rem.u32 %r1, %r90, 3;", "rem.u32 %r1, %r90, 3; sub.u32 %r1, 2, %r1;"}) {
    const auto out = results(number +
                                 " T: .branchtargets GO, OUT, GO; brx.idx %r1, T; OUT: mov.u32 "
                                 "%r2, 7; st.global.u32 [%rd2], %r2; bra END; GO: bar.sync 0; "
                                 "mov.u32 %r2, 9; st.global.u32 [%rd2], %r2; END: ret;",
                             "", 0, 64);
    for (Word k = 0; k < 64; ++k) BOOST_TEST(out[k] == (k % 3 == 1 ? 7U : 9U));
  }
}

// An atomic ends a function: its lanes still act one by one after all have left the function.
BOOST_AUTO_TEST_CASE(an_atomic_at_the_end_of_a_function) {
  Bench bench(kernelText(
      "mov.u64 %rd5, last; add.u32 %r1, %r90, 1; { .param .b64 a; .param .b32 b; st.param.b64 "
      "[a], %rd91; st.param.b32 [b], %r1; y: .callprototype _ (.param .b64 _, .param .b32 _); "
      "call %rd5, (a, b), y; }",
      ".func last(.param .b64 a, .param .b32 b) { .reg .b64 %rd<3>; .reg .b32 %r<3>; "
      "ld.param.b64 %rd1, [a]; ld.param.b32 %r1, [b]; red.global.add.u32 [%rd1], %r1; }"));
  const std::uint64_t out = bench.output<Word>(1);
  bench.executor.begin(bench.launch);
  bench.executor.startCta(0, 0);
  WarpInstruction done;
  while (const StaticInstruction* next = bench.executor.peek(0)) {
    if (next->space != MemorySpace::Global) {
      bench.executor.execute(0, done);
      continue;
    }
    bench.executor.beginAtomic(0, done);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      bench.executor.updateAtomic(0, LaneMask{1} << lane, done);
  }
  BOOST_TEST(bench.values<Word>(out, 1)[0] == 32 * 33 / 2U);
}

// Barriers in called functions, with lanes that have returned early.
BOOST_AUTO_TEST_CASE(barriers_in_called_functions) {
  const std::string items = R"(
.shared .b32 s[64];
.func sync(.param .b32 a) { .reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.b32 %r1, [a]; mov.u32 %r2, %tid.x; shl.b32 %r3, %r2, 2; mov.u32 %r4, s; add.u32 %r3, %r3, %r4; st.shared.u32 [%r3], %r1; bar.sync 0; ret; }
.global .u64 f = sync;
)";
  const auto out = results(R"(
mov.u64 %rd5, f; ld.global.u64 %rd5, [%rd5]; mul.lo.u32 %r1, %r90, 3; { .param .b32 p; st.param.b32 [p], %r1; y: .callprototype _ (.param .b32 _); call %rd5, (p), y; }
xor.b32 %r3, %r90, 63; shl.b32 %r3, %r3, 2; mov.u32 %r4, s; add.u32 %r3, %r3, %r4; ld.shared.u32 %r2, [%r3];)",
                           items, 0, 64);
  for (Word k = 0; k < 64; ++k) BOOST_TEST(out[k] == 3 * (63 - k));
}

BOOST_AUTO_TEST_CASE(mistakes) {
  const auto error = [](const std::string& body) {
    return parseError(kernelText(body, kFunctions));
  };
  expect(error("call %rd1, ();"), {"without a .callprototype or .calltargets"});
  expect(error("L: call %rd1, (), L;"), {"expected a label of .callprototype"});
  expect(error("brx.idx %r1, L; L:"), {"expected a label of .branchtargets"});
  expect(error("L: .branchtargets A; brx.idx %r1, L;"), {"label 'A' is not defined"});
  expect(error("L: .calltargets k; call %rd1, (), L;"), {"expected a function"});
  expect(error("y: .callprototype _ (.param .b32 _); call %rd1, (), y;"),
         {"called with 0 arguments; expected 1"});
  expect(error("mov.u16 %rs1, tid;"), {"a function in 'mov.u16'"});
  expect(parseError(moduleText(".func f() { ret; } .global .b8 x[1] = {0xF0(f)};")),
         {"mask 0xF0 of an address"});
  expect(parseError(moduleText(".func f() { ret; } .global .b8 x[1] = {f};")),
         {"an address does not fit"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
