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

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  BOOST_TEST_REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

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
  const Outcome outcome =
      runProgram("check --platform gtx480 kernels/col.toml --quiet", folder.path).ends(1);
  BOOST_TEST(outcome.text ==
             "kernels/col.cu:7: warning: bank conflicts of ld.shared.f32 in column: degree 32 "
             "(limit 1); 4,096 wavefronts, 128 ideal, 3,968 excessive, in 128 accesses [col]\n");
}

BOOST_AUTO_TEST_CASE(is_clean_where_limits_or_a_mapping_make_it_so) {
  const OwnKernel folder;
  for (const char* const options :
       {"--max-degree 32", "--max-excess-percent 97", "--allow col.cu:7",
        "--set 'scratchpad.indexer=ami 33'", "--set scratchpad.conflict_policy=ideal",
        "--set scratchpad.conflict_free=col.cu@7", "--allow kernels/col.cu:7"}) {
    const Outcome outcome =
        runProgram(std::string("check --platform gtx480 kernels/col.toml --quiet ") + options,
                   folder.path)
            .ok();
    BOOST_TEST(outcome.text.empty(), options << outcome.text);
  }
  // 96.875 % of the wavefronts are excessive.
  runProgram("check --platform gtx480 kernels/col.toml --max-excess-percent 96.8", folder.path)
      .ends(1);
}

// Ports that deliver four words per pass leave no conflict of degree 4. Under replay each try takes
// one pass; the conflict is reported all the same.
BOOST_AUTO_TEST_CASE(a_degree_counts_where_it_takes_passes) {
  runProgram("check --platform gtx480 fwt").says("degree 4 (limit 1)");
  runProgram("check --platform gtx480 fwt --set scratchpad.conflict_policy=replay")
      .says("degree 4 (limit 1)");
  const Outcome ports =
      runProgram("check --platform gtx480 fwt --set scratchpad.ports=4 --quiet").ok();
  BOOST_TEST(ports.text.empty(), ports.text);
}

BOOST_AUTO_TEST_CASE(says_what_a_run_counts) {
  const Folder folder;
  const Outcome outcome =
      runProgram("check --platform gtx480 transpose nw --quiet", folder.path).ends(1);
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
  runProgram("check --platform gtx480 t.csv --quiet", folder.path).ends(1, "col.cu:7: warning:");
}

/// Returns what check prints of the line, from the folder `here` and with `options`.
std::string foundLine(const fs::path& here, const std::string& options) {
  return runProgram("check --platform gtx480 --quiet " + options, here).ends(1).text;
}

// Compilers of a code host run in the folder of the sources or above, launch files lie anywhere.
BOOST_AUTO_TEST_CASE(paths_start_from_the_current_folder_or_the_root) {
  const OwnKernel folder;
  fs::create_directories(folder.path / "elsewhere");
  const std::string file = (folder.path / "kernels/col.toml").string();
  BOOST_TEST(foundLine(folder.path, file).rfind("kernels/col.cu:7: ", 0) == 0U);
  BOOST_TEST(foundLine(folder.path / "kernels", "col.toml").rfind("col.cu:7: ", 0) == 0U);
  BOOST_TEST(foundLine(folder.path / "elsewhere", file).rfind("../kernels/col.cu:7: ", 0) == 0U);
  BOOST_TEST(
      foundLine(folder.path / "elsewhere", "--root .. " + file).rfind("kernels/col.cu:7: ", 0) ==
      0U);
  BOOST_TEST(
      foundLine(folder.path / "kernels", "--root .. col.toml").rfind("kernels/col.cu:7: ", 0) ==
      0U);
}

// The kernel's file lies in another folder than its launch file, a header in a third.
BOOST_AUTO_TEST_CASE(sources_are_found_where_the_launch_file_names_them) {
  const Folder folder;
  for (const char* const name : {"src", "launch", "headers"})
    fs::create_directories(folder.path / name);
  const std::string loop = "  for (unsigned i = 0; i < 32; ++i) sum += tile[t][i];\n";
  folder.write("src/col.cu", replaced(kKernel, loop, "#include \"sum.h\"\n"));
  folder.write("headers/sum.h", loop);
  folder.write("launch/col.toml",
               replaced(kLaunch, "col.cu\"", "../src/col.cu\"\ninclude = [\"../headers\"]"));
  BOOST_TEST(foundLine(folder.path, "launch/col.toml").rfind("headers/sum.h:1: ", 0) == 0U);
  folder.write("src/col.cu", kKernel);
  BOOST_TEST(foundLine(folder.path, "launch/col.toml").rfind("src/col.cu:7: ", 0) == 0U);
}

BOOST_AUTO_TEST_CASE(the_platform_is_that_of_the_compilation) {
  const OwnKernel folder;
  runProgram("check kernels/col.toml", folder.path)
      .refused("no launch file states the machine (arch); expected --platform");
  runProgram("check trasnpose").refused("no workload 'trasnpose'; did you mean 'transpose'?");
  folder.write("kernels/new.toml", "arch = \"sm_80\"\n" + std::string(kLaunch));
  runProgram("check kernels/new.toml", folder.path).ends(1, "degree 32");
  folder.write("kernels/other.toml", "arch = \"sm_90\"\n" + std::string(kLaunch));
  runProgram("check kernels/new.toml kernels/other.toml", folder.path)
      .refused("'kernels/new.toml' is compiled for sm_80 and 'kernels/other.toml' for sm_90");
  folder.write("kernels/old.toml", "arch = \"sm_35\"\n" + std::string(kLaunch));
  runProgram("check kernels/old.toml", folder.path)
      .refused("is compiled for sm_35, which no platform is named after");
  runProgram("check kernels/old.toml --platform k20", folder.path).ends(1, "degree 16");
}

BOOST_AUTO_TEST_CASE(a_baseline_fails_on_new_and_worse_lines_only) {
  const OwnKernel folder;
  const std::string check = "check --platform gtx480 kernels/col.toml ";
  runProgram(check + "--write-baseline known.csv", folder.path).ok("1 over a limit");
  BOOST_TEST(readFile(folder.path / "known.csv") ==
             "workload,kernel,file,opcode,source,line,degree,accesses,wavefronts_excessive\n"
             "col,column,kernels/col.cu,ld.shared.f32,"
             "for (unsigned i = 0; i < 32; ++i) sum += tile[t][i];,7,32,128,3968\n");
  runProgram(check + "--baseline known.csv", folder.path)
      .ok("0 over a limit, 0 allowed, 1 in the baseline");
  // The line moves: it is found by its text.
  folder.write("kernels/col.cu", "// A line more.\n" + std::string(kKernel));
  runProgram(check + "--baseline known.csv", folder.path).ok("1 in the baseline");
  // It was better: it is worse now.
  folder.write("better.csv",
               replaced(readFile(folder.path / "known.csv"), ",7,32,128,3968", ",7,2,128,128"));
  runProgram(check + "--baseline better.csv", folder.path)
      .ends(1, "degree 32 (limit 1), degree 2 in the baseline");
  // Another line conflicts as well.
  folder.write("kernels/col.cu", replaced(kKernel, "tile[i][t] = i + t", "tile[t][i] = i + t"));
  const Outcome both =
      runProgram(check + "--baseline known.csv --quiet --sarif s.sarif", folder.path).ends(1);
  BOOST_TEST(linesOf(both.text).size() == 1U);
  BOOST_TEST(has(both.text, "kernels/col.cu:4: warning:"));
  const std::string sarif = readFile(folder.path / "s.sarif");
  BOOST_TEST(has(sarif, "\"baselineState\": \"new\""));
  BOOST_TEST(has(sarif, "\"baselineState\": \"unchanged\""));
  // It is cured: the baseline has a line too many.
  folder.write("kernels/col.cu", replaced(kKernel, "tile[32][32]", "tile[32][33]"));
  runProgram(check + "--baseline known.csv", folder.path)
      .ok("1 of the lines in 'known.csv' no longer exceed a limit");
  // A check of something else says nothing of its lines.
  runProgram("check transpose --platform gtx480 --param tile=32 --param pad=1 --baseline known.csv",
             folder.path)
      .ok()
      .lacks("no longer exceed");
}

BOOST_AUTO_TEST_CASE(github_shows_findings_beside_the_code) {
  const OwnKernel folder;
  BOOST_TEST(foundLine(folder.path, "--github kernels/col.toml") ==
             "::warning file=kernels/col.cu,line=7,title=bank conflict::bank conflicts of "
             "ld.shared.f32 in column: degree 32 (limit 1); 4,096 wavefronts, 128 ideal, 3,968 "
             "excessive, in 128 accesses [col]\n");
}

BOOST_DATA_TEST_CASE(refuses_what_is_no_baseline,
                     bdata::make({"", "a,b\n",
                                  "workload,kernel,file,opcode,source,line,degree,accesses,"
                                  "wavefronts_excessive\na,b,c,d,e,7,x,1,1\n",
                                  "workload,kernel,file,opcode,source,line,degree,accesses,"
                                  "wavefronts_excessive\na,b,c\n"}),
                     text) {
  const OwnKernel folder;
  folder.write("b.csv", text);
  runProgram("check --platform gtx480 kernels/col.toml --baseline b.csv", folder.path)
      .refused("b.csv");
}

BOOST_AUTO_TEST_CASE(writes_what_others_gather) {
  const OwnKernel folder;
  runProgram("check --platform gtx480 kernels/col.toml --sarif s.sarif --junit j.xml", folder.path)
      .ends(1, "1 of 2 lines with shared accesses conflict: 1 over a limit, 0 allowed\n");
  BOOST_TEST(has(readFile(folder.path / "s.sarif"), "\"uri\": \"kernels/col.cu\""));
  BOOST_TEST(has(readFile(folder.path / "j.xml"), "tests=\"2\" failures=\"1\""));
}

BOOST_AUTO_TEST_CASE(says_which_leave_is_not_needed) {
  const OwnKernel folder;
  runProgram(
      "check --platform gtx480 kernels/col.toml --allow col.cu:7 --allow col.cu:4 --max-degree 1",
      folder.path)
      .ok("--allow 'col.cu:4' allows nothing")
      .lacks("col.cu:7' allows nothing");
}

BOOST_DATA_TEST_CASE(refuses,
                     bdata::make({"",
                                  "none",
                                  "none.toml",
                                  "transpose",
                                  "--exec",
                                  "--exec -- ./none",
                                  "--platform gtx480 transpose --root /none",
                                  "--platform gtx480 transpose --baseline /none",
                                  "--platform gtx480 transpose --max-degree 0",
                                  "--platform gtx480 transpose --max-degree x",
                                  "--platform gtx480 transpose --max-excess-percent -1",
                                  "--platform gtx480 transpose --max-excess-percent 101",
                                  "--platform gtx480 transpose --max-excess-percent nan",
                                  "--platform gtx480 transpose --max-excess-percent=-nan",
                                  "--platform gtx480 transpose --max-excess-percent inf",
                                  "--platform gtx480 transpose --allow x",
                                  "--platform none transpose",
                                  "--platform gtx480 transpose --set x=1",
                                  "--platform gtx480 transpose --param none=1",
                                  "--platform gtx480 transpose --sarif ''",
                                  "--platform gtx480 transpose --junit /none/j.xml"}),
                     arguments) {
  const Folder folder;
  runProgram(std::string("check ") + arguments, folder.path).refused("fermata: error: ");
}

BOOST_AUTO_TEST_SUITE_END()
