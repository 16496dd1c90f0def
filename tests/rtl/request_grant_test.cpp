// A user's request/grant crossbar (platforms/own_rtl/request_grant.sv) behind the crossbar's model.
#include <fermata/models/memory/conflict.h>
#include <fermata/models/vocabulary/error.h>
#include <fermata/platforms/own_rtl/request_grant.h>

#include "tests/rtl/whole_platform.h"

using namespace fermata;
using own_rtl::makeRequestGrant;
using rtl::PassRequest;
using rtl::PassResponse;
using rtl::test::Kernel;
using rtl::test::Platform;

namespace {

class Checked : public fermata::test::CheckedConnector {
 public:
  std::unique_ptr<rtl::PassBlock> passBlock(std::uint32_t banks) override {
    return makeRequestGrant(banks);
  }
};

/// Returns the word of a lane: a stride, or random if `stride` is 0, below `span`.
std::uint32_t wordOf(std::mt19937& random, unsigned lane, std::uint32_t span,
                     std::uint32_t stride) {
  const std::uint32_t word = stride != 0 ? lane * stride : static_cast<std::uint32_t>(random());
  return word % span;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(request_grant)

// 200,000 accesses: passes equal the degree, each bank is granted at most once per pass, no lane is
// lost, and only lanes that asked are served.
BOOST_DATA_TEST_CASE(takes_the_passes_of_the_degree, bdata::make({"mod 32", "ami 33"}), text) {
  const auto mapping = indexing::build(text, {32, 12288});
  const std::uint32_t banks = mapping->shape().banks;
  const auto block = makeRequestGrant(banks);
  std::mt19937 random(1);
  for (unsigned i = 0; i < 200000; ++i) {
    const std::uint32_t span = 12288U >> random() % 8;
    const std::uint32_t stride = random() % 4 == 0 ? random() % 64 : 0;
    PassRequest request;
    request.valid = random() % 2 != 0 ? kAllLanes : static_cast<LaneMask>(random());
    rtl::Lanes word;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      word[lane] = wordOf(random, lane, span, stride);
    mapping->locate(word, kAllLanes, request.bank, request.row);
    std::map<std::uint32_t, std::set<std::uint32_t>> rows;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      if ((request.valid >> lane & 1) != 0) rows[request.bank[lane]].insert(request.row[lane]);
    std::size_t degree = 0;
    for (const auto& [bank, set] : rows) degree = std::max(degree, set.size());
    LaneMask served = 0;
    std::size_t passes = 0;
    for (const LaneMask all = request.valid; served != all; ++passes) {
      const PassResponse response = rtl::ask(*block, request);
      std::set<std::uint32_t> granted;
      for (LaneMask m = response.leaders; m != 0; m &= m - 1)
        BOOST_REQUIRE(granted.insert(request.bank[static_cast<unsigned>(__builtin_ctz(m))]).second);
      std::set<std::uint32_t> asked;
      for (LaneMask m = request.valid; m != 0; m &= m - 1)
        asked.insert(request.bank[static_cast<unsigned>(__builtin_ctz(m))]);
      BOOST_REQUIRE((granted == asked));
      BOOST_REQUIRE((response.leaders & ~response.served) == 0U);
      BOOST_REQUIRE((response.served & ~request.valid) == 0U);
      BOOST_REQUIRE(response.left == (request.valid & ~response.served));
      served |= response.served;
      request.valid = response.left;
    }
    BOOST_REQUIRE(passes == degree);
  }
}

BOOST_AUTO_TEST_CASE(has_as_many_banks_as_it_was_built_with) {
  BOOST_CHECK_THROW(makeRequestGrant(34), BadInput);
  Checked connector;
  BOOST_CHECK_THROW(
      platforms::Simulation(
          fermata::test::gtx480({"rtl.crossbar=rtl", "scratchpad.indexer=ami 48"}), connector),
      InputError);
}

const Kernel kKernels[] = {
    {"transpose", {{"tile", "32"}}},
    {"matmul", {{"n", "32"}}},
    {"reduction", {{"variant", "2"}, {"n", "8192"}}},
    {"scan", {{"variant", "1"}, {"n", "3000"}}},
    {"histogram", {{"width", "128"}, {"height", "64"}, {"bins", "64"}}},
    {"hist64", {{"n", "8192"}, {"blocks", "2"}}},
    {"nw", {{"n", "64"}}},
    {"fft1", {{"rows", "64"}}},
    {"sgemm", {{"m", "128"}, {"n", "32"}, {"k", "16"}}},
};
const char* const kMappings[] = {"mod 32", "ami 33"};
const char* const kHow[] = {"lockstep", "rtl"};

BOOST_DATA_TEST_CASE(makes_the_conflicts_and_cycles_of_the_model,
                     bdata::make(kKernels) * bdata::make(kMappings) * bdata::make(kHow), kernel,
                     mapping, how) {
  Checked connector;
  platforms::Connector none;
  const std::string indexer = std::string("scratchpad.indexer=") + mapping;
  Platform block("block", {"verify=true", indexer, std::string("rtl.crossbar=") + how}, connector);
  Platform model("model", {"verify=true", indexer}, none);
  const platforms::RunOutcome ofBlock = block.run(kernel);
  const platforms::RunOutcome ofModel = model.run(kernel);
  BOOST_TEST(connector.nothingLeft());
  BOOST_TEST(ofBlock.cycles == ofModel.cycles);
  BOOST_TEST(ofBlock.compared == ofModel.compared);
  BOOST_TEST(ofBlock.totals.bankConflictCycles() == ofModel.totals.bankConflictCycles());
}

BOOST_AUTO_TEST_SUITE_END()
