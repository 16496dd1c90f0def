// The instructions of a pattern: their number by class, and their dependences.
#include "tests/patterns/accesses.h"

using namespace fermata;
using namespace fermata::test;

namespace {

std::map<InstructionClass, std::uint64_t> countOf(Workload& workload) {
  std::map<InstructionClass, std::uint64_t> count;
  runInterleaved(workload, RunOptions(),
                 [&](const StaticInstruction& instruction, const auto& out, auto, auto) {
                   BOOST_TEST(instruction.pc == out.pc);
                   ++count[instruction.instructionClass];
                 });
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(streams)

BOOST_AUTO_TEST_CASE(counts_follow_the_parameters) {
  for (const unsigned repeat : {1U, 15U, 16U, 17U, 100U}) {
    for (const unsigned compute : {0U, 1U, 5U}) {
      for (const unsigned fill : {0U, 1U}) {
        const auto workload =
            patterns::openPattern("pattern-random", {{"repeat", std::to_string(repeat)},
                                                     {"compute", std::to_string(compute)},
                                                     {"fill", std::to_string(fill)},
                                                     {"threads", "96"},
                                                     {"ctas", "5"},
                                                     {"words", "200"}});
        auto count = countOf(*workload);
        const std::uint64_t warps = 5 * 3;
        const std::uint64_t rounds = fill * 3;  // 200 elements by 96 threads
        BOOST_TEST(count[InstructionClass::Memory] == warps * (repeat + rounds));
        BOOST_TEST(count[InstructionClass::Float] == warps * repeat * compute);
        BOOST_TEST(count[InstructionClass::Integer] == warps * (1 + rounds));
        BOOST_TEST(count[InstructionClass::Barrier] == warps * fill);
        BOOST_TEST(count[InstructionClass::Exit] == warps);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_address_waits_for_its_chain) {
  const auto workload = patterns::openPattern("pattern-walk", {{"repeat", "20"},
                                                               {"chain", "3"},
                                                               {"dependent", "1"},
                                                               {"fill", "0"},
                                                               {"threads", "32"},
                                                               {"ctas", "1"}});
  std::set<RegisterId> addresses;
  unsigned loads = 0, inChain = 0;
  runInterleaved(*workload, RunOptions(), [&](const StaticInstruction& one, auto&, auto, auto) {
    if (one.instructionClass == InstructionClass::Memory) {
      addresses.insert(one.reads[0]);
      BOOST_TEST(one.writes[0] == one.reads[0]);
      ++loads;
    } else if (one.instructionClass == InstructionClass::Integer && one.readCount != 0) {
      BOOST_TEST(one.readCount == 1U);
      BOOST_TEST(one.writes[0] == one.reads[0]);
      addresses.insert(one.reads[0]);
      ++inChain;
    }
  });
  BOOST_TEST(loads == 20U);
  BOOST_TEST(inChain == 3 * loads);
  BOOST_TEST(addresses.size() == 1U);
}

BOOST_AUTO_TEST_CASE(grid_says_what_the_pattern_needs) {
  const auto workload = patterns::openPattern(
      "pattern-stride", {{"threads", "64"}, {"stride", "3"}, {"bytes", "8"}, {"ctas", "7"}});
  workload->setWarpSlots(48);
  const Grid* const grid = workload->nextGrid();
  BOOST_REQUIRE(grid != nullptr);
  BOOST_TEST(grid->kernel == "pattern-stride");
  BOOST_TEST(grid->ctas == 7U);
  BOOST_TEST(grid->threadsPerCta == 64U);
  BOOST_TEST(grid->sharedBytesPerCta == 192U * 8);  // elements 0 to 189, in rounds of 64
  BOOST_TEST(grid->instructionCount == workload->instructionCount(0));
  BOOST_TEST((workload->nextGrid() == nullptr));
}

BOOST_AUTO_TEST_CASE(every_access_lies_in_the_window_and_every_register_in_the_scoreboard) {
  for (const auto& entry : patterns::listPatterns()) {
    const auto workload =
        patterns::openPattern(entry.name, {{"repeat", "40"}, {"ctas", "2"}, {"compute", "3"}});
    workload->setWarpSlots(64);
    const auto probe = patterns::openPattern(entry.name, {});
    const Grid* const grid = probe->nextGrid();
    const auto bytes = grid->sharedBytesPerCta;
    const auto registers = grid->registerCount;
    runInterleaved(*workload, RunOptions(),
                   [&](const StaticInstruction& one, const WarpInstruction& out, auto, auto) {
                     for (unsigned i = 0; i < one.readCount; ++i) {
                       BOOST_TEST(one.reads[i] < registers);
                     }
                     for (unsigned i = 0; i < one.writeCount; ++i) {
                       BOOST_TEST(one.writes[i] < registers);
                     }
                     if (one.instructionClass != InstructionClass::Memory) return;
                     for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
                       BOOST_TEST(out.address[lane] + out.bytesPerLane <= bytes);
                     }
                   });
  }
}

BOOST_AUTO_TEST_CASE(a_dependent_load_reads_what_the_one_before_wrote) {
  for (const char* const bytes : {"4", "16"}) {
    const auto workload = patterns::openPattern("pattern-stride", {{"dependent", "1"},
                                                                   {"threads", "32"},
                                                                   {"ctas", "1"},
                                                                   {"fill", "0"},
                                                                   {"repeat", "40"},
                                                                   {"bytes", bytes}});
    std::set<RegisterId> written;
    unsigned loads = 0;
    runInterleaved(*workload, RunOptions(),
                   [&](const StaticInstruction& one, const auto&, auto, auto) {
                     if (one.instructionClass != InstructionClass::Memory) return;
                     BOOST_TEST(one.readCount == 1U);
                     BOOST_TEST(one.writeCount == one.bytesPerLane / 4U);
                     if (loads++ != 0) BOOST_TEST(written.count(one.reads[0]) == 1U);
                     written = {one.writes.begin(), one.writes.begin() + one.writeCount};
                   });
    BOOST_TEST(loads == 40U);
  }
}

// Each word of a load is added once, to the sum of its position, behind the eighth load from it.
BOOST_AUTO_TEST_CASE(every_loaded_word_is_added_to_its_sum) {
  for (const unsigned words : {1U, 2U, 4U}) {
    const auto workload =
        patterns::openPattern("pattern-stride", {{"sum", "1"},
                                                 {"threads", "32"},
                                                 {"ctas", "1"},
                                                 {"fill", "0"},
                                                 {"repeat", "40"},
                                                 {"bytes", std::to_string(4 * words)}});
    std::vector<std::vector<RegisterId>> loaded;
    std::set<RegisterId> sums;
    unsigned additions = 0;
    runInterleaved(*workload, RunOptions(),
                   [&](const StaticInstruction& one, const auto&, auto, auto) {
                     if (one.instructionClass == InstructionClass::Memory)
                       loaded.emplace_back(one.writes.begin(), one.writes.begin() + one.writeCount);
                     if (one.instructionClass != InstructionClass::Float) return;
                     const unsigned word = additions % words, load = additions / words;
                     ++additions;
                     BOOST_TEST(one.reads[0] == one.writes[0]);
                     sums.insert(one.writes[0]);
                     BOOST_TEST(load + 1 == loaded.size());
                     if (load >= 8) BOOST_TEST(one.reads[1] == loaded[load - 8][word]);
                   });
    BOOST_TEST(loaded.size() == 40U);
    BOOST_TEST(additions == 39 * words);  // the last load ends the loop
    BOOST_TEST(sums.size() == words);
  }
}

BOOST_AUTO_TEST_CASE(independent_loads_share_no_destination_for_16_in_a_row) {
  const auto workload = patterns::openPattern("pattern-stride", {{"threads", "32"},
                                                                 {"ctas", "1"},
                                                                 {"fill", "0"},
                                                                 {"repeat", "64"},
                                                                 {"bytes", "16"},
                                                                 {"compute", "2"}});
  std::vector<std::set<RegisterId>> recent;
  std::set<RegisterId> address;
  runInterleaved(
      *workload, RunOptions(), [&](const StaticInstruction& one, const auto&, auto, auto) {
        if (one.instructionClass != InstructionClass::Memory) return;
        address.insert(one.reads[0]);
        const std::set<RegisterId> writes(one.writes.begin(), one.writes.begin() + one.writeCount);
        BOOST_TEST(writes.size() == 4U);
        for (std::size_t i = recent.size() - std::min<std::size_t>(recent.size(), 15);
             i < recent.size(); ++i) {
          for (const RegisterId id : writes) BOOST_TEST(recent[i].count(id) == 0U);
        }
        for (const RegisterId id : writes) BOOST_TEST(address.count(id) == 0U);
        recent.push_back(writes);
      });
  BOOST_TEST(recent.size() == 64U);
}

BOOST_AUTO_TEST_SUITE_END()
