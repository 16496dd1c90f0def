// fermata study NAME, fermata studies: tables and figures of the papers, published beside ours.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/search/space.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_hardware.h>
#include <fermata/platforms/program/study/study_moduli.h>
#include <fermata/platforms/program/study/study_picture.h>
#include <fermata/platforms/program/study/study_report.h>
#include <fermata/results/progress.h>
#include <fermata/results/table.h>
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

void study(const std::string& name, const std::vector<std::string>& parameters,
           const std::string& folder, Connector* connector) {
  Study study = openStudy(name);
  for (const std::string& assignment : parameters) setParameter(study, assignment);
  requireClaims(study);
  const fs::path out = folder.empty() ? fs::path("results/out") / study.name : fs::path(folder);
  files::OutputSet files;
  files.makeFolder(out);
  results::Progress bar(std::cerr, results::standardErrorIsTerminal());
  const StudyProgress progress = [&](const std::string& what, std::size_t done, std::size_t all) {
    bar.update(done, all, what);
  };
  printHeading(study, std::cout);
  std::vector<ComparedFigure> figures;
  switch (study.kind) {
    case Study::Kind::Runs:
    case Study::Kind::Searches: {
      const StudyCells cells = runStudy(study, progress, connector);
      bar.finish();
      printCells(study, cells, std::cout);
      writeCells(study, cells, files, out);
      writePicture(study, panels(study, cells), files, out);
      figures = compare(study, cells);
      break;
    }
    case Study::Kind::Configurations: {
      const auto rows = compareConfigurations(study, progress);
      bar.finish();
      printConfigurations(study, rows, std::cout);
      writeConfigurations(study, rows, files, out);
      break;
    }
    case Study::Kind::Sizes:
      figures = sizes(study);
      break;
    case Study::Kind::Facts:
      figures = publishedFacts(study);
      break;
    case Study::Kind::Moduli: {
      const auto rows = modulusRows(study);
      printModuli(study, rows, std::cout);
      writeModuli(rows, files, out);
      writePicture(study, panels(rows), files, out);
      figures = compareModuli(study, rows);
      for (ComparedFigure& fact : publishedFacts(study)) figures.push_back(std::move(fact));
      break;
    }
    case Study::Kind::Hardware: {
      const auto rows = hardwareRows(study);
      printHardware(study, rows, std::cout);
      writeHardware(study, rows, files, out);
      figures = compareHardware(study, rows);
      break;
    }
  }
  printFigures(figures, std::cout);
  if (!figures.empty()) writeFigures(figures, files, out);
  files.commit();
}

void printStudies() {
  results::Table table({{"study", results::Align::Left}, {"what it shows", results::Align::Left}});
  for (const Study& study : listStudies()) table.row({study.name, study.title});
  table.print(std::cout);
}

}  // namespace

void addStudyCommands(CLI::App& app, Invocation& invocation) {
  const auto name = std::make_shared<std::string>();
  const auto parameters = std::make_shared<std::vector<std::string>>();
  const auto out = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "study", "Repeats a table or a figure of a paper: published, ours, difference");
  command
      ->add_option(
          "name", *name,
          "Selects the study: a name (fermata studies) or the path of a study file (.toml)")
      ->required();
  command
      ->add_option("--param", *parameters,
                   "Sets a parameter of every workload: name=value. Overrides the value of the "
                   "study file. Repeatable.")
      ->allow_extra_args(false);
  command
      ->add_option("--out", *out,
                   "Writes the CSV files of the study to this folder (default: results/out/NAME)")
      ->check(notEmpty("a folder"));
  command->callback([=, &invocation] { study(*name, *parameters, *out, invocation.connector); });
  app.add_subcommand("studies", "Lists the studies")->callback(printStudies);
}

}  // namespace fermata::platforms
