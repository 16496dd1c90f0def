// Errors while a kernel runs: the message names kernel, line, CTA, warp, lane and address.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

struct Fault {
  std::string body;
  std::vector<std::string> fragments;
};

const std::string kItems = ".global .align 4 .u32 variable[4];\n";

/// Runs the body, which starts on line 10 of the file, and returns the error. The buffers `in` and
/// `out` have 64 bytes each; 2 CTAs of 64 threads.
std::string errorOfBody(const std::string& body, ExecutorOptions options = {}, bool track = false) {
  Bench bench(kernelText(body, kItems), "k", options, track);
  const std::uint64_t in = bench.buffer(std::vector<std::uint32_t>(16), "in");
  const std::uint64_t out = bench.memory.allocate(64, "out");
  bench.parameter(in).parameter(out).parameter(0U);
  bench.launch.block.x = 64;
  bench.launch.grid.x = 2;
  return errorOf([&] { bench.run(); });
}

const std::string kLane40 =
    "setp.ne.u32 %p1, %r92, 107; @%p1 ret;";  // only thread 43 of CTA 1 goes on: warp 1, lane 11

}  // namespace

BOOST_AUTO_TEST_SUITE(runtime_errors)

BOOST_AUTO_TEST_CASE(out_of_bounds) {
  const std::vector<std::string> who = {"kernel 'k'", "CTA (1,0,0)", "warp 1", "lane 11",
                                        "test.ptx:10:"};
  const std::vector<Fault> faults = {
      {"ld.global.u32 %r1, [%rd90+64];",
       {"global load of 4 bytes at address 0x", "is 0 bytes past the end of 'in' (64 bytes",
        "ld.global.u32"}},
      {"ld.global.u64 %rd1, [%rd90+60];", {"out of bounds"}},
      {"st.global.u32 [%rd90+-4], %r1;", {"global store", "bytes before 'in'"}},
      {"st.u32 [4], %r1;", {"address 0x4 is out of bounds"}},
      {"mov.u64 %rd1, 0xffffffffffff0000; ld.global.u32 %r1, [%rd1];", {"out of bounds"}},
      {".shared .b32 s[4]; mov.u32 %r1, s; ld.shared.u32 %r2, [%r1+16];",
       {"shared load", "address 0x10", "the CTA has 16 bytes of shared memory: 's' at 0 to 15"}},
      {".shared .b32 s[4]; mov.u32 %r1, s; st.shared.v2.u32 [%r1+-8], {%r2, %r2};",
       {"shared store of 8 bytes at address 0xfffffff8"}},
      {".local .b32 l[4]; mov.u64 %rd1, l; st.local.u32 [%rd1+16], %r1;",
       {"local store", "a thread has 16 bytes of local memory"}},
      {"ld.param.u32 %r1, [in+20];", {"parameter load", "the kernel has 20 bytes of parameters"}},
      {"mov.u64 %rd1, variable; ld.const.u32 %r1, [%rd1+16];", {"'variable' (16 bytes"}},
      {"atom.global.add.u32 %r1, [%rd90+64], 1;", {"global atomic"}},
      {"atom.shared.add.u32 %r1, [0], 1;", {"the CTA has 0 bytes"}},
  };
  for (const Fault& fault : faults) {
    const std::string error = errorOfBody(kLane40 + fault.body);
    expect(error, fault.fragments);
    expect(error, who);
  }
}

BOOST_AUTO_TEST_CASE(misaligned) {
  for (const std::string body :
       {"ld.global.u32 %r1, [%rd90+2];", "st.global.u16 [%rd90+1], %rs1;",
        "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd90+8];",
        "atom.global.add.u64 %rd1, [%rd90+4], 1;",
        ".shared .b32 s[4]; mov.u32 %r1, s; ld.shared.u64 %rd1, [%r1+4];",
        ".local .b32 l[4]; mov.u64 %rd1, l; ld.local.u32 %r1, [%rd1+1];"}) {
    expect(errorOfBody(kLane40 + body), {"is misaligned; expected a multiple of", "lane 11"});
  }
}

// The fast path finds a fault of a single lane too.
BOOST_AUTO_TEST_CASE(one_lane_of_many) {
  expect(errorOfBody("mad.wide.u32 %rd1, %r90, 4, %rd90; ld.global.u32 %r1, [%rd1];"),
         {"lane 16", "warp 0", "is 0 bytes past the end of 'in'"});
  expect(errorOfBody(".shared .b32 s[40]; mov.u32 %r1, s; mad.lo.u32 %r1, %r90, 4, %r1; "
                     "st.shared.u32 [%r1], %r1;"),
         {"lane 8", "warp 1"});
}

// The lanes of each space are checked separately.
BOOST_AUTO_TEST_CASE(mixed_spaces) {
  const std::string setup =
      ".shared .b32 s; .local .b32 l; mov.u64 %rd1, s; cvta.shared.u64 %rd1, %rd1; mov.u64 %rd3, "
      "l; cvta.local.u64 %rd3, %rd3; setp.gt.u32 %p1, %r90, 9;";
  expect(errorOfBody(setup + "selp.b64 %rd2, %rd1, %rd90, %p1; ld.u32 %r1, [%rd2+4];"),
         {"shared load", "lane 10"});
  expect(errorOfBody(setup + "selp.b64 %rd2, %rd3, %rd90, %p1; atom.add.u32 %r1, [%rd2], 1;"),
         {"atomic on local or parameter memory", "lane 10"});
}

BOOST_AUTO_TEST_CASE(never_written) {
  ExecutorOptions options;
  options.checkUninitialised = true;
  expect(errorOfBody("ld.global.u32 %r1, [%rd91+8];", options, true),
         {"global load", "never written", "lane 0"});
  expect(errorOfBody(
             ".shared .b32 s[4]; mov.u32 %r1, s; st.shared.u8 [%r1], 1; ld.shared.u32 %r2, [%r1];",
             options),
         {"shared load", "never written (byte 1)"});
  expect(errorOfBody(".local .b32 l[4]; mov.u64 %rd1, l; st.local.u32 [%rd1+4], 1; ld.local.v2.u32 "
                     "{%r1, %r2}, [%rd1];",
                     options),
         {"local load", "never written (byte 0)"});
  expect(
      errorOfBody(".shared .b32 s[4]; mov.u32 %r1, s; atom.shared.add.u32 %r2, [%r1], 1;", options),
      {"shared atomic", "never written"});
  BOOST_TEST(
      errorOfBody(
          ".shared .b32 s[64]; mov.u32 %r1, s; mad.lo.u32 %r1, %r90, 4, %r1; st.shared.u32 [%r1], "
          "1; ld.shared.u32 %r2, [%r1]; ld.global.u32 %r3, [%rd90]; ld.global.u32 %r4, [variable];",
          options, true) == "");
}

BOOST_AUTO_TEST_CASE(endless_loops) {
  ExecutorOptions options;
  options.instructionBudget = 1000;
  expect(errorOfBody("L: bra L;", options),
         {"budget of 1000 warp instructions", "CTA (0,0,0)", "bra"});
  // A thread waits for another thread of its warp: the taken path runs first and never ends.
  expect(
      errorOfBody("setp.ne.u32 %p1, %r90, 0; @%p1 bra WAIT; st.global.u32 [%rd90], 1; bra END; "
                  "WAIT: ld.global.u32 %r1, [%rd90]; setp.eq.u32 %p2, %r1, 0; @%p2 bra WAIT; END:",
                  options),
      {"budget"});
}

BOOST_AUTO_TEST_CASE(traps_and_source_lines) {
  expect(errorOfBody("setp.ne.u32 %p1, %r90, 3; @!%p1 trap;"), {"executed a trap", "lane 3"});
  Bench bench(
      ".version 7.0\n.target sm_75\n.address_size 64\n.file 1 \"source.cu\"\n.entry k() {\n.loc 1 "
      "42 7\n  trap;\n}");
  expectError([&] { bench.run(); }, {"test.ptx:7:3: ", "source source.cu:42"});
}

BOOST_AUTO_TEST_CASE(launches) {
  const auto launchError = [](const std::string& items, const std::function<void(Launch&)>& change,
                              unsigned slots = 32) {
    const auto module = parse(moduleText(items), "l.ptx");
    DeviceMemory memory;
    Executor executor(slots, memory);
    Launch launch;
    launch.kernel = &module->kernel("k");
    change(launch);
    return errorOf([&] { executor.begin(launch); });
  };
  const std::string plain = ".entry k() { ret; }";
  expect(launchError(plain,
                     [](Launch& l) {
                       l.block = {1025, 1, 1};
                     }),
         {"kernel 'k'", "expected 1 to 1024"});
  expect(launchError(plain,
                     [](Launch& l) {
                       l.block = {32, 33, 1};
                     }),
         {"block (32,33,1) has 1056 threads"});
  expect(launchError(plain, [](Launch& l) { l.block = {0, 1, 1}; }), {"has 0 threads"});
  expect(launchError(plain, [](Launch& l) { l.block = {65536, 65536, 65536}; }), {"too many"});
  expect(launchError(plain, [](Launch& l) { l.grid = {1, 0, 1}; }), {"grid (1,0,1)"});
  expect(launchError(plain, [](Launch& l) { l.grid = {1, 70000, 1}; }), {"grid (1,70000,1)"});
  expect(launchError(plain, [](Launch& l) { l.parameters.resize(4); }),
         {"4 bytes of parameters; expected 0"});
  expect(launchError(plain, [](Launch& l) { l.dynamicSharedBytes = 16777217; }),
         {"16777217 bytes of shared memory (0 static); expected at most 16777216"});
  expect(launchError(plain, [](Launch& l) { l.dynamicSharedBytes = 0xffffffff; }),
         {"expected at most 16777216"});
  expect(launchError(".shared .b8 s[40000];\n.entry k() { .reg .b32 a; mov.u32 a, s; ret; }",
                     [](Launch& l) { l.dynamicSharedBytes = 16760000; }),
         {"16800000 bytes of shared memory (40000 static)"});
  expect(launchError(".entry k() .reqntid 64 { ret; }", [](Launch&) {}), {".reqntid expects 64"});
  expect(launchError(".entry k() .maxntid 64 { ret; }", [](Launch& l) { l.block.x = 65; }),
         {".maxntid allows 64"});
  expect(launchError(
             plain, [](Launch& l) { l.block.x = 128; }, 3),
         {"a CTA has 4 warps; the executor has 3 slots"});
  expect(launchError(plain, [](Launch& l) { l.kernel = nullptr; }), {"without a kernel"});
}

BOOST_AUTO_TEST_CASE(device_memory) {
  DeviceMemory memory;
  expectError([&] { memory.read(16, nullptr, 4); }, {"0x10", "nothing is allocated"});
  const std::uint64_t a = memory.allocate(100, "a");
  const std::uint64_t b = memory.allocate(1, "b");
  BOOST_TEST(a % 256 == 0U);
  BOOST_TEST(b >= a + 100 + 256);
  BOOST_TEST(b + 1 <= 0xffffffffU);
  std::uint32_t word = 0;
  expectError([&] { memory.read(a + 98, &word, 4); }, {"98 bytes into 'a'"});
  expectError([&] { memory.write(a + 120, &word, 4); },
              {"is 20 bytes past the end of 'a' (100 bytes"});
  expectError([&] { memory.host(b - 1); }, {"is 1 bytes before 'b'"});
  expectError([&] { memory.allocate(0, "none"); }, {"0 bytes"});
  expectError([&] { memory.allocate(std::size_t{3} << 30, "huge"); },
              {"device memory is full", "'huge'"});
  memory.release(a);
  expectError([&] { memory.release(a); }, {"nothing was allocated"});
  expectError([&] { memory.host(a + 4); }, {"4 bytes into 'a' (100 bytes", "which was freed"});
}

// The executor remembers the place of the last access; freeing memory must clear it.
BOOST_AUTO_TEST_CASE(freed_memory_is_out_of_bounds) {
  Bench bench(kernelText("ld.global.u32 %r1, [%rd90]; bar.sync 0; ld.global.u32 %r1, [%rd90];"));
  const std::uint64_t in = bench.buffer(std::vector<std::uint32_t>(16), "in");
  bench.parameter(in).parameter(in).parameter(0U);
  bench.executor.begin(bench.launch);
  bench.executor.startCta(0, 0);
  bench.executor.startCta(0, 1);
  WarpInstruction out;
  for (unsigned slot : {0U, 1U}) {
    if (slot == 1) bench.memory.release(in);
    const std::string error = errorOf([&] {
      while (bench.executor.peek(slot) != nullptr) bench.executor.execute(slot, out);
    });
    BOOST_TEST((error == "") == (slot == 0), error);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
