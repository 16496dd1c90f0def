// Traces of warps that wait: a replay waits as the run does, whatever its latencies are.
#include "tests/support/csv_columns.h"

namespace {

using namespace fermata::test;

/// Stops for a time, then stores.
const char* const kPause = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry pause(.param .u64 out) {
.reg .b32 %r<3>; .reg .b64 %rd<3>;
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
nanosleep.u32 70000; st.global.u32 [%rd1], %r1; ret; }
)";
const char* const kPauseLaunch = R"(kernel = "pause.ptx"
[buffers.out]
type = "u32"
count = 32
[[launch]]
entry = "pause"
grid = 1
block = 32
arguments = [{ buffer = "out" }]
)";

/// Loads a word eight times, each load behind the last one.
const char* const kPoll = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry poll(.param .u64 in) {
.reg .b32 %r<3>; .reg .b64 %rd<3>;
ld.param.u64 %rd1, [in]; mov.u32 %r1, 0;
)";
const char* const kPollLaunch = R"(kernel = "poll.ptx"
[buffers.in]
type = "u32"
count = 32
fill = "zero"
[[launch]]
entry = "poll"
grid = 1
block = 32
arguments = [{ buffer = "in" }]
)";

/// CTA 0 of each cluster copies a block to all, each CTA sends 128 bytes to the next, adds a block
/// to that of the one before, and arrives there; all wait for what comes to them.
const char* const kCluster = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry cluster(.param .u64 in) {
.reg .b32 %r<40>; .reg .b64 %rd<4>; .reg .b16 %h<2>; .reg .pred %p<9>;
.shared .align 128 .b8 tile[1024]; .shared .align 8 .b64 bar;
ld.param.u64 %rd1, [in]; mov.u32 %r1, tile; mov.u32 %r2, bar; mov.u32 %r3, %tid.x;
mov.u32 %r4, %cluster_ctarank; mov.u32 %r5, %cluster_nctarank; setp.eq.u32 %p1, %r3, 0;
setp.eq.u32 %p2, %r4, 0; and.pred %p3, %p1, %p2;
add.u32 %r6, %r4, 1; rem.u32 %r6, %r6, %r5; mad.lo.u32 %r9, %r3, 4, %r1;
st.shared.u32 [%r9], %r3; st.shared.u32 [%r9+512], %r3;
@%p1 mbarrier.init.shared.b64 [%r2], 2; fence.mbarrier_init.release.cluster;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
mapa.shared::cluster.u32 %r7, %r1, %r6; mapa.shared::cluster.u32 %r8, %r2, %r6;
@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 768; mov.b16 %h1, 15;
@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1+256],
  [%rd1], 512, [%r2], %h1;
mad.lo.u32 %r10, %r3, 4, %r7;
st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r10], %r3, [%r8];
@%p1 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32
  [%r7+768], [%r1+512], 128, [%r8];
@%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];
W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p4, [%r2], 0, 100000; @!%p4 bra W;
ld.shared::cluster.u32 %r11, [%r10]; add.u32 %r11, %r11, %r3; st.shared.u32 [%r9], %r11;
barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned; ret; }
)";
const char* const kClusterLaunch = R"(kernel = "cluster.ptx"
[buffers.in]
type = "u32"
count = 128
fill = "zero"
[[launch]]
entry = "cluster"
grid = 8
cluster = 4
block = 32
arguments = [{ buffer = "in" }]
)";

std::string cyclesOf(const fs::path& folder, const std::string& words,
                     const std::string& platform = "sm_90") {
  runProgram("run " + words + " --platform " + platform + " --out r", folder).ok();
  return column(readFile(folder / "r" / "runs.csv"), "cycles").at(0);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(wait_traces, Folder)

// Two stages of tiles by tensor maps, whose warps sleep at mbarriers.
BOOST_AUTO_TEST_CASE(a_replay_waits_for_what_the_run_waited_for) {
  const std::string slow = " --set global.latency=2000";
  const std::string run = cyclesOf(path, "tmagemm --record t.csv");
  const std::string trace = readFile(path / "t.csv");
  BOOST_TEST(has(trace, "arrives=1"));
  BOOST_TEST(has(trace, "suspends=1"));
  BOOST_TEST(cyclesOf(path, "t.csv") == run);
  const std::string slower = cyclesOf(path, "tmagemm" + slow);
  BOOST_TEST(std::stoul(slower) > std::stoul(run) + 1000);
  BOOST_TEST(cyclesOf(path, "t.csv" + slow) == slower);
}

// A load that passes the L1 finds nothing there, however often it comes: in PTX, in machine code
// and in traces, read as text and compiled.
BOOST_AUTO_TEST_CASE(loads_pass_the_l1_in_a_replay_as_in_the_run) {
  write("poll.toml", kPollLaunch);
  const auto poll = [&](const std::string& load) {
    std::string text = kPoll;
    for (unsigned k = 0; k < 8; ++k)
      text += load + " %r2, [%rd1]; cvt.u64.u32 %rd2, %r2; add.u64 %rd1, %rd1, %rd2;\n";
    write("poll.ptx", text + "ret; }\n");
  };
  for (const std::string platform : {"gtx480-caches", "sm_80 --set global.memory=caches"}) {
    poll("ld.global.u32");
    const unsigned long hits = std::stoul(cyclesOf(path, "poll.toml", platform));
    poll("ld.global.cg.u32");
    const std::string run = cyclesOf(path, "poll.toml --record t.csv", platform);
    BOOST_TEST(std::stoul(run) > hits + 7 * 100, platform << ": " << run << ", hits " << hits);
    for (unsigned k = 0; k < 2; ++k) BOOST_TEST(cyclesOf(path, "t.csv", platform) == run);
    fs::remove(path / "t.csv.compiled");
  }
}

// 70,000 ns do not fit 16 bits.
BOOST_AUTO_TEST_CASE(a_replay_pauses_as_long_as_the_run) {
  write("pause.ptx", kPause);
  write("pause.toml", kPauseLaunch);
  const std::string run = cyclesOf(path, "pause.toml --record t.csv");
  BOOST_TEST(std::stoul(run) > 70000UL);
  BOOST_TEST(has(readFile(path / "t.csv"), ",,70000"));
  BOOST_TEST(cyclesOf(path, "t.csv") == run);
}

// Accesses to other CTAs, a multicast and arrivals there: on one multiprocessor, and on four.
BOOST_AUTO_TEST_CASE(a_replay_of_clusters_takes_the_run_s_cycles) {
  write("cluster.ptx", kCluster);
  write("cluster.toml", kClusterLaunch);
  for (const std::string platform :
       {"sm_90", "sm_90 --set chip.sms=4 --set global.memory=caches"}) {
    BOOST_TEST_CONTEXT(platform) {
      const std::string run = cyclesOf(path, "cluster.toml --record t.csv", platform);
      const std::string trace = readFile(path / "t.csv");
      BOOST_TEST(has(trace, ",ctas=8,cluster=4,"));
      BOOST_TEST(has(trace, ",,cluster-arrive\n"));
      BOOST_TEST(has(trace, ",,cluster-arrive-relaxed\n"));
      BOOST_TEST(has(trace, ",,cluster-wait\n"));
      BOOST_TEST(has(trace, "suspends=1"));
      BOOST_TEST(cyclesOf(path, "t.csv", platform) == run);
      const std::string slow = " --set cluster.latency=900";
      BOOST_TEST(cyclesOf(path, "t.csv", platform + slow) ==
                 cyclesOf(path, "cluster.toml", platform + slow));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_compiled_trace_of_clusters_replays_the_same) {
  const std::string run = cyclesOf(path, "clusterhist --record t.csv");
  for (unsigned k = 0; k < 2; ++k) BOOST_TEST(cyclesOf(path, "t.csv") == run);
  BOOST_TEST(fs::exists(path / "t.csv.compiled"));
}

BOOST_AUTO_TEST_SUITE_END()
