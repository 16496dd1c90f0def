// Costs of tile layouts: passes of each instruction on 32 banks, computed by hand from the
// algorithm.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>

#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

namespace {

namespace bdata = boost::unit_test::data;
using fermata::test::column;
using fermata::test::Folder;
using fermata::test::has;
using fermata::test::Outcome;
using fermata::test::readFile;
using fermata::test::runProgram;

struct Layout {
  const char* run;
  /// By "opcode" or its start: excessive wavefronts of all.
  std::map<std::string, std::string> passes;
};
std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  return out << layout.run;
}

const char* const kMatrices = "ldmatrix.sync.aligned.m8n8.x4.shared";
const char* const kTransposed = "ldmatrix.sync.aligned.m8n8.x4.trans";

// An access of 16 bytes per lane takes four passes, one per quarter of the warp. If the eight lanes
// of a quarter lie in the same banks, it takes eight times as many.
const Layout kLayouts[] = {
    // Four warps. For the 64 x 64 tiles each warp loads 4 x 2 times 16 x 16 halves of A and B, and
    // stores 16 words per lane.
    {"hgemm --param n=64",
     {{kMatrices, "896 of 1024"},
      {kTransposed, "896 of 1024"},
      {"st.shared", "448 of 512"},
      {"ld.shared", "0 of 64"},
      {"cp.async.cg", "0 of 128"}}},
    {"hgemm --param n=64 --param layout=padded",
     {{kMatrices, "0 of 128"},
      {kTransposed, "0 of 128"},
      {"st.shared", "0 of 64"},
      {"ld.shared", "0 of 64"},
      {"cp.async.cg", "0 of 128"}}},
    {"hgemm --param n=64 --param layout=swizzled",
     {{kMatrices, "0 of 128"},
      {kTransposed, "0 of 128"},
      {"st.shared", "0 of 64"},
      {"ld.shared", "0 of 64"},
      {"cp.async.cg", "0 of 128"}}},
    // Four warps, one tile of keys and values. Per warp: 4 times 16 x 16 halves of queries, 16 of
    // keys and 16 of values; 16 words per lane.
    {"attention --param n=64",
     {{kMatrices, "2240 of 2560"},
      {kTransposed, "1792 of 2048"},
      {"st.shared", "448 of 512"},
      {"ld.shared", "0 of 64"},
      {"cp.async.cg", "0 of 192"}}},
    {"attention --param n=64 --param layout=padded",
     {{kMatrices, "0 of 320"},
      {kTransposed, "0 of 256"},
      {"st.shared", "0 of 64"},
      {"ld.shared", "0 of 64"},
      {"cp.async.cg", "0 of 192"}}},
    {"attention --param n=64 --param layout=swizzled",
     {{kMatrices, "0 of 320"},
      {kTransposed, "0 of 256"},
      {"st.shared", "0 of 64"},
      {"ld.shared", "0 of 64"},
      {"cp.async.cg", "0 of 192"}}},
    // Four warps: each has 4 times 16 x 16 halves, 16 words per lane.
    {"ldtranspose --param n=64",
     {{kTransposed, "448 of 512"},
      {"st.shared", "448 of 512"},
      {"ld.shared", "0 of 64"},
      {"cp.async.cg", "0 of 64"}}},
    {"ldtranspose --param n=64 --param layout=padded",
     {{kTransposed, "0 of 64"},
      {"st.shared", "0 of 64"},
      {"ld.shared", "0 of 64"},
      {"cp.async.cg", "0 of 64"}}},
    {"ldtranspose --param n=64 --param layout=swizzled",
     {{kTransposed, "0 of 64"},
      {"st.shared", "0 of 64"},
      {"ld.shared", "0 of 64"},
      {"cp.async.cg", "0 of 64"}}},
    // Two warps, four tiles: 8 pieces of the rows and 8 of x. Copies: 16 times 4 rows, and x by
    // eight lanes.
    {"cpasync --param m=128", {{"ld.shared", "1792 of 2304"}, {"cp.async.cg", "0 of 260"}}},
    {"cpasync --param m=128 --param layout=padded",
     {{"ld.shared", "0 of 512"}, {"cp.async.cg", "0 of 260"}}},
    {"cpasync --param m=128 --param layout=swizzled",
     {{"ld.shared", "0 of 512"}, {"cp.async.cg", "0 of 260"}}},
    // Two blocks of four warps and 32 rows of 4 times 32 words. Each row comes and goes once; two
    // sums go down 32 columns per warp. In addition each warp stores its share of either sum and
    // loads four; one warp stores two results, which are loaded for each row.
    {"layernorm", {{"ld.shared", "15872 of 16832"}, {"st.shared", "0 of 276"}}},
    {"layernorm --param layout=padded", {{"ld.shared", "0 of 960"}, {"st.shared", "0 of 276"}}},
    {"layernorm --param layout=swizzled", {{"ld.shared", "0 of 960"}, {"st.shared", "0 of 276"}}},
    {"softmax", {{"ld.shared", "0 of 1024"}, {"st.shared", "0 of 256"}}},
    // The banks' mapping replaces the layout.
    {"hgemm --param n=64 --set scratchpad.indexer='swizzle b=3 m=4 s=3'",
     {{kMatrices, "0 of 128"}, {"st.shared", "0 of 64"}}},
};

/// Returns the excessive wavefronts of all, for instructions whose opcode starts so.
std::string passesOf(const std::string& table, const std::string& opcode) {
  const auto opcodes = column(table, "opcode");
  const auto excess = column(table, "wavefronts_excessive"),
             wavefronts = column(table, "wavefronts");
  unsigned long excessive = 0;
  unsigned long all = 0;
  for (std::size_t i = 0; i < opcodes.size(); ++i) {
    if (opcodes[i].rfind(opcode, 0) != 0) continue;
    excessive += std::stoul(excess[i]);
    all += std::stoul(wavefronts[i]);
  }
  return std::to_string(excessive) + " of " + std::to_string(all);
}

struct Bench : Folder {
  /// Returns a table of a run on 32 banks that serve one quarter of a warp's 16-byte lanes per
  /// pass.
  std::string tableOf(const std::string& what, const std::string& table) const {
    const Outcome run = runProgram(
        "run gtx480 " + what +
            " --set verify=true --set crossbar.extra_passes_128=0 --set pipelines.tensor_units=4"
            " --set tensor.latency=25 --set tensor.interval=8 --out r",
        path);
    BOOST_TEST_REQUIRE(run.code == 0, run.text);
    return readFile(path / "r" / table);
  }
  unsigned long cycles(const std::string& what) const {
    return std::stoul(column(tableOf(what, "runs.csv"), "cycles").at(0));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tile_layouts, Bench)

BOOST_DATA_TEST_CASE(cost_what_the_algorithm_says, bdata::make(kLayouts), layout) {
  const std::string table = tableOf(layout.run, "instructions.csv");
  for (const auto& [opcode, passes] : layout.passes)
    BOOST_TEST(passesOf(table, opcode) == passes, opcode << ": " << passesOf(table, opcode));
}

BOOST_AUTO_TEST_CASE(are_found_for_what_is_laid_out_plainly) {
  for (const char* kernel : {"hgemm", "attention", "ldtranspose", "cpasync", "layernorm"}) {
    const Outcome search = runProgram(
        "search " + std::string(kernel) + " --set crossbar.extra_passes_128=0 --class xor --csv",
        path);
    BOOST_TEST(search.code == 0, search.text);
    BOOST_TEST(has(search.text, ",0,5,conflict-free,"), kernel << ": " << search.text);
  }
}

// The search names the swizzle and the padding of the layouts. Down the columns of layernorm no
// exchange of whole 16-byte pieces avoids conflicts, but an exchange of words does.
BOOST_AUTO_TEST_CASE(are_named_as_the_kernel_would) {
  const auto searched = [&](const std::string& what) {
    const Outcome search = runProgram("search " + what + " --platform sm_80 --csv", path);
    BOOST_TEST(search.code == 0, search.text);
    return search.text;
  };
  for (const std::string kernel : {"hgemm", "attention", "ldtranspose", "cpasync"}) {
    const std::string text = searched(kernel + " --vector 16");
    for (const char* row : {"swizzle,exhaustive,swizzle b=3 m=4 s=3,", "tma,exhaustive,tma 128,",
                            "padding,exhaustive,pad row=32 words=4,"})
      BOOST_TEST(has(text, row), kernel << ": " << text);
  }
  BOOST_TEST(has(searched("layernorm --vector 16 --class swizzle"), ",15872,1536,5,optimal,"));
  BOOST_TEST(has(searched("layernorm --class swizzle"), ",15872,0,5,conflict-free,"));
}

BOOST_AUTO_TEST_CASE(a_tile_that_arrives_during_the_last_one_saves_its_time) {
  const unsigned long one = cycles("cpasync --param stages=1");
  const unsigned long two = cycles("cpasync --param stages=2");
  BOOST_TEST(10 * two < 7 * one, one << " and " << two << " cycles");
}

BOOST_AUTO_TEST_CASE(need_tensor_units_where_they_use_them) {
  const Outcome run = runProgram("run gtx480 hgemm", path);
  BOOST_TEST(run.code == 2);
  BOOST_TEST(has(run.text, "hgemm.cu:"), run.text);
  BOOST_TEST(has(run.text, "needs tensor units, and pipelines.tensor_units is 0"), run.text);
}

BOOST_AUTO_TEST_SUITE_END()
