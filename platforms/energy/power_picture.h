// Power over time by component, drawn by gnuplot.
#pragma once

#include <fermata/models/power/energy_account.h>

#include <string>
#include <vector>

namespace fermata::platforms {

/// One panel per run, with the components stacked. Neighbouring windows are merged if there are
/// many.
class PowerPicture {
 public:
  /// Adds a panel; no effect for an account without windows.
  void add(const std::string& run, const EnergyAccount& account);
  bool empty() const { return panels_.empty(); }
  /// Returns a script that draws power.svg in its working directory.
  std::string script(const std::string& title) const;

 private:
  struct Panel {
    std::string run;
    std::vector<std::string> components;
    std::vector<double> starts;              ///< us; start of each step and the end of the last
    std::vector<std::vector<double>> watts;  ///< indexed by step, then component
  };
  std::vector<Panel> panels_;
};

}  // namespace fermata::platforms
