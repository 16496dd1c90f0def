// Asynchronous copies of CUDA programs: they bring the right data with and without time, execute as
// the GPU's instructions for them, and show the latency they hide and their conflicts.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/csv_columns.h"
#include "tests/support/program.h"

namespace {

using namespace fermata::test;

const std::string kCopiesSource = FERMATA_SOURCE_DIR "/tests/programs/cuda/async_copies.cu";

/// Figures of the program's kernels, from its tables.
class Profile {
 public:
  explicit Profile(const Folder& folder)
      : runs_(readFile(folder.path / "out/runs.csv")),
        instructions_(readFile(folder.path / "out/instructions.csv")) {}

  unsigned long cycles(const std::string& kernel) const {
    const auto names = column(runs_, "kernel");
    const auto at = std::find(names.begin(), names.end(), kernel) - names.begin();
    return std::stoul(column(runs_, "cycles").at(static_cast<std::size_t>(at)));
  }
  /// Returns the sum of a figure over the instructions of a kernel whose opcode begins with
  /// `opcode`.
  unsigned long sum(const std::string& figure, const std::string& kernel,
                    const std::string& opcode) const {
    const auto kernels = column(instructions_, "kernel"), opcodes = column(instructions_, "opcode"),
               figures = column(instructions_, figure);
    unsigned long all = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (kernels[i] == kernel && opcodes[i].rfind(opcode, 0) == 0) all += std::stoul(figures[i]);
    }
    return all;
  }
  unsigned long executions(const std::string& kernel, const std::string& opcode) const {
    return sum("executions", kernel, opcode);
  }

 private:
  std::string runs_, instructions_;
};

/// Returns the sum of a figure over all launches.
unsigned long sumOf(const std::filesystem::path& file, const std::string& figure) {
  unsigned long all = 0;
  for (const std::string& one : column(readFile(file), figure))
    all += one.empty() ? 0 : std::stoul(one);  // a launch without time has none
  return all;
}

/// Returns the warp instructions of the launches with time.
unsigned long timedInstructions(const std::filesystem::path& file) {
  const auto cycles = column(readFile(file), "cycles"),
             instructions = column(readFile(file), "warp_instructions");
  unsigned long all = 0;
  for (std::size_t k = 0; k < cycles.size(); ++k)
    all += cycles[k].empty() ? 0 : std::stoul(instructions[k]);
  return all;
}

constexpr unsigned kLaunches = 9;

/// Checks that traces of the program hold its copies: the replay of each launch takes as many
/// cycles, and a search counts as many conflicts as all. A launch behind others begins in another
/// cycle than its replay, and another sub-core may have the first turn; so each is recorded alone.
void checkTraces(const Folder& folder, const std::string& platform) {
  const auto alone = folder.path / "alone/runs.csv", again = folder.path / "replayed/runs.csv";
  for (unsigned launch = 0; launch < kLaunches; ++launch) {
    BOOST_TEST_CONTEXT("launch " << launch) {
      const Outcome timed =
          runProgram("exec --platform " + platform + " --launches " + std::to_string(launch) +
                         " --out alone --record t.csv --quiet -- ./app",
                     folder.path);
      BOOST_TEST_REQUIRE(has(timed.text, "PASS"), timed.text);
      const Outcome replayed = runProgram(
          "run t.csv --platform " + platform + " --out replayed --record again.csv --quiet",
          folder.path);
      BOOST_TEST_REQUIRE(replayed.code == 0, replayed.text);
      for (const char* figure : {"cycles", "wavefronts", "wavefronts_excessive", "global_segments"})
        BOOST_TEST(sumOf(again, figure) == sumOf(alone, figure), figure);
      BOOST_TEST(sumOf(again, "warp_instructions") == timedInstructions(alone));
      BOOST_TEST((readFile(folder.path / "again.csv") == readFile(folder.path / "t.csv")));
    }
  }
  const Outcome found = runProgram(
      "search --exec --class swizzle --csv --platform " + platform + " -- ./app", folder.path);
  BOOST_TEST_REQUIRE(found.code == 0, found.text);
  const std::string conflicts =
      std::to_string(sumOf(folder.path / "out/runs.csv", "wavefronts_excessive"));
  BOOST_TEST(has(found.text, "," + conflicts + ","), found.text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(copies)

// Kernels of 4 warps and 6 tiles of 512 words; each warp copies 128 words of each tile.
BOOST_DATA_TEST_CASE(take_their_time, bdata::make({"sm_80", "sm_90"}), arch) {
  const Folder folder;
  const std::string name = arch;
  const Outcome made =
      runProgram("cc -arch=" + name + " '" + kCopiesSource + "' -o app", folder.path);
  BOOST_TEST_REQUIRE(made.code == 0, made.text);
  BOOST_TEST(made.text == "");
  // The kernel `polls` waits at an mbarrier for copies that complete only as time passes.
  const Outcome untimed = runProgram("exec --functional --quiet -- ./app", folder.path);
  BOOST_TEST(has(untimed.text, "PASS"), untimed.text);
  const Outcome timed = runProgram(
      "exec --platform " + name + " --set verify=true --out out --quiet -- ./app", folder.path);
  BOOST_TEST_REQUIRE(has(timed.text, "PASS"), timed.text);

  checkTraces(folder, name);
  const Profile profile(folder);
  const std::string copy16 = "cp.async.cg.shared.global", copy = "cp.async.ca.shared.global";
  for (const char* kernel :
       {"staged<1>", "staged<2>", "shared_pipeline<0>", "shared_pipeline<1>", "polls"})
    BOOST_TEST(profile.executions(kernel, copy16) == 24U, kernel);
  BOOST_TEST(profile.executions("barriers", copy) == 4U * 24U);  // ints are aligned to 4 bytes
  BOOST_TEST(profile.executions("staged<2>", "cp.async.commit_group") == 24U);
  BOOST_TEST(profile.executions("staged<2>", "cp.async.wait_group") == 24U);
  // Three tiles lie at 16 bytes and three at 4. Another copy has 99 whole words between odd ends.
  BOOST_TEST(profile.executions("groups", copy16) == 12U);
  BOOST_TEST(profile.executions("groups", copy) == 3U * 16U + 4U);
  // Each arrival executes twice: once to count it, and once behind the copies.
  for (const char* kernel : {"shared_pipeline<0>", "barriers", "polls"})
    BOOST_TEST(profile.executions(kernel, "cp.async.mbarrier.arrive") == 2U * 24U, kernel);
  if (name == "sm_90") {
    BOOST_TEST(profile.executions("blocks", "cp.async.bulk") == 6U * 2U);  // with its completion
    BOOST_TEST(profile.executions("blocks", "mbarrier.try_wait") > 0U);
  } else {  // 8-byte pieces, 16 bytes apart: half of the banks, twice
    BOOST_TEST(profile.executions("blocks", copy) == 2U * 24U);
    BOOST_TEST(profile.sum("wavefronts_excessive", "blocks", copy) == 2U * 24U * 2U);
    BOOST_TEST(profile.executions("blocks", "mbarrier.test_wait") > 0U);
  }

  // A second stage hides copies behind the work on the first: five of six waits find the data
  // there.
  BOOST_TEST(profile.cycles("staged<2>") + 5 * 400 < profile.cycles("staged<1>"));
  // All lanes write to one bank; the load after the copy has its own conflicts.
  BOOST_TEST(profile.sum("wavefronts_excessive", "column", copy) == 31U);
  BOOST_TEST(profile.sum("wavefronts_excessive", "column", "ld.shared") == 31U);
}

// Scopes that the library lacks are refused where the program names them.
BOOST_AUTO_TEST_CASE(are_refused_where_there_are_none) {
  const Folder folder;
  folder.write("scopes.cu", R"(#include <cuda/pipeline>
__global__ void scopes(int* data) {
  __shared__ cuda::barrier<cuda::thread_scope_device> one;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_system, 2> two;
  __shared__ cuda::barrier<cuda::thread_scope_block> three;
  __shared__ int4 tile[32];
  cuda::device::memcpy_async_tx(tile, data, cuda::aligned_size_t<16>(512), three);
}
)");
  const Outcome scopes = runProgram("cc -arch=sm_80 -c scopes.cu", folder.path);
  BOOST_TEST(scopes.code != 0);
  for (const char* what :
       {"of cuda::barrier only that of cuda::thread_scope_block is there",
        "of cuda::pipeline_shared_state only that of cuda::thread_scope_block is there",
        "scopes.cu:7:17: error: no member named 'memcpy_async_tx' in namespace 'cuda::device'"})
    BOOST_TEST(has(scopes.text, what), what << " in\n" << scopes.text);
  folder.write("old.cu", "#include <cuda/barrier>\n");
  const Outcome old = runProgram("cc -arch=sm_60 -c old.cu", folder.path);
  BOOST_TEST(old.code != 0);
  BOOST_TEST(has(old.text, "needs -arch=sm_70 or newer"), old.text);
}

BOOST_AUTO_TEST_SUITE_END()
