// Energy of a run: a closed formula, agreement with counters of the same actions, and equal sums
// over actions, instructions and windows to the last femtojoule.
#include <fermata/models/power/energy_account.h>
#include <fermata/models/vocabulary/error.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/simulation.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/kernel.h"
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using platforms::RunOutcome;
using platforms::Simulation;
using test::platform;
using test::ScriptedWorkload;

namespace {

Clock clockOf(const platforms::Configuration& configuration) {
  return Clock::fromMegahertz(configuration.parameters().clock.frequencyMhz);
}

/// Returns a different price for each action, and components that take power all the time.
EnergyPrices anyPrices(unsigned seed) {
  std::mt19937 random(seed);
  EnergyPrices prices;
  for (auto& price : prices.actions) {
    const std::uint64_t low = random() % 100000;
    price = Energy{low, low + random() % 1000, low + 1000 + random() % 1000};
  }
  for (const char* component : {"scratchpad", "crossbar", "lights"}) {
    const std::uint64_t low = random() % 10000000;
    prices.standing.push_back({component, {low, 2 * low, 3 * low}, {random() % 100, 100, 200}});
  }
  prices.others["filter.pass"] = {1, 3, 9};
  return prices;
}

std::uint64_t countOf(const EnergyAccount& account, EnergyAction action) {
  for (const EnergyAccount::Line& line : account.lines()) {
    if (line.component == describe(action).component && line.action == describe(action).action)
      return line.count;
  }
  return 0;
}

Energy sumOfWindows(const EnergyAccount& account) {
  Energy sum;
  account.forEachWindow([&](Cycle, const std::string&, const Energy& energy) { sum += energy; });
  return sum;
}

Energy sumOfInstructions(const EnergyAccount& account, const PcProfile& profile) {
  Energy sum = account.standing() + account.ofNone();
  for (std::uint32_t program = 0; program < profile.entries().size(); ++program) {
    for (std::uint32_t pc = 0; pc < profile.entries()[program].size(); ++pc)
      sum += account.of(program, pc);
  }
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(energy_account)

// `warps` warps load `repeat` times one word per lane, `stride` words apart, with the address in
// one register and the result in another, and add twice.
BOOST_DATA_TEST_CASE(a_strided_loop_costs_what_its_formula_says,
                     bdata::make({1U, 2U, 8U, 32U}) * bdata::make({"gtx480", "fermi-ami"}), stride,
                     name) {
  const std::uint64_t warps = 4;
  const std::uint64_t repeat = 5;
  const auto configuration = platform(name, {"scratchpad.conflict_policy=serialize"});
  Simulation simulation(configuration);
  const EnergyPrices prices = anyPrices(stride);
  EnergyAccount account(clockOf(configuration), prices, 16);
  simulation.addEnergy(account);

  ScriptedWorkload workload(1, static_cast<unsigned>(kWarpLanes * warps));
  workload.grid.sharedBytesPerCta = 4 * kWarpLanes * 32;
  workload.repeat = static_cast<unsigned>(repeat);
  workload.addSharedLoad(stride, {1}, {2});
  workload.add(InstructionClass::Integer, {3}, {1, 2});
  workload.add(InstructionClass::Integer, {2}, {2});
  const RunOutcome outcome = simulation.run(workload);

  const std::uint64_t loads = warps * repeat;
  std::uint64_t wire = 0;  // to each lane along its row, and down the column of its bank
  for (std::uint64_t lane = 0; lane < kWarpLanes; ++lane) wire += stride * lane % 32 + 1 + lane + 1;
  const auto price = [&](EnergyAction action) {
    return *prices.actions[static_cast<unsigned>(action)];
  };
  Energy expected = price(EnergyAction::Issue) * outcome.totals.warpInstructions +
                    price(EnergyAction::RegisterRead) * (loads * (1 + 2 + 1)) +
                    price(EnergyAction::RegisterWrite) * (loads * 3) +
                    price(EnergyAction::Address) * (loads * 32) +
                    price(EnergyAction::Index) * (loads * 32) +
                    price(EnergyAction::Wire) * (loads * wire) +
                    price(EnergyAction::ScratchpadRead) * (loads * 32);
  const std::uint64_t picoseconds = clockOf(configuration).ticks(outcome.cycles);
  for (const EnergyPrices::Standing& one : prices.standing)
    expected += energyUntil(one.leakage, picoseconds) + one.clock * outcome.cycles;
  BOOST_TEST((account.total() == expected));
  BOOST_TEST((sumOfWindows(account) == expected));
  BOOST_TEST((sumOfInstructions(account, outcome.profile) == expected));
  BOOST_TEST(account.unpriced().empty());
}

namespace {

struct Case {
  const char* platform;
  test::Kernel kernel;
  test::Sets sets = {};
};
std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.platform << " " << one.kernel;
}
const Case kCases[] = {
    {"gtx480", "matmul n=32"},
    {"gtx480", "reduction n=4096"},
    {"k20", "transpose n=64"},
    {"fermi-ami", "nw n=64"},
    {"fermi-ami", "lud n=48", {"ami=S+62/48"}},
    {"fermi-ami", "srad n=48", {"l1.write_policy=through"}},
    {"gtx480-caches", "hist64 n=8192"},
    {"fermi-chip", "scan variant=0 n=3000", {"chip.sms=3"}},
    {"gtx580-atomics", "histogram bins=64 width=64 height=64"},
    {"elastic-gt200", "dct width=32 height=32"},
};

}  // namespace

BOOST_DATA_TEST_CASE(sums_agree_to_the_last_femtojoule, bdata::make(kCases), one) {
  const auto configuration = platform(one.platform, one.sets);
  Simulation simulation(configuration);
  std::vector<std::unique_ptr<EnergyAccount>> accounts;
  for (const Cycle window : {Cycle{0}, Cycle{1}, Cycle{7}, Cycle{1000}, Cycle{1} << 40}) {
    accounts.push_back(
        std::make_unique<EnergyAccount>(clockOf(configuration), anyPrices(7), window));
    simulation.addEnergy(*accounts.back());
  }
  Energy told;
  accounts.front()->tell(
      [&](const sc_core::sc_time&, const std::string&, const Energy& energy) { told += energy; });
  for (unsigned run = 0; run < 2; ++run) {
    told = {};
    const auto open = one.kernel.open();
    const RunOutcome outcome = simulation.run(*open.workload);
    const Energy total = accounts.front()->total();
    BOOST_TEST(total.low > 0U);
    BOOST_TEST(total.low < total.nominal);
    BOOST_TEST(total.nominal < total.high);
    BOOST_TEST((told + accounts.front()->standing() == total));
    for (const auto& account : accounts) {
      BOOST_TEST_CONTEXT("window " << account->window() << ", run " << run) {
        BOOST_TEST((account->total() == total));
        BOOST_TEST((sumOfInstructions(*account, outcome.profile) == total));
        if (account->window() != 0) BOOST_TEST((sumOfWindows(*account) == total));
      }
    }
  }
}

// Counters of the run count the same actions in another way.
BOOST_DATA_TEST_CASE(counts_are_those_of_the_counters, bdata::make(kCases), one) {
  const auto configuration = platform(one.platform, one.sets);
  Simulation simulation(configuration);
  EnergyAccount account(clockOf(configuration), anyPrices(3), 0);
  simulation.addEnergy(account);
  const auto open = one.kernel.open();
  const RunOutcome outcome = simulation.run(*open.workload);
  BOOST_TEST(countOf(account, EnergyAction::Issue) == outcome.totals.warpInstructions);
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  for (const BankHistogram::Bank& bank : outcome.banks.banks()) {
    reads += bank.reads + bank.atomics;
    writes += bank.writes + bank.atomics;
  }
  BOOST_TEST(countOf(account, EnergyAction::ScratchpadRead) == reads);
  BOOST_TEST(countOf(account, EnergyAction::ScratchpadWrite) == writes);
  if (outcome.replays != nullptr) {
    const ReplayCounters::Counts& replays = outcome.replays->counts().totals();
    BOOST_TEST(countOf(account, EnergyAction::Retry) == replays.replays() + replays.squashes());
  }
  if (outcome.locks != nullptr) {
    const LockCounters::Counts& locks = outcome.locks->counts().totals();
    BOOST_TEST(countOf(account, EnergyAction::LockRead) == locks.tries);
    const std::uint64_t got = locks.tries - locks.position - locks.alias - locks.otherWarp;
    BOOST_TEST(countOf(account, EnergyAction::LockWrite) == 2 * got);  // taken and freed
  }
  if (outcome.dram == nullptr) return;
  const CacheCounters::Counts& caches = outcome.dram->counts().totals();
  BOOST_TEST(countOf(account, EnergyAction::L1Lookup) >= caches.l1Accesses());
  BOOST_TEST(countOf(account, EnergyAction::MshrUse) > 0U);
  BOOST_TEST(countOf(account, EnergyAction::DramActivate) + caches.of(CacheEvent::DramRowHit) ==
             caches.of(CacheEvent::DramRead) + caches.of(CacheEvent::DramWrite));
  BOOST_TEST(countOf(account, EnergyAction::DramRead) >= 32 * caches.of(CacheEvent::DramRead));
  BOOST_TEST(countOf(account, EnergyAction::DramWrite) >= 32 * caches.of(CacheEvent::DramWrite));
  BOOST_TEST(32 * countOf(account, EnergyAction::L2Write) >=
             countOf(account, EnergyAction::DramRead));
}

// An account that listens has no effect on the run.
BOOST_DATA_TEST_CASE(nothing_is_another_for_it, bdata::make(kCases), one) {
  const auto configuration = platform(one.platform, one.sets);
  Simulation simulation(configuration);
  EnergyAccount account(clockOf(configuration), anyPrices(3), 100);
  const auto first = one.kernel.open();
  const RunOutcome without = simulation.run(*first.workload);
  const Cycle cycles = without.cycles;
  const std::uint64_t passes = without.totals.conflictPasses;
  simulation.addEnergy(account);
  const auto second = one.kernel.open();
  const RunOutcome with = simulation.run(*second.workload);
  BOOST_TEST(with.cycles == cycles);
  BOOST_TEST(with.totals.conflictPasses == passes);
}

BOOST_AUTO_TEST_CASE(actions_without_a_price_are_named) {
  const auto configuration = platform("gtx480");
  Simulation simulation(configuration);
  EnergyPrices prices = anyPrices(1);
  prices.actions[static_cast<unsigned>(EnergyAction::Wire)].reset();
  prices.actions[static_cast<unsigned>(EnergyAction::DramRead)].reset();  // the platform has none
  EnergyAccount account(clockOf(configuration), prices, 0);
  simulation.addEnergy(account);
  const auto open = test::Kernel("matmul n=32").open();
  simulation.run(*open.workload);
  const auto unpriced = account.unpriced();
  BOOST_TEST_REQUIRE(unpriced.size() == 1U);
  BOOST_TEST(unpriced[0].component == "crossbar");
  BOOST_TEST(unpriced[0].action == "wire");
  BOOST_TEST(unpriced[0].count == countOf(account, EnergyAction::Wire));
  BOOST_TEST(unpriced[0].count > 0U);
}

// An access whose lines are absent computes its addresses again with each retry.
BOOST_AUTO_TEST_CASE(retries_compute_their_addresses_again) {
  const auto configuration = platform("fermi-ami");
  Simulation simulation(configuration);
  EnergyAccount account(clockOf(configuration), anyPrices(1), 0);
  simulation.addEnergy(account);
  ScriptedWorkload workload(1, 32);
  workload.addMemory(MemorySpace::Global, MemoryOperation::Load, 4,
                     ScriptedWorkload::apart(4, 0x10000000), {1}, {2});
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST_REQUIRE((outcome.replays != nullptr));
  const std::uint64_t retries = outcome.replays->counts().totals().replays();
  BOOST_TEST(retries > 0U);
  BOOST_TEST(countOf(account, EnergyAction::Retry) == retries);
  BOOST_TEST(countOf(account, EnergyAction::Address) == 32 * (1 + retries));
  BOOST_TEST(countOf(account, EnergyAction::RegisterRead) == 1 + retries);
  BOOST_TEST(countOf(account, EnergyAction::RegisterWrite) == 1U);
}

// An account as a probe of a platform composed by hand, which does not report the start of a run.
BOOST_AUTO_TEST_CASE(an_account_books_from_the_first_cycle_on) {
  EnergyAccount account(Clock(sc_core::sc_time(1, sc_core::SC_NS)), anyPrices(1), 10);
  account.locked({0, 17, 40, 7, 3, 5, 25});
  BOOST_TEST(countOf(account, EnergyAction::LockRead) == 40U);
  BOOST_TEST(countOf(account, EnergyAction::LockWrite) == 25U);
  BOOST_TEST((account.ofNone() == account.total()));  // for an instruction of no grid
  BOOST_TEST((sumOfWindows(account) == account.total()));
}

// Hooks of a module that is not the model's, in two lines: a price of the table, or of the model.
BOOST_AUTO_TEST_CASE(hooks_book_what_others_do) {
  const Clock clock(sc_core::sc_time(1, sc_core::SC_NS));
  EnergyAccount account(clock, anyPrices(1), 10);
  const EnergyHook passes(&account, "filter", "filter.pass");
  const EnergyHook reads(&account, "filter", "scratchpad.read");
  std::vector<std::string> told;
  account.tell([&](const sc_core::sc_time& at, const std::string& component, const Energy& energy) {
    told.push_back(at.to_string() + " " + component + " " + std::to_string(energy.nominal));
  });
  account.begin(5);
  passes.book(clock.time(7), 4);
  passes.book(clock.time(100));
  reads.book(clock.time(6));
  account.end(20);
  const Energy read =
      *account.prices().actions[static_cast<unsigned>(EnergyAction::ScratchpadRead)];
  const Energy expected = Energy{5, 15, 45} + read;
  BOOST_TEST((account.ofNone() == expected));
  BOOST_TEST((account.total() == expected + account.standing()));
  BOOST_TEST((sumOfWindows(account) == account.total()));
  std::map<Cycle, Energy> windows;
  account.forEachWindow([&](Cycle from, const std::string& component, const Energy& energy) {
    if (component == "filter") windows[from] += energy;
  });
  BOOST_TEST((windows[0] == Energy{4, 12, 36} + read));
  BOOST_TEST((windows[90] == Energy{1, 3, 9}));  // 95 cycles after the start
  BOOST_TEST(windows.size() == 10U);
  BOOST_TEST(told.size() == 3U);
  BOOST_TEST(told[0] == "7 ns filter 12");
  const EnergyHook nowhere(nullptr, "filter", "no.price");
  nowhere.book(clock.time(1));
  BOOST_CHECK_EXCEPTION(EnergyHook(&account, "filter", "filter.lookup"), BadInput,
                        test::beginsWith("no price 'filter.lookup' for component 'filter'"));
  BOOST_CHECK_THROW(EnergyHook(&account, "filter", "read"), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()
