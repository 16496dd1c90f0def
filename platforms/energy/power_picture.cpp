#include <fermata/platforms/energy/power_picture.h>

#include <fmt/format.h>

#include <algorithm>

#include <fermata/results/gnuplot.h>

namespace fermata::platforms {

namespace {

constexpr std::size_t kMostSteps = 500;
constexpr double kMicro = 1e6;
constexpr double kFemto = 1e-15;

}  // namespace

void PowerPicture::add(const std::string& run, const EnergyAccount& account) {
  if (account.windowCount() == 0) return;
  const Cycle together = (account.windowCount() + kMostSteps - 1) / kMostSteps;
  const Cycle cycles = together * account.window();
  Panel panel;
  panel.run = run;
  std::vector<std::vector<double>> joules;
  account.forEachWindow([&](Cycle start, const std::string& component, const Energy& energy) {
    // Energy that a memory books after the end of the run belongs to the last step.
    const std::size_t step = std::min(start, account.cycles() - 1) / cycles;
    auto found = std::find(panel.components.begin(), panel.components.end(), component);
    if (found == panel.components.end())
      found = panel.components.insert(panel.components.end(), component);
    if (joules.size() <= step) joules.resize(step + 1);
    std::vector<double>& here = joules[step];
    const auto number = static_cast<std::size_t>(found - panel.components.begin());
    if (here.size() <= number) here.resize(number + 1);
    here[number] += static_cast<double>(energy.nominal) * kFemto;
  });
  for (std::size_t step = 0; step < joules.size(); ++step) {
    const Cycle from = step * cycles;
    const Cycle to = std::min(from + cycles, account.cycles());
    panel.starts.push_back(account.seconds(from) * kMicro);
    joules[step].resize(panel.components.size());
    for (double& amount : joules[step]) amount /= account.seconds(to - from);
  }
  panel.starts.push_back(account.seconds(account.cycles()) * kMicro);
  panel.watts = std::move(joules);
  panels_.push_back(std::move(panel));
}

std::string PowerPicture::script(const std::string& title) const {
  constexpr std::size_t kWidth = 1100;
  constexpr std::size_t kHeight = 340;
  std::string script = results::gnuplotHead(
      "power.gp", "power", {kWidth, 60 + kHeight * panels_.size()}, {panels_.size(), 1}, title);
  script +=
      "set xtics norotate\nset xlabel 'us'\nset ylabel 'W'\nset style fill solid 1.0 noborder\n"
      "set linetype 7 lc rgb '#f0e442'\nset linetype 8 lc rgb '#000000'\n"
      "set linetype 9 lc rgb '#999999'\nset linetype 10 lc rgb '#88ccee'\n"
      "set linetype 11 lc rgb '#aa4499'\nset linetype 12 lc rgb '#117733'\n"
      "set linetype 13 lc rgb '#882255'\n";
  std::vector<std::string> coloured;  // a component has one colour in all panels
  const auto colourOf = [&](const std::string& component) {
    auto found = std::find(coloured.begin(), coloured.end(), component);
    if (found == coloured.end()) found = coloured.insert(coloured.end(), component);
    return found - coloured.begin() + 1;
  };
  for (std::size_t number = 0; number < panels_.size(); ++number) {
    const Panel& panel = panels_[number];
    for (const std::string& component : panel.components) colourOf(component);
    script += fmt::format("\n$run{} << END\n", number);
    for (std::size_t step = 0; step < panel.watts.size(); ++step) {
      std::string sums;
      double sum = 0;
      for (const double one : panel.watts[step]) sums += fmt::format(" {:.6g}", sum += one);
      for (const double edge : {panel.starts[step], panel.starts[step + 1]})
        script += fmt::format("{:.6g}{}\n", edge, sums);
    }
    script += fmt::format("END\nset title {}\nplot ", results::gnuplotText(panel.run));
    // Highest sum first: it is drawn behind.
    for (std::size_t i = panel.components.size(); i-- != 0;) {
      const std::string& component = panel.components[i];
      script += fmt::format("$run{} using 1:{} with filledcurves x1 lc {} title {}{}", number,
                            i + 2, colourOf(component), results::gnuplotText(component),
                            i == 0 ? "\n" : ", \\\n  ");
    }
  }
  return script + "unset multiplot\n";
}

}  // namespace fermata::platforms
