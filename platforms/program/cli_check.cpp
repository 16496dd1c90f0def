// fermata check WORKLOAD...
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include <fermata/platforms/program/check/finding.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/measurement_options.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/run_workloads.h>

namespace fermata::platforms {

namespace {

using Verdict = CheckedLine::Verdict;

struct CheckOptions : RunRequest {
  std::vector<std::string> allow;
  ConflictLimits limits;
  std::string sarif;
  std::string junit;
};

std::vector<CheckedLine> runAndJudge(CheckOptions& options, std::vector<AllowedLine>& allowed) {
  WorstDegree degrees;
  options.listeners.push_back(&degrees);
  options.addJobs();
  const Configuration configuration = configure(options);
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  std::vector<ConflictLine> lines;
  runWorkloads(options, configuration, RunTables(), progress,
               [&](const results::RunRecord&, const RunOutcome& outcome, const OpenWorkload& open) {
                 for (ConflictLine& line : conflictLines(open, outcome, degrees))
                   lines.push_back(std::move(line));
                 degrees.reset();
               });
  return judge(std::move(lines), options.limits, allowed);
}

void summarise(const std::vector<CheckedLine>& lines, const std::vector<AllowedLine>& allowed) {
  const auto count = [&](Verdict verdict) {
    return std::count_if(lines.begin(), lines.end(),
                         [&](const CheckedLine& one) { return one.verdict == verdict; });
  };
  for (const AllowedLine& one : allowed) {
    if (!one.found) warn(fmt::format("--allow '{}' allows nothing", one.text));
  }
  std::cerr << fmt::format("{} of {} lines with shared accesses conflict, {} allowed\n",
                           count(Verdict::Found), lines.size(), count(Verdict::Allowed));
}

/// Returns whether there are no findings.
bool check(CheckOptions& options) {
  std::vector<AllowedLine> allowed;
  for (const std::string& text : options.allow) allowed.push_back(parseAllowedLine(text));
  if (!options.limits.degree && !options.limits.excessPercent) options.limits.degree = 1;
  files::OutputSet files;  // opened early: a bad path fails before the work
  files::OutputFile* const sarifFile = options.sarif.empty() ? nullptr : &files.add(options.sarif);
  files::OutputFile* const junitFile = options.junit.empty() ? nullptr : &files.add(options.junit);
  const std::vector<CheckedLine> lines = runAndJudge(options, allowed);
  if (sarifFile != nullptr) sarifFile->write(sarif(lines, FERMATA_VERSION));
  if (junitFile != nullptr) junitFile->write(junit(lines));
  files.commit();
  bool clean = true;
  for (const CheckedLine& one : lines) {
    if (one.verdict != Verdict::Found) continue;
    clean = false;
    std::cout << findingText(one) << '\n';
  }
  if (!options.quiet) summarise(lines, allowed);
  return clean;
}

}  // namespace

void addCheckCommand(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<CheckOptions>();
  options->connector = invocation.connector;
  CLI::App* command = app.add_subcommand(
      "check",
      "Finds bank conflicts for continuous integration. Exits with code 1 if there are findings.");
  addOptions(*command, *options, {"workloads", "--platform", "--param", "--set"});
  command
      ->add_option("--max-degree", options->limits.degree,
                   "Limits the degree of a line's accesses: distinct words that one bank delivers "
                   "to one lane group. Default if no limit is given: 1, no conflict.")
      ->transform(wholeNumber(1, 32));
  command
      ->add_option("--max-excess-percent", options->limits.excessPercent,
                   "Limits a line's excessive wavefronts, in percent of all its wavefronts. "
                   "Excessive: beyond the ideal of one wavefront per lane group.")
      ->check(realNumber(0, 100));
  command
      ->add_option("--allow", options->allow,
                   "Allows a line to conflict: file:line. The end of the file's path suffices if "
                   "it tells the file apart. Repeatable.")
      ->allow_extra_args(false);
  command->add_option("--sarif", options->sarif, "Writes the findings to this file as SARIF 2.1.0")
      ->check(notEmpty("a file"));
  command
      ->add_option("--junit", options->junit,
                   "Writes every checked line to this file, one JUnit case per line")
      ->check(notEmpty("a file"));
  addOptions(*command, *options, {{"--quiet", "Prints only findings"}});
  command->callback([options, &invocation] { invocation.exitCode = check(*options) ? 0 : 1; });
}

}  // namespace fermata::platforms
