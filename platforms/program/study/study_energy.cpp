#include <fermata/platforms/program/study/study_energy.h>

#include <algorithm>
#include <sstream>

#include <fermata/results/csv.h>

namespace fermata::platforms {

namespace {

using Part = StudyEnergy::Part;

enum Bound : std::uint8_t { Low, Nominal, High };

Part partOf(const EnergyAccount::Line& line) {
  if (line.action == kLeakageAction || line.action == kClockAction) return StudyEnergy::All;
  if (line.component == "indexer" || line.component == "l1_indexer") return StudyEnergy::Indexers;
  if (line.component == "crossbar") return StudyEnergy::Crossbar;
  if (line.component == "scratchpad" || line.component == "l1") return StudyEnergy::Banks;
  if (line.component == "register_file") return StudyEnergy::Registers;
  return StudyEnergy::All;
}

void addTo(StudyEnergy::Bounds& sum, const Energy& energy) {
  sum[Low] += static_cast<double>(energy.low);
  sum[Nominal] += static_cast<double>(energy.nominal);
  sum[High] += static_cast<double>(energy.high);
}

/// Calls visit(figure) for each number, in the order of the text.
template <class Self, class Visit>
void forEachNumber(Self& energy, Visit visit) {
  for (auto& bounds : energy.femtojoules) {
    for (auto& bound : bounds) visit(bound);
  }
  visit(energy.seconds);
  visit(energy.instructions);
  visit(energy.indexed);
  visit(energy.laneCycles);
}

std::optional<double> quotient(double of, double to) {
  if (to == 0) return {};
  return of / to;
}

std::optional<double> saved(double now, double before) {
  const auto left = quotient(now, before);
  if (!left) return {};
  return 100 * (1 - *left);
}

constexpr double kNano = 1e-6;    // fJ to nJ
constexpr double kMicro = 1e6;    // s to us
constexpr double kMilli = 1e-12;  // fJ/s to mW

double all(const StudyEnergy& energy) {
  return energy.femtojoules[StudyEnergy::All][Nominal];
}

/// Measures of active power: a consumer at its lowest, nominal or highest prices.
struct ActivePower {
  Measure measure;
  Part part;
  Bound bound;
};
constexpr ActivePower kActivePowers[] = {{Measure::AveragePower, StudyEnergy::All, Nominal},
                                         {Measure::IndexerPower, StudyEnergy::Indexers, Nominal},
                                         {Measure::IndexerPowerLow, StudyEnergy::Indexers, Low},
                                         {Measure::IndexerPowerHigh, StudyEnergy::Indexers, High},
                                         {Measure::CrossbarPower, StudyEnergy::Crossbar, Nominal},
                                         {Measure::CrossbarPowerLow, StudyEnergy::Crossbar, Low},
                                         {Measure::CrossbarPowerHigh, StudyEnergy::Crossbar, High},
                                         {Measure::BankPower, StudyEnergy::Banks, Nominal},
                                         {Measure::BankPowerLow, StudyEnergy::Banks, Low},
                                         {Measure::BankPowerHigh, StudyEnergy::Banks, High},
                                         {Measure::RegisterPower, StudyEnergy::Registers, Nominal}};

std::optional<double> againstBaseline(const StudyEnergy& energy, const StudyEnergy& base,
                                      Measure measure) {
  if (measure == Measure::EnergySaved) return saved(all(energy), all(base));
  if (measure == Measure::EnergyDelaySaved)
    return saved(all(energy) * energy.seconds, all(base) * base.seconds);
  return {};
}

}  // namespace

void StudyEnergy::add(const EnergyAccount& account, unsigned sms) {
  for (const EnergyAccount::Line& line : account.lines()) {
    const Energy energy = line.energy.value_or(Energy{});
    addTo(femtojoules[All], energy);
    const Part part = partOf(line);
    if (part != All) addTo(femtojoules[part], energy);
  }
  addTo(femtojoules[Replays], account.ofRetries());
  seconds += account.seconds(account.cycles());
  instructions += static_cast<double>(account.count(EnergyAction::Issue));
  indexed += static_cast<double>(account.count(EnergyAction::Index));
  laneCycles += static_cast<double>(account.cycles()) * sms * kWarpLanes;
}

void StudyEnergy::average(double runs) {
  forEachNumber(*this, [&](double& number) { number /= runs; });
}

std::string StudyEnergy::text() const {
  std::string text;
  forEachNumber(
      *this, [&](double number) { text += (text.empty() ? "" : " ") + results::number(number); });
  return text;
}

StudyEnergy StudyEnergy::parse(const std::string& text) {
  StudyEnergy energy;
  std::istringstream in(text);
  forEachNumber(energy, [&](double& number) { in >> number; });
  return energy;
}

std::optional<double> energyMeasure(const StudyEnergy& energy, const StudyEnergy* base,
                                    Measure measure) {
  switch (measure) {
    case Measure::Energy:
      return all(energy) * kNano;
    case Measure::EnergyLow:
      return energy.femtojoules[StudyEnergy::All][Low] * kNano;
    case Measure::EnergyHigh:
      return energy.femtojoules[StudyEnergy::All][High] * kNano;
    case Measure::EnergyDelay:
      return all(energy) * kNano * energy.seconds * kMicro;
    case Measure::EnergyPerWarpInstruction:
      return quotient(all(energy) * 1e-3, energy.instructions);
    case Measure::ReplayEnergy:
      return quotient(100 * energy.femtojoules[StudyEnergy::Replays][Nominal], all(energy));
    case Measure::IndexerActivity:
      return quotient(100 * energy.indexed, energy.laneCycles);
    default:
      break;
  }
  for (const ActivePower& power : kActivePowers) {
    if (power.measure != measure) continue;
    return quotient(energy.femtojoules[power.part][power.bound] * kMilli, energy.seconds);
  }
  return base == nullptr ? std::nullopt : againstBaseline(energy, *base, measure);
}

}  // namespace fermata::platforms
