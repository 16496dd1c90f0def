// Result of a run: its identity, and the rows for each table. The code that runs the model fills
// it; the writers (writers.h) turn it into files.
#pragma once

#include <vector>

#include <fermata/results/identity.h>
#include <fermata/results/rows.h>

namespace fermata::results {

struct RunRecord {
  RunIdentity identity;
  Row run;
  std::vector<Row> instructions;  ///< one per executed PC of a program
  std::vector<Row> banks;         ///< one per bank
};

}  // namespace fermata::results
