// The few figures of each run that a person wants to see at once.
#pragma once

#include <ostream>

#include <fermata/results/records.h>
#include <fermata/results/table.h>

namespace fermata::platforms {

class RunTable {
 public:
  /// `timing`: with the speed of the simulation; the records have the figures of the host then.
  /// `energy`: with that of the runs, the same.
  RunTable(bool timing, bool energy);
  void add(const results::RunRecord& record);
  void print(std::ostream& out) const { table_.print(out); }

 private:
  bool timing_;
  bool energy_;
  results::Table table_;
};

}  // namespace fermata::platforms
