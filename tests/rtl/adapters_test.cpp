// Blocks in place of a mapping and of a crossbar's rule: the model's own blocks change nothing, and
// a block with a fault is found where it shows.
#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/rtl/block_arbiter.h>
#include <fermata/models/rtl/block_indexer.h>
#include <fermata/models/rtl/ended.h>
#include <fermata/models/rtl/model_blocks.h>
#include <fermata/models/vocabulary/error.h>

#include "tests/rtl/differences.h"
#include "tests/rtl/hooked_block.h"
#include "tests/support/conflict_oracle.h"

using namespace fermata;
using namespace fermata::rtl;
using namespace fermata::rtl::test;
using namespace fermata::test;

namespace {

constexpr std::uint32_t kWords = 12288;

std::shared_ptr<const indexing::Indexer> mapping(const std::string& text) {
  return indexing::build(text, {32, kWords});
}

/// The mapping with answers that `fault` has changed.
class FaultyMap final : public MapBlock {
 public:
  using Fault = std::function<void(const Lanes& word, Lanes& bank, Lanes& row)>;
  FaultyMap(std::shared_ptr<const indexing::Indexer> model, Fault fault)
      : model_(modelMapBlock(std::move(model))), fault_(std::move(fault)) {}
  void map(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) override {
    model_->map(word, active, bank, row);
    fault_(word, bank, row);
  }

 private:
  std::unique_ptr<MapBlock> model_;
  Fault fault_;
};

std::shared_ptr<BlockArbiter> arbiter(Implementation how, Cycle now, HookedPass::Hooks hooks = {},
                                      std::uint32_t rowWords = 1) {
  auto block = std::make_unique<HookedPass>(modelPassBlock(), std::move(hooks));
  return std::make_shared<BlockArbiter>(std::move(block), how, rowWords, [now] { return now; });
}

Lanes wordsFrom(std::uint32_t first, std::uint32_t stride) {
  Lanes words;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) words[lane] = first + lane * stride;
  return words;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(adapters)

BOOST_DATA_TEST_CASE(a_block_of_the_model_is_the_mapping,
                     bdata::make({"mod 32", "ami 33", "ami 62", "xor k1=0 k2=5 mask=31",
                                  "pairs 3,4,0^5,1^6,2^7"}),
                     text) {
  const auto model = mapping(text);
  const BlockIndexer block(model, modelMapBlock(model), [] { return 0; });
  const LockstepIndexer lockstep(model, modelMapBlock(model), [] { return 0; });
  BOOST_TEST(block.text() == model->text());
  BOOST_TEST(block.rows() == model->rows());
  BOOST_TEST(block.shape().banks == model->shape().banks);
  std::mt19937 random(1);
  for (unsigned trial = 0; trial < 200; ++trial) {
    const Lanes words = wordsFrom(random() % 4096, random() % 256);
    const LaneMask active = random();
    Lanes bank[3];
    Lanes row[3];
    model->locate(words, active, bank[0], row[0]);
    block.locate(words, active, bank[1], row[1]);
    lockstep.locate(words, active, bank[2], row[2]);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      for (unsigned i = 1; i < 3; ++i) {
        BOOST_TEST(bank[i][lane] < model->shape().banks);
        if ((active >> lane & 1) == 0) continue;
        BOOST_TEST(bank[i][lane] == bank[0][lane]);
        BOOST_TEST(row[i][lane] == row[0][lane]);
      }
    }
    BOOST_TEST(block.location(words[0]).bank == model->location(words[0]).bank);
    BOOST_TEST(block.location(words[0]).row == model->location(words[0]).row);
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_bank_is_told_with_cycle_lane_word_and_both_answers) {
  const auto model = mapping("ami 33");
  const auto fault = [](const Lanes& word, Lanes& bank, Lanes&) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if (word[lane] == 1234) bank[lane] ^= 4;
    }
  };
  const LockstepIndexer indexer(model, std::make_unique<FaultyMap>(model, fault),
                                [] { return 77; });
  Lanes bank;
  Lanes row;
  const auto locate = [&](LaneMask active) {
    return differenceOf([&] { indexer.locate(wordsFrom(1230, 1), active, bank, row); });
  };
  const std::string text = locate(kAllLanes);  // 1234 = 37 * 33 + 13
  BOOST_TEST(has(text, "'ami 33' in cycle 77: lane 4, word 1234"), text);
  BOOST_TEST(has(text, "RTL bank 9, row 37; expected bank 13, row 37"), text);
  BOOST_TEST(locate(~LaneMask{16}) == "none");  // lane 4 does not ask
}

// With the block alone nothing is compared, and a place outside the memory must be refused.
BOOST_AUTO_TEST_CASE(a_place_that_is_not_there_is_refused_by_the_block_alone) {
  const auto model = mapping("mod 32");
  const auto far = [](const Lanes&, Lanes& bank, Lanes&) { bank[3] = 32; };
  const auto deep = [](const Lanes&, Lanes&, Lanes& row) { row[5] = kWords / 32; };
  for (const FaultyMap::Fault& fault : {FaultyMap::Fault(far), FaultyMap::Fault(deep)}) {
    const BlockIndexer indexer(model, std::make_unique<FaultyMap>(model, fault), [] { return 0; });
    Lanes bank;
    Lanes row;
    const auto text = differenceOf([&] { indexer.locate(wordsFrom(0, 1), kAllLanes, bank, row); });
    BOOST_TEST(has(text, "expected a bank below 32 and a row below 384"), text);
    BOOST_TEST(differenceOf([&] { indexer.locate(wordsFrom(0, 1), 7, bank, row); }) == "none");
  }
}

BOOST_AUTO_TEST_CASE(rtl_that_ends_the_run_is_told_with_cycle_and_lanes) {
  const auto ends = [](const auto&...) { throw RtlEnded("my.sv:3: $finish"); };
  const auto model = mapping("mod 32");
  const BlockIndexer indexer(model, std::make_unique<FaultyMap>(model, ends), [] { return 7; });
  Lanes bank;
  Lanes row;
  BOOST_TEST(errorOf<RtlEnded>([&] { indexer.locate(wordsFrom(40, 2), 6, bank, row); }) ==
             "the RTL of the indexer ends the run in cycle 7: my.sv:3: $finish; "
             "asked for lane:word 1:42 2:44");
  ConflictResolver resolver(32, 1, LaneGrouping());
  HookedPass::Hooks hooks;
  hooks.asked = ends;
  resolver.setArbiter(arbiter(Implementation::Rtl, 9, hooks));
  WarpAccess access;
  fill(access, 32, 1, 3, [&](unsigned lane) { return 33 * lane; });
  access.instruction.pc = 5;
  BOOST_TEST(errorOf<RtlEnded>([&] { resolver.resolve(access); }) ==
             "the RTL of the crossbar ends the run in cycle 9: my.sv:3: $finish; asked "
             "for pc 5, lane:bank/row 0:0/0 1:1/1");
}

// Covers every machine whose lane groups have no more words than the block has ports.
BOOST_DATA_TEST_CASE(passes_of_the_block_are_those_of_the_rule,
                     bdata::make({1U, 7U, 32U, 33U, 62U, 128U}) * bdata::xrange(kMachines), banks,
                     number) {
  const LaneGrouping grouping = groupingOf(machine(number));
  std::mt19937 random(banks);
  for (const std::uint32_t rowWords : {1U, 2U}) {
    ConflictResolver model(banks, 1, grouping, rowWords);
    ConflictResolver lockstep(banks, 1, grouping, rowWords);
    ConflictResolver alone(banks, 1, grouping, rowWords);
    lockstep.setArbiter(arbiter(Implementation::Lockstep, 0, {}, rowWords));
    alone.setArbiter(arbiter(Implementation::Rtl, 0, {}, rowWords));
    for (int trial = 0; trial < 200; ++trial) {
      const unsigned words = 1U << random() % 3;
      const std::uint32_t span = 1U << random() % 12;
      WarpAccess access;
      fill(access, banks, words, static_cast<LaneMask>(random()),
           [&](unsigned) { return random() % span * words; });
      unsigned most = 0;
      for (const LaneMask group : model.groupsOf(access)) most = std::max(most, laneCount(group));
      if (most * words > kWarpLanes) continue;
      WarpAccess other = access;
      WarpAccess third = access;
      model.resolve(access);
      lockstep.resolve(other);
      alone.resolve(third);
      for (const WarpAccess* one : {&other, &third}) {
        BOOST_TEST(one->passes == access.passes);
        BOOST_TEST(one->freePasses == access.freePasses);
        BOOST_TEST(one->degree == access.degree);
        for (unsigned g = 0; g < access.groups; ++g)
          BOOST_TEST(one->groupPasses[g] == access.groupPasses[g]);
        for (unsigned k = 0; k < words; ++k)
          BOOST_TEST(laneCount(one->leaders[k]) == laneCount(access.leaders[k]));
      }
    }
  }
}

// Accesses with conflicts come try after try, as from a core that replays.
BOOST_DATA_TEST_CASE(replays_are_served_as_the_rule_serves_them, bdata::make({"lockstep", "rtl"}),
                     name) {
  Implementation how{};
  BOOST_TEST_REQUIRE(choose(how, name));
  std::mt19937 random(3);
  ConflictResolver model(32, 1, LaneGrouping());
  ConflictResolver block(32, 1, LaneGrouping());
  block.setArbiter(arbiter(how, 0));
  const auto policy = Chosen<ConflictPolicy>("replay").make();
  const auto other = Chosen<ConflictPolicy>("replay").make();
  for (std::uint64_t sequence = 1; sequence < 300; ++sequence) {
    const unsigned words = 1U << random() % 3;
    const std::uint32_t span = 1U << random() % 12;
    WarpAccess access;
    fill(access, 32, words, static_cast<LaneMask>(random()) | 1,
         [&](unsigned) { return random() % span * words; });
    access.banks = 32;
    access.sequence = sequence;
    access.unserved = access.asked;
    WarpAccess same = access;
    for (Cycle cycle = 0; access.unserved != 0; cycle += 100) {
      for (WarpAccess* one : {&access, &same}) {
        one->asked = one->unserved;
        one->outcome = {};
        ++one->tries;
      }
      model.resolve(access);
      block.resolve(same);
      const LaneMask left = policy->serve(access, model, cycle).left;
      BOOST_TEST_REQUIRE(other->serve(same, block, cycle).left == left);
      BOOST_TEST(same.passes == access.passes);
      BOOST_TEST_REQUIRE(left != access.unserved);
      access.unserved = same.unserved = left;
    }
  }
}

BOOST_AUTO_TEST_CASE(a_faulty_arbiter_is_found) {
  using Fault = std::function<void(const PassRequest&, PassResponse&)>;
  const std::pair<const char*, Fault> faults[] = {
      {"a lane too many",
       [](const PassRequest& request, PassResponse& response) {
         response.served = request.valid;
         response.left = 0;
       }},
      {"a lane too few",
       [](const PassRequest& request, PassResponse& response) {
         if (laneCount(response.served) > 1) response.served &= response.served - 1;
         response.left = request.valid & ~response.served;
       }},
      {"none",
       [](const PassRequest& request, PassResponse& response) {
         response.served = 0;
         response.left = request.valid;
       }},
      {"lost", [](const PassRequest&, PassResponse& response) { response.left = 0; }},
  };
  for (const auto& [name, fault] : faults) {
    ConflictResolver resolver(32, 1, LaneGrouping());
    HookedPass::Hooks hooks;
    hooks.answered = fault;
    resolver.setArbiter(arbiter(Implementation::Lockstep, 9, hooks));
    WarpAccess access;
    fill(access, 32, 1, kAllLanes, [&](unsigned lane) { return 2 * lane; });
    const std::string text = differenceOf([&] { resolver.resolve(access); });
    BOOST_TEST(has(text, "the RTL crossbar differs from the model in cycle 9"), name << text);
    BOOST_TEST(has(text, "lane:bank/row 0:0/0 1:2/0"), name << text);
  }
}

BOOST_AUTO_TEST_CASE(more_words_than_ports_are_refused) {
  ConflictResolver resolver(32, 1, atOnce());
  resolver.setArbiter(arbiter(Implementation::Rtl, 0));
  WarpAccess access;
  fill(access, 32, 2, kAllLanes, [&](unsigned lane) { return 2 * lane; });
  BOOST_CHECK_THROW(resolver.resolve(access), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()
