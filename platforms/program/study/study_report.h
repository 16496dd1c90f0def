// What a study prints, and the files it leaves: table.csv (a row a workload and variant),
// comparison.csv (a row a published figure: published, ours, difference).
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fermata/files/output_set.h>
#include <fermata/platforms/program/study/claims.h>
#include <fermata/platforms/program/study/study_run.h>

namespace fermata::platforms {

/// A published figure beside ours. Numbers that do not exist are absent.
struct ComparedFigure {
  std::string id;
  std::string place;
  std::string subject;
  std::optional<double> published;
  std::string text;  ///< what is published, with the digits that are printed; empty: as `published`
  std::optional<double> ours;
  std::string oursText;  ///< where ours is not one number
  std::string unit;
  std::string note;
  std::string workload;  ///< a row of one workload; empty: a figure over several
  std::string variant;   ///< of a row
  std::string followed;  ///< of a row: Study::followed
};

/// Sums up a measure over the workloads, as a comparison asks; nothing when no workload has it.
std::optional<double> summarise(const Study& study, const StudyCells& cells,
                                const Selection& selection);

/// The study's comparisons, with the published figures from the claims. Throws InputError for an
/// unknown claim.
std::vector<ComparedFigure> compare(const Study& study, const StudyCells& cells);

void printHeading(const Study& study, std::ostream& out);
void printCells(const Study& study, const StudyCells& cells, std::ostream& out);
/// Figures over several workloads, their notes, and the rows of single workloads.
void printFigures(const std::vector<ComparedFigure>& figures, std::ostream& out);
void printConfigurations(const Study& study, const std::vector<ConfigurationRow>& rows,
                         std::ostream& out);

/// The folder must exist. The files appear with the set.
void writeCells(const Study& study, const StudyCells& cells, files::OutputSet& files,
                const std::filesystem::path& folder);
void writeFigures(const std::vector<ComparedFigure>& figures, files::OutputSet& files,
                  const std::filesystem::path& folder);
void writeConfigurations(const Study& study, const std::vector<ConfigurationRow>& rows,
                         files::OutputSet& files, const std::filesystem::path& folder);

}  // namespace fermata::platforms
