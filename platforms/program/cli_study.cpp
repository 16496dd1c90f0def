// fermata study NAME, studies, validate: what papers publish or machines were measured to do,
// beside ours.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/platforms/program/scratch_file.h>
#include <fermata/platforms/program/study/picture_drawing.h>
#include <fermata/platforms/program/study/reproduction_page.h>
#include <fermata/platforms/program/study/study_facts.h>
#include <fermata/platforms/program/study/study_output.h>
#include <fermata/platforms/program/study/study_report.h>
#include <fermata/platforms/program/study/validation.h>
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
  RowOutput rows;
};

void studyOne(const StudyOptions& options, Connector* connector) {
  Study study = openStudy(options.name);
  for (const std::string& assignment : options.parameters) setParameter(study, assignment);
  requireClaims(study);
  std::optional<ScratchFile> scratch;  // without --out, the files are made and not kept
  if (options.folder.empty()) scratch.emplace("study", "study.csv");
  const fs::path out = scratch ? scratch->path().parent_path() : fs::path(options.folder);
  files::OutputSet files;
  files.makeFolder(out);
  results::Progress bar(std::cerr, results::standardErrorIsTerminal());
  const StudyProgress progress = [&](const std::string& what, std::size_t done, std::size_t all) {
    bar.update(done, all, what);
  };
  std::ostringstream unread;  // what a person reads, where rows are asked for
  std::ostream& said = options.rows.isAsked() ? unread : std::cout;
  printHeading(study, said);
  const StudyCells cells = study.hasCells() ? runStudy(study, progress, connector) : StudyCells();
  bar.finish();
  const auto figures = reportStudy(study, cells, progress, said, files, out);
  if (options.rows.isAsked()) options.rows.print(figuresCsv(figures), std::cout);
  if (scratch) return;
  files.commit();
  if (const auto picture = drawPicture(out, study.name); picture && !picture->empty())
    std::cerr << "Picture: " << picture->string() << '\n';
}

/// Draws the pictures of all studies, and says which studies have failed. Returns the exit code.
int drawAll(const std::vector<ReproducedStudy>& studies, const fs::path& folder) {
  int code = 0;
  bool draws = true;  // until gnuplot has failed, which it then does for each
  for (const ReproducedStudy& study : studies) {
    draws = draws && drawPicture(folder / study.study.name, study.study.name);
    if (study.failure.empty()) continue;
    std::cerr << fmt::format("fermata: error: {}: {}\n", study.study.name, readable(study.failure));
    code = 1;
  }
  return code;
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
  const int code = drawAll(studies, out);
  const ReproductionStamp stamp = stampOfHere(FERMATA_VERSION);
  const std::string lines = headlines(studies, stamp);
  const std::string text = reproductionCsv(studies);
  csv.write(text);
  table.write(lines);
  page.write(reproductionPage(studies, stamp, out));
  files.commit();
  if (options.rows.isAsked()) {
    options.rows.print(text, std::cout);
    return code;
  }
  std::cout << lines << "\nPage: " << (out / "reproduction.html").string() << '\n';
  return code;
}

int study(const StudyOptions& options, Connector* connector) {
  if (options.all) return studyAll(options, connector);
  if (options.name.empty()) refuse("no study; expected a name, the path of a file, or --all");
  studyOne(options, connector);
  return 0;
}

/// Compares with what was measured on machines. Returns the exit code, as studyAll() does.
int validate(const StudyOptions& options, Connector* connector) {
  const fs::path out = options.folder;
  files::OutputSet files;
  files.makeFolder(out);
  auto& csv = files.add(out / "validation.csv");
  auto& page = files.add(out / "validation.html");
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  const auto studies =
      reproduce(listStudies(kSiliconStudies), {out, options.work, connector}, progress);
  const int code = drawAll(studies, out);
  const auto rows = validated(readClaims(kSilicon), studies);
  const std::string text = validationCsv(rows);
  csv.write(text);
  page.write(validationPage(rows, studies, stampOfHere(FERMATA_VERSION), out));
  files.commit();
  if (options.rows.isAsked()) {
    options.rows.print(text, std::cout);
    return code;
  }
  std::cout << validationTable(rows) << "\nPage: " << (out / "validation.html").string() << '\n';
  return code;
}

void printStudies(const RowOutput& rows) {
  results::Table table({{"study", results::Align::Left}, {"what it shows", results::Align::Left}});
  for (const Study& study : listStudies()) table.row({study.name, study.title});
  rows.print(table, std::cout);
}

/// Adds the options of work that is stored.
std::array<CLI::Option*, 2> addWork(CLI::App& command, StudyOptions& options,
                                    const std::string& when) {
  return {command
              .add_option("-j,--jobs", options.work.atOnce,
                          when + "limits the runs at a time (default: one per core)")
              ->transform(wholeNumber(1, 4096)),
          command.add_flag("--retry-failed", options.work.retryFailed,
                           when + "runs what failed before, too")};
}

}  // namespace

void addStudyCommands(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app.add_subcommand(
      "study", "Repeats a table or a figure of a paper: published, ours, difference");
  CLI::Option* name = command->add_option(
      "name", options->name,
      "Selects the study: a name (fermata studies) or the path of a study file (.toml)");
  name->type_name("STUDY");
  CLI::Option* all = command->add_flag(
      "--all", options->all,
      "Runs all studies, and writes reproduction.html and reproduction.csv: every published "
      "figure, ours, the difference, and its cause. Called again, it goes on where it stopped.");
  CLI::Option* parameters =
      command->add_option("--param", options->parameters,
                          "Sets a parameter of every workload: name=value. Overrides the value of "
                          "the study file. Repeatable.");
  parameters->type_name("NAME=VALUE")->allow_extra_args(false);
  all->excludes(name)->excludes(parameters);
  command
      ->add_option("--out", options->folder,
                   "Writes the files and the picture of the study to this folder (default: none; "
                   "with --all: results/out/reproduction)")
      ->check(notEmpty("a folder"));
  for (CLI::Option* option : addWork(*command, *options, "With --all: ")) option->needs(all);
  addRowOutput(*command, options->rows,
               "each published figure, ours, the difference and its cause");
  command->footer("Examples:\n  fermata study xor-examples\n  fermata study --all -j 4");
  command->callback(
      [=, &invocation] { invocation.exitCode = study(*options, invocation.connector); });
  CLI::App* list = app.add_subcommand("studies", "Lists the studies");
  addRowOutput(*list, options->rows);
  list->footer("Examples:\n  fermata studies");
  list->callback([options] { printStudies(options->rows); });
}

void addValidateCommand(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app.add_subcommand(
      "validate", "Compares the model with what was measured on machines: measured, ours, error");
  options->folder = "results/out/validation";
  command
      ->add_option("--out", options->folder,
                   "Writes validation.html, validation.csv and the files of the studies to this "
                   "folder")
      ->capture_default_str()
      ->check(notEmpty("a folder"));
  addWork(*command, *options, "");
  addRowOutput(*command, options->rows, "each measured figure, ours and the error");
  command->footer("Examples:\n  fermata validate --out results/out/validation");
  command->callback(
      [=, &invocation] { invocation.exitCode = validate(*options, invocation.connector); });
}

}  // namespace fermata::platforms
