// Energy is conserved in the files of a run: sums over windows, actions and instructions are equal
// to the last femtojoule.
#include "tests/energy/result_files.h"

using namespace fermata::test;

namespace {

struct Case {
  std::string platform;
  std::string arguments;
  double picoseconds;    ///< per cycle, whole
  bool clocked = false;  ///< clocks of idle components run on
  std::string table = "fermi-40nm";
};
std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.platform << " " << one.arguments << " " << one.table;
}

const Case kCases[] = {
    {"gtx480", "matmul --param n=32", 1429},
    {"gtx480", "scan reduction --param n=3000 --set power.clock_gating=false", 1429, true},
    {"gtx480-caches", "hist64 --param n=8192", 1429},
    {"fermi-ami", "nw --param n=64 --set ami=62/48", 1429, false, "ami-32nm"},
    {"fermi-ami", "srad --param n=48 --set l1.write_policy=through --set power.clock_gating=false",
     1429, true},
    {"fermi-chip", "scan --param n=3000 --set chip.sms=3", 1429},
    {"gtx580-atomics", "histogram --param bins=64 --param width=64 --param height=64", 1295},
    {"elastic-gt200", "dct --param width=32 --param height=32", 3077},
    {"k20", "transpose --param n=64", 1416, false, "ami-32nm"},
};

/// Energy by run.
using Sums = std::map<std::string, Femtojoules>;
/// Energy by run and component.
using Parts = std::map<std::pair<std::string, std::string>, Femtojoules>;

struct Energies {
  Sums all;
  Sums standing;  ///< leakage and clocks
  Parts parts;
};

Energies readActions(const Folder& folder, const Case& one) {
  const ResultTable table(folder.path / "out" / "energy.csv");
  Energies energies;
  std::set<std::string> actions;
  bool clocked = false;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const Femtojoules energy = energyOf(table, row);
    const std::string& component = table.cell(row, "component");
    const std::string& action = table.cell(row, "action");
    BOOST_TEST(energy[0] <= energy[1]);
    BOOST_TEST(energy[1] <= energy[2]);
    BOOST_TEST(actions.insert(table.run(row) + component + "." + action).second);
    add(energies.all[table.run(row)], energy);
    add(energies.parts[{table.run(row), component}], energy);
    const std::uint64_t count = table.integer(row, "count");
    BOOST_TEST(count > 0U);
    if (action == "leakage" || action == "clock") {
      add(energies.standing[table.run(row)], energy);
      BOOST_TEST(table.cell(row, "each") == "cycle");
      clocked = clocked || action == "clock";
      continue;
    }
    for (const std::uint64_t bound : energy) BOOST_TEST(bound % count == 0U);  // one price for all
  }
  BOOST_TEST(clocked == one.clocked);
  return energies;
}

void checkInstructions(const Folder& folder, const Energies& energies) {
  const ResultTable table(folder.path / "out" / "instructions.csv");
  Sums sums = energies.standing;
  for (std::size_t row = 0; row < table.size(); ++row)
    add(sums[table.run(row)], energyOf(table, row));
  for (const auto& [run, sum] : sums) BOOST_TEST(sum == energies.all.at(run), tt::per_element());
}

void checkRuns(const Folder& folder, const Case& one, const Energies& energies) {
  const ResultTable table(folder.path / "out" / "runs.csv");
  BOOST_TEST(table.size() == energies.all.size());
  const auto close = tt::tolerance(1e-9);
  for (std::size_t row = 0; row < table.size(); ++row) {
    const Femtojoules& all = energies.all.at(table.run(row));
    const auto nanojoules = [&](unsigned bound) { return static_cast<double>(all[bound]) * 1e-6; };
    const double microseconds = table.real(row, "cycles") * one.picoseconds * 1e-6;
    BOOST_TEST(table.real(row, "energy_low_nj") == nanojoules(0));
    BOOST_TEST(table.real(row, "energy_nj") == nanojoules(1));
    BOOST_TEST(table.real(row, "energy_high_nj") == nanojoules(2));
    BOOST_TEST(table.real(row, "average_power_mw") == nanojoules(1) / microseconds, close);
    BOOST_TEST(table.real(row, "energy_delay_nj_us") == nanojoules(1) * microseconds, close);
    BOOST_TEST(table.real(row, "energy_per_warp_instruction_pj") ==
                   1000 * nanojoules(1) / table.real(row, "warp_instructions"),
               tt::tolerance(1e-12));
    BOOST_TEST(table.real(row, "replay_energy_nj") >= 0.0);
    BOOST_TEST(table.real(row, "replay_energy_nj") < nanojoules(1));
  }
}

/// Checks that windows are in order and that each has every component.
void checkWindows(const Folder& folder, const Case& one, const Energies& energies,
                  std::uint64_t window) {
  const ResultTable table(folder.path / "out" / "power.csv");
  const ResultTable runs(folder.path / "out" / "runs.csv");
  std::map<std::string, std::uint64_t> cycles;
  for (std::size_t row = 0; row < runs.size(); ++row)
    cycles[runs.run(row)] = runs.integer(row, "cycles");
  Parts parts;
  std::map<std::pair<std::string, std::string>, std::uint64_t> next;
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < table.size(); ++row) {
    const auto key = std::make_pair(table.run(row), table.cell(row, "component"));
    const std::uint64_t start = table.integer(row, "window_start");
    const std::uint64_t end = table.integer(row, "window_end");
    const Femtojoules energy = energyOf(table, row);
    add(parts[key], energy);
    const std::uint64_t over = cycles.at(key.first);
    const bool inOrder =
        start == next[key] &&
        (start < over ? end == start + std::min(window, over - start) : end == start + window);
    next[key] = end < over ? end : std::max(end, start + window);
    const double seconds = static_cast<double>(end - start) * one.picoseconds * 1e-12;
    bool power = true;
    for (unsigned i = 0; i < 3; ++i) {
      const char* const columns[] = {"watts_low", "watts", "watts_high"};
      const double joules = static_cast<double>(energy[i]) * 1e-15;
      power = power && std::abs(table.real(row, columns[i]) * seconds - joules) <= 1e-9 * joules;
    }
    if (inOrder && power) continue;
    BOOST_TEST_REQUIRE(++wrong < 5U,
                       "row " << row << ": " << key.second << " " << start << " " << end);
  }
  BOOST_TEST(wrong == 0U);
  BOOST_TEST((parts == energies.parts));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(conservation)

BOOST_DATA_TEST_CASE(windows_actions_and_instructions_sum_to_the_same, bdata::make(kCases), one) {
  const Folder folder;
  std::string before;
  for (const std::uint64_t window : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1000},
                                     std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    BOOST_TEST_CONTEXT("window " << window) {
      runProgram("run " + one.platform + " " + one.arguments + " --power " + one.table +
                     " --window " + std::to_string(window) + " --quiet --out out",
                 folder.path)
          .ok();
      const Energies energies = readActions(folder, one);
      checkInstructions(folder, energies);
      checkRuns(folder, one, energies);
      checkWindows(folder, one, energies, window);
      const std::string energy = readFile(folder.path / "out" / "energy.csv");
      BOOST_TEST((before.empty() || energy == before));  // independent of the windows
      before = energy;
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
