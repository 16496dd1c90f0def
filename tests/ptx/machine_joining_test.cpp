// Accesses of shared memory that machine code joins: which, with which bytes, and that the warp
// computes what PTX says.
#include <random>

#include <fermata/stimuli/ptx/machine_code.h>

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

const std::string kArrays =
    ".shared .align 4 .b8 tile[4096];\n.extern .shared .align 4 .b8 more[];\n";

/// Returns the accesses of shared memory: "l8 s4" for a load of 8 bytes a lane and a store of 4.
std::string accessesOf(const std::string& body) {
  const auto module = parse(kernelText(body, kArrays), "s.ptx");
  std::string all;
  for (const StaticInstruction& one : module->kernel("k").machineCode().statics) {
    if (one.instructionClass != InstructionClass::Memory || one.space != MemorySpace::Shared)
      continue;
    const char* name = one.operation == MemoryOperation::Load    ? "l"
                       : one.operation == MemoryOperation::Store ? "s"
                                                                 : "a";
    all += (all.empty() ? "" : " ") + std::string(name) + std::to_string(one.bytesPerLane);
  }
  return all;
}

struct Row {
  const char* body;
  const char* accesses;
};
std::ostream& operator<<(std::ostream& out, const Row& row) {
  return out << row.body;
}

// %r1 is a multiple of 16, %r2 of 8, %r3 of 4.
const std::string kBases =
    "shl.b32 %r1, %r90, 4; shl.b32 %r2, %r90, 3; shl.b32 %r3, %r90, 2; mov.u32 %r4, tile;\n"
    "add.s32 %r5, %r4, %r1; add.s32 %r6, %r1, 4; or.b32 %r7, %r1, 8;\n";

// Rules that the wavefronts of an H200 show (results/silicon/kernels.csv).
const Row kRows[] = {
    {"ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1+4];", "l8"},
    {"ld.shared.f32 %f1, [%r1+4]; ld.shared.f32 %f2, [%r1];", "l8"},
    {"ld.shared.f32 %f1, [%r1+4]; ld.shared.f32 %f2, [%r1+8];", "l4 l4"},
    {"ld.shared.f32 %f1, [%r2]; ld.shared.u32 %r9, [%r2+4];", "l8"},
    {"ld.shared.f32 %f1, [%r3]; ld.shared.f32 %f2, [%r3+4];", "l4 l4"},
    {"ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1+4]; ld.shared.f32 %f3, [%r1+8]; "
     "ld.shared.f32 %f4, [%r1+12];",
     "l16"},
    {"ld.shared.f32 %f1, [%r2]; ld.shared.f32 %f2, [%r2+4]; ld.shared.f32 %f3, [%r2+8]; "
     "ld.shared.f32 %f4, [%r2+12];",
     "l8 l8"},
    {"ld.shared.v2.f32 {%f1, %f2}, [%r1]; ld.shared.v2.f32 {%f3, %f4}, [%r1+8];", "l16"},
    {"ld.shared.f64 %fd1, [%r1]; ld.shared.f64 %fd2, [%r1+8];", "l16"},
    {"ld.shared.u16 %rs1, [%r1]; ld.shared.u16 %rs2, [%r1+2];", "l2 l2"},
    // The place is found through sums, copies and disjoint bits.
    {"ld.shared.f32 %f1, [%r5]; ld.shared.f32 %f2, [%r5+4];", "l8"},
    {"ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r6];", "l8"},
    {"ld.shared.f32 %f1, [%r7]; ld.shared.f32 %f2, [%r1+12];", "l8"},
    {"ld.shared.f32 %f1, [tile]; ld.shared.f32 %f2, [tile+4];", "l8"},
    {"ld.shared.f32 %f1, [more]; ld.shared.f32 %f2, [more+4];", "l8"},
    {"ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r2+4];", "l4 l4"},
    // A place that has been loaded.
    {"ld.shared.f32 %f1, [%r3]; ld.shared.f32 %f2, [%r3];", "l4"},
    {"ld.shared.f32 %f1, [%r3]; st.shared.f32 [%r3], %f3; ld.shared.f32 %f2, [%r3];", "l4 s4 l4"},
    // Stores stand at the last one.
    {"st.shared.f32 [%r1+4], %f1; st.shared.f32 [%r1], %f2;", "s8"},
    {"st.shared.f32 [%r1], %f1; add.f32 %f1, %f2, %f3; st.shared.f32 [%r1+4], %f1;", "s4 s4"},
    {"st.shared.f32 [%r1], %f1; st.shared.f32 [%r1], %f2; st.shared.f32 [%r1+4], %f3;", "s4 s8"},
    // Between them: what may change the bytes, or order.
    {"ld.shared.f32 %f1, [%r1]; st.shared.f32 [%r2], %f3; ld.shared.f32 %f2, [%r1+4];", "l4 s4 l4"},
    {"ld.shared.f32 %f1, [%r1]; st.shared.f32 [%r1+8], %f3; ld.shared.f32 %f2, [%r1+4];", "l8 s4"},
    {"ld.shared.f32 %f1, [%r1]; st.shared.f32 [%r1+4], %f3; ld.shared.f32 %f2, [%r1+4];",
     "l4 s4 l4"},
    {"st.shared.f32 [%r1], %f1; ld.shared.f32 %f3, [%r2]; st.shared.f32 [%r1+4], %f2;", "s4 l4 s4"},
    {"st.shared.f32 [%r1], %f1; ld.shared.f32 %f3, [%r1+8]; st.shared.f32 [%r1+4], %f2;",
     "s4 l4 s4"},
    {"ld.shared.f32 %f1, [%r1]; bar.sync 0; ld.shared.f32 %f2, [%r1+4];", "l4 l4"},
    {"ld.shared.f32 %f1, [%r1]; st.global.f32 [%rd91], %f3; ld.shared.f32 %f2, [%r1+4];", "l8"},
    {"ld.shared.f32 %f1, [%r1]; red.shared.add.u32 [%r2], 1; ld.shared.f32 %f2, [%r1+4];",
     "l4 a4 l4"},
    {"ld.volatile.shared.f32 %f1, [%r1]; ld.volatile.shared.f32 %f2, [%r1+4];", "l4 l4"},
    {"ld.shared.f32 %f1, [%r1]; @%p1 ld.shared.f32 %f2, [%r1+4];", "l4 l4"},
    {"ld.shared.f32 %f1, [%r1]; bra.uni next; next: ld.shared.f32 %f2, [%r1+4];", "l4 l4"},
    {"ld.shared.f32 %f1, [%r1]; @%p1 exit; ld.shared.f32 %f2, [%r1+4];", "l4 l4"}};

/// A loop whose address begins at tile and grows by `step`.
std::string loopText(const std::string& step) {
  return "mov.u32 %r10, tile; mov.u32 %r11, 0;\n"
         "loop: ld.shared.f32 %f1, [%r10]; ld.shared.f32 %f2, [%r10+4];\n"
         "shl.b32 %r12, %r11, 4; add.s32 %r11, %r11, 1;\n"
         "add.s32 %r10, %r10, " +
         step + "; setp.lt.u32 %p1, %r11, 4; @%p1 bra loop;";
}

/// Accesses of several bases and widths, with arithmetic between them, by chance.
std::string randomAccesses(std::mt19937& random) {
  const auto below = [&](unsigned n) { return random() % n; };
  std::string body = kBases + "mov.u32 %r8, 0;\n";
  for (unsigned r = 20; r < 60; ++r)
    body += "mad.lo.s32 %r" + std::to_string(r) + ", %r90, 77, " + std::to_string(r) + ";\n";
  for (unsigned n = 0; n < 60; ++n) {
    const std::string base = "%r" + std::to_string(1 + below(7));
    const std::string at = "[" + base + "+" + std::to_string(4 * below(12)) + "]";
    const std::string reg = "%r" + std::to_string(20 + below(40));
    const unsigned kind = below(10);
    if (kind < 5) {
      const std::string into = "%rl" + std::to_string(n);
      body += ".reg .b32 " + into + "; ld.shared.u32 " + into + ", " + at + "; add.s32 " + reg +
              ", " + reg + ", " + into + ";\n";
    } else if (kind < 9) {
      body += "st.shared.u32 " + at + ", " + reg + ";\n";
    } else {
      body += "bar.sync 0;\n";
    }
  }
  body += "mad.wide.u32 %rd80, %r90, 160, %rd91;\n";
  for (unsigned r = 20; r < 60; ++r)
    body +=
        "st.global.u32 [%rd80+" + std::to_string(4 * (r - 20)) + "], %r" + std::to_string(r) + ";";
  return body;
}

using Bytes = std::map<std::uint64_t, unsigned>;  ///< accesses of each byte

/// Counts the bytes that all lanes read or write in shared memory.
Bytes bytesOf(const std::vector<Bench::Step>& steps, MemoryOperation operation) {
  Bytes bytes;
  for (const Bench::Step& step : steps) {
    if (step.known.space != MemorySpace::Shared || step.known.operation != operation) continue;
    BOOST_TEST(step.known.bytesPerLane == step.done.bytesPerLane);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint64_t at = step.done.address[lane];
      BOOST_TEST(at % step.done.bytesPerLane == 0U);
      for (unsigned b = 0; b < step.done.bytesPerLane; ++b) ++bytes[at + b];
    }
  }
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(machine_joining)

BOOST_DATA_TEST_CASE(accesses_join, bdata::make(kRows), row) {
  BOOST_TEST(accessesOf(kBases + row.body) == row.accesses);
}

BOOST_AUTO_TEST_CASE(a_loop_keeps_what_constant_steps_keep) {
  BOOST_TEST(accessesOf(loopText("16")) == "l8");
  BOOST_TEST(accessesOf(loopText("4")) == "l4 l4");
  BOOST_TEST(accessesOf(loopText("%r12")) == "l4 l4");
}

BOOST_DATA_TEST_CASE(random_programs_compute_what_ptx_says, bdata::xrange(60), seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  const std::string text = kernelText(randomAccesses(random), kArrays);
  std::array<std::vector<std::uint32_t>, 2> values;
  std::array<std::vector<Bench::Step>, 2> steps;
  for (const bool sass : {false, true}) {
    ExecutorOptions options;
    options.code = sass ? MachineLevel::Sass : MachineLevel::Ptx;
    options.carryData = seed % 2 == 0;
    Bench bench(text, "k", options);
    bench.launch.dynamicSharedBytes = 4096;
    const std::uint64_t out = bench.output<std::uint32_t>(32 * 40);
    steps[sass] = bench.steps();
    values[sass] = bench.values<std::uint32_t>(out, 32 * 40);
  }
  BOOST_TEST(values[1] == values[0], boost::test_tools::per_element());
  BOOST_TEST(steps[1].size() < steps[0].size());
  // Stores lose nothing; loads lose repetitions alone.
  BOOST_TEST(
      (bytesOf(steps[0], MemoryOperation::Store) == bytesOf(steps[1], MemoryOperation::Store)));
  const Bytes asPtx = bytesOf(steps[0], MemoryOperation::Load);
  const Bytes joined = bytesOf(steps[1], MemoryOperation::Load);
  BOOST_TEST(joined.size() == asPtx.size());
  for (const auto& [at, count] : joined) BOOST_TEST(count <= asPtx.at(at));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test
