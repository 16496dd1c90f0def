// Mutants of the blocks, each with one change: lockstep with the model finds every mutant that a
// platform can see, comparisons with the definitions find every mutant, and neither finds anything
// in the blocks as they are.
#include <VMutants.h>  // before SystemC, which Verilator's headers would use
#include <verilated.h>

#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/models/indexing/linear.h>
#include <fermata/models/memory/conflict.h>
#include <fermata/models/rtl/block_arbiter.h>
#include <fermata/models/rtl/block_indexer.h>
#include <fermata/models/rtl/block_lock_unit.h>

#include "tests/rtl/definitions.h"
#include "tests/rtl/differences.h"
#include "tests/rtl/mutants/mutant_blocks.h"
#include "tests/rtl/mutants/mutants.h"
#include "tests/rtl/scratchpad_path.h"
#include "tests/rtl/settings.h"
#include "tests/support/conflict_oracle.h"
#include "tests/support/lock_bench.h"

namespace fermata::rtl::test {
namespace {

constexpr unsigned kBanks = 33;
constexpr unsigned kRows = 37;
constexpr unsigned kRequests = 4000;
constexpr unsigned kBankBits = 5;
constexpr unsigned kAddressBits = 14;

const std::vector<Mutant>& mutants() {
  static const std::vector<Mutant> all =
      readMutants(FERMATA_SOURCE_DIR "/tests/rtl/mutants/mutants.txt");
  return all;
}

/// Returns the numbers of the mutants of a kind; the first is the unchanged block.
std::vector<std::size_t> numbersOf(const std::string& kind) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < mutants().size(); ++i) {
    if (mutants()[i].kind == kind) numbers.push_back(i);
  }
  BOOST_TEST_REQUIRE(!numbers.empty());
  BOOST_TEST_REQUIRE(mutants()[numbers.front()].isNone());
  return numbers;
}

unsigned seenSoFar = 0;

/// Checks that lockstep, or a definition, found the mutant. `difference`: what it found.
void expectFound(std::size_t number, const std::string& difference) {
  const Mutant& mutant = mutants()[number];
  BOOST_TEST((difference == "none") == mutant.isNone(),
             mutant.kind << ", " << mutant.from << " as " << mutant.to << ": " << difference);
  seenSoFar += mutant.isNone() ? 0 : 1;
}
void expectFoundByDefinition(std::size_t number, bool agrees) {
  expectFound(number, agrees ? "none" : "the definition differs");
}

/// ami M as the paper's array computes it: uncorrected, with DIV modulo the width of the row.
class RawAmi final : public indexing::Indexer {
 public:
  explicit RawAmi(std::uint32_t modulus) : Indexer({2 * modulus, ~0U}), arithmetic_(modulus) {
    for (const std::uint32_t largest = ~0U / modulus; rows_ < largest;) rows_ = rows_ << 1 | 1U;
    ++rows_;
  }
  indexing::Location location(std::uint32_t word) const override {
    const auto result = arithmetic_.expected(word, indexing::AmiCorner::AllOnes);
    return {result.mod, result.div & (rows_ - 1)};
  }
  void locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const override {
    for (; active != 0; active &= active - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(active));
      const indexing::Location place = location(word[lane]);
      bank[lane] = place.bank;
      row[lane] = place.row;
    }
  }
  std::string text() const override { return "ami"; }
  indexing::Cost cost() const override { return {}; }

 private:
  indexing::AmiArithmetic arithmetic_;
};

/// Returns lockstep's report on 20,000 words; a quarter of them are multiples of `step`.
std::string differenceOfMap(const std::shared_ptr<const indexing::Indexer>& model,
                            std::unique_ptr<MapBlock> block, std::uint32_t step,
                            unsigned accesses = 625) {
  const LockstepIndexer indexer(model, std::move(block), [] { return Cycle{1}; });
  std::mt19937 random(2014);
  return differenceOf([&] {
    for (unsigned i = 0; i < accesses; ++i) {
      Lanes word;
      for (std::uint32_t& one : word) {
        one = draw(random, model->shape().words);
        if (random() % 4 == 0) one = one / step * step;
      }
      if (i < 32)
        std::generate(word.begin(), word.end(), [n = i * kWarpLanes]() mutable { return n++; });
      Lanes bank;
      Lanes row;
      indexer.locate(word, kAllLanes, bank, row);
    }
  });
}

void load(Top& top, unsigned number, std::uint64_t registers) {
  top->config_we = static_cast<CData>(1U << number);
  top->config_data = registers;
  top.clock();
  top->config_we = 0;
}

/// Returns the address bits that the row lacks, as row_select.sv holds them.
std::uint64_t droppedBits(const indexing::Indexer& model) {
  const auto& linear = dynamic_cast<const indexing::LinearIndexer&>(model);
  std::uint32_t kept = 0;
  for (const std::uint32_t row : linear.rowMatrix().rows) kept |= row;
  std::uint64_t dropped = 0;
  unsigned at = 0;
  for (unsigned bit = 0; bit < kAddressBits; ++bit) {
    if ((kept >> bit & 1U) == 0) dropped |= std::uint64_t{bit} << at++ * 4;
  }
  return dropped;
}

struct ConfigurableHash {
  const char* kind;
  const char* family;
  unsigned number;  ///< number of its registers
};
const ConfigurableHash kHashes[] = {{"bit_vector_permutation", "perm", 0},
                                    {"bit_vector_xor", "xor", 1},
                                    {"bitwise_permutation", "bits", 2},
                                    {"bitwise_xor", "pairs", 3}};

/// Returns lockstep's report on 200 configurations of the hash. The block takes the bank from one
/// mutant and the row from another.
std::string differenceOfHash(const ConfigurableHash& hash, std::size_t bank, std::size_t row) {
  Top top;
  std::mt19937 random(2016);
  for (unsigned i = 0; i < 200;) {
    const Setting setting = someSetting(hash.family, random, kAddressBits, kBankBits);
    std::shared_ptr<const indexing::Indexer> model;
    try {
      model = indexing::build(setting.text, {1U << kBankBits, 1U << kAddressBits});
    } catch (const indexing::IndexingError&) {
      continue;  // its bank bits are dependent
    }
    ++i;
    load(top, hash.number, setting.registers);
    load(top, 4, droppedBits(*model));
    const std::string difference =
        differenceOfMap(model, std::make_unique<MutantMap>(top, bank, row), 1, 4);
    if (difference != "none") return difference;
  }
  return "none";
}

/// Returns lockstep's report on 500 accesses.
std::string differenceOfPasses(std::size_t number) {
  ConflictResolver resolver(kBanks, 1, LaneGrouping());
  resolver.setArbiter(std::make_shared<BlockArbiter>(
      std::make_unique<MutantPass>(number), Implementation::Lockstep, 1, [] { return Cycle{1}; }));
  std::mt19937 random(1);
  return differenceOf([&] {
    for (unsigned i = 0; i < 500; ++i) {
      const std::uint32_t span = 1U << random() % 12;
      WarpAccess access;
      fermata::test::fill(access, kBanks, 1, static_cast<LaneMask>(random()),
                          [&](unsigned) { return draw(random, span); });
      resolver.resolve(access);
    }
  });
}

/// Returns whether a crossbar gives each served lane the word of its bank, and other lanes 0.
bool wordsAreRouted(std::size_t number) {
  Top top;
  top.reset();
  std::mt19937 random(1);
  for (unsigned i = 0; i < kRequests; ++i) {
    const PassRequest request = somePass(random, kBanks);
    const LaneMask served = expectedPass(request).served;
    for (unsigned bank = 0; bank < kBanks; ++bank) top->bank_word[bank] = draw(random, ~0U);
    drivePass(top, request);
    edgeOf(top);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint32_t word = has(served, lane) ? top->bank_word[request.bank[lane]] : 0;
      if (top->lane_word[number][lane] != word) return false;
    }
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mutants_in_lockstep)

BOOST_AUTO_TEST_CASE(of_indexers_are_found) {
  const std::shared_ptr<const indexing::Indexer> ami = indexing::build("ami 34", {34, ~0U});
  Top top;
  for (const char* kind : {"ami_divmod", "ami_array"}) {
    for (const std::size_t n : numbersOf(kind))
      expectFound(n, differenceOfMap(ami, std::make_unique<MutantMap>(top, n, n), 34));
  }
  for (const std::uint32_t modulus : {31, 34, 37, 46, 52}) {
    const auto raw = std::make_shared<RawAmi>(modulus);
    for (const std::size_t n : numbersOf("ami_raw_" + std::to_string(modulus)))
      expectFound(n, differenceOfMap(raw, std::make_unique<MutantMap>(top, n, n), modulus));
  }
  for (const char* kind : {"fixed_xor", "add_hash"}) {
    const std::string text = kind == std::string("add_hash") ? "add" : "fixed-xor";
    const std::shared_ptr<const indexing::Indexer> model =
        indexing::build(text, {1U << kBankBits, 1U << kAddressBits});
    for (const std::size_t n : numbersOf(kind))
      expectFound(n, differenceOfMap(model, std::make_unique<MutantMap>(top, n, n), 1));
  }
  const std::size_t row = numbersOf("row_select").front();
  for (const ConfigurableHash& hash : kHashes) {
    for (const std::size_t n : numbersOf(hash.kind)) expectFound(n, differenceOfHash(hash, n, row));
  }
  const std::size_t bank = numbersOf("bitwise_xor").front();
  for (const std::size_t n : numbersOf("row_select"))
    expectFound(n, differenceOfHash(kHashes[3], bank, n));
  BOOST_TEST(seenSoFar >= 20U);
}

// Only definitions see an answer that nobody asked for, and the words that a crossbar routes:
// platforms ask blocks when there is something to do, and words bypass the model's crossbar.
BOOST_AUTO_TEST_CASE(of_passes_are_found) {
  for (const char* kind : {"pass_arbiter", "crossbar"}) {
    for (const std::size_t n : numbersOf(kind)) {
      MutantPass block(n);
      block.tick();
      const bool answersUnasked = block.response() != nullptr;
      const bool routes = kind != std::string("crossbar") || wordsAreRouted(n);
      expectFoundByDefinition(n,
                              !answersUnasked && routes && passesAgree(block, kBanks, kRequests));
      if (!answersUnasked && routes) expectFound(n, differenceOfPasses(n));
    }
  }
  BOOST_TEST(seenSoFar >= 9U);
}

BOOST_AUTO_TEST_CASE(of_scratchpads_are_found) {
  const auto map = pathMapping("ami 33", kBanks);
  std::vector<std::unique_ptr<BlockPath>> paths;
  const std::vector<std::size_t> numbers = numbersOf("banked_scratchpad");
  for (const std::size_t n : numbers) {
    paths.push_back(std::make_unique<BlockPath>(sc_core::sc_gen_unique_name("path"), map,
                                                "serialize", std::make_unique<MutantScratchpad>(n),
                                                Implementation::Lockstep, [] { return Cycle{1}; }));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    MutantScratchpad block(numbers[i]);
    expectFoundByDefinition(numbers[i], wordsAgree(block, kBanks, kRows, kRequests));
    fermata::test::ByteTraffic traffic(1, kPathWords * 4);
    expectFound(numbers[i], differenceOf([&] {
                  for (unsigned access = 0; access < 3000; ++access)
                    paths[i]->send(traffic.next(), 100 * access);
                  for (const fermata::test::ByteAccess& load : traffic.all()) paths[i]->debug(load);
                }));
  }
  BOOST_TEST(seenSoFar >= 8U);
}

BOOST_AUTO_TEST_CASE(of_lock_units_are_found) {
  std::vector<std::unique_ptr<fermata::test::LockBench<BlockLockUnit>>> benches;
  const std::vector<std::size_t> numbers = numbersOf("lock_unit");
  for (const std::size_t n : numbers) {
    benches.push_back(std::make_unique<fermata::test::LockBench<BlockLockUnit>>(
        "ami " + std::to_string(kMutantLocks), kMutantLocks, LockWinner::Lowest,
        std::make_unique<MutantLock>(n), Implementation::Lockstep));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    MutantLock block(numbers[i]);
    expectFoundByDefinition(numbers[i], locksAgree(block, kMutantLocks, kRequests));
    fermata::test::LockTraffic traffic(1, 1);
    expectFound(numbers[i], differenceOf([&] {
                  for (unsigned asks = 0; asks < 4000; ++asks) {
                    const fermata::test::LockAsk ask = traffic.next();
                    const LaneMask left = benches[i]->ask(ask).left;
                    if (ask.step == LockStep::Read) traffic.told(ask, left);
                  }
                }));
  }
  BOOST_TEST(seenSoFar >= 10U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::rtl::test
