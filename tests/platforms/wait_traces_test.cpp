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

std::string cyclesOf(const fs::path& folder, const std::string& words) {
  runProgram("run " + words + " --platform sm_90 --out r", folder).ok();
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

// 70,000 ns do not fit 16 bits.
BOOST_AUTO_TEST_CASE(a_replay_pauses_as_long_as_the_run) {
  write("pause.ptx", kPause);
  write("pause.toml", kPauseLaunch);
  const std::string run = cyclesOf(path, "pause.toml --record t.csv");
  BOOST_TEST(std::stoul(run) > 70000UL);
  BOOST_TEST(has(readFile(path / "t.csv"), ",,70000"));
  BOOST_TEST(cyclesOf(path, "t.csv") == run);
}

BOOST_AUTO_TEST_SUITE_END()
