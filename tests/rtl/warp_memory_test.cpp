// An RTL memory that takes a warp at once and serves it in several passes. It reports the number of
// passes, and declares whether lanes on one word merge.

#include "tests/rtl/definitions.h"
#include "tests/rtl/warp_master.h"
#include "tests/rtl/whole_platform.h"
#include "tests/support/says.h"

using namespace fermata;
using namespace fermata::rtl::test;
using fermata::test::has;
using rtl::BlockMemory;
using rtl::MemoryRequest;
using rtl::MemoryResponse;

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));

enum class Tells { WhenTaken, AtTheEnd, Never, Twice };

constexpr BlockMemory::Behaviour behaviour(bool merges) {
  return {16, /*answersStores=*/false, merges, /*tellsPasses=*/true};
}

/// Banks that merge: an access takes as many edges as the fullest bank has distinct rows.
class WarpMemory final : public BlockMemory {
 public:
  WarpMemory(const Parameters& parameters, Tells tells, bool merges = true)
      : BlockMemory("warp_memory", parameters, behaviour(merges)),
        tells_(tells),
        words_(parameters.shape.bytes / 4) {}

 private:
  LaneMask edge(const MemoryRequest& offered, MemoryResponse& answered) override {
    LaneMask taken = 0;
    if (left_ == 0 && offered.valid != 0) {
      taken = offered.valid;
      take(offered);
      if (tells_ == Tells::WhenTaken || tells_ == Tells::Twice) answered.passes = passes_;
    }
    if (left_ == 0 || --left_ != 0) return taken;
    if (tells_ == Tells::AtTheEnd || tells_ == Tells::Twice) answered.passes = passes_;
    if (!request_.write) {
      answered.valid = request_.valid;
      answered.tag.fill(static_cast<std::uint8_t>(request_.tag));
      answered.data = data_;
    }
    return taken;
  }

  void take(const MemoryRequest& offered) {
    request_ = offered;
    std::map<std::uint32_t, std::set<std::uint32_t>> rows;
    for (LaneMask m = offered.valid; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      rows[offered.bank[lane]].insert(offered.row[lane]);
      std::uint32_t& word = words_.at(offered.word[lane]);
      data_[lane] = word;
      if (offered.write) word = stored(word, offered.data[lane], offered.enable[lane]);
    }
    passes_ = 0;
    for (const auto& [bank, some] : rows)
      passes_ = std::max(passes_, static_cast<std::uint32_t>(some.size()));
    left_ = passes_;
  }

  Tells tells_;
  std::vector<std::uint32_t> words_;
  MemoryRequest request_;
  rtl::Lanes data_{};
  std::uint32_t passes_ = 0;
  std::uint32_t left_ = 0;
};

/// Declares that it merges and takes one lane after another.
class LaneAfterLane final : public BlockMemory {
 public:
  LaneAfterLane(const Parameters& parameters, bool merges)
      : BlockMemory("warp_memory", parameters, {1, false, merges}) {}

 private:
  LaneMask edge(const MemoryRequest& offered, MemoryResponse& answered) override {
    answered.valid = offered.valid & (0U - offered.valid);
    return answered.valid;
  }
};

class EndsAtOnce final : public BlockMemory {
 public:
  explicit EndsAtOnce(const Parameters& parameters) : BlockMemory("warp_memory", parameters, {}) {}

 private:
  LaneMask edge(const MemoryRequest&, MemoryResponse&) override {
    throw rtl::RtlEnded("my.sv:3: $finish");
  }
};

class Checked : public fermata::test::CheckedConnector {
 public:
  explicit Checked(Tells tells) : tells_(tells) {}
  std::unique_ptr<BlockMemory> blockMemory(const BlockMemory::Parameters& parameters) override {
    return std::make_unique<WarpMemory>(parameters, tells_);
  }

 private:
  Tells tells_;
};

/// Returns a load of lanes 0 to 7: lane i has word 32 * (i % 4), in bank 0.
WarpAccess& load(WarpMaster& master) {
  WarpAccess& access = master.open();
  access.instruction.operation = MemoryOperation::Load;
  access.instruction.bytesPerLane = 4;
  access.instruction.active = 0xff;
  access.instruction.pc = 5;
  access.instruction.hasData = false;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    access.instruction.address[lane] = std::uint64_t{128} * (lane % 4);
  locate(access, 32);
  return access;
}

/// Returns the error of a memory that gets that load in cycle 0.
std::string saidBy(BlockMemory& memory) {
  WarpMaster master("master", kClock);
  master.out.bind(memory.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  try {
    master.send(load(master), 0);
  } catch (const sc_core::sc_report& report) {
    return report.get_msg();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

/// Kernels in which lanes also share words; words of 32 bits, no atomics.
const Kernel kKernels[] = {
    {"transpose", {{"tile", "32"}}},
    {"matmul", {{"n", "32"}}},
    {"reduction", {{"variant", "2"}, {"n", "8192"}}},
    {"scan", {{"variant", "1"}, {"n", "3000"}}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(warp_memory)

// Passes are told when the access is taken or at its end: conflicts equal the model's. So do cycles
// where the path is held until the last pass.
BOOST_DATA_TEST_CASE(counts_the_passes_that_the_block_tells,
                     bdata::make(kKernels) * bdata::make({false, true}), kernel, atTheEnd) {
  Checked connector(atTheEnd ? Tells::AtTheEnd : Tells::WhenTaken);
  platforms::Connector none;
  Platform block("block", {"verify=true"}, connector);
  Platform model("model", {"verify=true"}, none);
  const platforms::RunOutcome ofBlock = block.run(kernel);
  const platforms::RunOutcome ofModel = model.run(kernel);
  BOOST_TEST(connector.nothingLeft());
  BOOST_TEST(ofBlock.compared == ofModel.compared);
  BOOST_TEST(ofBlock.totals.conflictPasses == ofModel.totals.conflictPasses);
  if (atTheEnd) BOOST_TEST(ofBlock.cycles == ofModel.cycles);
  for (unsigned bank = 0; bank < 32; ++bank) {
    BOOST_TEST(ofBlock.banks.banks()[bank].reads == ofModel.banks.banks()[bank].reads);
    BOOST_TEST(ofBlock.banks.banks()[bank].writes == ofModel.banks.banks()[bank].writes);
  }
}

BOOST_DATA_TEST_CASE(lanes_that_merge_are_one_access_of_a_bank, bdata::make({false, true}),
                     merges) {
  WarpMemory memory({}, Tells::AtTheEnd, merges);
  WarpMaster master("master", kClock);
  master.out.bind(memory.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  WarpAccess& access = load(master);
  master.send(access, 0);
  BOOST_TEST(access.passes == 4U);
  BOOST_TEST(access.degree == 4U);
  BOOST_TEST(access.occupancy == 4U);
  BOOST_TEST(access.leaders[0] == (merges ? 0xfU : 0xffU));
}

BOOST_DATA_TEST_CASE(a_block_that_leaves_lanes_of_a_word_says_that_it_does_not_merge,
                     bdata::make({false, true}), merges) {
  LaneAfterLane memory({}, merges);
  const std::string said = saidBy(memory);
  BOOST_TEST(has(said, merges ? "takes lanes 0 of word 0 in cycle 0 and leaves lane 4" : "nothing"),
             said);
}

BOOST_AUTO_TEST_CASE(passes_are_told_once) {
  WarpMemory silent({}, Tells::Never);
  BOOST_TEST(has(saidBy(silent), "in 4096 edges it tells no passes of pc 5"));
}

BOOST_AUTO_TEST_CASE(passes_that_are_told_twice_are_found) {
  Checked connector(Tells::Twice);
  Platform platform("platform", {}, connector);
  BOOST_CHECK_EXCEPTION(platform.run({"transpose", {}}), sc_core::sc_report,
                        fermata::test::says("has told those of all lanes that it took"));
}

BOOST_AUTO_TEST_CASE(rtl_that_ends_the_run_is_told_with_cycle_and_lanes) {
  EndsAtOnce memory({});
  BOOST_TEST(
      saidBy(memory) ==
      "the RTL of the memory warp_memory ends the run in cycle 0: my.sv:3: $finish; asked for "
      "lane:word 0:0 1:32 2:64 3:96 4:0 5:32 6:64 7:96");
}

BOOST_AUTO_TEST_SUITE_END()
