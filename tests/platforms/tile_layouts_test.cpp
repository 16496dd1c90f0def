// Costs of tile layouts: passes of each instruction on 32 banks, computed by hand from the
// algorithm.
#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

/// Wavefronts of instructions whose opcode begins so.
struct Wavefronts {
  const char* opcode;
  unsigned excessive;  ///< with the plain layout; none with the others
  unsigned ideal;
};
struct Layouts : Named {
  std::vector<Wavefronts> wavefronts;
};

const char* const kMatrices = "ldmatrix.sync.aligned.m8n8.x4.shared";
const char* const kTransposed = "ldmatrix.sync.aligned.m8n8.x4.trans";

// An access of 16 bytes per lane takes four passes, one per quarter of the warp. If the eight lanes
// of a quarter lie in the same banks, it takes eight times as many.
const Layouts kLayouts[] = {
    // Four warps. For the 64 x 64 tiles each warp loads 4 x 2 times 16 x 16 halves of A and B, and
    // stores 16 words per lane.
    {"hgemm --param n=64",
     {{kMatrices, 896, 128},
      {kTransposed, 896, 128},
      {"st.shared", 448, 64},
      {"ld.shared", 0, 64},
      {"cp.async.cg", 0, 128}}},
    // Four warps, one tile of keys and values. Per warp: 4 times 16 x 16 halves of queries, 16 of
    // keys and 16 of values; 16 words per lane.
    {"attention --param n=64",
     {{kMatrices, 2240, 320},
      {kTransposed, 1792, 256},
      {"st.shared", 448, 64},
      {"ld.shared", 0, 64},
      {"cp.async.cg", 0, 192}}},
    // Four warps: each has 4 times 16 x 16 halves, 16 words per lane.
    {"ldtranspose --param n=64",
     {{kTransposed, 448, 64},
      {"st.shared", 448, 64},
      {"ld.shared", 0, 64},
      {"cp.async.cg", 0, 64}}},
    // Two warps, four tiles: 8 pieces of the rows and 8 of x. Copies: 16 times 4 rows, and x by
    // eight lanes.
    {"cpasync --param m=128", {{"ld.shared", 1792, 512}, {"cp.async.cg", 0, 260}}},
    // Two blocks of four warps and 32 rows of 4 times 32 words. Each row comes and goes once; two
    // sums go down 32 columns per warp. In addition each warp stores its share of either sum and
    // loads four; one warp stores two results, which are loaded for each row.
    {"layernorm", {{"ld.shared", 15872, 960}, {"st.shared", 0, 276}}},
};

std::string passes(unsigned long excessive, unsigned long all) {
  return std::to_string(excessive) + " of " + std::to_string(all);
}

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
  return passes(excessive, all);
}

struct Bench : Folder {
  /// Returns a table of a run on 32 banks that serve one quarter of a warp's 16-byte lanes per
  /// pass.
  std::string tableOf(const std::string& what, const std::string& table) const {
    runProgram(
        "run gtx480 " + what +
            " --set verify=true --set crossbar.extra_passes_128=0 --set pipelines.tensor_units=4"
            " --set tensor.latency=25 --set tensor.interval=8 --out r",
        path)
        .ok();
    return readFile(path / "r" / table);
  }
  unsigned long cycles(const std::string& what) const {
    return std::stoul(column(tableOf(what, "runs.csv"), "cycles").at(0));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tile_layouts, Bench)

BOOST_DATA_TEST_CASE(cost_what_the_algorithm_says,
                     bdata::make(kLayouts) * bdata::make({"", "padded", "swizzled"}), layouts,
                     layout) {
  const std::string other = *layout == 0 ? "" : std::string(" --param layout=") + layout;
  const std::string table = tableOf(layouts.name + other, "instructions.csv");
  for (const Wavefronts& one : layouts.wavefronts) {
    const unsigned excessive = *layout == 0 ? one.excessive : 0;
    BOOST_TEST(passesOf(table, one.opcode) == passes(excessive, excessive + one.ideal), one.opcode);
  }
}

BOOST_AUTO_TEST_CASE(a_kernel_without_conflicts_has_none) {
  const std::string table = tableOf("softmax", "instructions.csv");
  BOOST_TEST(passesOf(table, "ld.shared") == passes(0, 1024));
  BOOST_TEST(passesOf(table, "st.shared") == passes(0, 256));
}

BOOST_AUTO_TEST_CASE(a_mapping_of_the_banks_replaces_the_layout) {
  const std::string table = tableOf(
      "hgemm --param n=64 --set scratchpad.indexer='swizzle b=3 m=4 s=3'", "instructions.csv");
  BOOST_TEST(passesOf(table, kMatrices) == passes(0, 128));
  BOOST_TEST(passesOf(table, "st.shared") == passes(0, 64));
}

BOOST_AUTO_TEST_CASE(are_found_for_what_is_laid_out_plainly) {
  for (const char* kernel : {"hgemm", "attention", "ldtranspose", "cpasync", "layernorm"}) {
    runProgram("search --platform gtx480 " + std::string(kernel) +
                   " --set crossbar.extra_passes_128=0 --class xor --csv",
               path)
        .ok(",0,5,conflict-free,");
  }
}

// The search names the swizzle and the padding of the layouts. Down the columns of layernorm no
// exchange of whole 16-byte pieces avoids conflicts, but an exchange of words does.
BOOST_AUTO_TEST_CASE(are_named_as_the_kernel_would) {
  const auto searched = [&](const std::string& what) {
    const Outcome search = runProgram("search " + what + " --platform sm_80 --csv", path).ok();
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
  runProgram("run gtx480 hgemm", path)
      .refused("hgemm.cu:", "needs tensor units, and pipelines.tensor_units is 0");
}

BOOST_AUTO_TEST_SUITE_END()
