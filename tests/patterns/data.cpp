// Lane data of the patterns, against a memory that obeys the stores.
#include "tests/patterns/accesses.h"

using namespace fermata;
using namespace fermata::test;

namespace {

/// Shared memory of each CTA after the accesses so far; a word must be stored before it is read.
class Oracle {
 public:
  void apply(const StaticInstruction& one, const WarpInstruction& out, std::uint64_t cta) {
    if (one.instructionClass != InstructionClass::Memory) return;
    BOOST_TEST(out.hasData);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((out.active >> lane & 1U) == 0) continue;
      for (unsigned byte = 0; byte < out.bytesPerLane; ++byte) {
        auto& held = memory_[{cta, out.address[lane] + byte}];
        const std::uint8_t data = out.data[lane][byte];
        if (out.operation == MemoryOperation::Store) {
          held = data;
          continue;
        }
        const std::uint8_t read =
            out.operation == MemoryOperation::Load ? data : out.before[lane][byte];
        BOOST_TEST((held.has_value() && *held == read));
        held = data;
      }
      checkAtomic(out, lane);
      ++accesses;
    }
  }
  std::uint64_t accesses = 0;

 private:
  static void checkAtomic(const WarpInstruction& out, unsigned lane) {
    if (out.operation != MemoryOperation::Atomic) return;
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    std::memcpy(&before, out.before[lane].data(), 4);
    std::memcpy(&after, out.data[lane].data(), 4);
    BOOST_TEST(after == before + 1);
  }
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::optional<std::uint8_t>> memory_;
};

void check(const std::string& name, std::map<std::string, std::string> parameters, Order order) {
  parameters.emplace("repeat", "20");
  parameters.emplace("ctas", "3");
  parameters.emplace("threads", "80");
  const auto workload = patterns::openPattern(name, parameters);
  workload->setCarriesData(true);
  RunOptions options;
  options.order = order;
  Oracle oracle;
  runInterleaved(*workload, options, [&](const auto& one, const auto& out, auto cta, auto) {
    oracle.apply(one, out, cta);
  });
  BOOST_TEST(oracle.accesses >= 20U * 80 * 3);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(data)

BOOST_AUTO_TEST_CASE(loads_stores_and_atomics_agree_with_a_memory_in_any_order) {
  for (const Order order : {Order::RoundRobin, Order::Greedy, Order::Random}) {
    check("genindex", {}, order);
    check("pattern-block", {}, order);
    for (const char* const name : {"pattern-random", "pattern-conflict", "pattern-broadcast"}) {
      for (const char* const operation : {"load", "store", "atomic"}) {
        check(name, {{"operation", operation}}, order);
      }
      check(name, {{"bytes", "16"}}, order);
      check(name, {{"bytes", "8"}, {"operation", "store"}}, order);
    }
  }
}

BOOST_AUTO_TEST_CASE(lanes_that_store_to_one_word_bring_one_value) {
  const auto workload = patterns::openPattern(
      "pattern-broadcast", {{"operation", "store"}, {"distinct", "3"}, {"repeat", "10"}});
  workload->setCarriesData(true);
  runInterleaved(*workload, RunOptions(),
                 [](const auto& one, const WarpInstruction& out, auto, auto) {
                   if (one.instructionClass != InstructionClass::Memory) return;
                   std::map<std::uint64_t, std::uint32_t> values;
                   for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
                     std::uint32_t value = 0;
                     std::memcpy(&value, out.data[lane].data(), 4);
                     BOOST_TEST(values.emplace(out.address[lane], value).first->second == value);
                   }
                 });
}

BOOST_AUTO_TEST_CASE(the_fill_stores_each_index_and_the_chase_reads_its_own) {
  const auto workload =
      patterns::openPattern("genindex", {{"way", "5"}, {"repeat", "7"}, {"ctas", "1"}});
  workload->setCarriesData(true);
  runInterleaved(*workload, RunOptions(),
                 [](const auto& one, const WarpInstruction& out, auto, auto) {
                   if (one.instructionClass != InstructionClass::Memory) return;
                   for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
                     std::uint32_t value = 0;
                     std::memcpy(&value, out.data[lane].data(), 4);
                     BOOST_TEST(value == out.address[lane] / 4);
                   }
                 });
}

BOOST_AUTO_TEST_CASE(no_data_unless_asked_for_and_filled) {
  for (const bool asked : {false, true}) {
    const auto workload = patterns::openPattern(
        "pattern-random", {{"fill", asked ? "0" : "1"}, {"repeat", "5"}, {"ctas", "1"}});
    workload->setCarriesData(asked);
    runInterleaved(*workload, RunOptions(),
                   [](const auto&, const auto& out, auto, auto) { BOOST_TEST(!out.hasData); });
  }
}

BOOST_AUTO_TEST_SUITE_END()
