// The proof of a search: the platform with the mapping found and without, side by side.
#pragma once

#include <ostream>

#include <fermata/platforms/program/search/search_job.h>
#include <fermata/results/progress.h>

namespace fermata::platforms {

/// Runs the request's workloads on the platform with report.baseline and with report.best(), each
/// in a process of its own, and prints cycles and conflicts beside what the search predicts. The
/// report has a best row. Throws what the runs throw.
void printApplied(const SearchRequest& request, const SearchReport& report,
                  results::Progress& progress, std::ostream& out);

}  // namespace fermata::platforms
