// The tables of a run: the one place that lists, in the order of the columns, the modules whose
// figures they show.
#pragma once

#include <fermata/models/vocabulary/workload.h>
#include <fermata/platforms/compose/figure_table.h>
#include <fermata/platforms/compose/run_outcome.h>
#include <fermata/results/records.h>

namespace fermata::platforms {

/// One instruction (PC) of a program in a run.
struct InstructionRow {
  const RunOutcome& run;
  const PcProfile::Entry& profile;
  std::uint32_t program = 0;
  std::uint32_t pc = 0;
  std::string kernel;
  InstructionText text;

  static const Figures<InstructionRow>& figures();
  /// Energy from the first account of the run; empty if an action of the instruction has no price.
  static const Figures<InstructionRow>& energyFigures();
};

/// One bank of the scratchpad in a run.
struct BankRow {
  const RunOutcome& run;
  const BankHistogram::Bank& counts;
  std::uint32_t bank = 0;

  static const Figures<BankRow>& figures();
};

/// To add figures of modules of your own, call `add` before schema() and record().
struct RunTables {
  FigureTable<RunOutcome> runs;
  FigureTable<InstructionRow> instructions;
  FigureTable<BankRow> banks;

  /// `timing`: include the figures of the host, which differ from run to run. `energy`: include the
  /// figures of RunOutcome::energy.
  explicit RunTables(bool timing = false, bool energy = false);

  results::Schema schema() const;
  /// Reads the figures of a run that has ended. `workload` gives the text of its instructions.
  /// Throws std::logic_error if totals and profile counted different numbers of shared accesses or
  /// passes: such figures would be wrong.
  results::RunRecord record(const results::RunIdentity& identity, const Workload& workload,
                            const RunOutcome& outcome) const;
};

}  // namespace fermata::platforms
