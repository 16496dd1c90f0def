// Runs again, to see what the tables do not say: the lanes and banks of the worst accesses.
#pragma once

#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/program/report/report_input.h>
#include <fermata/results/progress.h>

#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

struct Rerun {
  std::optional<RunFiles> files;  ///< with accesses
  std::string wrong;              ///< why there are none
};

/// The rows of `input.points` that are named, each in a process of its own. A run that fails, or
/// whose cycles or conflict cycles are no more what the row says, gives no files.
std::vector<Rerun> rerun(const ReportInput& input, const std::vector<std::size_t>& rows,
                         Connector* connector, results::Progress& progress);

}  // namespace fermata::platforms
