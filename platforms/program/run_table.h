// The few figures of each run that a person wants to see at once.
#pragma once

#include <ostream>

#include <fermata/results/records.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

class RunTable {
 public:
  /// `timing`: show the speed of the simulation; every record must have the figures of the host.
  /// `energy`: show the energy of the runs; every record must have it.
  RunTable(bool timing, bool energy);
  void add(const results::RunRecord& record);
  void print(std::ostream& out) const { table_.print(out); }

 private:
  bool timing_;
  bool energy_;
  results::Table table_;
};

}  // namespace fermata::platforms
