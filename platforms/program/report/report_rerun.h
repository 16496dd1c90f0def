// Runs points again for what the tables lack: lanes and banks of the worst accesses.
#pragma once

#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/program/report/report_input.h>
#include <fermata/results/progress.h>

#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

struct Rerun {
  std::optional<RunFiles> files;  ///< with accesses; empty: see `wrong`
  std::string wrong;              ///< why there are no files
};

/// Runs the given rows of `input.points` again, each in its own process. Returns no files for a run
/// that fails, or whose cycles or conflict cycles now differ from the row.
std::vector<Rerun> rerun(const ReportInput& input, const std::vector<std::size_t>& rows,
                         Connector* connector, results::Progress& progress);

}  // namespace fermata::platforms
