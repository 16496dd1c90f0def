// Mutants of the blocks within a platform: lockstep finds every mutant that a platform can see, and
// finds nothing in the blocks as they are.
#include <VMutants.h>  // before SystemC, which Verilator's headers would use
#include <verilated.h>

#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/models/indexing/linear.h>
#include <fermata/models/memory/conflict.h>
#include <fermata/models/rtl/block_arbiter.h>
#include <fermata/models/rtl/block_indexer.h>
#include <fermata/models/rtl/block_lock_unit.h>

#include <boost/test/unit_test.hpp>
#include <random>

#include "tests/rtl/differences.h"
#include "tests/rtl/mutants/mutant_blocks.h"
#include "tests/rtl/mutants/mutants.h"
#include "tests/rtl/scratchpad_path.h"
#include "tests/support/conflict_oracle.h"
#include "tests/support/lock_bench.h"

namespace fermata::rtl::test {
namespace {

constexpr unsigned kBanks = 33;
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

/// A mutant that answers unasked is not seen: blocks are asked only when there is something to do.
bool isSeen(const Mutant& mutant) {
  return mutant.from != "request_valid & ~reset";
}

unsigned seenSoFar = 0;

/// Checks that lockstep found the mutant, unless it cannot be seen. `difference`: lockstep's
/// report.
void expectFound(std::size_t number, const std::string& difference) {
  const Mutant& mutant = mutants()[number];
  const bool expected = !mutant.isNone() && isSeen(mutant);
  BOOST_TEST((difference != "none") == expected,
             mutant.kind << ", " << mutant.from << " as " << mutant.to << ": " << difference);
  seenSoFar += expected ? 1 : 0;
}

std::uint32_t draw(std::mt19937& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random() % limit);
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

/// A hash with registers: their contents, lowest field first, and their number.
struct Setting {
  std::string text;
  std::uint64_t registers = 0;
  unsigned number = 0;
};

void appendBits(std::mt19937& random, Setting& setting, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t bit = draw(random, kAddressBits);
    setting.registers |= std::uint64_t{bit} << 4 * i;
    setting.text += (i == 0 ? " " : ",") + std::to_string(bit);
  }
}

Setting someSetting(const std::string& kind, std::mt19937& random) {
  if (kind == "bit_vector_permutation") {
    const std::uint32_t k = draw(random, kAddressBits - kBankBits + 1);
    return {"perm k=" + std::to_string(k), k, 0};
  }
  if (kind == "bit_vector_xor") {
    const std::uint32_t k1 = draw(random, kAddressBits - kBankBits + 1);
    const std::uint32_t k2 = draw(random, kAddressBits);
    const std::uint32_t mask = draw(random, 1U << kBankBits);
    return {"xor k1=" + std::to_string(k1) + " k2=" + std::to_string(k2) +
                " mask=" + std::to_string(mask),
            k1 | k2 << 4 | mask << 8, 1};
  }
  if (kind == "bitwise_permutation") {
    Setting setting{"bits", 0, 2};
    appendBits(random, setting, kBankBits);
    return setting;
  }
  Setting setting{"pairs", 0, 3};
  for (unsigned i = 0; i < kBankBits; ++i) {
    const std::uint32_t first = draw(random, kAddressBits);
    const std::uint32_t second = draw(random, kAddressBits);
    const bool pair = first != second && random() % 4 != 0;
    setting.text += (i == 0 ? " " : ",") + std::to_string(first);
    if (pair) setting.text += "^" + std::to_string(second);
    setting.registers |= std::uint64_t{first} << 4 * i | std::uint64_t{second} << (20 + 4 * i) |
                         std::uint64_t{pair} << (40 + i);
  }
  return setting;
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

/// Returns lockstep's report on 200 configurations of the hash. The block takes the bank from one
/// mutant and the row from another.
std::string differenceOfHash(const std::string& kind, std::size_t bank, std::size_t row) {
  Top top;
  std::mt19937 random(2016);
  for (unsigned i = 0; i < 200;) {
    const Setting setting = someSetting(kind, random);
    std::shared_ptr<const indexing::Indexer> model;
    try {
      model = indexing::build(setting.text, {1U << kBankBits, 1U << kAddressBits});
    } catch (const indexing::IndexingError&) {
      continue;  // its bank bits are dependent
    }
    ++i;
    load(top, setting.number, setting.registers);
    load(top, 4, droppedBits(*model));
    const std::string difference =
        differenceOfMap(model, std::make_unique<MutantMap>(top, bank, row), 1, 4);
    if (difference != "none") return difference;
  }
  return "none";
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
  for (const char* kind :
       {"bit_vector_permutation", "bit_vector_xor", "bitwise_permutation", "bitwise_xor"}) {
    for (const std::size_t n : numbersOf(kind)) expectFound(n, differenceOfHash(kind, n, row));
  }
  const std::size_t bank = numbersOf("bitwise_xor").front();
  for (const std::size_t n : numbersOf("row_select"))
    expectFound(n, differenceOfHash("bitwise_xor", bank, n));
  BOOST_TEST(seenSoFar >= 20U);
}

// Mutants of the crossbar module also have passes. The words it routes bypass the model's crossbar:
// only tests/rtl/mutants_test.cpp finds its other mutants.
BOOST_AUTO_TEST_CASE(of_passes_are_found) {
  for (const std::size_t n : numbersOf("pass_arbiter")) {
    ConflictResolver resolver(kBanks, 1, LaneGrouping());
    resolver.setArbiter(std::make_shared<BlockArbiter>(
        std::make_unique<MutantPass>(n), Implementation::Lockstep, 1, [] { return Cycle{1}; }));
    std::mt19937 random(1);
    expectFound(n, differenceOf([&] {
                  for (unsigned i = 0; i < 500; ++i) {
                    const std::uint32_t span = 1U << random() % 12;
                    WarpAccess access;
                    fermata::test::fill(access, kBanks, 1, static_cast<LaneMask>(random()),
                                        [&](unsigned) { return draw(random, span); });
                    resolver.resolve(access);
                  }
                }));
  }
  BOOST_TEST(seenSoFar >= 3U);
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
    fermata::test::ByteTraffic traffic(1, kPathWords * 4);
    expectFound(numbers[i], differenceOf([&] {
                  for (unsigned access = 0; access < 3000; ++access)
                    paths[i]->send(traffic.next(), 100 * access);
                  for (const fermata::test::ByteAccess& load : traffic.all()) paths[i]->debug(load);
                }));
  }
  BOOST_TEST(seenSoFar >= 4U);
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
    fermata::test::LockTraffic traffic(1, 1);
    expectFound(numbers[i], differenceOf([&] {
                  for (unsigned asks = 0; asks < 4000; ++asks) {
                    const fermata::test::LockAsk ask = traffic.next();
                    const LaneMask left = benches[i]->ask(ask).left;
                    if (ask.step == LockStep::Read) traffic.told(ask, left);
                  }
                }));
  }
  BOOST_TEST(seenSoFar >= 5U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::rtl::test
