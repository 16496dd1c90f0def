#include <fermata/platforms/compose/run_tables.h>

#include <filesystem>

namespace fermata::platforms {

namespace {

std::optional<std::uint32_t> known(std::uint32_t line) {
  return line == 0 ? std::nullopt : std::optional(line);
}

/// Calls `visit(row)` for each instruction that was executed.
template <class Visit>
void forEachInstruction(const Workload& workload, const RunOutcome& outcome, Visit visit) {
  const auto& programs = outcome.profile.entries();
  for (std::uint32_t program = 0; program < programs.size(); ++program) {
    for (std::uint32_t pc = 0; pc < programs[program].size(); ++pc) {
      const PcProfile::Entry& entry = programs[program][pc];
      if (entry.executions == 0) continue;
      visit(InstructionRow{outcome, entry, program, pc, workload.kernelName(program),
                           workload.instructionText(program, pc)});
    }
  }
}

/// Throws if totals (runs.csv) and profile (instructions.csv) counted different numbers.
void requireConsistent(const results::RunIdentity& identity, const RunOutcome& outcome) {
  std::uint64_t accesses = 0;
  std::uint64_t passes = 0;
  for (const auto& program : outcome.profile.entries()) {
    for (const PcProfile::Entry& entry : program) {
      accesses += entry.passes.accesses();
      passes += entry.passes.passes();
    }
  }
  const Counters::Totals& totals = outcome.totals;
  if (totals.sharedAccesses() == accesses && totals.conflictPasses == passes) return;
  throw std::logic_error(
      "run of " + identity.workload + ": " + std::to_string(totals.sharedAccesses()) +
      " shared accesses in " + std::to_string(totals.conflictPasses) + " passes all in all but " +
      std::to_string(accesses) + " in " + std::to_string(passes) + " by instruction");
}

/// Return the counts of a listener; null if the platform does not have the listener.
template <class Counter>
const typename Counter::Counts* totalsOf(const Counter* counter) {
  return counter == nullptr ? nullptr : &counter->counts().totals();
}
template <class Counter>
const typename Counter::Counts* countsOf(const Counter* counter, const InstructionRow& row) {
  return counter == nullptr ? nullptr : counter->counts().of(row.program, row.pc);
}

std::optional<std::uint64_t> energyOf(const InstructionRow& row, std::uint64_t Energy::*bound) {
  const EnergyAccount* const account = row.run.energy;
  if (account == nullptr || account->isUnpriced(row.program, row.pc)) return {};
  return account->of(row.program, row.pc).*bound;
}

}  // namespace

const Figures<InstructionRow>& InstructionRow::figures() {
  static const Figures<InstructionRow> all{
      {"kernel", "", "entry of the program", &InstructionRow::kernel},
      {"pc", "", "index of the instruction in the kernel", &InstructionRow::pc},
      // Without folder: the same inputs must give the same bytes wherever they lie.
      {"source_file", "", "source file without its folder; empty when unknown",
       [](const InstructionRow& row) {
         return std::filesystem::path(row.text.file).filename().string();
       }},
      {"line", "", "line in the source file; empty when unknown",
       [](const InstructionRow& row) { return known(row.text.line); }},
      {"opcode", "", "instruction with its modifiers",
       [](const InstructionRow& row) { return row.text.opcode; }}};
  return all;
}

const Figures<InstructionRow>& InstructionRow::energyFigures() {
  static const Figures<InstructionRow> all{
      {"energy_low_fj", "fJ",
       "energy that the instruction took, in the memory behind the core too, at the lowest prices; "
       "empty where an action has no price",
       [](const InstructionRow& row) { return energyOf(row, &Energy::low); }},
      {"energy_nominal_fj", "fJ",
       "energy that the instruction took, in the memory behind the core too, at nominal prices; "
       "empty where an action has no price",
       [](const InstructionRow& row) { return energyOf(row, &Energy::nominal); }},
      {"energy_high_fj", "fJ",
       "energy that the instruction took, in the memory behind the core too, at the highest "
       "prices; empty where an action has no price",
       [](const InstructionRow& row) { return energyOf(row, &Energy::high); }}};
  return all;
}

const Figures<BankRow>& BankRow::figures() {
  static const Figures<BankRow> all{{"bank", "", "number of the bank", &BankRow::bank}};
  return all;
}

RunTables::RunTables(bool timing, bool energy) {
  const auto totals = [](const RunOutcome& run) { return &run.totals; };
  runs.add(RunOutcome::mappingFigures());
  runs.add(Counters::workFigures(), totals);
  runs.add(RunOutcome::timeFigures());
  runs.add(Counters::accessFigures(), totals);
  runs.add(Counters::stallFigures(),
           [](const RunOutcome& run) { return run.beside ? nullptr : &run.totals; });
  runs.add(RunOutcome::residencyFigures());
  runs.add(RunOutcome::verificationFigures());
  runs.add(ReplayCounters::figures(), [](const RunOutcome& run) { return totalsOf(run.replays); });
  runs.add(CacheCounters::l1Figures(), [](const RunOutcome& run) { return totalsOf(run.l1); });
  runs.add(CacheCounters::l2Figures(), [](const RunOutcome& run) { return totalsOf(run.l2); });
  runs.add(CacheCounters::dramFigures(), [](const RunOutcome& run) { return totalsOf(run.dram); });
  runs.add(WireCounter::figures(), [](const RunOutcome& run) { return totalsOf(run.wire); });
  runs.add(LockCounters::figures(), [](const RunOutcome& run) { return totalsOf(run.locks); });
  runs.add(Counters::pipelineStallFigures(),
           [](const RunOutcome& run) { return run.staged && !run.beside ? &run.totals : nullptr; });
  runs.add(ForecastCounters::figures(), [](const RunOutcome& run) {
    return run.forecasts == nullptr ? nullptr : &run.forecasts->counts();
  });
  if (energy) runs.add(EnergyAccount::figures(), [](const RunOutcome& run) { return run.energy; });
  if (timing) runs.add(RunOutcome::hostFigures());

  instructions.add(InstructionRow::figures());
  instructions.add(PcProfile::figures(), [](const InstructionRow& row) { return &row.profile; });
  instructions.add(ReplayCounters::figures(),
                   [](const InstructionRow& row) { return countsOf(row.run.replays, row); });
  instructions.add(CacheCounters::l1Figures(),
                   [](const InstructionRow& row) { return countsOf(row.run.l1, row); });
  instructions.add(CacheCounters::l2Figures(),
                   [](const InstructionRow& row) { return countsOf(row.run.l2, row); });
  instructions.add(CacheCounters::dramFigures(),
                   [](const InstructionRow& row) { return countsOf(row.run.dram, row); });
  instructions.add(WireCounter::figures(),
                   [](const InstructionRow& row) { return countsOf(row.run.wire, row); });
  instructions.add(LockCounters::figures(),
                   [](const InstructionRow& row) { return countsOf(row.run.locks, row); });
  if (energy) instructions.add(InstructionRow::energyFigures());

  banks.add(BankRow::figures());
  banks.add(BankHistogram::figures(), [](const BankRow& row) { return &row.counts; });
}

results::Schema RunTables::schema() const {
  return {runs.columns(), instructions.columns(), banks.columns()};
}

results::RunRecord RunTables::record(const results::RunIdentity& identity, const Workload& workload,
                                     const RunOutcome& outcome) const {
  requireConsistent(identity, outcome);
  results::RunRecord record{identity, runs.row(outcome), {}, {}};
  forEachInstruction(workload, outcome, [&](const InstructionRow& row) {
    record.instructions.push_back(instructions.row(row));
  });
  for (std::uint32_t bank = 0; bank < outcome.banks.banks().size(); ++bank)
    record.banks.push_back(banks.row({outcome, outcome.banks.banks()[bank], bank}));
  return record;
}

}  // namespace fermata::platforms
