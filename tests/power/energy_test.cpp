// Amounts of energy, and names of components and actions.
#include <fermata/models/power/energy.h>
#include <fermata/models/power/energy_action.h>

#include "tests/support/test.h"

using namespace fermata;

BOOST_AUTO_TEST_SUITE(energy)

BOOST_AUTO_TEST_CASE(each_bound_is_summed_by_itself) {
  const Energy a{1, 2, 3};
  BOOST_TEST((a + Energy{10, 20, 30} == Energy{11, 22, 33}));
  BOOST_TEST((a * 7 == Energy{7, 14, 21}));
  BOOST_TEST((Energy{11, 22, 33} - a == Energy{10, 20, 30}));
  BOOST_TEST((a != Energy{1, 2, 4}));
}

// A nanowatt takes one femtojoule per microsecond.
BOOST_AUTO_TEST_CASE(power_takes_energy_over_time) {
  const Power power{1, 1000, 3600000000};
  BOOST_TEST((energyUntil(power, 0) == Energy{}));
  BOOST_TEST((energyUntil(power, 999999) == Energy{0, 999, 3599996400}));
  BOOST_TEST((energyUntil(power, 1000000) == Energy{1, 1000, 3600000000}));
  const Power most{std::numeric_limits<std::uint32_t>::max(), 0, 1000000};
  BOOST_TEST(energyUntil(most, 1000000000000000).low == 4294967295000000000U);
  BOOST_TEST(energyUntil(most, 1000000000000000).high == 1000000000000000U);
}

BOOST_AUTO_TEST_CASE(parts_of_time_add_up) {
  std::mt19937 random(1);
  for (unsigned trial = 0; trial < 100; ++trial) {
    const Power power{random() % 1000, random(), random() * std::uint64_t{1000}};
    Energy sum;
    std::uint64_t from = 0;
    for (unsigned part = 0; part < 50; ++part) {
      const std::uint64_t to = from + random() % 3000;
      sum += energyUntil(power, to) - energyUntil(power, from);
      from = to;
    }
    BOOST_TEST((sum == energyUntil(power, from)));
  }
}

BOOST_AUTO_TEST_CASE(actions_are_found_by_their_names) {
  std::set<std::string> names;
  for (unsigned i = 0; i < kEnergyActions; ++i) {
    const auto action = static_cast<EnergyAction>(i);
    const EnergyActionText& text = describe(action);
    BOOST_TEST_CONTEXT(text.component << "." << text.action) {
      BOOST_TEST(names.insert(std::string(text.component) + "." + std::string(text.action)).second);
      BOOST_TEST((findEnergyAction(text.component, text.action) == action));
      BOOST_TEST(isEnergyComponent(text.component));
      BOOST_TEST(!text.each.empty());
    }
  }
  BOOST_TEST(!findEnergyAction("scratchpad", "lookup"));
  BOOST_TEST(!findEnergyAction("pad", "read"));
  BOOST_TEST(!isEnergyComponent("pad"));
  BOOST_TEST(!isEnergyComponent(""));
}

BOOST_AUTO_TEST_CASE(efforts_are_actions) {
  const std::pair<EffortEvent::What, EnergyAction> all[] = {
      {EffortEvent::L1Lookup, EnergyAction::L1Lookup},
      {EffortEvent::L1Write, EnergyAction::L1Write},
      {EffortEvent::MshrUse, EnergyAction::MshrUse},
      {EffortEvent::L2Read, EnergyAction::L2Read},
      {EffortEvent::L2Write, EnergyAction::L2Write},
      {EffortEvent::DramActivate, EnergyAction::DramActivate},
      {EffortEvent::DramRead, EnergyAction::DramRead},
      {EffortEvent::DramWrite, EnergyAction::DramWrite},
      {EffortEvent::ForeignRead, EnergyAction::ForeignRead},
      {EffortEvent::ForeignWrite, EnergyAction::ForeignWrite}};
  BOOST_TEST(std::size(all) == EffortEvent::kWhats);
  for (const auto& [what, action] : all) BOOST_TEST((energyActionOf(what) == action));
}

BOOST_AUTO_TEST_SUITE_END()
