// Energy of retries in a run: actions beyond the first time for an instruction, an access and a
// lane.
#include <fermata/models/power/energy_account.h>
#include <fermata/models/transaction/warp_access.h>
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

constexpr EnergyAction kRepeated[] = {EnergyAction::Retry, EnergyAction::RegisterRead,
                                      EnergyAction::Address, EnergyAction::Index,
                                      EnergyAction::L1Index};

/// Counts the actions that every instruction, access and lane does once.
class Once : public Probe {
 public:
  unsigned events() const override { return Issues | SharedAccesses | GlobalAccesses; }
  void issued(const IssueEvent& event) override {
    counts[EnergyAction::RegisterRead] += event.instruction.readCount;
  }
  void sharedAccess(const WarpAccess& access) override {
    const std::uint64_t lanes = laneCount(access.instruction.active);
    counts[EnergyAction::Address] += lanes;
    counts[EnergyAction::Index] += lanes * access.wordsPerLane;
  }
  void globalAccess(const WarpAccess& access) override {
    const std::uint64_t lanes = laneCount(access.instruction.active);
    counts[EnergyAction::Address] += lanes;
    if (access.instruction.operation != MemoryOperation::Load) return;
    const unsigned bytes = access.instruction.bytesPerLane;
    counts[EnergyAction::L1Index] += lanes * (bytes > 4 ? bytes / 4 : 1);
  }

  std::map<EnergyAction, std::uint64_t> counts;
};

/// One account for each of kRepeated: its action costs a femtojoule, all others nothing.
class Accounts {
 public:
  explicit Accounts(const platforms::Configuration& configuration, Simulation& simulation) {
    for (const EnergyAction action : kRepeated) {
      EnergyPrices prices;
      for (auto& price : prices.actions) price = Energy{};
      prices.actions[static_cast<unsigned>(action)] = Energy{1, 1, 1};
      all_[action] = std::make_unique<EnergyAccount>(
          Clock::fromMegahertz(configuration.parameters().clock.frequencyMhz), prices, 0);
      simulation.addEnergy(*all_[action]);
    }
  }
  std::uint64_t all(EnergyAction action) const { return all_.at(action)->total().nominal; }
  std::uint64_t ofRetries(EnergyAction action) const {
    return all_.at(action)->ofRetries().nominal;
  }

 private:
  std::map<EnergyAction, std::unique_ptr<EnergyAccount>> all_;
};

struct Case {
  const char* platform;
  test::Kernel kernel;
  test::Sets sets;
  std::vector<EnergyAction> repeated;  ///< actions that some retry repeats
};
std::ostream& operator<<(std::ostream& out, const Case& one) {
  out << one.platform << " " << one.kernel;
  for (const std::string& set : one.sets) out << " " << set;
  return out;
}

const std::vector<EnergyAction> kAll{std::begin(kRepeated), std::end(kRepeated)};
const std::vector<EnergyAction> kNoIndex{EnergyAction::Retry, EnergyAction::RegisterRead,
                                         EnergyAction::Address};
const std::vector<EnergyAction> kNoL1Index{EnergyAction::Retry, EnergyAction::RegisterRead,
                                           EnergyAction::Address, EnergyAction::Index};
const Case kCases[] = {
    {"gtx480", "matmul n=32", {}, {}},
    {"gtx480-caches", "hist64 n=8192", {}, {}},
    {"fermi-ami", "nw n=64", {}, kNoL1Index},
    {"fermi-ami", "lud n=48", {"ami=S+48/48"}, kAll},
    {"fermi-ami", "transpose n=64", {"replay.latency=30", "replay.detection=9"}, kAll},
    {"fermi-ami", "nw n=64", {"ami=ideal"}, kNoIndex},
    {"fermi-ami", "nw n=64", {"ami=ideal", "l1.divergence=wait"}, {}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(retries)

BOOST_DATA_TEST_CASE(retries_take_what_is_done_more_than_once, bdata::make(kCases), one) {
  const auto configuration = platform(one.platform, one.sets);
  Simulation simulation(configuration);
  const Accounts accounts(configuration, simulation);
  Once once;
  simulation.addProbe(once);
  const auto open = one.kernel.open();
  const RunOutcome outcome = simulation.run(*open.workload);
  for (const EnergyAction action : kRepeated) {
    BOOST_TEST_CONTEXT(describe(action).component << "." << describe(action).action) {
      const bool known = action != EnergyAction::L1Index || outcome.replays != nullptr;
      if (known && one.platform == std::string("fermi-ami"))
        BOOST_TEST(accounts.ofRetries(action) == accounts.all(action) - once.counts[action]);
      const bool expected =
          std::find(one.repeated.begin(), one.repeated.end(), action) != one.repeated.end();
      BOOST_TEST((accounts.ofRetries(action) != 0) == expected);
    }
  }
  if (outcome.replays == nullptr) return;
  const ReplayCounters::Counts& replays = outcome.replays->counts().totals();
  BOOST_TEST(accounts.ofRetries(EnergyAction::Retry) == replays.replays() + replays.squashes());
}

// A warp loads with all lanes from one bank, with the address in a register: 31 replays; the nth
// has 32 - n lanes left.
BOOST_AUTO_TEST_CASE(a_conflict_of_32_ways_is_retried_31_times) {
  const auto configuration = platform("fermi-ami");
  Simulation simulation(configuration);
  const Accounts accounts(configuration, simulation);
  ScriptedWorkload workload(1, 32);
  workload.grid.sharedBytesPerCta = 32 * 128;
  workload.addSharedLoad(32, {1}, {2, 3});
  simulation.run(workload);
  constexpr std::uint64_t lanes = 31 * 32 / 2;
  BOOST_TEST(accounts.ofRetries(EnergyAction::Retry) == 31U);
  BOOST_TEST(accounts.ofRetries(EnergyAction::RegisterRead) == 2 * 31U);
  BOOST_TEST(accounts.ofRetries(EnergyAction::Address) == lanes);
  BOOST_TEST(accounts.ofRetries(EnergyAction::Index) == lanes);
  BOOST_TEST(accounts.ofRetries(EnergyAction::L1Index) == 0U);
  BOOST_TEST(accounts.all(EnergyAction::Address) == 32 + lanes);
  BOOST_TEST(accounts.all(EnergyAction::RegisterRead) == 2 * 32U);
}

// Behind a load that has left lanes, the port squashes the warp's next access: no stage sees it.
BOOST_AUTO_TEST_CASE(an_access_that_its_port_squashes_computes_its_lanes_once) {
  const auto configuration = platform("fermi-ami", {"replay.detection=20", "replay.latency=30"});
  Simulation simulation(configuration);
  const Accounts accounts(configuration, simulation);
  ScriptedWorkload workload(1, 32);
  workload.grid.sharedBytesPerCta = 32 * 128;
  workload.addSharedLoad(16, {64}, {1});
  workload.addSharedLoad(1, {4}, {1});
  const RunOutcome outcome = simulation.run(workload);
  BOOST_TEST_REQUIRE((outcome.replays != nullptr));
  BOOST_TEST(outcome.replays->counts().totals().squashes() > 0U);
  constexpr std::uint64_t left = 16 * 15;  // 16 ways of two lanes: 30 lanes, 28, ...
  BOOST_TEST(accounts.all(EnergyAction::Index) == 32 + left + 32);
  BOOST_TEST(accounts.ofRetries(EnergyAction::Index) == left);
  BOOST_TEST(accounts.ofRetries(EnergyAction::Address) == left);
}

// A try repeats actions if its path has seen the access before, even if no lane was served: an
// access may be squashed at its port, or by the banks.
BOOST_AUTO_TEST_CASE(a_try_repeats_what_an_earlier_one_did) {
  EnergyPrices prices;
  prices.actions[static_cast<unsigned>(EnergyAction::Address)] = Energy{1, 1, 1};
  EnergyAccount account(Clock(sc_core::sc_time(1, sc_core::SC_NS)), prices, 0);
  WarpAccess access;
  access.instruction.space = MemorySpace::Global;
  access.instruction.active = access.unserved = access.asked = 0xff;
  access.tries = 0;
  account.retried(access, 1);
  access.tries = 1;
  account.globalAccess(access);
  BOOST_TEST(account.count(EnergyAction::Address) == 8U);
  BOOST_TEST((account.ofRetries() == Energy{}));
  account.retried(access, 5);
  BOOST_TEST(account.count(EnergyAction::Address) == 16U);
  BOOST_TEST((account.ofRetries() == Energy{8, 8, 8}));
  access.instruction.space = MemorySpace::Shared;
  access.wordsPerLane = 0;
  account.sharedTry(access);
  BOOST_TEST((account.ofRetries() == Energy{8, 8, 8}));
  access.tries = 2;
  account.retried(access, 9);
  account.sharedTry(access);
  BOOST_TEST(account.count(EnergyAction::Address) == 32U);
  BOOST_TEST((account.ofRetries() == Energy{16, 16, 16}));
}

BOOST_AUTO_TEST_CASE(a_run_of_too_many_windows_is_refused) {
  const Clock clock(sc_core::sc_time(1, sc_core::SC_NS));
  constexpr Cycle most = EnergyAccount::kMostWindows;
  EnergyAccount account(clock, {}, 10);
  account.begin(7);
  account.reach(7 + 10 * most - 1);
  BOOST_CHECK_EXCEPTION(
      account.reach(7 + 10 * most), BadInput,
      test::saysOnly("a run has more than 262144 windows of 10 cycles; expected a longer window"));
  EnergyAccount(clock, {}, 0).reach(~Cycle{0});
}

BOOST_AUTO_TEST_SUITE_END()
