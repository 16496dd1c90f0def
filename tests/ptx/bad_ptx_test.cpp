// PTX that must be refused when a file is read: the place, and the message.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

struct Bad {
  std::string body;      ///< kernel body; starts on line 6 of the file
  std::string where;     ///< "line:column"
  std::string fragment;  ///< part of the message
};

const std::string kHead =
    ".version 7.0\n.target sm_75\n.address_size 64\n.entry k(.param .u64 in) {\n"
    ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg "
    ".f64 %fd<9>; .shared .align 4 .b8 s[64];\n";

const std::vector<Bad> kBodies = {
    {"add.u32 %r1, %r2, %q3;", "6:19", "'%q3' is not declared"},
    {"add.u32 %r1, %r2, %r9;", "6:19", "'%r9' is not declared"},
    {"add.u32 %r1, %r2, %rd3;", "6:19", "register '%rd3' of type .b64 in 'add.u32'; expected .u32"},
    {"add.f32 %f1, %r2, %f3;", "", ""},  // .b32 registers fit .f32
    {"add.f32 %f1, %f2, %fd3;", "6:19", "register '%fd3' of type .f64"},
    {"add.s32 %f1, %r2, %r3;", "6:9", "register '%f1' of type .f32 in 'add.s32'; expected .s32"},
    {"add.u32 %p1, %r2, %r3;", "6:9", "register '%p1' of type .pred"},
    {"@%r1 bra L; L:", "6:2", "'%r1' guards an instruction but is of type .b32; expected .pred"},
    {"@%q bra L; L:", "6:2", "'%q' is not declared"},
    {"bra NOWHERE;", "6:5", "label 'NOWHERE' is not defined"},
    {"L: L: ret;", "6:4", "label 'L' is defined twice"},
    {"{ L: } bra L;", "6:12", "label 'L' is not defined"},
    {".reg .b32 x;\n.reg .b32 x;", "7:11", "'x' is declared twice; the first is at line 6"},
    {".reg .b32 %r<3>;", "6:11", "registers '%r<>' are declared twice; the first is at line 5"},
    {".shared .b32 s;", "6:14", "'s' is declared twice"},
    {"add.u32 %r1, %r2;", "6:1", "'add.u32' has 2 operands; expected 3"},
    {"add.u32 %r1, %r2, %r3, %r4;", "6:24", "'add.u32' has 4 operands; expected 3"},
    {"mov.u32 %r1, %tid.q;", "6:14", "unknown special register or element '%tid.q'"},
    {"mov.u32 %r1, %envreg3;", "6:14", "'%envreg3' is not declared"},
    {"ld.global.v2.u32 {%r1}, [%rd1];", "6:18", "a vector of 1 elements; expected 2"},
    {"ld.global.v2.u32 %r1, [%rd1];", "6:18", "expected a vector of 2 elements"},
    {"ld.shared.v4.u64 {%rd1, %rd2, %rd3, %rd4}, [%rd1];", "6:1", "more than 16 bytes"},
    {"ld.global.u32 %r1, %rd1;", "6:20", "expected an address such as [%rd1+4]"},
    {"ld.global.u32 %r1, [%rs1];", "6:21", "register '%rs1' of type .b16 as an address"},
    {"ld.global.u32 %r1, [%f1];", "6:21", "as an address"},
    {"ld.global.u32 %r1, [s];", "6:21", "'s' is not in the state space of 'ld.global.u32'"},
    {"ld.global.u32 %rs1, [%rd1];", "6:15", "register '%rs1' of type .b16"},
    {"st.const.u32 [%rd1], %r1;", "6:1", "read-only"},
    {"and.b16 %rs1, %rs2, 70000;", "6:21", "constant 70000 does not fit type .b16"},
    {"add.u32 %r1, %r2, 4294967296;", "6:19", "constant 4294967296 does not fit type .u32"},
    {"add.f32 %f1, %f2, 3;", "6:19", "an integer constant in 'add.f32'; expected a .f32 operand"},
    {"add.u32 %r1, %r2, 1.5;", "6:19", "a floating-point constant in 'add.u32'"},
    {"add.f16 %rs1, %rs2, %r3;", "6:21", "register '%r3' of type .b32 in 'add.f16'"},
    {"add.rz.f16 %rs1, %rs2, %rs3;", "6:1", "unsupported form 'add.rz.f16'; '.rz' does not fit"},
    {"fma.bf16 %rs1, %rs2, %rs3, %rs4;", "6:1", "unsupported form 'fma.bf16'; expected .rn"},
    {"mul.ftz.bf16 %rs1, %rs2, %rs3;", "6:1", "unsupported form 'mul.ftz.bf16'"},
    {"ex2.approx.bf16 %rs1, %rs2;", "6:1", "unsupported form 'ex2.approx.bf16'"},
    {"fma.rn.sat.relu.f16 %rs1, %rs2, %rs3, %rs4;", "6:1", "unsupported form"},
    {"cvt.rzi.relu.s32.f16 %r1, %rs2;", "6:1", "unsupported form"},
    {"add.f16x2 %r1, %r2, %f3;", "6:21", "register '%f3' of type .f32 in 'add.f16x2'"},
    {".global .f16 h = 1.5;", "6:18", "an initialiser of type .f16"},
    {"div.rn.f16 %rs1, %rs2, %rs3;", "6:1", "unsupported form 'div.rn.f16'"},
    {"cvt.f16.f32 %rs1, %f2;", "6:1", "expected a rounding such as .rn"},
    {"cvt.rn.f32.f16 %f1, %rs2;", "6:1", "no rounding fits these types"},
    {"cvt.rn.f16x2.f16 %r1, %rs2, %rs3;", "6:1", "unsupported form 'cvt.rn.f16x2.f16'"},
    {"cvt.rn.e4m3x2.f32 %rs1, %f2, %f3;", "6:1", "unsupported form"},
    {"cvt.rn.satfinite.f16x2.e4m3x2 %r1, %rs2;", "6:1", "'.satfinite' does not fit"},
    {"cvt.rz.satfinite.e2m1x2.f32 %rs1, %f2, %f3;", "6:1", "expected .rn.satfinite"},
    {"set.eq.f32.f16 %f1, %rs2, %rs3;", "6:1", "unsupported form 'set.eq.f32.f16'"},
    {"add.wide.u32 %r1, %r2, %r3;", "6:1", "unsupported form 'add.wide.u32'; '.wide' does not fit"},
    {"mul.u32 %r1, %r2, %r3;", "6:1", "expected .lo, .hi or .wide"},
    {"fma.f32 %f1, %f2, %f3, %f4;", "6:1", "expected a rounding"},
    {"div.f32 %f1, %f2, %f3;", "6:1", "expected a rounding"},
    {"sin.f32 %f1, %f2;", "6:1", "expected .approx"},
    {"cvt.s32.f32 %r1, %f1;", "6:1", "expected .rni, .rzi, .rmi or .rpi"},
    {"cvt.f32.s32 %f1, %r1;", "6:1", "expected a rounding such as .rn"},
    {"cvt.rn.u32.u16 %r1, %rs1;", "6:1", "no rounding fits"},
    {"setp.lo.s32 %p1, %r1, %r2;", "6:1", "the comparison needs an unsigned type"},
    {"setp.u32 %p1, %r1, %r2;", "6:1", "expected a comparison"},
    {"setp.lt.b32 %p1, %r1, %r2;", "6:1", "unsupported form 'setp.lt.b32'"},
    {"frobnicate.u32 %r1, %r2;", "6:1", "unsupported instruction 'frobnicate.u32'"},
    {"wmma.load.a.sync.aligned.m16n16k16.global.row.f16 %r1, [%rd1];", "6:51",
     "expected 8 registers in braces"},
    {"vabsdiff3.u32.u32.u32 %r1, %r2, %r3, %r4;", "6:1", "unsupported instruction"},
    {"vadd4.u16.u32.u32 %r1, %r2, %r3, %r4;", "6:1", "expected .u32 or .s32"},
    {"vset2.u32.u32 %r1, %r2, %r3, %r4;", "6:1", "expected a comparison"},
    {"fence.proxy.tensormap;", "6:1", "expected .alias or .async"},
    {"setmaxnreg.inc.sync.aligned.u32 25;", "6:33", "expected a multiple of 8 from 24 to 256"},
    {"elect.sync %r1, -1;", "6:12", "expected a lane and a predicate"},
    {"tex.2dms.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2, %f3, %f4}];", "6:1",
     "expected .1d, .2d, .3d, .a1d, .a2d, .cube or .acube"},
    {"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];", "6:48",
     "2 coordinates; expected 1"},
    {"bar.sync 16;", "6:10", "the barrier is 16; expected 0 to 15"},
    {"bar.sync 0, 33;", "6:13", "a barrier of 33 threads; expected a multiple of 32"},
    {"shfl.b32 %r1, %r2, %r3, 31;", "6:1", "unsupported form 'shfl.b32'"},
    {"atom.shared.min.f16 %rs1, [s], %rs2;", "6:1", "unsupported form"},
    {"atom.const.add.u32 %r1, [%rd1], 1;", "6:1", "atomics are on shared or global memory"},
    {"red.shared.exch.b32 [s], 1;", "6:1", "unsupported form 'red.shared.exch.b32'"},
    {"atom.shared.inc.s32 %r1, [s], 1;", "6:1", "unsupported form 'atom.shared.inc.s32'"},
    {"call nobody;", "6:6", "'nobody' is not declared"},
    {"call %r1, ();", "6:6", "indirect call without a .callprototype"},
    {"mov.u32 %r1, 0x;", "6:14", "number without digits"},
    {"mov.u32 %r1, 99999999999999999999;", "6:14", "wider than 64 bits"},
    {"mov.f32 %f1, 0f3F80;", "6:14", "malformed floating-point constant"},
    {"mov.u32 %r1, 12ab;", "6:14", "malformed number"},
    {"mov.u32 %r1 %r2;", "6:13", "unexpected '%r2'; expected ';'"},
    {"mov.u32 %r1, ;", "6:14", "expected an operand"},
    {"mov.u32 %r1, %r2", "7:1", "unexpected '}'; expected ';'"},
    {"mov.u32 %r1, `;", "6:14", "unexpected character '`'"},
    {"mov.u32 %r1, \"x;", "6:14", "string without an end"},
    {".loc 1;", "6:7", "expected a line number"},
    {".loc 1 2 3, nonsense x", "6:13", "unsupported 'nonsense' in .loc"},
    {".reg .q32 %z;", "6:6", "unsupported '.q32' in a declaration"},
    {".shared .b32 big[5000000]; mov.u32 %r1, big;", "6:14",
     "bytes of shared memory with 'big'; expected at most 16777216"},
    {".local .b8 huge[600000];", "6:12", "'huge' has 600000 bytes"},
    {".maxntid 3;", "6:1", "unsupported directive '.maxntid'"},
    {"mov.b64 {%r1, %r2, %r3}, %rd1;", "6:1", "a vector of 3 elements"},
    {"mov.u32 %r1, %clock64;", "6:1", "'%clock64' has 64 bits"},
    {"add.u32 %r1, %r2, %clock;", "6:19", "expected it in a mov"},
    {"lop3.b32 %r1, %r2, %r3, %r4, 256;", "6:30", "the look-up table of lop3 is 256"},
    {"and.pred %p1, %p2, %r1;", "6:20",
     "register '%r1' of type .b32 in 'and.pred'; expected .pred"},
    {"selp.u32 %r1, %r2, %r3, %r4;", "6:25", "expected .pred"},
    {"isspacep.shared %r1, %rd1;", "6:17", "expected .pred"},
    {"brx.idx %r1, L; L:", "6:14", "expected a label of .branchtargets"},
    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r1}, {%f1}, %r1, 0;",
     "6:1", "unsupported form 'mma.sp.sync"},
    {"wgmma.mma_async.sync.aligned.m64n8k128.s32.b1.b1.and.popc {%r1, %r2, %r3, %r4}, %rd1, %rd2, "
     "%p1;",
     "6:1", "unsupported form 'wgmma.mma_async.sync.aligned.m64n8k128"},
    {"multimem.red.global.add.u32 [%rd1], %r1;", "6:1",
     "unsupported form 'multimem.red.global.add.u32'; its addresses stand for memory of several "
     "GPUs"},
    {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r5];", "6:1",
     "unsupported form 'ldmatrix.sync.aligned.m16n16"},
    {"cp.async.cg.shared.global [s], [%rd1], 8;", "6:40", "expected a size of 16"},
    {"cp.async.ca.shared.global [s], [%rd1], 12;", "6:40", "expected a size of 4, 8 or 16"},
    {"cp.async.ca.global.global [%rd1], [%rd1], 4;", "6:1", "unsupported form 'cp.async.ca.global"},
    {"cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1];",
     "6:1", "has 2 operands; expected 3"},
    {"mbarrier.init.shared.b32 [s], %r1;", "6:1", "unsupported form 'mbarrier.init.shared.b32'"},
    {"cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [%rd1], [s], 16, [s];", "6:72",
     "'s' is not in the state space of 'cp.async.bulk.global"},
    {"griddepcontrol.launch;", "6:1", "unsupported form 'griddepcontrol.launch'"},
    {"createpolicy.range.L2::evict_last.b64 %rd2, 0.5;", "6:1", "has 2 operands; expected 4"},
    {"barrier.cluster.sync;", "6:1", "expected .arrive or .wait"},
    {"ld.global.b128 %r2, [%rd1];", "6:16", "expected a register of type .b128"},
    {"ld.shared.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1];", "6:1",
     "unsupported form 'ld.shared.v8.b32'"},
    {"vmad.s32.s32.s32 %r1, %r2, %r3, %r4;", "6:1", "unsupported instruction 'vmad.s32.s32.s32'"},
    {"sust.p.1d.b32.trap [%rd1, {%r2}], %r1;", "6:1", "unsupported form 'sust.p.1d.b32.trap'"},
    {"pmevent 16;", "6:9", "the event is 16; expected 0 to 15"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(bad_ptx)

BOOST_AUTO_TEST_CASE(bodies) {
  for (const Bad& bad : kBodies) {
    const std::string error = parseError(kHead + bad.body + "\n}\n");
    const std::string prefix = bad.where.empty() ? "" : "bad.ptx:" + bad.where + ": ";
    BOOST_TEST(error.substr(0, prefix.size()) == prefix, bad.body << " -> " << error);
    BOOST_TEST(error.find(bad.fragment) != std::string::npos, bad.body << " -> " << error);
    if (bad.where.empty()) BOOST_TEST(error == "");
  }
}

BOOST_AUTO_TEST_CASE(files) {
  const std::vector<Bad> table = {
      {"", "1:1", "expected .version"},
      {".target sm_20", "1:1", "expected .version"},
      {".version 10.0", "1:10", "PTX version 10.0; expected 1.0 to 9.x"},
      {".version 7\n", "1:10", "expected a version such as 4.2"},
      {".version 7.0\n.target pentium", "2:9", "unknown target 'pentium'"},
      {".version 7.0\n.address_size 16", "2:15", ".address_size 16; expected 32 or 64"},
      {".version 7.0\n.wibble", "2:1", "unsupported directive '.wibble'"},
      {".version 7.0\nadd.u32", "2:1", "expected a directive"},
      {".version 7.0\n.entry k(.param .u32 a, .param .u32 a) {}", "2:37", "'a' is declared twice"},
      {".version 7.0\n.entry k() {}\n.entry k() {}", "3:8", "'k' is declared twice"},
      {".version 7.0\n.entry k() {", "2:13", "expected '}' at the end of 'k'"},
      {".version 7.0\n.entry k() { { ret; }", "2:22", "expected '}'"},
      {".version 7.0\n.entry k() { ret; } }", "2:21", "expected a directive"},
      {".version 7.0\n.global .u32 x[];", "2:14", "without a size"},
      {".version 7.0\n.global .u32 x[2] = {1, 2, 3};", "2:28",
       "more initialisers than the 2 elements"},
      {".version 7.0\n.global .u8 x = 300;", "2:17",
       "constant 300 does not fit an element of type .u8"},
      {".version 7.0\n.global .u32 x = 1.5;", "2:18", "floating-point constant"},
      {".version 7.0\n.global .u64 x = y;", "2:18",
       "'y' is no .global or .const variable and no function"},
      {".version 7.0\n.shared .u32 x = 1;", "2:16",
       "only .global and .const variables may have one"},
      {".version 7.0\n.global .align 3 .u32 x;", "2:16", "alignment 3; expected a power of two"},
      {".version 7.0\n.const .b8 x[70000];", "2:12", "'x' has 70000 bytes"},
      {".version 7.0\n.global .b8 x[99999999999];", "2:15", "expected at most"},
      {".version 7.0\n/* open", "2:1", "comment without an end"},
      {".version 7.0\n.section .debug {", "2:18", "expected '}' at the end of the section"},
      {".version 7.0\n.func f(.reg .u32 a) { ret; }\n.entry k() { call f; }", "3:19",
       "called with 0 arguments; expected 1"},
      {".version 7.0\n.func (.reg .u32 r) f() { ret; }\n.entry k() { call f; }", "3:19",
       "returns 1 values"},
      {".version 7.0\n.extern .func realloc();\n.entry k() { call realloc; }", "3:19",
       "'realloc' is declared but not defined; only vprintf, __assertfail, malloc, free and"},
      {".version 7.0\n.extern .func malloc();\n.entry k() { call malloc; }", "3:19",
       "malloc; expected a .param size and a .param result"},
      {".version 7.0\n.func f() { call g; }\n.func g() { ret; }", "2:18", "'g' is not declared"},
      {".version 7.0\n.entry k(.param .b8 a[40000]) {}", "2:21", "'a' has 40000 bytes"},
      {".version 7.0\n.entry k() .maxntid 2000 {}", "2:21", "expected at most 1024"},
      {".version 7.0\n.entry k() .wibble {}", "2:12",
       "unsupported directive '.wibble' behind a function"},
      {".version 7.0\n.entry k() { .param .b64 q; .reg .b64 a; mov.u64 a, q; ret; }", "2:53",
       "the address of the function parameter 'q'"},
      {".version 7.0\n.func f(.param .b32 p) { .reg .b32 a; ld.param.u32 a, [p+4]; ret; }\n.entry "
       "k() { .param .b32 q; call f, (q); }",
       "2:55", "offset 4 is outside 'p'"},
  };
  for (const Bad& bad : table) {
    const std::string error = parseError(bad.body);
    const std::string prefix = "bad.ptx:" + bad.where + ": ";
    BOOST_TEST(error.substr(0, prefix.size()) == prefix, bad.body << " -> " << error);
    BOOST_TEST(error.find(bad.fragment) != std::string::npos, bad.body << " -> " << error);
  }
}

BOOST_AUTO_TEST_CASE(names) {
  const auto module = parse(moduleText(".entry one() { ret; } .entry two() { ret; }"), "names.ptx");
  BOOST_TEST(module->entries().size() == 2U);
  BOOST_TEST(errorOf([&] { module->kernel("three"); }) ==
             "names.ptx: there is no entry 'three'; expected one of: one, two");
  BOOST_TEST(errorOf([] {
               parseFile("/nonexistent/k.ptx");
             }).find("/nonexistent/k.ptx: cannot be read") == 0U);
}

// An entry is decoded only when asked for: a program may have bad entries that nobody launches.
BOOST_AUTO_TEST_CASE(entries_that_are_decoded_when_asked_for) {
  const std::string body = moduleText(
      ".entry good() { ret; }\n.entry bad() { .reg .b32 x;\nfrobnicate.b32 x;\n}\n.entry last() { "
      "ret; }\n");
  BOOST_TEST(parseError(body) == "bad.ptx:6:1: unsupported instruction 'frobnicate.b32'");
  const auto module = parse(body, "late.ptx", Decode::WhenAsked);
  BOOST_TEST(module->entries().size() == 3U);
  for (int k = 0; k < 2; ++k) {
    BOOST_TEST(errorOf([&] { module->kernel("bad"); }) ==
               "late.ptx:6:1: unsupported instruction 'frobnicate.b32'");
    BOOST_TEST(&module->kernel("last") == &module->kernel("last"));
    BOOST_TEST(module->kernel("good").name() == "good");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
