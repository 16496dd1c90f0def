// fermata search: the best in the kernel beside the best in hardware, and padding that counts from
// a CTA's window.
#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

using namespace fermata::test;

namespace {

constexpr const char* kTile32 = "search --platform gtx480 transpose --param tile=32";

/// Writes a kernel whose CTAs have a tile of `rows` rows of `columns` floats, which warps read by
/// columns. Windows of an odd number of rows start at no multiple of a row.
void writeTile(const Folder& folder, unsigned rows, unsigned columns) {
  const std::string tile = "[" + std::to_string(rows) + "][" + std::to_string(columns) + "]";
  folder.write("tile.cu",
               "extern \"C\" __global__ void tile(float* out) {\n"
               "  __shared__ float t" +
                   tile +
                   ";\n"
                   "  for (int i = threadIdx.x; i < " +
                   std::to_string(rows * columns) +
                   "; i += 32) (&t[0][0])[i] = i;\n"
                   "  __syncthreads();\n"
                   "  float sum = 0;\n"
                   "  for (int c = 0; c < " +
                   std::to_string(columns) +
                   "; ++c) sum += t[threadIdx.x][c];\n"
                   "  out[blockIdx.x * 32 + threadIdx.x] = sum;\n"
                   "}\n");
  folder.write("tile.toml",
               "kernel = 'tile.cu'\n[buffers.out]\ntype = 'f32'\ncount = 1024\n"
               "[[launch]]\nentry = 'tile'\ngrid = 32\nblock = 32\n"
               "arguments = [{ buffer = 'out' }]\n");
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(search_places, Folder)

BOOST_AUTO_TEST_CASE(both_are_recommended_beside_each_other) {
  runProgram(std::string(kTile32) + " --class xor,ami,padding,swizzle")
      .ok("conflicts  in the kernel  in hardware\n",
          "recommended in the kernel: pad row=32 words=1: 0 conflicts left; cost: 31 words; index "
          "i "
          "+ i / 32\n",
          "recommended in hardware: xor k1=0 k2=5 mask=31: 0 conflicts left; cost: ",
          "--set 'scratchpad.indexer=pad row=32 words=1'",
          "in the kernel  swizzle   swizzle b=5 m=2 s=5 ", "3 operations per index",
          "i ^ ((i >> 5) & 0x1f)", "transpose  in the kernel  24,763 -> ",
          "transpose  in hardware    24,763 -> ",
          "the runs have the conflicts that the search predicts");
  runProgram(std::string(kTile32) + " --class xor --no-apply")
      .ok("in the kernel: not searched; expected --class padding,swizzle");
  runProgram(std::string(kTile32) + " --class padding --no-apply")
      .ok("in hardware: not searched; expected --class matrix,ami");
}

BOOST_AUTO_TEST_CASE(rows_say_where_and_which_is_best) {
  const std::string csv =
      runProgram(std::string(kTile32) + " --class xor,ami,padding,swizzle --csv").ok().text;
  const std::vector<std::string> where = column(csv, "where");
  const std::vector<std::string> best = column(csv, "best");
  const std::vector<std::string> classes = column(csv, "class");
  std::map<std::string, unsigned> bestIn;
  for (std::size_t i = 0; i < where.size(); ++i) {
    const bool kernel = classes[i] == "padding" || classes[i] == "swizzle";
    BOOST_TEST(where[i] == (kernel ? "in the kernel" : "in hardware"));
    if (best[i] == "1") ++bestIn[where[i]];
  }
  BOOST_TEST(bestIn["in the kernel"] == 1U);
  BOOST_TEST(bestIn["in hardware"] == 1U);
  runProgram(std::string(kTile32) + " --class xor,padding --json")
      .ok("\"where\": \"in the kernel\"", "\"where\": \"in hardware\"");
}

BOOST_AUTO_TEST_CASE(the_page_has_both) {
  runProgram(
      "search --platform sm_80 --layout '(8,4):(64,8)' --atom ldmatrix.x4 --element 2 --html "
      "page.html",
      path)
      .ok();
  const std::string page = readFile(path / "page.html");
  BOOST_TEST(
      has(page, "<li>Best in the kernel: <code>swizzle b=3 m=4 s=3</code>, 0 of 28 conflicts"));
  BOOST_TEST(has(page, "<li>Best in hardware: <code>"));
  BOOST_TEST(has(page, "in the kernel, swizzle"));
}

// A programmer cannot pad or swizzle within a vector that a lane reads at once.
BOOST_AUTO_TEST_CASE(vectors_of_a_kernel_stay_whole) {
  const std::string csv =
      runProgram("search --platform sm_80 hgemm --class padding,swizzle --csv").ok().text;
  for (const std::string& mapping : column(csv, "mapping")) {
    unsigned row = 0;
    unsigned words = 0;
    unsigned bits = 0;
    unsigned base = 0;
    if (std::sscanf(mapping.c_str(), "pad row=%u words=%u", &row, &words) == 2)
      BOOST_TEST((words == 0 || (row % 4 == 0 && words % 4 == 0)), mapping);
    if (std::sscanf(mapping.c_str(), "swizzle b=%u m=%u", &bits, &base) == 2)
      BOOST_TEST(base >= 4U, mapping);
  }
}

// Each CTA's window is padded as its kernel would pad it, wherever the run places the window.
BOOST_AUTO_TEST_CASE(padding_counts_from_the_window_in_runs_too) {
  const std::pair<unsigned, unsigned> tiles[] = {{32, 24}, {32, 32}, {32, 36}, {32, 40}};
  for (const auto& [rows, columns] : tiles) {
    BOOST_TEST_CONTEXT(columns << " columns") {
      writeTile(*this, rows, columns);
      for (const char* kind : {"padding", "swizzle"})
        runProgram("search tile.toml --platform gtx480 --apply --class " + std::string(kind), path)
            .ok("the runs have the conflicts that the search predicts");
    }
  }
  runProgram(
      "search --platform gtx480 pattern-random --param words=1184 --param threads=32 --param "
      "ctas=16 --param repeat=50 --class padding --apply")
      .ok("1,923 -> 1,876  1,923 -> 1,876", "the runs have the conflicts that the search predicts");
}

// Two CTAs of 4 KB in 8 KB: the run keeps both, a padded kernel would not.
BOOST_AUTO_TEST_CASE(ctas_that_padding_would_cost_are_said) {
  runProgram(
      "search --platform gtx480 transpose --param tile=32 --param n=64 --set scratchpad.bytes=8192 "
      "--class padding --apply")
      .ok("keeps the CTAs of the kernel as it is; padded, 1 of 2 are resident");
}

BOOST_AUTO_TEST_SUITE_END()
