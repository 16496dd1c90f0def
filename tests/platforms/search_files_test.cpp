// fermata search on access files and access matrices: results and refusals.
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

const Refusal kRefusals[] = {
    {"search", "nothing to search; expected a workload"},
    {"search --platform gtx480 strid", "strid"},
    {"search --platform gtx480 stride --param strid=1", "strid"},
    {"search --platform gtx480 stride --param stride=1 --param stride=2", "given twice"},
    {"search --accesses good.csv --param n=1", "--param n=1"},
    {"search --platform gtx480 transpose --class hash",
     "unknown class 'hash'; expected perm, xor, bits, pairs, matrix, ami, padding, "
     "swizzle, tma or all"},
    {"search --platform gtx480 transpose --class xor,", "unknown class ''"},
    {"search --platform gtx480 transpose --method random",
     "unknown method 'random'; expected exhaustive, pruned"},
    {"search --platform gtx480 transpose --class perm --method givargis",
     "class perm is not searched by method givargis; expected exhaustive"},
    {"search --platform gtx480 transpose --class pairs --method exhaustive",
     "expected givargis, minimum-imbalance"},
    {"search --platform gtx480 transpose --class bits,perm --method general",
     "expected exhaustive"},
    {"search --platform gtx480 transpose --class xor,bits --method exhaustive,general",
     "method general searches none of these classes: xor, bits; expected matrix"},
    {"search --platform gtx480 transpose --weights 1,2", "--weights has 2 numbers; expected 1"},
    {"search --platform gtx480 transpose stride --weights 1", "--weights has 1 number; expected 2"},
    {"search --platform gtx480 transpose --weights 0", "--weights"},
    {"search --platform gtx480 transpose --weights x", "--weights"},
    {"search --platform gtx480 transpose --banks 0", "--banks"},
    {"search --platform gtx480 transpose --banks 24 --class xor", "24"},
    {"search --platform gtx480 transpose --words 0", "--words"},
    {"search --platform gtx480 transpose --param tile=32 --words 100",
     "word 1023 is accessed; expected --words 1024 or more"},
    {"search --platform gtx480 transpose --effort 0", "--effort"},
    {"search --platform gtx480 transpose --apply --csv", "expected no --csv"},
    {"search --platform gtx480 transpose --csv --pareto", "expected --out"},
    {"search --accesses good.csv --apply", "--apply runs workloads"},
    {"search transpose --platform gtx481", "unknown platform 'gtx481'"},
    {"search --platform gtx480 transpose --set scratchpad.colour=blue", "unknown parameter"},
    {"search --accesses missing.csv", "missing.csv: cannot be opened"},
    {"search --accesses empty.csv", "empty.csv: no access set; expected rows count,word,word,..."},
    {"search --accesses header.csv", "header.csv: no access set"},
    {"search --accesses words.csv", "words.csv:2:3: 'x'; expected a word below --words"},
    {"search --accesses nowords.csv", "nowords.csv:1: a count without words"},
    {"search --accesses zero.csv", "zero.csv:2:1: '0'; expected how often the set is accessed"},
    {"search --accesses negative.csv", "negative.csv:1:1: '-3'; expected"},
    {"search --accesses beyond.csv --platform gtx480",
     "beyond.csv:1:5: '12288'; expected a word below --words"},
    {"search --accesses good.csv --words 99", "good.csv:2:9: '99'"},
    {"search --accesses gap.csv", "gap.csv:1:5: an empty field; expected a word"},
    {"search --accesses many.csv", "129 words in one access set; expected at most 128"},
    {"search --accesses late.csv", "late.csv:2:1: 'count'; expected"},
    {"search --accesses other.csv", "other.csv:1:1: 'words'; expected"},
    {"search --accesses quote.csv", "quote.csv:1"},
    {"search --accesses huge.csv", "huge.csv:1:1: '99999999999999999999'"},
    {"search --access 'threads=16x16 cols=x'", "access 'threads=16x16 cols=x':"},
    {"search --access 'threads=16x16 cols=16 matrix=0,1,1,0 offset=0,-300'", "access '"},
    {"search --access ''", "access"},
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(search_refusals, Folder)

BOOST_DATA_TEST_CASE(bad_input_has_exit_code_2_and_a_reason, bdata::make(kRefusals), one) {
  std::string many = "1";
  for (int word = 0; word < 129; ++word) many += "," + std::to_string(word);
  write("good.csv", "count,words\n1,32,64,99\n");
  write("empty.csv", "");
  write("header.csv", "count,word,word\n");
  write("words.csv", "1,2\n1,x,3\n");
  write("nowords.csv", "7\n");
  write("zero.csv", "1,5\n0,5\n");
  write("negative.csv", "-3,5\n");
  write("beyond.csv", "1,5,12288\n");
  write("gap.csv", "1,5,,6\n");
  write("many.csv", many + "\n");
  write("late.csv", "1,5\ncount,word\n");
  write("other.csv", "words,count\n1,5\n");
  write("quote.csv", "1,\"5\n");
  write("huge.csv", "99999999999999999999,5\n");
  runProgram(one.input, path).refused(one.says);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(search_files, Folder)

// Conflicts are count times (degree - 1): words 0, 32 and 64 share bank 0, 1 does not.
BOOST_AUTO_TEST_CASE(a_file_of_access_sets_is_searched) {
  write("sets.csv", "count,word,word\r\n10,0,32,64,1\r\n\r\n 5 ,32,32,96\n");
  const Outcome csv =
      runProgram("search --accesses sets.csv --class xor --csv", path).ok(",25,0,5,conflict-free");
  runProgram("search --accesses sets.csv --class xor", path)
      .says("15 shared accesses, 2 distinct access sets, 25 conflicts", "sets.csv:2", "sets.csv:4")
      .lacks("fermata run");
}

// A pipe gives its bytes only once, including those that identify a compressed file.
BOOST_AUTO_TEST_CASE(access_sets_come_through_a_pipe) {
  write("sets.csv", "10,0,32,64,1\n5,32,96\n");
  write("short.csv", "1,");
  const std::string read = "' search --accesses /dev/stdin --class xor --csv";
  const auto piped = [&](const std::string& name) {
    return runProgram("--version >/dev/null && cat " + name + " | '" FERMATA_PROGRAM + read, path);
  };
  piped("sets.csv").ok(",25,0,5,conflict-free");
  piped("short.csv").refused("/dev/stdin:1:3: an empty field");
}

// 2^24 words and thousands of paddings: the search looks only at words that occur.
BOOST_AUTO_TEST_CASE(the_largest_memory_is_searched_at_once) {
  write("sets.csv", "3,0,8388608,16777215\n2,5,4101,8197,12293\n");
  runProgram("search --accesses sets.csv --words 16777216 --class ami,padding --csv", path)
      .ok("ami,exhaustive,ami 10,9,0,,conflict-free",
          "padding,exhaustive,pad row=4093 words=1,9,0,,conflict-free");
}

// If there are more distinct sets than are kept, figures are estimates for all accesses.
BOOST_AUTO_TEST_CASE(figures_of_a_sample_are_called_estimates) {
  std::string rows;
  std::uint64_t conflicts = 0;
  for (unsigned i = 0; i < 400000; ++i) {
    const unsigned first = i % 1000;
    const unsigned second = 1000 + i / 1000;
    rows += "1," + std::to_string(first) + "," + std::to_string(second) + "\n";
    conflicts += first % 32 == second % 32 ? 1 : 0;
  }
  write("many.csv", rows);
  const std::string command = "search --accesses many.csv --class perm,ami --max-banks 32";
  const Outcome csv = runProgram(command + " --csv --out out", path);
  BOOST_TEST_CONTEXT(csv.text) {
    const std::string row = csv.text.substr(csv.text.find("\nperm"));
    BOOST_TEST(has(row, ",heuristic,1,"));
    const std::string before = row.substr(row.find(",perm k=") + 10);
    BOOST_TEST(std::stod(before) / static_cast<double>(conflicts) == 1.0, tt::tolerance(0.05));
  }
  BOOST_TEST(has(readFile(path / "out/instructions.csv"), "conflicts_after,estimate\n"));
  runProgram(command, path).says("400,000 shared accesses", ", ~12,", "are estimates", "-> ~");
  runProgram("search --platform gtx480 transpose --class xor").lacks("~");
}

BOOST_AUTO_TEST_CASE(a_method_that_is_left_out_says_why) {
  write("sets.csv", "3,0,256,512\n");
  const std::string command = "search --accesses sets.csv --words 16777216 --banks 256 --effort 10";
  const std::string why =
      "an exhaustive search of the 735471 choices of 8 of 24 address bits; expected at most 200000";
  runProgram(command, path)
      .says("bits exhaustive was left out: " + why, "too large for an exhaustive search: pairs (");
  runProgram(command + " --csv", path).says("bits,exhaustive,,6,,,left out,0,,\"" + why);
  runProgram(command + " --class bits --method exhaustive", path).refused();
}

BOOST_AUTO_TEST_CASE(a_set_may_have_128_words) {
  std::string row = "2";
  for (int word = 0; word < 128; ++word) row += "," + std::to_string(word * 32);
  write("wide.csv", row + "\n");
  // 4 words per bank is the minimum
  runProgram("search --accesses wide.csv --class perm --csv", path).ok(",254,6,5,");
}

// The column read of a 16x16 tile: degree 8 in each of the 8 warps.
BOOST_AUTO_TEST_CASE(an_access_matrix_is_searched) {
  const std::string access = "'threads=16x16 cols=16 matrix=0,1,1,0'";
  runProgram("search --access " + access + " --class xor --csv").ok(",56,0,5,conflict-free");
  // Half warps on 16 banks: the 16 lanes of a half read one column, degree 16.
  runProgram("search --access " + access +
             " --set crossbar.groups_32='0-15|16-31' --banks 16 --class xor --csv")
      .says(",240,0,4,conflict-free");
  // 64 lanes on 64 banks: each of four wavefronts has four words of a bank, three of them
  // excessive.
  runProgram("search --platform mi350 --access " + access + " --class xor --csv")
      .says(",12,0,6,conflict-free");
}

BOOST_AUTO_TEST_CASE(files_matrices_and_workloads_add_up) {
  write("sets.csv", "1,0,32\n");
  runProgram(
      "search --platform gtx480 transpose --param tile=16 --accesses sets.csv --access 'threads=32 "
      "cols=1 "
      "matrix=0,32,0,0' "
      "--weights 1,100,1000 --class perm --csv",
      path)
      .ok("perm,exhaustive,perm k=", "," + std::to_string(3584 + 100 + 31 * 1000) + ",");
}

BOOST_AUTO_TEST_SUITE_END()
