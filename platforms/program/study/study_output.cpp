#include <fermata/platforms/program/study/study_output.h>

#include <fmt/format.h>

#include <cmath>

#include <fermata/models/search/space.h>
#include <fermata/platforms/program/study/study_examples.h>
#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_hardware.h>
#include <fermata/platforms/program/study/study_moduli.h>
#include <fermata/platforms/program/study/study_picture.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

/// Formats a number too large for a double, given its decimal logarithm: "2.3e24660".
std::string scientific(double log10) {
  const double exponent = std::floor(log10);
  return fmt::format("{:.2f}e{:.0f}", std::pow(10, log10 - exponent), exponent);
}

/// Returns table 1. `claims` are in the order of its rows; the first row (all functions) has no
/// claim.
std::vector<ComparedFigure> sizes(const Study& study) {
  const auto spaces = search::spaceSizes(study.addressBits, study.bankBits);
  std::vector<ComparedFigure> figures = publishedFacts(study);
  if (figures.size() + 1 != spaces.size())
    refuse("the study {} does not have {} claims; expected one per kind of function", study.name,
           spaces.size() - 1);
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].ours = spaces[i + 1].count;
  ComparedFigure all;
  all.subject = "number of functions of any kind: n=14 m=5";
  all.place = "Table 1";
  all.text = "2.3e24660";
  all.oursText = scientific(spaces[0].log10);
  all.unit = "functions";
  figures.insert(figures.begin(), std::move(all));
  return figures;
}

/// Shows all but the comparisons, and returns these.
std::vector<ComparedFigure> contentOf(const Study& study, const StudyCells& cells,
                                      const StudyProgress& progress, std::ostream& out,
                                      files::OutputSet& files, const fs::path& folder) {
  switch (study.kind) {
    case Study::Kind::Runs:
    case Study::Kind::Searches:
      printCells(study, cells, out);
      writeCells(study, cells, files, folder);
      writePicture(study, panels(study, cells), files, folder);
      return compare(study, cells);
    case Study::Kind::Configurations: {
      const auto rows = compareConfigurations(study, progress);
      printConfigurations(study, rows, out);
      writeConfigurations(study, rows, files, folder);
      return {};
    }
    case Study::Kind::Sizes:
      return sizes(study);
    case Study::Kind::Facts:
      return publishedFacts(study);
    case Study::Kind::Moduli: {
      const auto rows = modulusRows(study);
      printModuli(study, rows, out);
      writeModuli(study, rows, files, folder);
      writePicture(study, panels(study, rows), files, folder);
      return compareModuli(study, rows);
    }
    case Study::Kind::Hardware: {
      const auto rows = hardwareRows(study);
      printHardware(study, rows, out);
      writeHardware(study, rows, files, folder);
      return compareHardware(study, rows);
    }
    case Study::Kind::Examples:
      return compareExamples(study);
  }
  return {};
}

}  // namespace

std::vector<ComparedFigure> reportStudy(const Study& study, const StudyCells& cells,
                                        const StudyProgress& progress, std::ostream& out,
                                        files::OutputSet& files, const fs::path& folder) {
  std::vector<ComparedFigure> figures = contentOf(study, cells, progress, out, files, folder);
  if (study.kind != Study::Kind::Sizes && study.kind != Study::Kind::Facts) {
    for (ComparedFigure& fact : publishedFacts(study)) figures.push_back(std::move(fact));
  }
  printFigures(figures, out);
  if (!figures.empty()) writeFigures(figures, files, folder);
  return figures;
}

}  // namespace fermata::platforms
