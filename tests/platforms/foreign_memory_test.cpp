// A memory in the place of Dram that knows nothing of Fermata: its demands on its initiator, its
// counts, and who may share it.
#include <fermata/models/core/workload_at.h>
#include <fermata/models/vocabulary/error.h>
#include <fermata/platforms/compose/chip.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/workloads.h>

#include "tests/support/checked_simulation.h"
#include "tests/support/foreign_memory.h"
#include "tests/support/kernel.h"
#include "tests/support/says.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;
using foreign::Kind;

namespace {

const Kernel kKernels[] = {"matmul n=32", "transpose n=64 tile=16", "nw n=64",
                           "lud n=48",    "hist64 n=8192",          "srad n=48",
                           "backprop"};
const char* const kPlatforms[] = {"fermi-ami", "gtx480-caches"};
const char* const kWritePolicies[] = {"back", "through"};

/// One set of 8 lines in each of the 12 slices of gtx480-caches.
const char* const kSmallL2 = "l2.bytes=12288";

const Sets kForStrict{"l2.four_phase=true", "l2.whole_sectors=true"};

class Foreign : public CheckedConnector {
 public:
  explicit Foreign(Kind kind) : memory("foreign", kind) {}
  foreign::Memory memory;

 private:
  bool bindMemory(LineInitiatorSocket& from) override {
    auto& checker = line.emplace_back(name().c_str());
    from.bind(checker.in);
    checker.out.bind(memory.socket);
    return true;
  }
};

/// Waits for writes of a kernel's last lines, which reach memory after the kernel's end.
void settle() {
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(foreign_memory)

BOOST_DATA_TEST_CASE(any_memory_of_the_standard_stands_behind,
                     bdata::make(kPlatforms) * bdata::make(kKernels), name, kernel) {
  Foreign connector(Kind::Lenient);
  Simulation simulation(platform(name, {"verify=true", kSmallL2}), connector);
  const auto open = kernel.open();
  BOOST_TEST(simulation.run(*open.workload).compared > 0U);
  BOOST_TEST(simulation.memory()->compared() > 0U);
  settle();
  BOOST_TEST(connector.nothingLeft());
  open.kernel->checkResults();
}

// Without l2.four_phase the memory's second response never comes; without l2.whole_sectors it
// refuses the first write.
BOOST_DATA_TEST_CASE(one_that_waits_for_every_end_and_takes_no_byte_enables,
                     bdata::make(kPlatforms) * bdata::make(kWritePolicies) * bdata::make(kKernels),
                     name, policy, kernel) {
  Foreign connector(Kind::Strict);
  Simulation simulation(
      platform(name, Sets{"verify=true", kSmallL2, std::string("l2.write_policy=") + policy} +
                         kForStrict),
      connector);
  const auto open = kernel.open();
  BOOST_TEST(simulation.run(*open.workload).compared > 0U);
  BOOST_TEST(simulation.memory()->compared() > 0U);
  settle();
  BOOST_TEST(connector.memory.open() == 0U);
  BOOST_TEST(connector.nothingLeft());
  open.kernel->checkResults();
}

// Verification has no effect on timing.
BOOST_DATA_TEST_CASE(whole_sectors_take_as_long_with_data_as_without, bdata::make(kKernels),
                     kernel) {
  std::uint64_t cycles[2] = {};
  Foreign first(Kind::Strict);
  struct Other : sc_core::sc_module {
    explicit Other(const sc_core::sc_module_name& name) : sc_module(name) {}
    Foreign connector{Kind::Strict};
    Simulation simulation{platform("fermi-ami", Sets{"verify=true", kSmallL2} + kForStrict),
                          connector};
  } other("other");
  Simulation plain(platform("fermi-ami", Sets{kSmallL2} + kForStrict), first);
  const auto a = kernel.open();
  cycles[0] = plain.run(*a.workload).cycles;
  const auto b = kernel.open();
  cycles[1] = other.simulation.run(*b.workload).cycles;
  BOOST_TEST(cycles[0] == cycles[1]);
}

// Four phases also suit the model's own DRAM.
BOOST_DATA_TEST_CASE(four_phases_suit_the_own_dram, bdata::make(kPlatforms) * bdata::make(kKernels),
                     name, kernel) {
  CheckedSimulation simulation(platform(name, Sets{"verify=true", kSmallL2} + kForStrict));
  runVerified(simulation, kernel);
  BOOST_TEST(simulation.simulation.memory()->compared() > 0U);
}

BOOST_DATA_TEST_CASE(its_requests_are_counted_and_have_no_price_of_the_dram_s,
                     bdata::make(kWritePolicies), policy) {
  Foreign connector(Kind::Lenient);
  const auto configuration =
      platform("fermi-ami", {kSmallL2, std::string("l2.write_policy=") + policy});
  Simulation simulation(configuration, connector);
  EnergyPrices prices;
  prices.actions.fill(Energy{1, 1, 1});
  prices.actions[static_cast<unsigned>(EnergyAction::ForeignRead)].reset();
  prices.actions[static_cast<unsigned>(EnergyAction::ForeignWrite)].reset();
  const Clock clock = Clock::fromMegahertz(configuration.parameters().clock.frequencyMhz);
  EnergyAccount energy(clock, prices, 0);
  simulation.addEnergy(energy);
  const auto open = Kernel("nw n=64").open();
  const RunOutcome outcome = simulation.run(*open.workload);
  settle();
  const foreign::Memory& memory = connector.memory;
  BOOST_TEST(memory.reads().requests > 0U);
  BOOST_TEST(memory.writes().requests > 0U);
  BOOST_TEST(cachesOf(outcome).of(CacheEvent::DramRead) == memory.reads().requests);
  BOOST_TEST(cachesOf(outcome).of(CacheEvent::DramWrite) == memory.writes().requests);
  BOOST_TEST(energy.count(EnergyAction::DramRead) == 0U);
  const auto unpriced = energy.unpriced();
  BOOST_TEST_REQUIRE(unpriced.size() == 2U);
  BOOST_TEST(unpriced[0].component + "." + unpriced[0].action == "dram.foreign_read");
  BOOST_TEST(unpriced[0].count == memory.reads().bytes);
  BOOST_TEST(unpriced[1].component + "." + unpriced[1].action == "dram.foreign_write");
  BOOST_TEST(unpriced[1].count == memory.writes().bytes);
}

BOOST_AUTO_TEST_CASE(a_failed_request_says_where_and_when) {
  Foreign connector(Kind::Lenient);
  Simulation simulation(platform("fermi-ami"), connector);
  connector.memory.fail();
  const auto open = Kernel("transpose n=64 tile=16").open();
  BOOST_CHECK_EXCEPTION(
      simulation.run(*open.workload), sc_core::sc_report,
      says("a request failed: TLM_ADDRESS_ERROR_RESPONSE in cycle ",
           ", a read of 128 bytes at address 0x100", " (line 20971", "), for pc "));
}

namespace {

/// Two chips, each with its own L2, that run at once before one memory.
class Pair : public sc_core::sc_module {
 public:
  Pair() : Pair("pair") {}

  /// Runs both workloads to their ends.
  void run(Workload& first, Workload& second) {
    chips_[0]->start(first);
    chips_[1]->start(second);
    while (!chips_[0]->ctas().finished() || !chips_[1]->ctas().finished()) {
      const sc_core::sc_time before = sc_core::sc_time_stamp();
      sc_core::sc_start();  // each chip pauses the simulation at its end
      for (Chip* chip : chips_) chip->domain.rethrow();
      BOOST_REQUIRE(sc_core::sc_time_stamp() > before);
    }
    for (Chip* chip : chips_) {
      BOOST_TEST(chip->ctas().finished());
      BOOST_TEST(chip->compared() > 0U);
      BOOST_TEST(chip->memory()->compared() > 0U);
    }
  }

 private:
  struct Board : Connector, sc_core::sc_module {
    Board(const sc_core::sc_module_name& name, LineTargetSocket& memory)
        : sc_module(name),
          memory_(memory),
          chip(configuration(), nullptr, *this, BuildOrder::Rising) {}
    static Configuration configuration() {
      return platform("fermi-ami", {"verify=true", kSmallL2});
    }
    bool bindMemory(LineInitiatorSocket& from) override {
      from.bind(memory_);
      return true;
    }
    LineTargetSocket& memory_;
    Chip chip;
  };

  explicit Pair(const sc_core::sc_module_name& name)
      : sc_module(name), bus_("bus", Clock::fromMegahertz(700), {}, 2) {
    bus_.out().bind(memory_.socket);
    for (unsigned i = 0; i < 2; ++i) {
      boards_.push_back(std::make_unique<Board>(i == 0 ? "first" : "second", bus_.in(i)));
      chips_.push_back(&boards_.back()->chip);
    }
  }

  foreign::Memory memory_{"memory"};
  Interconnect bus_;
  std::vector<std::unique_ptr<Board>> boards_;
  std::vector<Chip*> chips_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(two_workloads_of_two_bases_share_one) {
  Pair pair;
  const auto first = Kernel("nw n=64").open();
  const auto second = Kernel("hist64 n=8192").open();
  WorkloadAt elsewhere(*second.workload, std::uint64_t{1} << 32);
  pair.run(*first.workload, elsewhere);
  first.kernel->checkResults();
  second.kernel->checkResults();
}

// Shows that the case above can fail.
BOOST_AUTO_TEST_CASE(two_workloads_of_one_base_meet) {
  Pair pair;
  const auto first = Kernel("nw n=64").open();
  const auto second = Kernel("hist64 n=8192").open();
  BOOST_CHECK_EXCEPTION(pair.run(*first.workload, *second.workload), sc_core::sc_report,
                        says("verification failed"));
}

BOOST_AUTO_TEST_CASE(a_base_that_parts_a_line_is_refused) {
  const auto open = Kernel("nw n=64").open();
  BOOST_CHECK_EXCEPTION(
      WorkloadAt(*open.workload, 4097), BadInput,
      saysOnly("a workload cannot begin at address 4097; expected a multiple of 4096"));
}

BOOST_AUTO_TEST_SUITE_END()
