// The work of a study in pieces, each for a process of its own: searches of mappings, then runs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <fermata/platforms/compose/connector.h>
#include <fermata/platforms/program/study/study_run.h>
#include <fermata/platforms/program/work/digests.h>
#include <fermata/stimuli/traces/memory_trace.h>

namespace fermata::platforms {

struct StudyPiece {
  std::size_t workload = 0;
  std::size_t variant = 0;  ///< of a run
  KeyedInputs inputs;
  std::string executes;  ///< KeyedWork::executes
  /// Returns the result, in a form for setSearches() or setRun(). `trace`: RunRequest::memory.
  std::function<std::string(traces::MemoryTrace* trace)> work;
};

/// Returns a piece for each workload for which a variant asks a search. The study must outlive the
/// pieces.
std::vector<StudyPiece> searchPieces(const Study& study);
/// Returns the cells without figures: of a study of runs, with the mappings that need no search.
StudyCells emptyCells(const Study& study);
/// Enters the result of a search.
void setSearches(const Study& study, const StudyPiece& piece, const std::string& result,
                 StudyCells& cells);

/// Returns a piece for each run, with the mappings of `cells`; none for a study of searches. Study
/// and connector must outlive the pieces.
std::vector<StudyPiece> runPieces(const Study& study, const StudyCells& cells,
                                  Connector* connector);
/// Enters the result of a run.
void setRun(const Study& study, const StudyPiece& piece, const std::string& result,
            StudyCells& cells);

/// Returns whether the workload runs, or is searched, under the variant.
bool isFor(const StudyVariant& variant, const StudyWorkload& workload);
/// Returns "name=value" of the workload's parameters under the variant, in the run of `run`.
std::vector<std::string> assignments(const StudyWorkload& workload, const StudyVariant& variant,
                                     const Parameters& run);

}  // namespace fermata::platforms
