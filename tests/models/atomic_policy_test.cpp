// Passes of atomics in the crossbar: those of a load, one for each lane of a bank, or by the form.
#include <fermata/models/memory/atomic_policy.h>

#include "tests/support/conflict_oracle.h"

using namespace fermata;
using namespace fermata::test;

namespace {

struct Passes {
  std::uint32_t all = 0;
  std::uint32_t degree = 0;
};

/// Returns passes if a bank updates one lane's word per pass, even on equal words.
Passes lanesOfBanks(const WarpAccess& access, const Machine& m) {
  Passes passes;
  for (const auto& group : groupsFor(m, access.wordsPerLane)) {
    std::map<std::uint32_t, std::uint32_t> lanes;
    for (const unsigned lane : group) {
      if ((access.asked >> lane & 1) == 0) continue;
      for (unsigned k = 0; k < access.wordsPerLane; ++k) ++lanes[access.bank[k][lane]];
    }
    std::uint32_t most = 0;
    for (const auto& [bank, count] : lanes) most = std::max(most, count);
    passes.all += most;
    passes.degree = std::max(passes.degree, most);
  }
  return passes;
}

struct Bench {
  std::unique_ptr<AtomicPolicy> native = Chosen<AtomicPolicy>("native").make();
  ConflictResolver resolver{32, 1, LaneGrouping()};
  WarpAccess access;
  Bench() { access.instruction.operation = MemoryOperation::Atomic; }

  std::uint32_t passes(const std::function<std::uint32_t(unsigned)>& word,
                       LaneMask active = kAllLanes) {
    access.banks = 32;
    fill(access, 32, 1, active, word);
    native->resolve(access, resolver);
    BOOST_TEST(access.degree == access.passes);
    return access.passes;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(atomic_policy)

BOOST_AUTO_TEST_CASE(native_in_a_table) {
  Bench bench;
  const auto lane = [](unsigned l) { return l; };
  for (unsigned n = 1; n <= 32; ++n) {
    // n lanes on one word, the others alone; n words of one bank; both together.
    BOOST_TEST(bench.passes([=](unsigned l) { return l < n ? 0 : l; }) == n);
    BOOST_TEST(bench.passes([=](unsigned l) { return l < n ? l * 32 : l; }) == n);
    BOOST_TEST(bench.passes([=](unsigned l) { return l < n ? l % 3 * 32 : l; }) == n);
    BOOST_TEST(bench.passes(lane, (LaneMask{1} << (n - 1)) - 1) == (n == 1 ? 0 : 1));
  }
  BOOST_TEST(bench.passes([](unsigned l) { return l / 2; }) == 2U);
  BOOST_TEST(bench.passes([](unsigned l) { return l % 16; }) == 2U);
  BOOST_TEST(bench.passes([](unsigned) { return 7U; }, 0x80000001) == 2U);
}

BOOST_DATA_TEST_CASE(native_is_the_lanes_of_the_fullest_bank_of_each_group,
                     bdata::make({1U, 7U, 32U, 33U, 64U, 128U}) * bdata::xrange(kMachines), banks,
                     number) {
  const Machine& m = machine(number);
  const LaneGrouping grouping = groupingOf(m);
  std::mt19937 random(banks);
  const std::unique_ptr<AtomicPolicy> native = Chosen<AtomicPolicy>("native").make();
  for (const std::uint32_t ports : {1U, 2U}) {
    ConflictResolver resolver(banks, ports, grouping);
    WarpAccess access;
    access.instruction.operation = MemoryOperation::Atomic;
    access.banks = banks;
    for (int trial = 0; trial < 500; ++trial) {
      const unsigned words = 1U << random() % 2;
      const std::uint32_t span = 1U << random() % 12;
      const LaneMask active = trial % 3 == 0 ? kAllLanes : static_cast<LaneMask>(random());
      fill(access, banks, words, active, [&](unsigned) { return random() % span * words; });
      native->resolve(access, resolver);
      const Passes expected = lanesOfBanks(access, m);
      BOOST_TEST(access.passes == expected.all);
      BOOST_TEST(access.degree == expected.degree);
      BOOST_TEST(access.freePasses == oracle(access, ports, m).freePasses);
      for (unsigned k = 0; k < words; ++k) BOOST_TEST(access.leaders[k] == active);
      if (expected.degree > 1) BOOST_TEST(access.bankSet == 0U);
    }
  }
}

BOOST_DATA_TEST_CASE(load_is_the_rule_of_loads,
                     bdata::make({7U, 32U, 64U}) * bdata::xrange(kMachines), banks, number) {
  const Machine& m = machine(number);
  std::mt19937 random(banks);
  for (const Chosen<AtomicPolicy> chosen : {"load", "locked"}) {
    const std::unique_ptr<AtomicPolicy> policy = chosen.make();
    ConflictResolver resolver(banks, 1, groupingOf(m));
    ConflictResolver alone(banks, 1, groupingOf(m));
    WarpAccess access;
    access.banks = banks;
    for (int trial = 0; trial < 300; ++trial) {
      const std::uint32_t span = 1U << random() % 12;
      const auto active = static_cast<LaneMask>(random());
      fill(access, banks, 1U << trial % 2, active, [&](unsigned) { return random() % span * 2; });
      access.instruction.operation = MemoryOperation::Atomic;
      policy->resolve(access, resolver);
      WarpAccess load;
      load = access;
      load.instruction.operation = MemoryOperation::Load;
      alone.resolve(load);
      const Expected expected = oracle(access, 1, m);
      BOOST_TEST(access.passes == expected.passes);
      BOOST_TEST(access.degree == expected.degree);
      BOOST_TEST((access.leaders == load.leaders));
      BOOST_TEST(access.bankSet == load.bankSet);
    }
  }
}

// Forms: that lanes merge; passes for each pass of a plain atomic; latency.
BOOST_AUTO_TEST_CASE(each_form_as_the_table_says) {
  const std::unique_ptr<AtomicPolicy> policy = Chosen<AtomicPolicy>("by-instruction").make();
  AtomicTable table;
  BOOST_TEST(AtomicForms::read("count half", table.merged) == "");
  table.swapPasses = 2;
  table.latency = 8;
  table.swapLatency = 12;
  table.testLatency = 9;
  policy->setTable(table);
  ConflictResolver resolver(32, 1, LaneGrouping());
  struct Row {
    AtomicForm form;
    bool merges;
    unsigned each;
    Cycle latency;
  };
  const Row rows[] = {{AtomicForm::Plain, false, 1, 8},  {AtomicForm::Count, true, 1, 8},
                      {AtomicForm::Swap, false, 2, 12},  {AtomicForm::Float, false, 1, 8},
                      {AtomicForm::Double, false, 1, 8}, {AtomicForm::Half, true, 1, 8},
                      {AtomicForm::Wide, false, 1, 8},   {AtomicForm::Spin, false, 2, 21}};
  for (const Row& row : rows) {
    StaticInstruction issued;
    issued.form = row.form;
    WarpAccess access;
    access.instruction.operation = MemoryOperation::Atomic;
    access.issuedInstruction = &issued;
    access.banks = 32;
    const auto passes = [&](const std::function<std::uint32_t(unsigned)>& word) {
      fill(access, 32, 1, kAllLanes, word);
      BOOST_TEST(policy->resolve(access, resolver) == row.latency);
      BOOST_TEST(access.freePasses == row.each);
      return access.passes;
    };
    BOOST_TEST(policy->merges(access) == row.merges);
    BOOST_TEST(passes([](unsigned lane) { return lane; }) == row.each);
    BOOST_TEST(passes([](unsigned) { return 7U; }) == (row.merges ? 1 : 32 * row.each));
    BOOST_TEST(passes([](unsigned lane) { return lane / 4; }) == (row.merges ? 1 : 4 * row.each));
    BOOST_TEST(passes([](unsigned lane) { return lane * 32; }) == 32 * row.each);
    BOOST_TEST(passes([](unsigned lane) { return lane % 2 * 32; }) ==
               (row.merges ? 2 : 32 * row.each));
  }
  WarpAccess foreign;  // a workload that gives no instruction
  foreign.instruction.operation = MemoryOperation::Atomic;
  foreign.banks = 32;
  fill(foreign, 32, 1, kAllLanes, [](unsigned) { return 0U; });
  BOOST_TEST(policy->resolve(foreign, resolver) == 8U);
  BOOST_TEST(foreign.passes == 32U);
}

BOOST_AUTO_TEST_CASE(forms_are_read_and_written) {
  AtomicForms forms;
  const char* const texts[] = {"", "count", "float double half wide", "plain count swap"};
  for (const char* text : texts) {
    BOOST_TEST(AtomicForms::read(text, forms) == "");
    BOOST_TEST(forms.text() == text);
  }
  BOOST_TEST(AtomicForms::read("  wide  float ", forms) == "");
  BOOST_TEST(forms.text() == "float wide");
  for (const char* text : {"spin", "count,float", "Float", "float x"}) {
    BOOST_TEST(AtomicForms::read(text, forms) != "", text);
    BOOST_TEST(forms.text() == "float wide");
  }
}

BOOST_AUTO_TEST_SUITE_END()
