// fermata check WORKLOAD...
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include <fermata/platforms/program/check/baseline.h>
#include <fermata/platforms/program/check/finding.h>
#include <fermata/platforms/program/choose_platform.h>
#include <fermata/platforms/program/cli.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/platforms/program/measurement_options.h>
#include <fermata/platforms/program/option_checks.h>
#include <fermata/platforms/program/program_trace.h>
#include <fermata/platforms/program/row_output.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

namespace {

using Verdict = CheckedLine::Verdict;

struct CheckOptions : RunRequest {
  std::vector<std::string> allow;
  ConflictLimits limits;
  std::string root;
  std::string baseline;
  std::string writeBaseline;
  std::string sarif;
  std::string junit;
  RowOutput rows;
  bool github = false;
  bool exec = false;  ///< the workloads are a program and its arguments
};

std::vector<CheckedLine> runAndJudge(CheckOptions& options, const SourcePaths& paths,
                                     std::vector<AllowedLine>& allowed) {
  WorstDegree degrees;
  options.listeners.push_back(&degrees);
  options.addJobs();
  const Configuration configuration = configure(options);
  results::Progress progress(std::cerr, results::standardErrorIsTerminal());
  std::vector<ConflictLine> lines;
  runWorkloads(options, configuration, RunTables(), progress,
               [&](const results::RunRecord&, const RunOutcome& outcome, const OpenWorkload& open) {
                 for (ConflictLine& line : conflictLines(open, outcome, degrees, paths))
                   lines.push_back(std::move(line));
                 degrees.reset();
               });
  return judge(std::move(lines), options.limits, allowed);
}

/// Returns the finding, its word `warning:` in colour on a terminal.
std::string inkedFinding(const CheckedLine& finding) {
  std::string text = findingText(finding);
  const std::string word = "warning:";
  const std::size_t at = text.find(' ' + word + ' ');
  return at == std::string::npos
             ? text
             : text.replace(at + 1, word.size(), inked(word, Ink::Warning, STDOUT_FILENO));
}

void summarise(const std::vector<CheckedLine>& lines, const std::vector<AllowedLine>& allowed,
               const Baseline& baseline, const CheckOptions& options) {
  const auto count = [&](const auto& holds) {
    return std::count_if(lines.begin(), lines.end(), holds);
  };
  const auto are = [&](Verdict verdict) {
    return count([&](const CheckedLine& one) { return one.verdict == verdict; });
  };
  for (const AllowedLine& one : allowed) {
    if (!one.found) warn(fmt::format("--allow '{}' allows nothing", one.text));
  }
  if (baseline.unused() != 0)
    warn(
        fmt::format("{} of the lines in '{}' no longer exceed a limit; --write-baseline makes it "
                    "anew",
                    baseline.unused(), options.baseline));
  std::cerr << fmt::format(
      "{} of {} lines with shared accesses conflict: {} over a limit, {} allowed{}\n",
      count([](const CheckedLine& one) { return one.line.excessive() != 0; }), lines.size(),
      are(Verdict::Found), are(Verdict::Allowed),
      options.baseline.empty() ? "" : fmt::format(", {} in the baseline", are(Verdict::Known)));
}

/// Replaces the program of --exec by a trace of what it launches.
std::unique_ptr<ProgramTrace> traceProgram(CheckOptions& options) {
  if (!options.exec) return nullptr;
  if (options.workloads.empty())
    refuse("--exec names no program; expected it after --, as in --exec -- ./app");
  auto trace = std::make_unique<ProgramTrace>(options.workloads);
  options.workloads = {trace->path()};
  return trace;
}

/// Returns whether there are no findings, or a baseline was written.
bool check(CheckOptions& options, bool namesPlatform) {
  std::vector<AllowedLine> allowed;
  for (const std::string& text : options.allow) allowed.push_back(parseAllowedLine(text));
  if (!options.limits.degree && !options.limits.excessPercent) options.limits.degree = 1;
  const SourcePaths paths(options.root);
  Baseline baseline = options.baseline.empty() ? Baseline() : Baseline(options.baseline);
  if (!namesPlatform)
    options.platform = platformOfWorkloads(
        options.exec ? std::vector<std::string>() : options.workloads, options.parameters, options);
  files::OutputSet files;  // opened early: a bad path fails before the work
  const auto open = [&](const std::string& path) {
    return path.empty() ? nullptr : &files.add(path);
  };
  files::OutputFile* const sarifFile = open(options.sarif);
  files::OutputFile* const junitFile = open(options.junit);
  files::OutputFile* const baselineFile = open(options.writeBaseline);
  const std::unique_ptr<ProgramTrace> trace = traceProgram(options);  // until it has run
  std::vector<CheckedLine> lines = runAndJudge(options, paths, allowed);
  baseline.apply(lines);
  if (sarifFile != nullptr)
    sarifFile->write(sarif(lines, FERMATA_VERSION, !options.baseline.empty()));
  if (junitFile != nullptr) junitFile->write(junit(lines));
  if (baselineFile != nullptr) baselineFile->write(baselineCsv(lines));
  files.commit();
  bool clean = true;
  if (options.rows.isAsked()) options.rows.print(findingsCsv(lines), std::cout);
  for (const CheckedLine& one : lines) {
    if (one.verdict != Verdict::Found || baselineFile != nullptr) continue;
    clean = false;
    if (options.rows.isAsked()) continue;
    std::cout << (options.github ? githubAnnotation(one) : inkedFinding(one)) << '\n';
  }
  if (!options.quiet) summarise(lines, allowed, baseline, options);
  return clean;
}

void addFiles(CLI::App& command, CheckOptions& options) {
  command
      .add_option("--baseline", options.baseline,
                  "Reports only lines that are not in this file, or worse than there")
      ->check(CLI::ExistingFile);
  command
      .add_option("--write-baseline", options.writeBaseline,
                  "Writes the lines over a limit to this file (CSV), for --baseline. Exits with 0.")
      ->check(notEmpty("a file"));
  command
      .add_option("--root", options.root,
                  "Names sources by their paths from this folder (default: the current one)")
      ->check(notEmpty("a folder"));
  command.add_flag("--github", options.github,
                   "Prints findings as annotations of GitHub's workflows: ::warning file=...");
  command.add_option("--sarif", options.sarif, "Writes the findings to this file as SARIF 2.1.0")
      ->check(notEmpty("a file"));
  command
      .add_option("--junit", options.junit,
                  "Writes every checked line to this file, one JUnit case per line")
      ->check(notEmpty("a file"));
}

}  // namespace

void addCheckCommand(CLI::App& app, Invocation& invocation) {
  const auto options = std::make_shared<CheckOptions>();
  options->connector = invocation.connector;
  CLI::App* command = app.add_subcommand(
      "check",
      "Finds bank conflicts for continuous integration. Exits with code 1 if there are findings.");
  addOptions(*command, *options, {"workloads"});
  addPlatformOfWorkloads(*command, *options);
  addOptions(*command, *options,
             {"--param", "--set", "--unknown-opcodes", "--trace-shared", "--trace-registers"});
  addLaunchOptions(*command, *options, false);
  command->add_flag("--exec", options->exec,
                    "Takes a CUDA program made by 'fermata cc' and its arguments, after --, in the "
                    "place of workloads: --exec -- ./app");
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
                   "Allows a line to conflict: file:line, as it is printed. The end of the file's "
                   "path suffices if it tells the file apart. Repeatable.")
      ->allow_extra_args(false);
  addFiles(*command, *options);
  addRowOutput(*command, options->rows,
               "every line with shared accesses, its verdict and figures,");
  addOptions(*command, *options, {{"--quiet", "Prints only findings"}});
  command->footer(
      "Examples:\n  fermata check transpose --platform gtx480 --param tile=32\n"
      "  fermata check kernels/*.toml --platform sm_80 --baseline conflicts.csv --github\n"
      "  fermata check --exec --platform sm_80 -- ./app ARGUMENTS");
  command->callback([command, options, &invocation] {
    invocation.exitCode = check(*options, command->count("--platform") != 0) ? 0 : 1;
  });
}

}  // namespace fermata::platforms
