// Identity of a run: the first columns of every table, which tell it from other runs.
#pragma once

#include <string>
#include <vector>

#include <fermata/results/columns.h>

namespace fermata::results {

/// A named value that somebody chose: a workload parameter, or a changed platform parameter.
struct Setting {
  std::string name;   ///< for instance "stride" or "scratchpad.indexer"
  std::string value;  ///< for instance "32" or "ami 33"
};
using Settings = std::vector<Setting>;

/// Returns "name=value;name=value" in the order given. A ';' or '\' within a name or a value gets a
/// '\' before it.
std::string text(const Settings& settings);

struct RunIdentity {
  std::string workload = {};
  Settings parameters = {};  ///< parameters of the workload
  std::string platform = {};
  Settings changes = {};  ///< platform parameters that differ from the platform file
};

const std::vector<Column>& identityColumns();
/// Returns the values of the identityColumns().
std::vector<std::string> identityFields(const RunIdentity& run);

}  // namespace fermata::results
