#include <fermata/platforms/energy/energy_tables.h>

#include <algorithm>

namespace fermata::platforms {

namespace {

using Line = EnergyAccount::Line;

std::optional<std::uint64_t> bound(const Line& line, std::uint64_t Energy::*of) {
  if (!line.energy) return {};
  return *line.energy.*of;
}

const FigureTable<Line>& lineTable() {
  static const FigureTable<Line> table = [] {
    FigureTable<Line> made;
    made.add(Figures<Line>{
        {"component", "", "component that took the energy", &Line::component},
        {"action", "", "action of the component; leakage and clock are taken in every cycle",
         &Line::action},
        {"each", "", "unit that count counts", &Line::each},
        {"count", "actions", "times that the action happened; leakage and clock: cycles",
         &Line::count},
        {"energy_low_fj", "fJ", "count times the lowest price; empty where there is no price",
         [](const Line& line) { return bound(line, &Energy::low); }},
        {"energy_nominal_fj", "fJ", "count times the nominal price; empty where there is no price",
         [](const Line& line) { return bound(line, &Energy::nominal); }},
        {"energy_high_fj", "fJ", "count times the highest price; empty where there is no price",
         [](const Line& line) { return bound(line, &Energy::high); }}});
    return made;
  }();
  return table;
}

/// Energy of a component in a window.
struct Share {
  Cycle start = 0;
  Cycle end = 0;
  double seconds = 0;
  std::string component;
  Energy energy;

  std::optional<double> watts(std::uint64_t femtojoules) const {
    if (seconds == 0) return {};
    return static_cast<double>(femtojoules) * 1e-15 / seconds;
  }
};

const FigureTable<Share>& shareTable() {
  static const FigureTable<Share> table = [] {
    FigureTable<Share> made;
    made.add(Figures<Share>{
        {"window_start", "cycles", "first cycle of the window, from the start of the run",
         &Share::start},
        {"window_end", "cycles",
         "cycle in which the window ends; the last window ends with the run", &Share::end},
        {"component", "", "component that took the energy", &Share::component},
        {"watts", "W", "energy_nominal_fj divided by the time of the window",
         [](const Share& share) { return share.watts(share.energy.nominal); }},
        {"watts_low", "W", "energy_low_fj divided by the time of the window",
         [](const Share& share) { return share.watts(share.energy.low); }},
        {"watts_high", "W", "energy_high_fj divided by the time of the window",
         [](const Share& share) { return share.watts(share.energy.high); }},
        {"energy_low_fj", "fJ", "energy in the window at the lowest prices",
         [](const Share& share) { return share.energy.low; }},
        {"energy_nominal_fj", "fJ", "energy in the window at nominal prices",
         [](const Share& share) { return share.energy.nominal; }},
        {"energy_high_fj", "fJ", "energy in the window at the highest prices",
         [](const Share& share) { return share.energy.high; }}});
    return made;
  }();
  return table;
}

/// Returns the end of a window. Energy booked after the end of a run (a memory's last write) gets a
/// window of full length.
Cycle endOf(Cycle start, const EnergyAccount& account) {
  const Cycle end = start + account.window();
  return start < account.cycles() ? std::min(end, account.cycles()) : end;
}

}  // namespace

results::Columns energyColumns() {
  return lineTable().columns();
}

std::vector<results::Row> energyRows(const EnergyAccount& account) {
  std::vector<results::Row> rows;
  for (const Line& line : account.lines()) rows.push_back(lineTable().row(line));
  return rows;
}

results::Columns powerColumns() {
  return shareTable().columns();
}

void forEachPowerRow(const EnergyAccount& account,
                     const std::function<void(const results::Row&)>& visit) {
  account.forEachWindow([&](Cycle start, const std::string& component, const Energy& energy) {
    const Cycle end = endOf(start, account);
    visit(shareTable().row({start, end, account.seconds(end - start), component, energy}));
  });
}

}  // namespace fermata::platforms
