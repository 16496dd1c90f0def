// Energy in studies: measures by hand, options of the file, and a small study run whole.
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/compose/simulation.h>
#include <fermata/platforms/energy/platform_prices.h>
#include <fermata/platforms/program/study/study_energy.h>
#include <fermata/platforms/program/workloads.h>

#include "tests/study/support.h"
#include "tests/support/checked_simulation.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::platforms::test;

namespace {

/// Returns 2 uJ over 4 us and 100 instructions; 200 nJ of it leak or run on.
StudyEnergy someEnergy() {
  StudyEnergy energy;
  energy.femtojoules[StudyEnergy::All] = {1e9, 2e9, 5e9};
  energy.femtojoules[StudyEnergy::Indexers] = {1e6, 4e6, 9e6};
  energy.femtojoules[StudyEnergy::Crossbar] = {2e7, 8e7, 1.6e8};
  energy.femtojoules[StudyEnergy::Banks] = {1e8, 2e8, 3e8};
  energy.femtojoules[StudyEnergy::Registers] = {5e8, 6e8, 7e8};
  energy.femtojoules[StudyEnergy::Replays] = {1e6, 5e8, 6e8};
  energy.seconds = 4e-6;
  energy.instructions = 100;
  energy.indexed = 3200;
  energy.laneCycles = 128000;
  return energy;
}

const std::string kEnergyRuns = kHead + "kind = 'runs'\nworkloads = ['scan']\n";
const std::string kVariant = "[[variant]]\nlabel = 'v'\n";
/// Returns an account of a run, with the study's price table.
EnergyAccount accountOf(const std::string& name, const std::vector<std::string>& sets) {
  const auto configuration = fermata::test::platform(name, sets);
  const PlatformParameters& p = configuration.parameters();
  return {Clock::fromMegahertz(p.clock.frequencyMhz), pricesOf(openPriceTable("fermi-40nm"), p), 0};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_energy)

BOOST_AUTO_TEST_CASE(measures_of_energy_follow_their_definitions) {
  const StudyEnergy energy = someEnergy();
  StudyEnergy base = someEnergy();
  base.femtojoules[StudyEnergy::All] = {1, 8e9, 1e18};
  base.seconds = 5e-6;
  const std::pair<Measure, double> all[] = {
      {Measure::Energy, 2000},           {Measure::EnergyLow, 1000},
      {Measure::EnergyHigh, 5000},       {Measure::EnergySaved, 75},
      {Measure::EnergyDelay, 8000},      {Measure::EnergyDelaySaved, 80},
      {Measure::AveragePower, 500},      {Measure::EnergyPerWarpInstruction, 20000},
      {Measure::IndexerPower, 1},        {Measure::IndexerPowerLow, 0.25},
      {Measure::IndexerPowerHigh, 2.25}, {Measure::CrossbarPower, 20},
      {Measure::CrossbarPowerLow, 5},    {Measure::CrossbarPowerHigh, 40},
      {Measure::BankPower, 50},          {Measure::BankPowerLow, 25},
      {Measure::BankPowerHigh, 75},      {Measure::RegisterPower, 150},
      {Measure::ReplayEnergy, 25},       {Measure::IndexerActivity, 2.5}};
  unsigned known = 0;
  for (unsigned i = 0; i < kMeasures; ++i) known += isOfEnergy(static_cast<Measure>(i)) ? 1 : 0;
  BOOST_TEST(std::size(all) == known);
  StudyCells cells(1, std::vector<std::optional<StudyCell>>(3));
  for (auto& cell : cells[0]) cell.emplace();
  cells[0][0]->energy = base;
  cells[0][1]->energy = energy;
  for (const auto& [measure, value] : all) {
    BOOST_TEST_CONTEXT(name(measure)) {
      BOOST_TEST(energyMeasure(energy, &base, measure).value() == value, tt::tolerance(1e-12));
      BOOST_TEST(figure(cells, 0, 1, measure) == value, tt::tolerance(1e-12));
      const bool compares = measure == Measure::EnergySaved || measure == Measure::EnergyDelaySaved;
      BOOST_TEST(energyMeasure(energy, nullptr, measure).has_value() == !compares);
      BOOST_TEST(!measureOf(cells, 0, 2, measure).has_value());  // no energy in this cell
    }
  }
  BOOST_TEST(!energyMeasure(energy, &base, Measure::Speedup).has_value());
  const StudyEnergy nothing;
  BOOST_TEST(!energyMeasure(energy, &nothing, Measure::EnergySaved).has_value());
  for (const Measure measure : {Measure::AveragePower, Measure::EnergyPerWarpInstruction,
                                Measure::ReplayEnergy, Measure::IndexerActivity})
    BOOST_TEST(!energyMeasure(nothing, &base, measure).has_value(), name(measure));
}

BOOST_AUTO_TEST_CASE(energy_travels_as_text) {
  StudyEnergy energy = someEnergy();
  energy.femtojoules[StudyEnergy::Banks] = {0.1, 1.0 / 3, 9007199254740993e3};
  energy.seconds = 1.23456789012345e-7;
  const StudyEnergy read = StudyEnergy::parse(energy.text());
  BOOST_TEST((read.femtojoules == energy.femtojoules));
  BOOST_TEST(read.seconds == energy.seconds);
  BOOST_TEST(read.instructions == 100.0);
  BOOST_TEST(read.indexed == 3200.0);
  BOOST_TEST(read.laneCycles == 128000.0);
  BOOST_TEST(energy.text().find_first_of("\t\n") == std::string::npos);
  energy.average(4);
  BOOST_TEST(energy.femtojoules[StudyEnergy::All][1] == 5e8);
  BOOST_TEST(energy.instructions == 25.0);
}

BOOST_AUTO_TEST_CASE(energy_needs_prices_and_prices_a_run) {
  const std::string compare =
      "[[compare]]\nsubject = 's'\npublished = 1\nplace = 'p'\nvariant = 'v'\nmeasure = 'energy'\n";
  const std::string withoutPrices =
      ": energy without prices; expected power = \"fermi-40nm\" or another table";
  BOOST_TEST(refusal(kEnergyRuns + "power = 'fermi-40nm'\nmeasures = ['energy_saved']\n" +
                     kVariant) == "none");
  BOOST_TEST(refusal(kEnergyRuns + "power = 'fermi-40nm'\n" + kVariant) == "none");
  BOOST_TEST(refusal(kEnergyRuns + "measures = ['time', 'energy_delay']\n" + kVariant) ==
             "mine.toml:5:12" + withoutPrices);
  BOOST_TEST(refusal(kEnergyRuns + "measures = ['indexer_activity']\n" + kVariant) ==
             "mine.toml:5:12" + withoutPrices);
  BOOST_TEST(refusal(kEnergyRuns + kVariant + compare) == "mine.toml:1:1" + withoutPrices);
  for (const char* kind : {"searches", "facts", "sizes", "configurations"}) {
    BOOST_TEST(begins(refusal(kHead + "kind = '" + kind + "'\npower = 'fermi-40nm'\n"),
                      "mine.toml:4:9: a study of this kind runs nothing; expected no 'power'"),
               kind);
  }
  BOOST_TEST(refusal(kEnergyRuns + "power = 3\n" + kVariant) ==
             "mine.toml:5:9: 'power' is an integer; expected a string");
}

BOOST_AUTO_TEST_CASE(prices_that_are_not_there_end_a_study) {
  const Folder folder;
  const auto says = [&](const std::string& power, const std::string& set) {
    return messageOf([&] {
      runStudy(readStudy(kEnergyRuns + "platform = 'gtx480'\npower = '" + power + "'\n" + kVariant +
                         set),
               kQuiet);
    });
  };
  BOOST_TEST(has(says("none", ""), "unknown table of prices 'none'; expected one of ami-32nm"));
  const std::string table = folder.file(
      "[[price]]\ncomponent = 'issue'\naction = 'instruction'\nlow = 1\nnominal = 2\nhigh = 3\n"
      "unit = 'pJ'\nnode = 40\nvoltage = 1\ntemperature = 300\nsource = 'here'\n",
      "prices.toml");
  BOOST_TEST(has(says(table, ""), "scan: " + table + ":1:1: no price for register_file.read"));
  BOOST_TEST(has(says(table, "set = ['power.clock_gating=false']\n"),
                 "prices.toml: no price of a clock, but power.clock_gating is off"));
}

BOOST_AUTO_TEST_CASE(clocks_that_run_on_cost_nothing_without_prices) {
  const Study study = readStudy(kEnergyRuns + "platform = 'gtx480'\n" + kVariant +
                                "set = ['power.clock_gating=false']\n");
  BOOST_CHECK_EXCEPTION(
      runStudy(study, kQuiet), InputError,
      fermata::test::says("scan: power.clock_gating = false has no effect, for no "
                          "energy is booked; expected --power, or 'power' in"));
}

// Compares with accounts of the same runs; with two runs the figure is their mean.
BOOST_AUTO_TEST_CASE(a_small_study_of_energy) {
  const Study study =
      readStudy(kHead +
                "kind = 'runs'\nplatform = 'fermi-ami'\npower = 'fermi-40nm'\n"
                "measures = ['energy_saved', 'energy_delay']\n"
                "[[workload]]\nname = 'transpose'\nparameters = { n = 64, tile = 32 }\n"
                "[[workload]]\nname = 'transpose'\nlabel = 'two'\n"
                "parameters = { n = 64, tile = 32, pad = 0 }\n"
                "runs = { parameter = 'pad', from = 0, to = 1 }\n"
                "[[variant]]\nlabel = 'base'\n"
                "[[variant]]\nlabel = '33'\nset = ['ami=33/32']\n");
  const StudyCells cells = runStudy(study, kQuiet);
  EnergyAccount account = accountOf("fermi-ami", {"ami=33/32"});
  Simulation simulation(fermata::test::platform("fermi-ami", {"ami=33/32"}));
  simulation.addEnergy(account);
  const auto close = tt::tolerance(1e-12);
  double mean = 0;
  double cycles = 0;
  for (const char* pad : {"1", "0"}) {
    const auto open = openWorkload("transpose", {{"n", "64"}, {"tile", "32"}, {"pad", pad}});
    simulation.run(*open.workload);
    mean += static_cast<double>(account.total().nominal) * 1e-6 / 2;
    cycles += static_cast<double>(account.cycles()) / 2;
  }
  const double microseconds = account.seconds(account.cycles()) * 1e6;
  const double nanojoules = static_cast<double>(account.total().nominal) * 1e-6;  // the last run
  BOOST_TEST(figure(cells, 0, 1, Measure::Energy) == nanojoules, close);
  BOOST_TEST(
      figure(cells, 0, 1, Measure::EnergyLow) == static_cast<double>(account.total().low) * 1e-6,
      close);
  BOOST_TEST(figure(cells, 0, 1, Measure::EnergyDelay) == nanojoules * microseconds, close);
  BOOST_TEST(figure(cells, 0, 1, Measure::ReplayEnergy) ==
                 static_cast<double>(account.ofRetries().nominal) * 1e-4 / nanojoules,
             close);
  BOOST_TEST(figure(cells, 0, 1, Measure::IndexerActivity) ==
                 100 * static_cast<double>(account.count(EnergyAction::Index)) /
                     static_cast<double>(account.cycles() * kWarpLanes),
             close);
  BOOST_TEST(figure(cells, 0, 1, Measure::EnergySaved) ==
                 100 * (1 - nanojoules / figure(cells, 0, 0, Measure::Energy)),
             close);
  BOOST_TEST(figure(cells, 0, 1, Measure::EnergySaved) > 0.0);  // 33 banks remove its conflicts
  BOOST_TEST(figure(cells, 0, 0, Measure::EnergySaved) == 0.0);
  BOOST_TEST(figure(cells, 0, 1, Measure::IndexerPower) >
             figure(cells, 0, 0, Measure::IndexerPower));  // 0: only wires
  BOOST_TEST(figure(cells, 0, 0, Measure::IndexerPower) == 0.0);
  BOOST_TEST(figure(cells, 1, 1, Measure::Energy) == mean, close);
  BOOST_TEST(figure(cells, 1, 1, Measure::EnergyDelay) ==
                 mean * microseconds * cycles / static_cast<double>(account.cycles()),
             close);
}

BOOST_AUTO_TEST_SUITE_END()
