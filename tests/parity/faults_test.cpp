// A user's block with a fault in a whole platform. In lockstep the run ends where block and model
// first differ; alone, verification finds the fault, or the figures show it.
#include <regex.h>

#include <fermata/models/rtl/model_blocks.h>
#include <fermata/stimuli/input_error.h>

#include "tests/parity/whole_runs.h"
#include "tests/rtl/hooked_block.h"

namespace fermata::test {
namespace {

using namespace fermata::rtl;
using namespace fermata::rtl::test;

/// The model's mapping with wrong banks for words that have the bit. Only accesses by columns are
/// wrong: the window of a CTA is filled row by row in the cycle in which it starts, and must be
/// right.
class FaultyMap final : public MapBlock {
 public:
  FaultyMap(const indexing::Indexer& mapping, std::uint32_t bit)
      : model_(modelMapBlock(indexing::build(mapping.text(), mapping.shape()))), bit_(bit) {}
  void map(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) override {
    model_->map(word, active, bank, row);
    for (unsigned lane = 0; lane < kWarpLanes && word[1] != word[0] + 1; ++lane) {
      if ((word[lane] & bit_) != 0) bank[lane] &= ~1U;
    }
  }

 private:
  std::unique_ptr<MapBlock> model_;
  std::uint32_t bit_;
};

/// The model's blocks with the faults that a test sets.
struct Blocks : platforms::Connector {
  std::uint32_t wrongWords = 0;  ///< words with this bit get a wrong bank
  HookedPass::Hooks pass;
  HookedScratchpad::Hooks scratchpad;
  HookedLock::Hooks lock;

  std::unique_ptr<MapBlock> mapBlock(const indexing::Indexer& mapping) override {
    return std::make_unique<FaultyMap>(mapping, wrongWords);
  }
  std::unique_ptr<PassBlock> passBlock(std::uint32_t) override {
    return std::make_unique<HookedPass>(modelPassBlock(), pass);
  }
  std::unique_ptr<ScratchpadBlock> scratchpadBlock(std::uint32_t banks,
                                                   std::uint32_t rows) override {
    return std::make_unique<HookedScratchpad>(modelScratchpadBlock(banks, rows), scratchpad);
  }
  std::unique_ptr<LockBlock> lockBlock(std::uint32_t locks) override {
    return std::make_unique<HookedLock>(modelLockBlock(locks), lock);
  }
};

WholeRun transposed(const Sets& sets) {
  return {"gtx480", sets, {{"transpose", {"tile=32", "n=64"}}}};
}
WholeRun added(const Sets& sets) {
  return {"gtx580-atomics", sets, {{"histogram", {"width=32", "height=16", "blocks=1"}}}};
}

/// Returns the rows of the run, or the message of the error that ended it.
std::string outcomeOf(const WholeRun& run, Blocks& blocks) {
  try {
    return platforms::runInChildren({[&] { return rowsOf(run, &blocks); }}).front();
  } catch (const InputError& error) {
    return std::string("bad input: ") + error.what();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}
/// Checks the outcome of the run against `expected`, an extended regular expression.
void checkOutcome(const WholeRun& run, Blocks& blocks, const std::string& expected) {
  const std::string outcome = outcomeOf(run, blocks).substr(0, 1000);
  regex_t expression;
  BOOST_TEST_REQUIRE(regcomp(&expression, expected.c_str(), REG_EXTENDED | REG_NOSUB) == 0);
  BOOST_TEST(regexec(&expression, outcome.c_str(), 0, nullptr, 0) == 0, outcome);
  regfree(&expression);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(faults)

BOOST_AUTO_TEST_CASE(blocks_of_ones_own_without_a_fault_change_nothing) {
  Blocks blocks;
  for (const std::string how : {"rtl", "lockstep"}) {
    const Sets sets{"rtl.indexer=" + how, "rtl.crossbar=" + how, "rtl.scratchpad=" + how};
    BOOST_TEST(outcomeOf(transposed(sets), blocks) == outcomeOf(transposed({}), blocks));
    BOOST_TEST(outcomeOf(added({"rtl.lock=" + how}), blocks) == outcomeOf(added({}), blocks));
  }
}

BOOST_AUTO_TEST_CASE(of_an_indexer) {
  Blocks blocks;
  blocks.wrongWords = 512;
  checkOutcome(transposed({"rtl.indexer=lockstep"}), blocks,
               "^the RTL indexer differs from 'mod 32' in cycle [1-9][0-9]*: lane 16, word 513: "
               "RTL bank 0, row 16; expected bank 1, row 16$");
  checkOutcome(transposed({"rtl.indexer=rtl"}), blocks,
               "verification failed: pc [0-9]+, warp slot [0-9]+, lane [0-9]+, shared byte address "
               "[0-9]+ \\(bank [0-9]*[02468], row [0-9]+\\) holds [0-9]+, the executor saw [0-9]+");
}

// No data pass through the crossbar: alone, its fault shows in passes and cycles.
BOOST_AUTO_TEST_CASE(of_a_crossbar) {
  Blocks blocks;
  blocks.pass.answered = [](const PassRequest& request, PassResponse& response) {
    response.served |= response.left & (0U - response.left);  // also serves a lane of another row
    response.left = request.valid & ~response.served;
  };
  checkOutcome(transposed({"rtl.crossbar=lockstep"}), blocks,
               "^the RTL crossbar differs from the model in cycle [1-9][0-9]*, pc [0-9]+: passes: "
               "RTL 16; expected 32; lane:bank/row 0:0/0 1:0/1");
  const std::string rows = outcomeOf(transposed({"rtl.crossbar=rtl"}), blocks);
  BOOST_TEST(rows.substr(0, 10) == "transpose,");
  BOOST_TEST(rows != outcomeOf(transposed({}), blocks));
}

BOOST_AUTO_TEST_CASE(of_a_scratchpad) {
  Blocks blocks;
  blocks.scratchpad.asked = [](ScratchpadRequest& request) {
    if (request.row[5] == 3) request.enable[5] &= 0xb;
  };
  checkOutcome(transposed({"rtl.scratchpad=lockstep"}), blocks,
               "^the RTL scratchpad differs from the model in cycle [1-9][0-9]*, pc [0-9]+: lane "
               "[0-9]+, shared byte address 406 \\(bank 5, row 3\\): RTL 0; expected [1-9]");
  checkOutcome(transposed({"rtl.scratchpad=rtl"}), blocks,
               "verification failed: .* address 406 \\(bank 5, row 3\\) holds 0, the executor saw");
}

// Lanes that hold their lock act one after another, even if two lanes hold one lock: alone, the
// fault shows in retries and cycles, not in data.
BOOST_AUTO_TEST_CASE(of_a_lock_unit) {
  Blocks blocks;
  blocks.lock.answered = [](const LockRequest& request, LockResponse& response) {
    response.got = request.lock;
  };
  checkOutcome(added({"rtl.lock=lockstep"}), blocks,
               "^the RTL lock unit differs from the model in cycle [1-9][0-9]*, pc [0-9]+: lane "
               "[0-9]+, word [0-9]+, lock [0-9]+: RTL taken; expected refused$");
  const std::string rows = outcomeOf(added({"rtl.lock=rtl"}), blocks);
  BOOST_TEST(rows.substr(0, 10) == "histogram,");
  BOOST_TEST(rows != outcomeOf(added({}), blocks));
}

BOOST_AUTO_TEST_CASE(a_block_that_hangs_ends_the_run) {
  class Hangs final : public PassBlock {
    bool ready() const override { return true; }
    void request(const PassRequest&) override {}
    void tick() override {}
    const PassResponse* response() const override { return nullptr; }
    bool busy() const override { return true; }
  };
  struct : Blocks {
    std::unique_ptr<PassBlock> passBlock(std::uint32_t) override {
      return std::make_unique<Hangs>();
    }
  } blocks;
  checkOutcome(transposed({"rtl.crossbar=rtl"}), blocks,
               "^a block does not answer within 4096 edges$");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::test
