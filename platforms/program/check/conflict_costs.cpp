#include <fermata/platforms/program/check/conflict_costs.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/check/conflict_lines.h>
#include <fermata/platforms/program/child_processes.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace fermata::platforms {

namespace {

constexpr const char* kConflictFree = "scratchpad.conflict_free";
constexpr const char* kBlanks = " \t\r\n";

/// Returns the line as the parameter names it, or its instructions if it has no such name; empty:
/// neither is possible.
std::string nameOf(const ConflictLine& line) {
  const std::string file = std::filesystem::path(line.file).filename().string();
  if (!file.empty() && line.line != 0 && !line.about && file.find_first_of(kBlanks) == file.npos)
    return fmt::format("{}@{}", file, line.line);
  if (line.kernel.find_first_of(std::string(kBlanks) + '@') != std::string::npos) return "";
  std::string names;
  for (const std::uint32_t pc : line.pcs)
    names += fmt::format("{}{}:{}", names.empty() ? "" : " ", line.kernel, pc);
  return names;
}

/// Runs the request's workload and passes the outcome to `done`. Returns the cycles.
template <class Done>
std::uint64_t run(const RunRequest& request, Done done) {
  std::uint64_t cycles = 0;
  runQuietly(request, configure(request), RunTables(),
             [&](const results::RunRecord&, const RunOutcome& outcome, const OpenWorkload& open) {
               cycles = outcome.cycles;
               done(outcome, open);
             });
  return cycles;
}

/// Returns the lines that conflict, one per line of text. Called in a child.
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

void add(ConflictCosts& costs, ConflictCost more) {
  if (more.named.empty()) {
    if (std::find(costs.leftOut.begin(), costs.leftOut.end(), more.place) == costs.leftOut.end())
      costs.leftOut.push_back(std::move(more.place));
    return;
  }
  costs.conflictCycles += more.conflictCycles;
  std::vector<ConflictCost>& lines = costs.lines;
  const auto known = std::find_if(lines.begin(), lines.end(), [&](const ConflictCost& one) {
    return one.named == more.named || one.place == more.place;
  });
  if (known == lines.end()) return lines.push_back(std::move(more));
  if (known->named != more.named) known->named += ' ' + more.named;
  if ((' ' + known->opcodes + ' ').find(' ' + more.opcodes + ' ') == std::string::npos)
    known->opcodes += ' ' + more.opcodes;
  known->accesses += more.accesses;
  known->degree = std::max(known->degree, more.degree);
  known->conflictCycles += more.conflictCycles;
}

ConflictCosts parseCosts(const std::string& text) {
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
    add(costs, std::move(one));
  }
  return costs;
}

/// Returns the request with these instructions conflict-free, in addition to those that already
/// are.
RunRequest without(RunRequest request, const std::string& named) {
  std::string all = configure(request).parameters().scratchpad.conflictFree;
  all += (all.empty() ? "" : " ") + named;
  const std::string prefix = std::string(kConflictFree) + '=';
  auto& sets = request.sets;  // a parameter may be set only once
  sets.erase(std::remove_if(sets.begin(), sets.end(),
                            [&](const std::string& set) { return set.rfind(prefix, 0) == 0; }),
             sets.end());
  sets.push_back(prefix + all);
  return request;
}

}  // namespace

ConflictCosts conflictCosts(const RunRequest& request, results::Progress& progress) {
  ConflictCosts costs = parseCosts(runInChildren({[&] { return runAsItIs(request); }}).at(0));
  costs.without = costs.cycles;
  if (costs.lines.empty()) return costs;
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
