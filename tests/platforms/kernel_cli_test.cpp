// Kernels of a user on the command line: output and accesses.
#include "tests/support/csv_columns.h"

namespace {

using namespace fermata::test;

/// The lanes of a warp load, store and add through one pointer: even ones into shared memory, odd
/// ones into global memory.
const char* const kTwoSpaces = R"(.version 7.0
.target sm_60
.address_size 64
.visible .entry mixed(.param .u64 in, .param .u64 out) {
.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 4 .b8 tile[256];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x; mov.u32 %r7, %ctaid.x; mad.lo.u32 %r7, %r7, 32, %r1; mul.wide.u32 %rd3, %r7, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; mul.wide.u32 %rd3, %r1, 4;
mov.u64 %rd4, tile; add.u64 %rd4, %rd4, %rd3; add.u32 %r2, %r1, 1000; st.shared.u32 [%rd4], %r2;
cvta.shared.u64 %rd4, %rd4; and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0; selp.b64 %rd5, %rd4, %rd1, %p1;
ld.u32 %r4, [%rd5]; add.u32 %r4, %r4, 5; st.u32 [%rd5], %r4; atom.add.u32 %r5, [%rd5], 7; ld.u32 %r6, [%rd5];
add.u32 %r5, %r5, %r6; st.global.u32 [%rd2], %r5;
ret; }
)";
const char* const kTwoSpacesLaunch = R"(kernel = "mixed.ptx"
[buffers.in]
type = "u32"
count = 64
fill = { iota = { from = 2000, step = 1 } }
[buffers.out]
type = "u32"
count = 64
[[launch]]
entry = "mixed"
grid = 2
block = 32
arguments = [{ buffer = "in" }, { buffer = "out" }]
[[check]]
buffer = "out"
file = "expected.bin"
)";

/// Returns the rows of an opcode in a folder's instructions.csv, from the opcode on, without the
/// file's name.
std::vector<std::string> rowsOf(const fs::path& folder, const std::string& opcode) {
  std::vector<std::string> rows;
  for (const std::string& line : linesOf(readFile(folder / "instructions.csv"))) {
    const std::size_t at = line.find("," + opcode + ",");
    if (at != std::string::npos) rows.push_back(line.substr(at + 1));
  }
  return rows;
}

/// Returns the value of a column in a folder's runs.csv with one run.
std::string figure(const fs::path& folder, const std::string& name) {
  return column(readFile(folder / "runs.csv"), name).at(0);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(kernel_cli, Folder)

BOOST_DATA_TEST_CASE(lanes_of_two_spaces_are_two_accesses,
                     bdata::make({"gtx480", "k20", "gtx280", "hawaii"}), platform) {
  write("mixed.ptx", kTwoSpaces);
  write("mixed.toml", kTwoSpacesLaunch);
  std::string expected;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t held = (i % 2 == 0 ? 1000 + i % 32 : 2000 + i) + 5;
    const std::uint32_t value = 2 * held + 7;
    expected.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  write("expected.bin", expected);
  const std::string run = "run " + std::string(platform) + " ";
  runProgram(run + "mixed.toml --set verify=true --record t.csv --out a", path).ok();
  runProgram(run + "t.csv --out b", path).ok();
  for (const char* column : {"cycles", "warp_instructions", "shared_accesses", "global_accesses"})
    BOOST_TEST(figure(path / "a", column) == figure(path / "b", column), column);
  BOOST_TEST(figure(path / "a", "verified") == "true");
  BOOST_TEST(figure(path / "a", "shared_accesses") == "10");  // st.shared; ld, st, atom, ld: 2 CTAs
  BOOST_TEST(figure(path / "a", "global_accesses") == "10");  // ld, st, atom, ld; st.global
  for (const char* opcode : {"ld.u32", "st.u32", "atom.add.u32"}) {
    const auto rows = rowsOf(path / "a", opcode);
    BOOST_TEST(rows == rowsOf(path / "b", opcode), tt::per_element());
    for (const std::string& row : rows) {  // a warp of each CTA, twice, every lane once
      BOOST_TEST(begins(row, std::string(opcode) + ",memory,4,64,"), row);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_kernels_print) {
  write("say.cu", R"(
extern "C" __global__ void say(const int* values) {
  if (threadIdx.x % 16 == 3)
    printf("%s %d: %lld %.2f%%\n", "thread", threadIdx.x + 32 * blockIdx.x,
           10000000000LL * values[threadIdx.x], 0.5 * threadIdx.x);
}
)");
  write("say.toml", R"(kernel = "say.cu"
[buffers.v]
type = "s32"
count = 32
fill = { constant = -3 }
[[launch]]
entry = "say"
grid = 2
block = 32
arguments = [{ buffer = "v" }]
)");
  const std::string said =
      "thread 3: -30000000000 1.50%\nthread 19: -30000000000 9.50%\n"
      "thread 35: -30000000000 1.50%\nthread 51: -30000000000 9.50%\n";
  const Outcome run = runProgram("run gtx480 say.toml", path).ok();
  BOOST_TEST(run.text.substr(0, said.size()) == said, run.text);
  run.says("workload ");
  BOOST_TEST(runProgram("run gtx480 say.toml --quiet", path).text == "");
}

BOOST_AUTO_TEST_SUITE_END()
