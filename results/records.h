// What a run leaves behind: who it was, and a row of each table's columns. Whoever ran the model
// fills them; the writers (writers.h) turn them into files.
#pragma once

#include <vector>

#include <fermata/results/identity.h>
#include <fermata/results/rows.h>

namespace fermata::results {

struct RunRecord {
  RunIdentity identity;
  Row run;
  std::vector<Row> instructions;  ///< one a program and PC that was executed
  std::vector<Row> banks;         ///< one a bank
};

}  // namespace fermata::results
