#include <fermata/platforms/program/check/conflict_costs.h>

#include <fermata/platforms/program/check/conflict_lines.h>
#include <fermata/platforms/program/child_processes.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace fermata::platforms {

namespace {

constexpr const char* kParameter = "scratchpad.conflict_free";

std::string nameOf(const ConflictLine& line) {
  if (line.file.empty() || line.line == 0) return fmt::format("{}:{}", line.kernel, line.pc);
  return fmt::format("{}@{}", std::filesystem::path(line.file).filename().string(), line.line);
}

/// Runs the request's workload and tells what it did; returns the cycles.
template <class Done>
std::uint64_t run(const RunRequest& request, Done done) {
  std::ostringstream nowhere;
  results::Progress quiet(nowhere, false);
  std::uint64_t cycles = 0;
  runWorkloads(request, configure(request), RunTables(), quiet,
               [&](const results::RunRecord&, const RunOutcome& outcome, const OpenWorkload& open) {
                 cycles = outcome.cycles;
                 done(outcome, open);
               });
  return cycles;
}

/// In a child: the lines that conflict, one a line of text.
std::string runAsItIs(RunRequest request) {
  WorstDegree degrees;
  request.listeners.push_back(&degrees);
  std::string name;
  std::string lines;
  const std::uint64_t cycles =
      run(request, [&](const RunOutcome& outcome, const OpenWorkload& open) {
        name = open.name;
        for (const ConflictLine& line : conflictLines(open, outcome, degrees)) {
          if (line.excessive() == 0) continue;
          lines += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", line.place(), nameOf(line), line.opcode,
                               line.accesses, line.degree, line.excessive());
        }
      });
  return fmt::format("{}\t{}\n{}", name, cycles, lines);
}

void add(std::vector<ConflictCost>& lines, ConflictCost more) {
  const auto known = std::find_if(lines.begin(), lines.end(),
                                  [&](const ConflictCost& one) { return one.named == more.named; });
  if (known == lines.end()) return lines.push_back(std::move(more));
  if ((' ' + known->opcodes + ' ').find(' ' + more.opcodes + ' ') == std::string::npos)
    known->opcodes += ' ' + more.opcodes;
  known->accesses += more.accesses;
  known->degree = std::max(known->degree, more.degree);
  known->conflictCycles += more.conflictCycles;
}

ConflictCosts parse(const std::string& text) {
  ConflictCosts costs;
  std::istringstream in(text);
  std::string cycles;
  std::getline(in, costs.workload, '\t');
  std::getline(in, cycles);
  costs.cycles = std::stoull(cycles);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    ConflictCost one;
    std::getline(fields, one.place, '\t');
    std::getline(fields, one.named, '\t');
    std::getline(fields, one.opcodes, '\t');
    fields >> one.accesses >> one.degree >> one.conflictCycles;
    costs.conflictCycles += one.conflictCycles;
    add(costs.lines, std::move(one));
  }
  return costs;
}

/// The request with these instructions without conflicts, beside those that have none already.
RunRequest without(RunRequest request, const std::string& named) {
  std::string all = configure(request).parameters().scratchpad.conflictFree;
  all += (all.empty() ? "" : " ") + named;
  const std::string prefix = std::string(kParameter) + '=';
  auto& sets = request.sets;  // of which none may be given twice
  sets.erase(std::remove_if(sets.begin(), sets.end(),
                            [&](const std::string& set) { return set.rfind(prefix, 0) == 0; }),
             sets.end());
  sets.push_back(prefix + all);
  return request;
}

void requireNames(const std::vector<ConflictCost>& lines) {
  for (const ConflictCost& line : lines) {
    if (line.named.find_first_of(" \t") == std::string::npos) continue;
    throw InputError(fmt::format(
        "'{}' cannot be named in {}; expected names of files and kernels without blanks",
        line.named, kParameter));
  }
}

}  // namespace

ConflictCosts conflictCosts(const RunRequest& request, results::Progress& progress) {
  ConflictCosts costs = parse(runInChildren({[&] { return runAsItIs(request); }}).at(0));
  costs.without = costs.cycles;
  if (costs.lines.empty()) return costs;
  requireNames(costs.lines);
  std::vector<RunRequest> requests;
  std::string all;
  for (const ConflictCost& line : costs.lines) {
    requests.push_back(without(request, line.named));
    all += (all.empty() ? "" : " ") + line.named;
  }
  requests.push_back(without(request, all));
  std::vector<ChildTask> tasks;
  for (const RunRequest& one : requests) {
    tasks.push_back(
        [&one] { return std::to_string(run(one, [](const RunOutcome&, const OpenWorkload&) {})); });
  }
  const std::vector<std::string> cycles = runInChildren(
      tasks, 0, [&](std::size_t done) { progress.update(done, tasks.size(), "runs"); });
  progress.finish();
  for (std::size_t i = 0; i < costs.lines.size(); ++i)
    costs.lines[i].without = std::stoull(cycles[i]);
  costs.without = std::stoull(cycles.back());
  return costs;
}

}  // namespace fermata::platforms
