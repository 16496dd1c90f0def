// Printed output of a study, and its files: table.csv (one row per workload and variant),
// comparison.csv (one row per published figure: published, ours, difference).
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fermata/platforms/program/study/claims.h>
#include <fermata/platforms/program/study/study_run.h>
#include <fermata/results/files/output_set.h>

namespace fermata::platforms {

/// A published figure beside ours. A number that does not exist is empty.
struct ComparedFigure {
  std::string id;
  std::string place;
  std::string subject;
  std::optional<double> published;
  std::string text;  ///< published text with its printed digits; empty: use `published`
  std::optional<double> formula;  ///< computed instead of published: Comparison::formula
  std::optional<double> ours;
  std::string oursText;  ///< if ours is not one number
  std::string unit;
  std::string headline;  ///< Comparison::headline
  std::string note;
  std::string cause;
  std::string shownBy;   ///< the runs that show the cause
  std::string workload;  ///< if the row is about one workload; empty: several
  std::string variant;   ///< if the row is about one variant
  std::string followed;  ///< Study::followed, if the row is about one workload
};

/// Aggregates a measure over the workloads, as a comparison asks. Returns nothing if no workload
/// has the measure.
std::optional<double> summarise(const Study& study, const StudyCells& cells,
                                const Selection& selection);

/// Returns the study's comparisons, with the published figures from the claims. Throws InputError
/// for an unknown claim.
std::vector<ComparedFigure> compare(const Study& study, const StudyCells& cells);

void printHeading(const Study& study, std::ostream& out);
void printCells(const Study& study, const StudyCells& cells, std::ostream& out);
/// Prints figures over several workloads, their notes, and the rows about single workloads.
void printFigures(const std::vector<ComparedFigure>& figures, std::ostream& out);
void printConfigurations(const Study& study, const std::vector<ConfigurationRow>& rows,
                         std::ostream& out);

/// Writers: the folder must exist, and the files appear with the set.
void writeCells(const Study& study, const StudyCells& cells, files::OutputSet& files,
                const std::filesystem::path& folder);
/// Texts of a figure, "-" where there is nothing: its name, what is published, ours, and the
/// difference; of texts "none" or "differs".
std::string figureName(const ComparedFigure& figure);
std::string publishedText(const ComparedFigure& figure);
std::string oursText(const ComparedFigure& figure);
std::string differenceText(const ComparedFigure& figure);
/// True if published and ours stand beside one another, as numbers or as texts.
bool isCompared(const ComparedFigure& figure);

/// Columns of comparison.csv, and the row of a figure.
const std::vector<std::string>& figureColumns();
std::vector<std::string> figureFields(const ComparedFigure& figure);
/// Returns comparison.csv.
std::string figuresCsv(const std::vector<ComparedFigure>& figures);
void writeFigures(const std::vector<ComparedFigure>& figures, files::OutputSet& files,
                  const std::filesystem::path& folder);
void writeConfigurations(const Study& study, const std::vector<ConfigurationRow>& rows,
                         files::OutputSet& files, const std::filesystem::path& folder);

}  // namespace fermata::platforms
