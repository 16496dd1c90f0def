// Mutants of the blocks, each with one change: comparisons with the model tell each of them from
// it, and find nothing in the blocks as they are.
#include <VMutants.h>
#include <verilated.h>

#include <fermata/models/indexing/ami_arithmetic.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/models/rtl/verilated/simulation.h>

#include <boost/test/unit_test.hpp>
#include <functional>

#include "tests/rtl/definitions.h"
#include "tests/rtl/mutants/mutants.h"

namespace fermata::rtl::test {
namespace {

constexpr unsigned kBanks = 33;
constexpr unsigned kRows = 37;
constexpr unsigned kLocks = 100;
constexpr unsigned kAddressBits = 14;

class Bench {
 public:
  Bench()
      : mutants_(readMutants(FERMATA_SOURCE_DIR "/tests/rtl/mutants/mutants.txt")),
        found_(mutants_.size()) {
    top_.reset();
  }

  VMutants& top() { return *top_.operator->(); }
  std::mt19937& random() { return random_; }
  std::uint32_t draw(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  void load(unsigned which, std::uint64_t configuration) {
    top_->config_we = static_cast<CData>(1U << which);
    top_->config_data = configuration;
    top_.clock();
    top_->config_we = 0;
  }
  void edge(bool request) {
    top_->request_valid = request ? 1 : 0;
    top_.rise();
    top_->request_valid = 0;
    top_.fall();
  }
  void reset() { top_.reset(); }

  /// Marks the mutants of a kind as found for which `right` is false.
  void expect(const std::string& kind, const std::function<bool(std::size_t)>& right) {
    for (std::size_t i = 0; i < mutants_.size(); ++i) {
      if (mutants_[i].kind == kind && !right(i)) found_[i] = true;
    }
  }

  void report() const {
    unsigned changed = 0;
    for (std::size_t i = 0; i < mutants_.size(); ++i) {
      const Mutant& mutant = mutants_[i];
      if (!mutant.isNone()) ++changed;
      BOOST_TEST(found_[i] != mutant.isNone(),
                 mutant.kind << ", " << mutant.from << " as " << mutant.to
                             << (mutant.isNone() ? ": is not as it should be" : ": not found"));
    }
    BOOST_TEST(changed >= 20U);
  }

 private:
  std::vector<Mutant> mutants_;
  std::vector<bool> found_;
  verilated::Simulation<VMutants> top_;
  std::mt19937 random_{2014};
};

void tryAmi(Bench& bench) {
  const auto ami = indexing::build("ami 34", {34, ~0U});
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t any = bench.draw(~0U);
    const std::uint32_t word = i % 4 == 0 ? any / 34 * 34 : any;
    const indexing::Location expected = ami->location(word);
    VMutants& top = bench.top();
    top.word = word;
    top.eval();
    for (const char* kind : {"ami_divmod", "ami_array"}) {
      bench.expect(kind, [&](std::size_t n) {
        return top.bank[n] == expected.bank && top.row[n] == expected.row;
      });
    }
  }
}

/// Compares with the paper's uncorrected array: DIV modulo the width of the row.
void tryRaw(Bench& bench, std::uint32_t modulus) {
  const indexing::AmiArithmetic arithmetic(modulus);
  const std::uint32_t largest = ~0U / modulus;
  std::uint32_t rows = 0;
  while (rows < largest) rows = rows << 1 | 1U;
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t any = i < 1000 ? static_cast<std::uint32_t>(i) : bench.draw(~0U);
    const std::uint32_t word = i % 4 == 0 ? any / modulus * modulus : any;
    const auto expected = arithmetic.expected(word, indexing::AmiCorner::AllOnes);
    VMutants& top = bench.top();
    top.word = word;
    top.eval();
    bench.expect("ami_raw_" + std::to_string(modulus), [&](std::size_t n) {
      return top.bank[n] == expected.mod && top.row[n] == (expected.div & rows);
    });
  }
}

std::uint32_t bit(std::uint32_t word, unsigned number) {
  return word >> number & 1U;
}

/// Draws five different address bits, rising.
std::vector<unsigned> someBits(Bench& bench) {
  std::vector<unsigned> bits;
  for (unsigned number = 0; bits.size() < 5; ++number) {
    const auto left = static_cast<unsigned>(5 - bits.size());
    if (bench.draw(kAddressBits - number) < left) bits.push_back(number);
  }
  return bits;
}

/// Packs fields of four bits, the first one lowest.
std::uint64_t packed(const std::vector<unsigned>& fields) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) all |= std::uint64_t{fields[i]} << 4 * i;
  return all;
}

struct Settings {
  unsigned k, k1, k2, mask, pairs;
  std::vector<unsigned> from, second, dropped;
};

Settings configure(Bench& bench) {
  Settings s{bench.draw(10), bench.draw(10),  bench.draw(14),  bench.draw(32),
             bench.draw(32), someBits(bench), someBits(bench), someBits(bench)};
  std::shuffle(s.from.begin(), s.from.end(), bench.random());
  bench.load(0, s.k);
  bench.load(1, s.k1 | s.k2 << 4 | s.mask << 8);
  bench.load(2, packed(s.from));
  bench.load(3, packed(s.from) | packed(s.second) << 20 | std::uint64_t{s.pairs} << 40);
  bench.load(4, packed(s.dropped));
  return s;
}

std::uint32_t rowOf(std::uint32_t word, const std::vector<unsigned>& dropped) {
  std::uint32_t row = 0;
  unsigned at = 0;
  for (unsigned number = 0; number < kAddressBits; ++number) {
    if (std::find(dropped.begin(), dropped.end(), number) != dropped.end()) continue;
    row |= bit(word, number) << at++;
  }
  return row;
}

void expectHashes(Bench& bench, const Settings& s, std::uint32_t word) {
  const VMutants& top = bench.top();
  std::uint32_t permuted = 0;
  std::uint32_t xored = 0;
  for (unsigned i = 0; i < 5; ++i) {
    permuted |= bit(word, s.from[i]) << i;
    xored |= (bit(word, s.from[i]) ^ (bit(word, s.second[i]) & bit(s.pairs, i))) << i;
  }
  const auto bank = [&](const char* kind, std::uint32_t expected) {
    bench.expect(kind, [&](std::size_t n) { return top.bank[n] == (expected & 31U); });
  };
  bank("bit_vector_permutation", word >> s.k);
  bank("bit_vector_xor", word >> s.k1 ^ (word >> s.k2 & s.mask));
  bank("bitwise_permutation", permuted);
  bank("bitwise_xor", xored);
  bank("fixed_xor", word ^ word >> 5);
  bank("add_hash", word + (word >> 5));
  bench.expect("row_select", [&](std::size_t n) { return top.row[n] == rowOf(word, s.dropped); });
}

void tryHashes(Bench& bench) {
  for (int i = 0; i < 100; ++i) {
    const Settings settings = configure(bench);
    for (int j = 0; j < 100; ++j) {
      const std::uint32_t word = bench.draw(1U << kAddressBits);
      bench.top().word = word;
      bench.top().eval();
      expectHashes(bench, settings, word);
    }
  }
}

void tryPasses(Bench& bench) {
  VMutants& top = bench.top();
  for (int i = 0; i < 2000; ++i) {
    const PassRequest request = somePass(bench.random(), kBanks);
    const PassResponse expected = expectedPass(request);
    top.lanes = request.valid;
    verilated::packIn(request.bank, 8, top.lane_bank);
    verilated::copyIn(request.row, top.lane_row);
    for (unsigned bank = 0; bank < kBanks; ++bank) top.bank_word[bank] = bench.draw(~0U);
    bench.edge(true);
    const auto rightPass = [&](std::size_t n) {
      return top.valid[n] == 1 && top.leaders[n] == expected.leaders &&
             top.served[n] == expected.served && top.left[n] == expected.left;
    };
    bench.expect("pass_arbiter", rightPass);
    bench.expect("crossbar", [&](std::size_t n) {
      bool right = rightPass(n);
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        const bool served = has(expected.served, lane);
        right &= top.lane_word[n][lane] == (served ? top.bank_word[request.bank[lane]] : 0);
      }
      return right;
    });
    bench.edge(false);
    bench.expect("pass_arbiter", [&](std::size_t n) { return top.valid[n] == 0; });
  }
}

void tryScratchpads(Bench& bench) {
  VMutants& top = bench.top();
  Memory memory;
  for (int i = 0; i < 4000; ++i) {
    const ScratchpadRequest request = someWords(bench.random(), kBanks, kRows);
    top.lanes = request.valid;
    top.write = request.write;
    verilated::packIn(request.bank, 8, top.lane_bank);
    verilated::copyIn(request.row, top.lane_row);
    verilated::copyIn(request.data, top.data);
    verilated::packIn(request.enable, 4, top.enable);
    bench.edge(true);
    bench.expect("banked_scratchpad", [&](std::size_t n) {
      ScratchpadResponse response;
      verilated::copyOut(top.lane_word[n], response.data);
      return readsAgree(request, response, memory);
    });
    write(request, memory);
  }
}

void tryLocks(Bench& bench) {
  VMutants& top = bench.top();
  std::vector<bool> taken(kLocks);
  bench.reset();
  for (int i = 0; i < 4000; ++i) {
    LockRequest request;
    request.lock = someLanes(bench.random());
    request.unlock = someLanes(bench.random()) & ~request.lock;
    for (std::uint32_t& number : request.number) number = bench.draw(kLocks);
    const LaneMask got = expectedLocks(request, taken);
    top.lanes = request.lock;
    top.unlock = request.unlock;
    verilated::packIn(request.number, 16, top.number);
    bench.edge(true);
    bench.expect("lock_unit", [&](std::size_t n) { return top.got[n] == got; });
    if (i % 1000 != 999) continue;
    bench.reset();
    taken.assign(kLocks, false);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mutants)

BOOST_AUTO_TEST_CASE(are_found) {
  Bench bench;
  tryAmi(bench);
  for (const std::uint32_t modulus : {31, 34, 37, 46, 52}) tryRaw(bench, modulus);
  tryHashes(bench);
  tryPasses(bench);
  tryScratchpads(bench);
  tryLocks(bench);
  bench.report();
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::rtl::test
