// Kernels whose threads meet on words of shared memory. They are right for every layout of their
// copies, make the accesses that they were written for, and are refused if their copies do not fit.

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/catalog.h>
#include "tests/cuda/shared_accesses.h"
#include "tests/support/says.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace fermata::test;

using namespace fermata;

std::unique_ptr<launch::LaunchWorkload> ran(const std::string& name, const Parameters& parameters) {
  launch::WorkloadOptions options;
  options.checkUninitialised = true;
  auto workload = launch::openLaunch(name, parameters, options);
  BOOST_TEST(workload->runFunctionally() > 0U);
  BOOST_TEST(workload->checkResults() == 1U);
  return workload;
}

std::vector<std::uint32_t> wordsOf(const launch::LaunchWorkload& workload,
                                   const std::string& buffer) {
  const std::vector<std::uint8_t> bytes = workload.contents(buffer);
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

/// Returns the words of shared memory that the lanes of each atomic ask for, counted from the
/// window's start. CTA 0 of the first launch only.
std::vector<std::vector<std::uint64_t>> atomicsOf(const std::string& name,
                                                  const Parameters& parameters) {
  const auto workload = launch::openLaunch(name, parameters);
  workload->setWarpSlots(32);
  std::vector<std::vector<std::uint64_t>> accesses;
  const Grid* grid = workload->nextGrid();
  workload->startCta(0, 0);
  visitCta(*workload, grid->warpsPerCta(), [&](const WarpInstruction& access) {
    if (access.operation != MemoryOperation::Atomic) return;
    accesses.emplace_back();
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((access.active >> lane & 1U) != 0) accesses.back().push_back(access.address[lane] / 4);
    }
  });
  workload->endCta(0);
  return accesses;
}

BOOST_AUTO_TEST_SUITE(atomics)

BOOST_AUTO_TEST_CASE(refuse_what_says_nothing_of_a_file) {
  const test::TemporaryFolder folder;
  folder.put("photo.pgm", "P2 3 3 255 0 0 255 0 0 255 0 0 255");
  const std::string path = (folder / "photo.pgm").string();
  for (const char* name : {"histogram", "hough"}) {
    ran(name, {{"image", path}});
    for (const char* parameter : {"seed", "width", "height", "bits"}) {
      BOOST_CHECK_EXCEPTION(launch::openLaunch(name, {{"image", path}, {parameter, "9"}}),
                            InputError, test::says("are for image=natural"));
    }
  }
}

BOOST_AUTO_TEST_CASE(of_the_benchmark_go_to_the_words_of_equation_1) {
  for (const auto& [stride, conflicts] :
       {std::pair{0U, 5U}, {32U, 32U}, {256U, 7U}, {1024U, 12U}, {1U, 32U}, {12256U, 2U}}) {
    const auto accesses = atomicsOf("atomicbench", {{"stride", std::to_string(stride)},
                                                    {"conflicts", std::to_string(conflicts)},
                                                    {"iterations", "4"},
                                                    {"warps", "2"}});
    BOOST_REQUIRE(accesses.size() == 8U);
    std::vector<std::uint64_t> expected(32);
    for (unsigned id = 0; id < 32; ++id) expected[id] = id < conflicts ? id * stride : id;
    for (const auto& words : accesses) BOOST_TEST(words == expected, tt::per_element());
  }
  BOOST_TEST(atomicsOf("atomicbench", {{"iterations", "0"}}).empty());
}

BOOST_AUTO_TEST_CASE(of_the_benchmark_are_all_that_its_kernels_differ_by) {
  const auto instructions = [](const char* iterations) {
    return launch::openLaunch("atomicbench", {{"iterations", iterations}})->runFunctionally();
  };
  const std::uint64_t none = instructions("0");
  BOOST_TEST(instructions("1") == none + 1);
  // Each further addition has two more instructions, which wait for the addition before.
  BOOST_TEST(instructions("2") == none + 1 + 3);
  BOOST_TEST(instructions("16") == none + 1 + 15 * 3);
}

BOOST_AUTO_TEST_CASE(of_the_histogram_lie_as_its_layout_says) {
  // Pixels of one level: thread t goes to copy t mod 5 of bin 255 * 64 / 256 = 63.
  const test::TemporaryFolder folder;
  std::string text = "P2 64 8 255";
  for (unsigned i = 0; i < 64 * 8; ++i) text += " 255";
  folder.put("white.pgm", text);
  Parameters parameters = {{"image", (folder / "white.pgm").string()},
                           {"bins", "64"},
                           {"replication", "5"},
                           {"padding", "1"},
                           {"threads", "64"},
                           {"blocks", "2"}};
  struct Layout {
    const char* name;
    std::uint64_t first;   ///< word of the bin in copy 0
    std::uint64_t stride;  ///< words to the next copy
  };
  for (const Layout& layout : {Layout{"replicated", 63, 65}, Layout{"stretched", 63 * 6, 1}}) {
    parameters["layout"] = layout.name;
    const auto accesses = atomicsOf("histogram", parameters);
    BOOST_REQUIRE(accesses.size() == 8U);  // 512 pixels in 2 blocks: 256 in CTA 0, 32 per access
    std::set<std::vector<std::uint64_t>> expected;
    for (unsigned warp = 0; warp < 2; ++warp) {
      std::vector<std::uint64_t> words;
      for (unsigned lane = 0; lane < 32; ++lane)
        words.push_back(layout.first + (32 * warp + lane) % 5 * layout.stride);
      expected.insert(words);
    }
    BOOST_TEST((std::set<std::vector<std::uint64_t>>(accesses.begin(), accesses.end()) == expected),
               layout.name);
  }
}

BOOST_AUTO_TEST_CASE(count_an_image_of_the_users) {
  const test::TemporaryFolder folder;
  // 12 bits: each bin has 64 levels.
  folder.put("deep.pgm", "P2\n5 2\n4095\n0 63 64 127 128 4095 4094 4032 4031 2048\n");
  const std::string path = (folder / "deep.pgm").string();
  std::vector<std::uint32_t> expected(64);
  for (const unsigned bin : {0, 0, 1, 1, 2, 63, 63, 63, 62, 32}) ++expected[bin];
  for (const char* layout : {"replicated", "stretched"}) {
    const auto workload = ran("histogram", {{"image", path}, {"bins", "64"}, {"layout", layout}});
    BOOST_TEST(wordsOf(*workload, "histogram") == expected, tt::per_element());
    BOOST_TEST(workload->parameters().at("image") == path);
    BOOST_TEST(workload->parameters().at("layout") == layout);
  }
  folder.put("bytes.pgm", std::string("P5 3 1 255 \x00\x80\xff", 14));
  const auto bytes = ran("histogram", {{"image", (folder / "bytes.pgm").string()}, {"bins", "32"}});
  std::vector<std::uint32_t> few(32);
  few[0] = few[16] = few[31] = 1;
  BOOST_TEST(wordsOf(*bytes, "histogram") == few, tt::per_element());
}

/// Returns a PGM of 40 x 30, dark up to column 19 and bright from column 20 on.
std::string step() {
  std::string text = "P2 40 30 255";
  for (unsigned i = 0; i < 40 * 30; ++i) text += i % 40 < 20 ? " 10" : " 200";
  return text;
}

BOOST_AUTO_TEST_CASE(of_the_transform_lie_as_its_layout_says) {
  const test::TemporaryFolder folder;
  folder.put("step.pgm", step());
  Parameters parameters = {{"image", (folder / "step.pgm").string()},
                           {"replication", "5"},
                           {"threads", "64"},
                           {"thetas", "1"}};
  for (const bool isStretched : {false, true}) {
    parameters["layout"] = isStretched ? "stretched" : "replicated";
    const auto accesses = atomicsOf("hough", parameters);
    BOOST_REQUIRE(accesses.size() == 2U);  // columns 19 and 20 of 28 rows: 56 lanes
    for (unsigned warp = 0; warp < 2; ++warp) {
      std::vector<std::uint64_t> expected;
      for (unsigned t = 32 * warp; t < std::min(32 * warp + 32, 56U); ++t) {
        const unsigned distance = 50 + 19 + t % 2;  // rho is x; rho 0 is in the middle of 100
        expected.push_back(isStretched ? distance * 5 + t % 5 : t % 5 * 100 + distance);
      }
      BOOST_TEST(accesses[warp] == expected, tt::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(find_a_line) {
  // A step between columns 19 and 20 of 40 x 30: at theta 0, rho 19 and 20 have 28 votes, one per
  // row.
  const test::TemporaryFolder folder;
  folder.put("step.pgm", step());
  const auto workload =
      ran("hough",
          {{"image", (folder / "step.pgm").string()}, {"replication", "4"}, {"thetas", "180"}});
  const auto votes = wordsOf(*workload, "votes");
  BOOST_REQUIRE(votes.size() == 180U * 2 * 50);  // the diagonal has 50 pixels
  std::vector<std::uint32_t> upright(votes.begin(), votes.begin() + 100);
  BOOST_TEST(upright[50 + 19] == 28U);
  BOOST_TEST(upright[50 + 20] == 28U);
  BOOST_TEST(*std::max_element(votes.begin(), votes.end()) == 28U);
  // Horizontal lines, theta 90: each row has two votes.
  BOOST_TEST(votes[90 * 100 + 50 + 1] == 2U);
  BOOST_TEST(votes[90 * 100 + 50 + 28] == 2U);
  BOOST_TEST(votes[90 * 100 + 50] == 0U);
  // theta 180 - 45: rho = (y - x) / sqrt 2 is negative for points to the right and above.
  BOOST_TEST(votes[135 * 100 + 50 - 13] > 0U);
}

BOOST_AUTO_TEST_CASE(of_clusters_lie_as_their_layout_says) {
  // 64 points of level 200, nearest to centre 3 of 32, 96, 160 and 224: words 15 to 19 of a copy of
  // 20. The known centres lie before the copies.
  constexpr std::uint64_t kCopies = 4 * 256;
  const test::TemporaryFolder folder;
  std::string text = "P2 16 16 255";
  for (unsigned i = 0; i < 16 * 16; ++i) text += " 200";
  folder.put("grey.pgm", text);
  Parameters parameters = {{"image", (folder / "grey.pgm").string()},
                           {"clusters", "4"},
                           {"replication", "5"},
                           {"threads", "64"}};
  for (const bool isStretched : {false, true}) {
    parameters["layout"] = isStretched ? "stretched" : "replicated";
    const auto accesses = atomicsOf("kmeans", parameters);
    BOOST_REQUIRE(accesses.size() == 2U * 5);
    for (unsigned warp = 0; warp < 2; ++warp) {
      for (unsigned word = 0; word < 5; ++word) {
        std::vector<std::uint64_t> expected;
        for (unsigned t = 32 * warp; t < 32 * warp + 32; ++t)
          expected.push_back(kCopies +
                             (isStretched ? (15 + word) * 5 + t % 5 : t % 5 * 20 + 15 + word));
        BOOST_TEST(accesses[5 * warp + word] == expected, tt::per_element());
      }
    }
    const auto sums = wordsOf(*ran("kmeans", parameters), "sums");
    BOOST_TEST(sums[15] == 64U * 200);
    BOOST_TEST(sums[19] == 64U);
    BOOST_TEST(sums[4] == 0U);
  }
  BOOST_CHECK_EXCEPTION(launch::openLaunch("kmeans", {{"clusters", "256"}, {"replication", "9"}}),
                        InputError, test::says("at most 45056 bytes"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
