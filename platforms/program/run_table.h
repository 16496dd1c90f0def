// The few figures of each run that a person wants to see at once.
#pragma once

#include <ostream>
#include <string>

#include <fermata/platforms/compose/run_tables.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/results/records.h>
#include <fermata/results/table.h>
#include <fermata/results/writers.h>

namespace fermata::platforms {

class RunTable {
 public:
  /// `timing`: show the speed of the simulation; every record must have the figures of the host.
  /// `energy`: show the energy of the runs; every record must have it.
  /// `tables` makes the records, and must outlive this object.
  RunTable(const RunTables& tables, bool timing, bool energy);
  void add(const results::RunRecord& record);
  /// Prints the figures; if rows are asked for, those of runs.csv with all columns.
  void print(std::ostream& out, const RowOutput& rows) const;

 private:
  bool timing_;
  bool energy_;
  results::Table table_;
  results::ResultTexts texts_;
  std::string header_;  ///< of runs.csv
};

}  // namespace fermata::platforms
