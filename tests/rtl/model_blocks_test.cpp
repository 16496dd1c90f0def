// The model's own blocks against plain definitions, and ask(), which drives a block.
#include <fermata/models/rtl/model_blocks.h>

#include "tests/rtl/definitions.h"
#include "tests/rtl/differences.h"
#include "tests/rtl/handshake.h"

namespace fermata::rtl::test {
namespace {

constexpr unsigned kRequests = 4000;
const unsigned kBanks[] = {1, 2, 7, 32, 33, 62, 64, 128};

struct MapDefinition {
  const char* text;
  std::uint32_t banks;
  std::uint32_t (*bank)(std::uint32_t word);
  std::uint32_t (*row)(std::uint32_t word);
};
std::ostream& operator<<(std::ostream& out, const MapDefinition& definition) {
  return out << definition.text;
}

template <std::uint32_t kModulus>
std::uint32_t rest(std::uint32_t word) {
  return word % kModulus;
}
template <std::uint32_t kModulus>
std::uint32_t quotient(std::uint32_t word) {
  return word / kModulus;
}

const MapDefinition kMaps[] = {
    {"mod 32", 32, rest<32>, quotient<32>},
    {"ami 33", 33, rest<33>, quotient<33>},
    {"ami 61", 61, rest<61>, quotient<61>},
    {"fixed-xor", 32, [](std::uint32_t word) { return (word ^ word / 32) % 32; }, quotient<32>},
    {"add", 32, [](std::uint32_t word) { return (word + word / 32) % 32; }, quotient<32>},
};

/// Takes a request from `late` edges after the last answer on and answers it after `slow` edges;
/// counts edges and requests.
struct SlowBlock final : ClockedBlock<unsigned, unsigned> {
  unsigned late = 0;
  unsigned slow = 1;
  unsigned edges = 0;
  unsigned requests = 0;

  SlowBlock(unsigned lateEdges, unsigned slowEdges) : late(lateEdges), slow(slowEdges) {}

  bool ready() const override { return edges >= late && !asked_; }
  void request(const unsigned& request) override {
    BOOST_TEST(ready());
    ++requests;
    answer_ = request + 1;
    asked_ = true;
    edges = 0;
  }
  void tick() override {
    ++edges;
    answered_ = asked_ && edges == slow;
    if (answered_) asked_ = false;
    if (answered_) edges = 0;
  }
  const unsigned* response() const override { return answered_ ? &answer_ : nullptr; }
  bool busy() const override { return asked_; }

 private:
  unsigned answer_ = 0;
  bool asked_ = false;
  bool answered_ = false;
};

std::string hangOf(SlowBlock& block) {
  try {
    ask(block, 1U);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_blocks)

BOOST_DATA_TEST_CASE(a_map_is_its_definition, bdata::make(kMaps), definition) {
  const auto block = modelMapBlock(indexing::build(definition.text, {definition.banks, 12288}));
  std::mt19937 random(definition.banks);
  for (unsigned i = 0; i < kRequests; ++i) {
    Lanes word;
    Lanes bank;
    Lanes row;
    for (std::uint32_t& one : word) one = static_cast<std::uint32_t>(random() % 12288);
    const LaneMask active = someLanes(random);
    block->map(word, active, bank, row);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if (!has(active, lane)) continue;
      BOOST_TEST(bank[lane] == definition.bank(word[lane]));
      BOOST_TEST(row[lane] == definition.row(word[lane]));
    }
  }
}

BOOST_DATA_TEST_CASE(a_pass_is_its_definition, bdata::make(kBanks), banks) {
  BOOST_TEST(passesAgree(*modelPassBlock(), banks, kRequests));
}

BOOST_DATA_TEST_CASE(banks_are_an_array_of_words,
                     bdata::make(kBanks) * bdata::make({1U, 12U, 373U}), banks, rows) {
  BOOST_TEST(wordsAgree(*modelScratchpadBlock(banks, rows), banks, rows, kRequests));
}

BOOST_DATA_TEST_CASE(locks_are_their_definition, bdata::make({1U, 2U, 32U, 1000U, 1024U}), locks) {
  BOOST_TEST(locksAgree(*modelLockBlock(locks), locks, kRequests));
}

BOOST_AUTO_TEST_CASE(each_answers_with_the_next_edge) {
  std::mt19937 random(1);
  checkHandshake(*modelPassBlock(), somePass(random, 32));
  checkHandshake(*modelScratchpadBlock(33, 373), someWords(random, 33, 373));
  checkHandshake(*modelLockBlock(32), someLocks(random, 32));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(asking_a_block)

BOOST_DATA_TEST_CASE(waits_until_it_takes_a_request_and_answers,
                     bdata::make({0U, 1U, 5U, kMostEdges}) * bdata::make({1U, 2U, 7U, kMostEdges}),
                     late, slow) {
  SlowBlock block(late, slow);
  for (unsigned i = 1; i < 4; ++i) {
    BOOST_TEST(ask(block, 10 * i) == 10 * i + 1);
    BOOST_TEST(block.requests == i);
    BOOST_TEST(block.edges == 0U);  // ask() makes no edge after the answer
  }
}

BOOST_AUTO_TEST_CASE(throws_where_it_takes_none) {
  SlowBlock never(~0U, 1);
  BOOST_TEST(hangOf(never) == "a block takes no request within 4096 edges");
  BOOST_TEST(never.requests == 0U);
  BOOST_TEST(never.edges == kMostEdges);
  SlowBlock late(kMostEdges + 1, 1);
  BOOST_TEST(has(hangOf(late), "takes no request"));
}

BOOST_AUTO_TEST_CASE(throws_where_it_does_not_answer) {
  SlowBlock never(0, ~0U);
  BOOST_TEST(hangOf(never) == "a block does not answer within 4096 edges");
  BOOST_TEST(never.requests == 1U);
  BOOST_TEST(never.edges == kMostEdges);
  SlowBlock slow(0, kMostEdges + 1);
  BOOST_TEST(has(hangOf(slow), "does not answer"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::rtl::test
