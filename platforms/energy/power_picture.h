// Power over time by component, as gnuplot draws it.
#pragma once

#include <fermata/models/power/energy_account.h>

#include <string>
#include <vector>

namespace fermata::platforms {

/// A panel a run: the components on one another. Of many windows, neighbours are drawn as one.
class PowerPicture {
 public:
  /// Nothing of an account that has no windows.
  void add(const std::string& run, const EnergyAccount& account);
  bool empty() const { return panels_.empty(); }
  /// It draws power.svg where it is run.
  std::string script(const std::string& title) const;

 private:
  struct Panel {
    std::string run;
    std::vector<std::string> components;
    std::vector<double> starts;              ///< us, one a step and the end of the last
    std::vector<std::vector<double>> watts;  ///< by step and component
  };
  std::vector<Panel> panels_;
};

}  // namespace fermata::platforms
