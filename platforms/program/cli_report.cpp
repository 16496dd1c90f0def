// fermata report DIR
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/report/report_data.h>
#include <fermata/platforms/program/report/report_page.h>
#include <fermata/platforms/program/report/report_rerun.h>
#include <fermata/results/files/output_file.h>
#include <fermata/stimuli/launch/data_directory.h>

namespace fermata::platforms {

namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::string folder;
  std::string out;
  std::vector<std::string> sources;
  std::size_t closer = 8;
  Connector* connector = nullptr;
};

/// Returns the rows with the most conflict cycles, one per workload or kernel of a program.
std::vector<std::size_t> worstRows(const ReportInput& input, std::size_t most) {
  const auto conflicts = input.points.counts("wavefronts_excessive");
  const auto cycles = input.points.counts("cycles");
  const auto worse = [&](std::size_t a, std::size_t b) {
    return std::make_pair(conflicts[a], cycles[a]) > std::make_pair(conflicts[b], cycles[b]);
  };
  const auto name = [&](std::size_t i) {
    return input.points.has("kernel") ? input.points.texts("kernel")[i] : input.runs[i].workload;
  };
  std::map<std::string, std::size_t> ofWorkload;
  for (std::size_t i = 0; i < input.runs.size(); ++i) {
    const auto [at, isNew] = ofWorkload.try_emplace(name(i), i);
    if (!isNew && worse(i, at->second)) at->second = i;
  }
  std::vector<std::size_t> rows;
  for (const auto& [workload, row] : ofWorkload) rows.push_back(row);
  std::sort(rows.begin(), rows.end(),
            [&](std::size_t a, std::size_t b) { return worse(a, b) || (!worse(b, a) && a < b); });
  rows.resize(std::min(rows.size(), most));
  return rows;
}

/// Returns the folders for source lines. A sweep's point names its launch file's folder; a table of
/// runs names no folder.
SourcePlaces placesOf(const ReportInput& input, std::size_t row, const ReportOptions& options) {
  SourcePlaces places;
  if (input.sweep) places.folders.push_back(fs::path(input.runs[row].workload).parent_path() / ".");
  places.folders.push_back(fs::path(options.folder) / ".");
  places.folders.emplace_back(".");  // where a user mostly has the kernel that he has just run
  places.folders.push_back(fs::path(launch::dataDirectory()) / "sources");
  std::error_code unknown;
  for (const std::string& source : options.sources)
    (fs::is_directory(source, unknown) ? places.folders : places.named).emplace_back(source);
  return places;
}

/// Shortens a message: drops the "; expected" part, as the user typed none of it.
std::string cannotRun(const std::string& wrong) {
  return "it cannot run again: " + wrong.substr(0, wrong.find("; expected"));
}

/// Returns the details of a folder of runs. Its tables have all but the lanes of the worst
/// accesses, which may come from `again`.
std::vector<RunDetail> detailsOfRuns(const ReportInput& input, const ReportOptions& options,
                                     const std::vector<Rerun>& again,
                                     const std::vector<std::size_t>& rows) {
  std::vector<RunDetail> details;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SourcePlaces places = placesOf(input, rows[i], options);
    RunDetail detail = detailOf(*input.files, rows[i], places);
    if (!again.empty() && again[i].files)
      detail.accesses = detailOf(*again[i].files, 0, places).accesses;
    if (!again.empty() && !again[i].files)
      detail.note = "its lanes are not known: " + cannotRun(again[i].wrong) +
                    ". 'fermata run --out' keeps them in accesses.csv.";
    details.push_back(std::move(detail));
  }
  return details;
}

std::vector<RunDetail> detailsOf(const ReportInput& input, const ReportOptions& options) {
  const std::vector<std::size_t> rows = worstRows(input, options.closer);
  std::vector<Rerun> again;
  if (!input.files || !input.files->accesses) {
    results::Progress progress(std::cerr, results::standardErrorIsTerminal());
    again = rerun(input, rows, options.connector, progress);
  }
  if (input.files) return detailsOfRuns(input, options, again, rows);
  std::vector<RunDetail> details;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RunDetail detail;
    if (again[i].files)
      detail = detailOf(*again[i].files, 0, placesOf(input, rows[i], options));
    else
      detail.note = cannotRun(again[i].wrong);
    detail.row = rows[i];
    details.push_back(std::move(detail));
  }
  return details;
}

void report(const ReportOptions& options) {
  requireReportLibrary();  // first: before the work
  const ReportInput input = readReportInput(options.folder);
  const fs::path out =
      options.out.empty() ? fs::path(options.folder) / "report.html" : fs::path(options.out);
  files::OutputFile file(out);
  const MappingGates gates = gatesOf(CostTable::ours(), input.runs, input.points.texts("indexer"),
                                     input.points.counts("banks"));
  file.write(reportHtml(reportData(input, gates, detailsOf(input, options))));
  file.commit();
  std::cout << "Report: " << out.string() << '\n';
}

}  // namespace

void addReportCommand(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<ReportOptions>();
  options->connector = invocation.connector;
  CLI::App* command = app.add_subcommand("report",
                                         "Writes one HTML page about a sweep or the runs of "
                                         "'fermata run --out'. The page needs no network.");
  command
      ->add_option("folder", options->folder,
                   "Takes the folder of a merged sweep or of 'fermata run --out'")
      ->required()
      ->check(notEmpty("a folder"));
  command
      ->add_option("-o,--output", options->out,
                   "Writes the page to this file (default: report.html in the folder)")
      ->check(notEmpty("a file"));
  command
      ->add_option("--source", options->sources,
                   "Shows the lines of this source file, or of the files in this folder that the "
                   "run recorded. Repeatable.")
      ->allow_extra_args(false)
      ->check(CLI::ExistingPath);
  command
      ->add_option("--closer", options->closer,
                   "Shows banks, lines and accesses of the worst run of this many workloads. "
                   "Points of a sweep run again for it.")
      ->capture_default_str()
      ->transform(wholeNumber(0, 32));
  command->footer("Examples:\n  fermata report results/out/transpose");
  command->callback([options] { report(*options); });
}

}  // namespace fermata::platforms
