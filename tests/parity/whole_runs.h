// Runs of whole platforms, each in a process of its own, and the rows of their tables.
#pragma once

#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/results/writers.h>

#include "tests/support/test.h"

namespace fermata::test {

using Sets = std::vector<std::string>;
using Jobs = std::vector<platforms::Job>;

inline Sets operator+(Sets sets, const Sets& more) {
  sets.insert(sets.end(), more.begin(), more.end());
  return sets;
}

struct WholeRun {
  std::string platform;
  Sets sets;
  Jobs jobs;
};

/// Runs and returns the rows of runs.csv, instructions.csv and banks.csv, without the cell
/// `changes`. Throws if a workload verified nothing. Call it in a child process: SystemC elaborates
/// once per process.
inline std::string rowsOf(const WholeRun& run, platforms::Connector* connector = nullptr) {
  platforms::RunRequest request;
  request.platform = run.platform;
  request.jobs = run.jobs;
  request.sets = run.sets + Sets{"verify=true"};
  request.connector = connector;
  const platforms::Configuration configuration = configure(request);
  std::ostringstream nowhere;
  results::Progress quiet(nowhere, false);
  const platforms::RunTables tables;
  results::ResultTexts texts(tables.schema());
  runWorkloads(
      request, configuration, tables, quiet,
      [&](results::RunRecord record, const platforms::RunOutcome& outcome, const auto&...) {
        if (outcome.compared == 0)
          throw std::runtime_error(record.identity.workload + " verified nothing");
        record.identity.changes.clear();
        texts.add(record);
      });
  return texts.runs + texts.instructions + texts.banks;
}

/// Returns the first line that differs, of both texts; empty if none does.
inline std::string firstDifference(const std::string& text, const std::string& expected) {
  if (text == expected) return "";
  std::istringstream one(text);
  std::istringstream other(expected);
  std::string line;
  std::string right;
  do {
    line.clear();
    right.clear();
    std::getline(one, line);
    std::getline(other, right);
  } while (line == right && one && other);
  return line + "\nexpected\n" + right;
}

}  // namespace fermata::test
