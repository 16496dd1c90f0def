// From what a run did to the records that results writes.
#pragma once

#include <vector>

#include <fermata/platforms/compose/simulation.h>
#include <fermata/results/records.h>

namespace fermata::platforms {

struct RunReport {
  results::RunRecord run;
  std::vector<results::InstructionRecord> instructions;
  std::vector<results::BankRecord> banks;
};

/// `identity` names the run; `workload` is asked for the text of its instructions.
RunReport makeReport(const results::RunIdentity& identity, const Configuration& configuration,
                     const indexing::Indexer& indexer, const Workload& workload,
                     const RunOutcome& outcome);

}  // namespace fermata::platforms
