// fermata study NAME, fermata studies: tables and figures of the papers, published beside ours.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/study/picture_drawing.h>
#include <fermata/platforms/program/study/reproduction_page.h>
#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_output.h>
#include <fermata/results/progress.h>
#include <fermata/results/table.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

struct StudyOptions {
  std::string name;  ///< empty: all studies
  bool all = false;
  std::vector<std::string> parameters;
  std::string folder;
  WorkOrder work;
};

void studyOne(const StudyOptions& options, Connector* connector) {
  Study study = openStudy(options.name);
  for (const std::string& assignment : options.parameters) setParameter(study, assignment);
  requireClaims(study);
  const fs::path out =
      options.folder.empty() ? fs::path("results/out") / study.name : fs::path(options.folder);
  files::OutputSet files;
  files.makeFolder(out);
  results::Progress bar(std::cerr, results::standardErrorIsTerminal());
  const StudyProgress progress = [&](const std::string& what, std::size_t done, std::size_t all) {
    bar.update(done, all, what);
  };
  printHeading(study, std::cout);
  const bool hasCells = study.kind == Study::Kind::Runs || study.kind == Study::Kind::Searches;
  const StudyCells cells = hasCells ? runStudy(study, progress, connector) : StudyCells();
  bar.finish();
  reportStudy(study, cells, progress, std::cout, files, out);
  files.commit();
  if (const fs::path picture = drawPicture(out, study.name); !picture.empty())
    std::cerr << "Picture: " << picture.string() << '\n';
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

/// Returns the exit code: 1 if a study could not be computed.
int studyAll(const StudyOptions& options, Connector* connector) {
  const fs::path out =
      options.folder.empty() ? fs::path("results/out/reproduction") : fs::path(options.folder);
  files::OutputSet files;
  files.makeFolder(out);
  auto& csv = files.add(out / "reproduction.csv");
  auto& table = files.add(out / "headlines.md");
  auto& page = files.add(out / "reproduction.html");
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  const auto studies = reproduce(listStudies(), {out, options.work, connector}, progress);
  int code = 0;
  for (const ReproducedStudy& study : studies) {
    drawPicture(out / study.study.name, study.study.name);
    if (study.failure.empty()) continue;
    std::cerr << fmt::format("fermata: error: {}: {}\n", study.study.name, readable(study.failure));
    code = 1;
  }
  const ReproductionStamp stamp{today(), FERMATA_VERSION, commitOfHere()};
  const std::string lines = headlines(studies, stamp);
  csv.write(reproductionCsv(studies));
  table.write(lines);
  page.write(reproductionPage(studies, stamp, out));
  files.commit();
  std::cout << lines << "\nPage: " << (out / "reproduction.html").string() << '\n';
  return code;
}

int study(const StudyOptions& options, Connector* connector) {
  if (options.all) return studyAll(options, connector);
  if (options.name.empty()) refuse("no study; expected a name, the path of a file, or --all");
  studyOne(options, connector);
  return 0;
}

void printStudies() {
  results::Table table({{"study", results::Align::Left}, {"what it shows", results::Align::Left}});
  for (const Study& study : listStudies()) table.row({study.name, study.title});
  table.print(std::cout);
}

}  // namespace

void addStudyCommands(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app.add_subcommand(
      "study", "Repeats a table or a figure of a paper: published, ours, difference");
  CLI::Option* name = command->add_option(
      "name", options->name,
      "Selects the study: a name (fermata studies) or the path of a study file (.toml)");
  CLI::Option* all = command->add_flag(
      "--all", options->all,
      "Runs all studies, and writes reproduction.html and reproduction.csv: every published "
      "figure, ours, the difference, and its cause. Called again, it goes on where it stopped.");
  CLI::Option* parameters =
      command->add_option("--param", options->parameters,
                          "Sets a parameter of every workload: name=value. Overrides the value of "
                          "the study file. Repeatable.");
  parameters->allow_extra_args(false);
  all->excludes(name)->excludes(parameters);
  command
      ->add_option("--out", options->folder,
                   "Writes the files of the study to this folder (default: results/out/NAME; with "
                   "--all: results/out/reproduction)")
      ->check(notEmpty("a folder"));
  command
      ->add_option("-j,--jobs", options->work.atOnce,
                   "With --all: limits the runs at a time (default: one per core)")
      ->transform(wholeNumber(1, 4096))
      ->needs(all);
  command
      ->add_flag("--retry-failed", options->work.retryFailed,
                 "With --all: runs what failed before, too")
      ->needs(all);
  command->callback(
      [=, &invocation] { invocation.exitCode = study(*options, invocation.connector); });
  app.add_subcommand("studies", "Lists the studies")->callback(printStudies);
}

}  // namespace fermata::platforms
