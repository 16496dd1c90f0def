// fermata check, as continuous integration runs it.
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

const char* const kKernel = R"(extern "C" __global__ void column(float* y) {
  __shared__ float tile[32][32];
  unsigned t = threadIdx.x;
  for (unsigned i = 0; i < 32; ++i) tile[i][t] = i + t;
  __syncthreads();
  float sum = 0;
  for (unsigned i = 0; i < 32; ++i) sum += tile[t][i];
  y[blockIdx.x * 32 + t] = sum;
}
)";
const char* const kLaunch = R"(kernel = "col.cu"
[buffers.y]
type = "f32"
count = "128"
[[launch]]
entry = "column"
grid = "4"
block = "32"
arguments = [{ buffer = "y" }]
)";

struct OwnKernel : Folder {
  OwnKernel() {
    fs::create_directories(path / "kernels");
    write("kernels/col.cu", kKernel);
    write("kernels/col.toml", kLaunch);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(check)

// 4 CTAs of one warp read 32 columns of 32 words: 128 accesses of degree 32.
BOOST_AUTO_TEST_CASE(finds_the_line_of_a_kernel_of_ones_own) {
  const OwnKernel folder;
  const Outcome outcome = runProgram("check kernels/col.toml --quiet", folder.path).ends(1);
  BOOST_TEST(outcome.text ==
             "kernels/col.cu:7: warning: bank conflicts of ld.shared.f32 in column: degree 32 "
             "(limit 1); 4,096 wavefronts, 128 ideal, 3,968 excessive, in 128 accesses [col]\n");
}

BOOST_AUTO_TEST_CASE(is_clean_where_limits_or_a_mapping_make_it_so) {
  const OwnKernel folder;
  for (const char* const options :
       {"--max-degree 32", "--max-excess-percent 97", "--allow col.cu:7",
        "--set 'scratchpad.indexer=ami 33'", "--set scratchpad.conflict_policy=ideal",
        "--set scratchpad.conflict_free=col.cu@7", "--platform gtx480 --allow kernels/col.cu:7"}) {
    const Outcome outcome =
        runProgram(std::string("check kernels/col.toml --quiet ") + options, folder.path).ok();
    BOOST_TEST(outcome.text.empty(), options << outcome.text);
  }
  // 96.875 % of the wavefronts are excessive.
  runProgram("check kernels/col.toml --max-excess-percent 96.8", folder.path).ends(1);
}

// Ports that deliver four words per pass leave no conflict of degree 4. Under replay each try takes
// one pass; the conflict is reported all the same.
BOOST_AUTO_TEST_CASE(a_degree_counts_where_it_takes_passes) {
  runProgram("check fwt").says("degree 4 (limit 1)");
  runProgram("check fwt --set scratchpad.conflict_policy=replay").says("degree 4 (limit 1)");
  const Outcome ports = runProgram("check fwt --set scratchpad.ports=4 --quiet").ok();
  BOOST_TEST(ports.text.empty(), ports.text);
}

BOOST_AUTO_TEST_CASE(says_what_a_run_counts) {
  const Folder folder;
  const Outcome outcome = runProgram("check transpose nw --quiet", folder.path).ends(1);
  runProgram("run gtx480 transpose nw --quiet --out out", folder.path).ok();
  std::uint64_t excessive = 0;
  for (const std::string& line : linesOf(outcome.text)) {
    std::string number = line.substr(line.find("ideal, ") + 7);
    number = number.substr(0, number.find(' '));
    number.erase(std::remove(number.begin(), number.end(), ','), number.end());
    excessive += std::stoull(number);
  }
  // wavefronts_excessive is the last column of instructions.csv before the energy: summed by awk.
  const Outcome sums = runProgram(
      "--version >/dev/null; awk -F, 'NR==1{for(i=1;i<=NF;++i)if($i==\"wavefronts_excessive\")c=i}"
      "NR>1{s+=$c}END{print s}' out/instructions.csv",
      folder.path);
  BOOST_TEST(std::to_string(excessive) + "\n" == sums.text);
}

BOOST_AUTO_TEST_CASE(a_trace_is_checked_as_its_kernel) {
  const OwnKernel folder;
  runProgram("run gtx480 kernels/col.toml --record t.csv --quiet", folder.path).ok();
  runProgram("check t.csv --quiet", folder.path).ends(1, "col.cu:7: warning:");
}

BOOST_AUTO_TEST_CASE(writes_what_others_gather) {
  const OwnKernel folder;
  runProgram("check kernels/col.toml --sarif s.sarif --junit j.xml", folder.path)
      .ends(1, "1 of 2 lines with shared accesses conflict, 0 allowed\n");
  BOOST_TEST(has(readFile(folder.path / "s.sarif"), "\"uri\": \"kernels/col.cu\""));
  BOOST_TEST(has(readFile(folder.path / "j.xml"), "tests=\"2\" failures=\"1\""));
}

BOOST_AUTO_TEST_CASE(says_which_leave_is_not_needed) {
  const OwnKernel folder;
  runProgram("check kernels/col.toml --allow col.cu:7 --allow col.cu:4 --max-degree 1", folder.path)
      .ok("--allow 'col.cu:4' allows nothing")
      .lacks("col.cu:7' allows nothing");
}

BOOST_DATA_TEST_CASE(
    refuses,
    bdata::make({"", "none", "none.toml", "transpose --max-degree 0", "transpose --max-degree x",
                 "transpose --max-excess-percent -1", "transpose --max-excess-percent 101",
                 "transpose --max-excess-percent nan", "transpose --max-excess-percent=-nan",
                 "transpose --max-excess-percent inf", "transpose --allow x",
                 "transpose --platform none", "transpose --set x=1", "transpose --param none=1",
                 "transpose --sarif ''", "transpose --junit /none/j.xml"}),
    arguments) {
  const Folder folder;
  runProgram(std::string("check ") + arguments, folder.path).refused("fermata: error: ");
}

BOOST_AUTO_TEST_SUITE_END()
