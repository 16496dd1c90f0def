#include <fermata/models/power/energy_account.h>

#include <algorithm>
#include <utility>

namespace fermata {

Energy EnergyAccount::priced(EnergyAction action, std::uint64_t count) const {
  return prices_.actions[indexOf(action)].value_or(Energy{}) * count;
}

Energy EnergyAccount::priced(const Counts& counts) const {
  Energy sum;
  for (unsigned i = 0; i < kEnergyActions; ++i)
    sum += priced(static_cast<EnergyAction>(i), counts[i]);
  return sum;
}

EnergyAccount::Counts EnergyAccount::totals() const {
  Counts sum = none_;
  for (const std::vector<Counts>& program : instructions_) {
    for (const Counts& counts : program) {
      for (unsigned i = 0; i < kEnergyActions; ++i) sum[i] += counts[i];
    }
  }
  return sum;
}

Energy EnergyAccount::standingUntil(const EnergyPrices::Standing& one, Cycle cycle) const {
  __extension__ using Wide = unsigned __int128;
  const auto picoseconds = static_cast<std::uint64_t>(static_cast<Wide>(clock_.ticks(cycle)) *
                                                      femtosecondsPerTick_ / 1000);
  return energyUntil(one.leakage, picoseconds) + one.clock * cycle;
}

Energy EnergyAccount::standingUntil(Cycle cycle) const {
  Energy sum;
  for (const EnergyPrices::Standing& one : prices_.standing) sum += standingUntil(one, cycle);
  return sum;
}

double EnergyAccount::seconds(Cycle cycles) const {
  return static_cast<double>(clock_.ticks(cycles)) * static_cast<double>(femtosecondsPerTick_) *
         1e-15;
}

const EnergyAccount::Counts* EnergyAccount::countsOf(std::uint32_t program,
                                                     std::uint32_t pc) const {
  if (program >= instructions_.size() || pc >= instructions_[program].size()) return nullptr;
  return &instructions_[program][pc];
}

Energy EnergyAccount::of(std::uint32_t program, std::uint32_t pc) const {
  const Counts* const counts = countsOf(program, pc);
  return counts == nullptr ? Energy{} : priced(*counts);
}

bool EnergyAccount::isUnpriced(std::uint32_t program, std::uint32_t pc) const {
  const Counts* const counts = countsOf(program, pc);
  if (counts == nullptr) return false;
  for (unsigned i = 0; i < kEnergyActions; ++i) {
    if ((*counts)[i] != 0 && !prices_.actions[i]) return true;
  }
  return false;
}

Energy EnergyAccount::ofNone() const {
  Energy sum = priced(none_);
  for (const Own& own : own_) sum += own.price * own.count;
  return sum;
}

std::vector<EnergyAccount::Line> EnergyAccount::lines() const {
  std::vector<Line> lines;
  const Counts counts = totals();
  for (unsigned i = 0; i < kEnergyActions; ++i) {
    if (counts[i] == 0) continue;
    const auto action = static_cast<EnergyAction>(i);
    const EnergyActionText& text = describe(action);
    lines.push_back({std::string(text.component), std::string(text.action), std::string(text.each),
                     counts[i], std::nullopt});
    if (prices_.actions[i]) lines.back().energy = priced(action, counts[i]);
  }
  for (const Own& own : own_) {
    if (own.count == 0) continue;
    lines.push_back({own.component, own.action, "action", own.count, own.price * own.count});
  }
  for (const EnergyPrices::Standing& one : prices_.standing) {
    const Energy clock = one.clock * cycles_;
    const Energy leakage = standingUntil(one, cycles_) - clock;
    if (leakage != Energy{})
      lines.push_back({one.component, std::string(kLeakageAction), "cycle", cycles_, leakage});
    if (clock != Energy{})
      lines.push_back({one.component, std::string(kClockAction), "cycle", cycles_, clock});
  }
  return lines;
}

std::vector<EnergyAccount::Line> EnergyAccount::unpriced() const {
  std::vector<Line> all = lines();
  all.erase(std::remove_if(all.begin(), all.end(), [](const Line& line) { return line.energy; }),
            all.end());
  return all;
}

Energy EnergyAccount::total() const {
  Energy sum;
  for (const Line& line : lines()) sum += line.energy.value_or(Energy{});
  return sum;
}

Energy EnergyAccount::of(const std::string& component) const {
  Energy sum;
  for (const Line& line : lines()) {
    if (line.component == component) sum += line.energy.value_or(Energy{});
  }
  return sum;
}

// Windows

std::vector<std::string> EnergyAccount::components() const {
  std::vector<std::string> names;
  for (const Line& line : lines()) {
    if (std::find(names.begin(), names.end(), line.component) == names.end())
      names.push_back(line.component);
  }
  return names;
}

Cycle EnergyAccount::windowCount() const {
  if (window_ == 0) return 0;
  return cycles_ / window_ + (cycles_ % window_ == 0 ? 0 : 1);
}

EnergyAccount::Layout EnergyAccount::layout(std::vector<std::string> names) const {
  Layout layout;
  const auto number = [&](std::string_view component) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), component) -
                                    names.begin());
  };
  for (unsigned i = 0; i < kEnergyActions; ++i)
    layout.ofAction[i] = number(describe(static_cast<EnergyAction>(i)).component);
  for (const Own& own : own_) layout.ofOwn.push_back(number(own.component));
  for (const EnergyPrices::Standing& one : prices_.standing)
    layout.ofStanding.push_back(number(one.component));
  layout.names = std::move(names);
  return layout;
}

// Returns the energy of one window by component. The last, extra sum belongs to no name in the
// layout: it collects components that take nothing in the run.
std::vector<Energy> EnergyAccount::ofWindow(std::size_t window, Cycle cycles,
                                            const Layout& layout) const {
  std::vector<Energy> sums(layout.names.size() + 1);
  for (unsigned i = 0; i < kEnergyActions && window < windows_.size(); ++i)
    sums[layout.ofAction[i]] += priced(static_cast<EnergyAction>(i), windows_[window][i]);
  for (std::size_t i = 0; i < own_.size(); ++i) {
    const std::vector<std::uint64_t>& counts = own_[i].windows;
    if (window < counts.size()) sums[layout.ofOwn[i]] += own_[i].price * counts[window];
  }
  const Cycle from = std::min(window * window_, cycles);
  const Cycle to = std::min(from + window_, cycles);
  for (std::size_t i = 0; i < prices_.standing.size(); ++i) {
    const EnergyPrices::Standing& one = prices_.standing[i];
    sums[layout.ofStanding[i]] += standingUntil(one, to) - standingUntil(one, from);
  }
  return sums;
}

void EnergyAccount::visitWindow(
    std::size_t window, Cycle cycles,
    const std::function<void(const std::string&, const Energy&)>& visit) const {
  std::vector<std::string> names = components();  // before end() without leakage and clocks
  for (const EnergyPrices::Standing& one : prices_.standing) {
    if (std::find(names.begin(), names.end(), one.component) == names.end())
      names.push_back(one.component);
  }
  const Layout all = layout(std::move(names));
  const std::vector<Energy> sums = ofWindow(window, cycles, all);
  for (std::size_t i = 0; i < all.names.size(); ++i) visit(all.names[i], sums[i]);
}

void EnergyAccount::forEachWindow(
    const std::function<void(Cycle, const std::string&, const Energy&)>& visit) const {
  if (window_ == 0) return;
  std::size_t count = std::max<std::size_t>(windows_.size(), windowCount());
  for (const Own& own : own_) count = std::max(count, own.windows.size());
  const Layout all = layout(components());
  for (std::size_t window = 0; window < count; ++window) {
    const std::vector<Energy> sums = ofWindow(window, cycles_, all);
    for (std::size_t i = 0; i < all.names.size(); ++i)
      visit(window * window_, all.names[i], sums[i]);
  }
}

}  // namespace fermata
