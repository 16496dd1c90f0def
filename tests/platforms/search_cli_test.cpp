// fermata search on the command line: workloads in, mappings out.
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

const std::string kHeader =
    "class,method,mapping,conflicts_before,conflicts_after,rank,proof,estimate,searched,left_out,"
    "where,best";

/// Returns the fields behind class and method of a row; empty if there is no such row.
std::string rowOf(const std::string& csv, const std::string& classAndMethod) {
  for (const std::string& line : linesOf(csv)) {
    if (line.rfind(classAndMethod + ",", 0) == 0) return line.substr(classAndMethod.size() + 1);
  }
  return "";
}

/// Returns a field behind the mapping, which may be quoted; 0 is conflicts_before.
std::uint64_t figure(const std::string& row, std::size_t field) {
  std::size_t at = row.empty() || row[0] != '"' ? 0 : row.find('"', 1);
  for (std::size_t i = 0; i <= field; ++i) at = row.find(',', at) + 1;
  return std::stoull(row.substr(at));
}

constexpr const char* kTranspose =
    "search --platform gtx480 transpose --param tile=16 --param n=16";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(search, Folder)

// Table 5 of van den Braak et al., row transpose: 8 warps of a 16x16 tile.
BOOST_AUTO_TEST_CASE(transpose_gives_the_row_of_the_paper) {
  const Outcome outcome = runProgram(std::string(kTranspose) + " --csv");
  BOOST_TEST_CONTEXT(outcome.text) {
    outcome.ok();
    BOOST_TEST(linesOf(outcome.text).front() == kHeader);
    BOOST_TEST(rowOf(outcome.text, "bits,givargis") ==
               "\"bits 0,4,1,2,3\",56,56,5,heuristic,0,,,in hardware,0");
    BOOST_TEST(rowOf(outcome.text, "bits,minimum-imbalance") ==
               "\"bits 0,4,1,2,3\",56,56,5,heuristic,0,,,in hardware,0");
    BOOST_TEST(rowOf(outcome.text, "pairs,givargis") ==
               "\"pairs 0,0^4,1^4,1^5,2^6\",56,16,5,heuristic,0,,,in hardware,0");
    BOOST_TEST(rowOf(outcome.text, "pairs,minimum-imbalance") ==
               "\"pairs 0,4,1^5,2^6,3^7\",56,0,5,conflict-free,0,,,in hardware,0");
    BOOST_TEST(figure(rowOf(outcome.text, "xor,exhaustive"), 1) == 0U);
    BOOST_TEST(figure(rowOf(outcome.text, "matrix,general"), 1) == 0U);
    BOOST_TEST(has(rowOf(outcome.text, "matrix,general"), "conflict-free"));
    BOOST_TEST(has(rowOf(outcome.text, "ami,exhaustive"), ",56,0,,conflict-free"));
    BOOST_TEST(has(rowOf(outcome.text, "padding,exhaustive"),
                   ",56,0,,conflict-free,0,1 to 31 words behind rows of 2 to 255 "));
    BOOST_TEST(linesOf(outcome.text).size() == 13U);  // every class but tma with every method
  }
}

BOOST_AUTO_TEST_CASE(exhaustive_results_are_optimal_in_their_class) {
  const std::string csv = runProgram(std::string(kTranspose) + " --class perm,bits --csv").text;
  BOOST_TEST(has(rowOf(csv, "perm,exhaustive"), ",optimal"));
  BOOST_TEST(has(rowOf(csv, "bits,exhaustive"), ",optimal"));
  BOOST_TEST(figure(rowOf(csv, "bits,exhaustive"), 1) <=
             figure(rowOf(csv, "bits,minimum-imbalance"), 1));
}

BOOST_AUTO_TEST_CASE(it_explains_itself) {
  const Outcome outcome = runProgram("search --help").ok();
  for (const char* option : {"--class", "--method", "--weights", "--accesses", "--apply", "--csv"})
    outcome.says(option);
}

BOOST_AUTO_TEST_CASE(classes_and_methods_can_be_listed_or_repeated) {
  const std::string listed =
      runProgram(std::string(kTranspose) + " --class xor,pairs --method exhaustive,givargis --csv")
          .text;
  BOOST_TEST(linesOf(listed).size() == 3U);
  BOOST_TEST(runProgram(std::string(kTranspose) +
                        " --class xor --class pairs --method exhaustive --method givargis --csv")
                 .text == listed);
  const std::string all =
      runProgram(std::string(kTranspose) + " --class all --method givargis --csv").text;
  BOOST_TEST(linesOf(all).size() == 3U);
}

BOOST_AUTO_TEST_CASE(weights_count_as_often) {
  const auto search = [](const std::string& more) {
    return runProgram(
               "search --platform gtx480 transpose reduction --class pairs,matrix --csv --effort "
               "2000 " +
               more)
        .text;
  };
  const std::string one = search("");
  const std::uint64_t transpose =
      figure(rowOf(runProgram("search --platform gtx480 transpose --class pairs --csv").text,
                   "pairs,givargis"),
             0);
  const std::uint64_t both = figure(rowOf(one, "pairs,givargis"), 0);
  BOOST_REQUIRE(transpose > 0U);
  BOOST_TEST(figure(rowOf(search("--weights 3,1"), "pairs,givargis"), 0) == both + 2 * transpose);
  BOOST_TEST(search("--weights 1,1") == one);
}

BOOST_AUTO_TEST_CASE(a_report_names_lines_mappings_and_the_command) {
  // Line 13 does not conflict.
  runProgram("search --platform gtx480 transpose --param tile=32 --class xor,ami,padding")
      .ok("1,024 shared accesses", "15,872 conflicts with mod 32",
          "transpose.cu:20  ld.shared.f32  stride 32", "15,872 -> 0",
          "recommended in hardware: xor k1=0 k2=5 mask=31: 0 conflicts left",
          "fermata run transpose --platform gtx480 --param tile=32 --set 'scratchpad.indexer=xor "
          "k1=0 k2=5 "
          "mask=31'",
          "the best of each kind:", "modulus   ami 33 ", "padding   pad row=32 words=1 ",
          "i + i / 32\n")
      .lacks("transpose.cu:13");
  runProgram("search --platform gtx480 transpose --class xor --profile").says("transpose.cu:13");
}

BOOST_AUTO_TEST_CASE(what_saves_too_little_is_not_worth_it) {
  const std::string transpose = "search --platform gtx480 transpose --param tile=32 --class xor";
  runProgram(transpose).says("\nit saves ").lacks("not worth it", "at most");
  runProgram(transpose + " --worth 100")
      .says("best in hardware: xor k1=0 k2=5 mask=31: 0 conflicts left", "not worth it: it saves ",
            "% of the cycles; expected 100% or more (--worth)")
      .lacks("recommended", "data-dependent");
  for (const char* wrong : {"101", "nan", "-nan", "inf"})
    runProgram(transpose + " --worth " + wrong).refused();
  // A hash fits random bytes only as far as it has seen them.
  runProgram("search --platform gtx480 hist256 --param variant=1 --class xor")
      .says("data-dependent: 100% of the conflicts",
            "not worth it: it takes 0.5% more cycles; expected 1% or more");
}

// Without --platform: the platform of the launch file, or for layouts one that is named. The banks
// of all of sm_70 to sm_90 see a layout alike.
BOOST_AUTO_TEST_CASE(a_platform_is_chosen_or_said) {
  const Folder folder;
  folder.write("k.cu", "extern \"C\" __global__ void k(float* out) { out[threadIdx.x] = 1; }\n");
  folder.write("k.toml",
               "kernel = 'k.cu'\narch = 'sm_75'\n[buffers.out]\ntype = 'f32'\ncount = 32\n"
               "[[launch]]\nentry = 'k'\ngrid = 1\nblock = 32\narguments = [{ buffer = 'out' }]\n");
  runProgram("search k.toml --class xor", folder.path).says("k on sm_75: 32 banks");
  runProgram("explain k.toml", folder.path).says("k on sm_75: ");

  const std::string search = "search --words 4096 --layout '(8,4):(32,8)' --element 2 --class ";
  const std::string text = "no --platform: sm_80, with the banks and lane groups of sm_70 to sm_90";
  for (const char* atom : {"ld.32", "ld.64", "ld.128", "ldmatrix.x4"}) {
    const std::string line = search + "all --atom " + atom + " --csv";
    const std::string rows = runProgram(line + " 2>/dev/null").ok().text;
    for (const char* platform : {"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90"})
      BOOST_TEST(runProgram(line + " --platform " + platform).ok().text == rows, line << platform);
  }
  runProgram(search + "ami --atom ldmatrix.x4").ok(text + "\n", " on sm_80: 32 banks");
  runProgram(search + "ami --atom ldmatrix.x4 --csv 2>&1 >/dev/null").ok(text);
  runProgram("search --access 'threads=32 cols=1 matrix=0,32,0,0' --class ami").ok(text);
  runProgram(search + "ami --atom ldmatrix.x4 --platform gtx480").lacks("no --platform");
}

// tile=16 conflicts where other work hides the conflicts: 0.1 % of the cycles, half of the passes.
BOOST_AUTO_TEST_CASE(what_is_saved_is_what_runs_say) {
  const std::string search = "search --platform gtx480 transpose --class xor";
  const std::string run =
      runProgram(search + " 2>/dev/null")  // a slow run says there how far it is
          .says("not worth it: it saves 0.1% of the cycles; expected 1% or more",
                "the runs have the conflicts that the search predicts")
          .text;
  BOOST_TEST(runProgram(search + " --apply 2>/dev/null").text == run);
  runProgram(search + " --no-apply")
      .says("what it saves of the cycles is unknown: --no-apply")
      .lacks("runs on gtx480");
  runProgram("search --layout '(32):(64)' --atom ld.32")
      .says("what it saves of the cycles is unknown: no workload runs");
  runProgram(search + " --apply --no-apply").refused();
  runProgram(search + " --no-apply --power fermi-40nm").refused();
}

// ami 19 leaves no conflict of nw, with 19 banks; the price table has 31, and 33 and more.
BOOST_AUTO_TEST_CASE(what_has_no_price_is_not_recommended_in_silence) {
  runProgram("search --platform gtx480 nw --class matrix,ami --no-apply")
      .says("recommended in hardware: matrix ", "modulus   ami 19 ", "no price, 19 banks",
            "no price: mapping 'ami 19': no block of this modulus")
      .lacks("+0");
  runProgram("search --platform gtx480 nw --class xor,ami --no-apply")
      .says(
          "recommended in hardware: ami 19: 0 conflicts left; cost: no price, 19 banks\n"
          "it has no price; with a price: xor k1=0 k2=5 mask=7: 768 conflicts left");
}

// lud's kernels have windows of 256 words and more: a region is chosen by bits that all have, so
// that the runs have the conflicts predicted.
BOOST_AUTO_TEST_CASE(regions_of_the_memory_have_a_mapping_each) {
  runProgram("search --platform gtx480 lud --class perm --regions 2")
      .says("regions at=7 | perm k=0 | perm k=1",
            "the runs have the conflicts that the search predicts");
  runProgram("search --platform gtx480 lud --class perm --no-apply").lacks("regions");
  runProgram("search --platform gtx480 lud --class perm --regions 65").refused("--regions");
  runProgram("search --platform gtx480 lud --class perm --regions 0").refused("--regions");
}

BOOST_AUTO_TEST_CASE(a_line_that_conflicts_only_afterwards_is_shown) {
  // Line 13 conflicts on 13 banks, not on 32.
  runProgram("search --platform gtx480 transpose --param tile=16 --class ami --max-banks 16")
      .says("transpose.cu:20", "transpose.cu:13");
}

BOOST_AUTO_TEST_CASE(the_recommended_command_runs_and_has_no_conflicts) {
  const std::string text =
      runProgram("search --platform gtx480 transpose --param tile=16 --class xor --worth 0").text;
  const std::size_t at = text.find("fermata run ");
  BOOST_REQUIRE(at != std::string::npos);
  const std::string command = text.substr(at + 8, text.find('\n', at) - at - 8);
  const Outcome run = runProgram(command + " --out results", path).ok();
  const std::vector<std::string> rows = linesOf(run.text);
  BOOST_REQUIRE(rows.size() >= 2U);
  BOOST_TEST(has(rows[rows.size() - 2], "1.00"));  // mean passes
  BOOST_TEST(has(rows.back(), "no conflicts"));
}

BOOST_AUTO_TEST_CASE(without_conflicts_it_says_so) {
  runProgram("search --platform gtx480 stride --param stride=1")
      .ok("nothing to search: there is no conflict");
  const std::string csv =
      runProgram("search --platform gtx480 stride --param stride=1 --csv --class xor,ami").text;
  BOOST_TEST(linesOf(csv).size() == 4U);
  BOOST_TEST(has(csv, ",0,0,5,conflict-free"));
}

BOOST_AUTO_TEST_CASE(classes_that_cannot_have_the_banks_are_left_out) {
  const Outcome csv = runProgram("search --platform gtx480 transpose --banks 33 --csv").ok();
  BOOST_TEST(linesOf(csv.text).size() == 13U);
  csv.says("\nami,exhaustive,", "\npadding,exhaustive,");
  runProgram("search --platform gtx480 transpose --banks 33")
      .says("perm exhaustive was left out: ");
}

// A set that only a check catches: unchecked, Givargis takes 1^4, 1^2 and their sum.
BOOST_AUTO_TEST_CASE(an_unchecked_choice_of_lower_rank_is_said) {
  write("dependent.csv", "2,5,39,50,60\n3,1,25,29,51\n");
  const std::string options =
      "search --accesses dependent.csv --words 64 --banks 8 --class pairs --method givargis";
  const Outcome csv = runProgram(options + " --csv", path);
  BOOST_TEST_CONTEXT(csv.text) {
    BOOST_TEST(has(rowOf(csv.text, "pairs,givargis"), "\"pairs 1^4,1^2,1\","));
    BOOST_TEST(has(rowOf(csv.text, "pairs,givargis"), ",0,3,conflict-free"));
  }
  runProgram(options, path)
      .says(
          "without its rank check would choose pairs 1^4,1^2,2^4: rank 2 of 3, which maps "
          "different words onto one place");
}

BOOST_AUTO_TEST_CASE(files_are_tidy_and_the_same_each_time) {
  for (const char* out : {"a", "b"}) {
    runProgram(
        "search --platform gtx480 transpose --param tile=32 --class xor,matrix --pareto --effort "
        "2000 --out " +
            std::string(out),
        path)
        .ok();
  }
  for (const char* name : {"search.csv", "instructions.csv", "pareto.csv", "schema.csv"}) {
    const std::string first = readFile(path / "a" / name);
    BOOST_TEST(linesOf(first).size() > 1U);
    BOOST_TEST(first == readFile(path / "b" / name));
  }
  BOOST_TEST(linesOf(readFile(path / "a" / "search.csv")).front() == kHeader);
  // 3 searches of 8 instructions; conflicts of the load are all conflicts.
  const std::vector<std::string> rows = linesOf(readFile(path / "a" / "instructions.csv"));
  BOOST_TEST(rows.size() == 1U + 3 * 8);
  BOOST_TEST(std::count_if(rows.begin(), rows.end(), [](const std::string& row) {
               return has(row,
                          "transpose.cu,20,ld.shared.f32,stride 32,1,128,128,128,4096,128,3968,0");
             }) == 3 * 4);
}

BOOST_AUTO_TEST_CASE(every_column_is_in_the_schema) {
  runProgram("search --platform gtx480 transpose --class xor --pareto --out a", path).ok();
  std::string expected;
  for (const char* name : {"search.csv", "instructions.csv", "pareto.csv"}) {
    std::istringstream header(linesOf(readFile(path / "a" / name)).front());
    for (std::string column; std::getline(header, column, ',');) {
      expected += std::string(name) + "," + column + "\n";
    }
  }
  std::string found;
  for (const std::string& line : linesOf(readFile(path / "a" / "schema.csv"))) {
    const std::size_t end = line.find(',', line.find(',') + 1);
    if (line != "file,column,type,unit,description") found += line.substr(0, end) + "\n";
  }
  BOOST_TEST(found == expected);
}

BOOST_AUTO_TEST_CASE(compromises_have_the_cost_of_their_gates) {
  runProgram("search --platform gtx480 transpose --class xor --pareto --out a", path)
      .ok("gates  depth  NAND2    ns");
  const auto rows = linesOf(readFile(path / "a" / "pareto.csv"));
  BOOST_TEST_REQUIRE(rows.size() > 2U);
  BOOST_TEST(rows[0] ==
             "gates,depth,mapping,conflicts_before,conflicts_after,estimate,gate_equivalents,"
             "delay_ns,energy_fj");
  BOOST_TEST(begins(rows[1], "0,0,"));  // wires
  BOOST_TEST(has(rows[1], ",0.0,0.000,0.0"));
  // `cost` must give the same figures for the function.
  const std::string last = rows.back();
  const std::size_t open = last.find('"');
  const std::string mapping = last.substr(open + 1, last.rfind('"') - open - 1);
  const std::string cost = linesOf(runProgram("cost '" + mapping + "' --csv").text).at(1);
  BOOST_TEST(has(cost, "xor-gates,gates=" + last.substr(0, last.find(','))));
}

BOOST_AUTO_TEST_CASE(a_trace_and_a_pattern_are_searched_like_a_kernel) {
  runProgram("run gtx480 transpose --record t.csv --quiet", path).ok();
  const std::string options = " --class xor,bits --csv";
  const std::string kernel = runProgram("search --platform gtx480 transpose" + options).text;
  BOOST_TEST(runProgram("search --platform gtx480 t.csv" + options, path).text == kernel);
  // 32 warps of 1000 loads, and the fill of the array.
  const std::string pattern = runProgram(
                                  "search --platform gtx480 pattern-stride --param stride=4 "
                                  "--param ctas=1 --param threads=32" +
                                  options)
                                  .text;
  BOOST_TEST(figure(rowOf(pattern, "xor,exhaustive"), 0) == 1000U * 3);
  BOOST_TEST(figure(rowOf(pattern, "xor,exhaustive"), 1) == 0U);
}

BOOST_AUTO_TEST_CASE(a_kernel_of_ones_own_is_answered_with_its_line) {
  write("mine.cu",
        "extern \"C\" __global__ void mine(float* out) {\n"
        "  __shared__ float tile[32][32];\n"
        "  tile[threadIdx.y][threadIdx.x] = 1.0f;\n"
        "  __syncthreads();\n"
        "  out[threadIdx.y * 32 + threadIdx.x] =\n"
        "      tile[threadIdx.x][threadIdx.y];\n"
        "}\n");
  write("mine.toml",
        "kernel = \"mine.cu\"\n[buffers.out]\ntype = \"f32\"\ncount = 1024\n"
        "fill = { constant = 0 }\n"
        "[[launch]]\nentry = \"mine\"\ngrid = 1\nblock = [32, 32]\n"
        "arguments = [{ buffer = \"out\" }]\n");
  runProgram("search --platform gtx480 mine.toml", path)
      .ok("mine.cu:6", "992 conflicts with mod 32",
          "fermata run mine.toml --platform gtx480 --set");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(applied)

const char* const kApplied[] = {
    "transpose --platform gtx480 --param tile=32", "transpose --platform gtx480 --param tile=16",
    "reduction --platform gtx480 --param variant=1", "fwt --platform gtx480",
    "stride --platform gtx480 --param stride=6",
    // Two warps are a wave64, whose lanes are offered together.
    "transpose --param tile=32 --platform mi350", "fft1 --platform mi350",
    "nw --param n=64 --platform mi350", "hgemm --platform sm_80"};

BOOST_DATA_TEST_CASE(runs_have_the_conflicts_that_are_predicted, bdata::make(kApplied), workload) {
  runProgram(std::string("search ") + workload + " --class xor,pairs,ami --apply")
      .ok("the runs have the conflicts that the search predicts");
}

// Eight windows of 1184 words are packed: the mapping's address bits differ from those in the CTA.
BOOST_AUTO_TEST_CASE(packed_windows_explain_other_conflicts) {
  runProgram(
      "search --platform gtx480 pattern-random --param words=1184 --param threads=32 --param "
      "ctas=16 --param "
      "repeat=50 --class xor --apply")
      .ok("note: the windows of the CTAs of pattern-random")
      .lacks("the runs have the conflicts that the search predicts");
}

// Several lane groups of an access do not count as conflicts.
BOOST_AUTO_TEST_CASE(parts_of_an_access_are_no_conflicts) {
  runProgram(
      "search --platform gtx480 pattern-stride --param bytes=8 --param stride=4 --param repeat=20 "
      "--param "
      "ctas=2 --set crossbar.groups_64='0-3,20-23|4-7,16-19|8-15|24-31' --set scratchpad.ports=2 "
      "--class ami --apply")
      .ok("the runs have the conflicts that the search predicts");
}

BOOST_AUTO_TEST_CASE(several_workloads_are_applied_each) {
  runProgram("search --platform gtx480 transpose reduction --weights 2,1 --class xor --apply")
      .ok("conflicts, times the weight", "the runs have the conflicts that the search predicts");
}

BOOST_AUTO_TEST_CASE(other_banks_are_applied_too) {
  runProgram("search --platform gtx480 transpose --banks 16 --class xor --apply")
      .ok("--set scratchpad.banks=16", "the runs have the conflicts that the search predicts");
}

BOOST_AUTO_TEST_SUITE_END()
