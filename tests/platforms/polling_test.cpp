// Polling warps must let the warps that they wait for get on, for any number of pollers and every
// policy: polls of many warps fill the one port to the scratchpad.
#include <fermata/stimuli/launch/description_reader.h>
#include <fermata/stimuli/launch/launch_workload.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/temporary_folder.h"

using namespace fermata;
using namespace fermata::test;

namespace {

// barrier: an mbarrier twice, with data behind it. lock: each warp adds 1 to a word under a spin
// lock. flag: the last warp computes, stores and raises a flag on which the others spin. Each block
// writes 256 words.
const char* const kKernels = R"(.version 8.0
.target sm_90
.address_size 64
.shared .align 8 .b64 bar;
.shared .align 4 .b32 word[256];
.shared .align 4 .b32 lock_word, count, raised;

.visible .entry barrier(.param .u64 out) {
.reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<8>;
mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;
@%p0 mbarrier.init.shared.b64 [bar], 256;
mov.u32 %r1, word; mad.lo.u32 %r2, %r0, 4, %r1; xor.b32 %r3, %r0, 255; mad.lo.u32 %r3, %r3, 4, %r1;
bar.sync 0;
st.shared.u32 [%r2], %r0;
mbarrier.arrive.shared.b64 %d0, [bar];
A: mbarrier.test_wait.shared.b64 %p1, [bar], %d0;
@!%p1 bra A;
ld.shared.u32 %r4, [%r3];
mbarrier.arrive.shared.b64 %d0, [bar];
B: mbarrier.try_wait.shared.b64 %p1, [bar], %d0;
@!%p1 bra B;
st.shared.u32 [%r2], %r4;
bra.uni END;
END: ld.param.u64 %d1, [out]; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r5, %r5, 256, %r0;
mul.wide.u32 %d2, %r5, 4; add.u64 %d1, %d1, %d2; ld.shared.u32 %r6, [%r2];
st.global.u32 [%d1], %r6;
ret; }

.visible .entry lock(.param .u64 out) {
.reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<8>;
mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;
@%p0 st.shared.u32 [lock_word], 0;
@%p0 st.shared.u32 [count], 0;
bar.sync 0;
and.b32 %r1, %r0, 31; setp.ne.u32 %p1, %r1, 0;
@%p1 bra OUT;
A: atom.shared.cas.b32 %r2, [lock_word], 0, 1;
setp.ne.u32 %p2, %r2, 0;
@%p2 bra A;
ld.volatile.shared.u32 %r3, [count]; add.u32 %r3, %r3, 1; st.volatile.shared.u32 [count], %r3;
st.volatile.shared.u32 [lock_word], 0;
OUT: bar.sync 0;
ld.param.u64 %d1, [out]; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r5, %r5, 256, %r0;
mul.wide.u32 %d2, %r5, 4; add.u64 %d1, %d1, %d2; ld.shared.u32 %r6, [count];
st.global.u32 [%d1], %r6;
ret; }

.visible .entry flag(.param .u64 out) {
.reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<8>;
mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;
@%p0 st.shared.u32 [raised], 0;
bar.sync 0;
mov.u32 %r1, word; mad.lo.u32 %r2, %r0, 4, %r1; and.b32 %r3, %r0, 31; mad.lo.u32 %r3, %r3, 4, %r1;
setp.lt.u32 %p1, %r0, 224;
@%p1 bra A;
mov.u32 %r7, 0;
C: mad.lo.u32 %r4, %r7, 32, %r0; st.shared.u32 [%r3], %r4; ld.shared.u32 %r8, [%r3];
add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 8;
@%p2 bra C;
st.volatile.shared.u32 [raised], 1;
bra.uni OUT;
A: ld.volatile.shared.u32 %r4, [raised]; setp.eq.u32 %p2, %r4, 0;
@%p2 bra A;
OUT: ld.param.u64 %d1, [out]; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r5, %r5, 256, %r0;
mul.wide.u32 %d2, %r5, 4; add.u64 %d1, %d1, %d2; ld.shared.u32 %r6, [%r3];
st.global.u32 [%d1], %r6;
ret; }
)";

const char* const kLaunch = R"(kernel = "k.ptx"
[buffers.out]
type = "u32"
count = 1280
[[launch]]
entry = "ENTRY"
grid = 5
block = 256
arguments = [{ buffer = "out" }]
)";

constexpr unsigned kWords = 1280;
/// Twenty times the cycles of the slowest case.
constexpr std::uint64_t kBudget = 200000;

std::uint32_t expected(const std::string& entry, unsigned i) {
  if (entry == "barrier") return 255 - i % 256;
  if (entry == "lock") return 8;
  return 7 * 32 + 224 + i % 32;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(polling)

BOOST_DATA_TEST_CASE(who_waits_lets_others_by,
                     bdata::make({"barrier", "lock", "flag"}) *
                         bdata::make({"gtx480", "sm_70", "sm_80"}) *
                         bdata::make({"lrr", "gto", "gty", "two-level"}) *
                         bdata::make({"native", "locked"}),
                     entry, name, policy, atomics) {
  const TemporaryFolder folder;
  std::string launch = kLaunch;
  launch.replace(launch.find("ENTRY"), 5, entry);
  std::ofstream(folder.path() / "k.ptx") << kKernels;
  std::ofstream(folder.path() / "k.toml") << launch;
  fermata::launch::WorkloadOptions options;
  options.instructionBudget = kBudget;
  fermata::launch::LaunchWorkload workload(
      fermata::launch::readLaunchFile((folder.path() / "k.toml").string()), {}, options);
  CheckedSimulation simulation(
      platform(name, {std::string("scheduler.policy=") + policy,
                      std::string("scratchpad.atomics=") + atomics, "verify=true"}));
  simulation.run(workload);
  const std::vector<std::uint8_t> bytes = workload.contents("out");
  BOOST_REQUIRE(bytes.size() == 4 * kWords);
  for (unsigned i = 0; i < kWords; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + 4 * i, 4);
    BOOST_REQUIRE_EQUAL(word, expected(entry, i));
  }
}

BOOST_AUTO_TEST_SUITE_END()
