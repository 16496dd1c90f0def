#include <fermata/platforms/program/report.h>

#include <array>

namespace fermata::platforms {

namespace {

const char* className(InstructionClass instructionClass) {
  static constexpr std::array<const char*, kInstructionClasses> kNames{
      "integer", "float", "special", "double", "branch", "barrier", "memory", "exit"};
  return kNames[static_cast<unsigned>(instructionClass)];
}

results::DegreeHistogram degrees(const PcProfile::Entry& entry) {
  results::DegreeHistogram histogram;
  for (unsigned passes = 1; passes < entry.passes.size(); ++passes) {
    if (entry.passes[passes] != 0) histogram.add(passes, entry.passes[passes]);
  }
  if (entry.freePasses > histogram.accesses())
    histogram.addParts(entry.freePasses - histogram.accesses());
  return histogram;
}

std::vector<results::InstructionRecord> instructionRecords(const Workload& workload,
                                                           const PcProfile& profile) {
  std::vector<results::InstructionRecord> records;
  for (unsigned program = 0; program < profile.entries().size(); ++program) {
    const auto& entries = profile.entries()[program];
    for (std::uint32_t pc = 0; pc < entries.size(); ++pc) {
      const PcProfile::Entry& entry = entries[pc];
      if (entry.executions == 0) continue;
      const InstructionText text = workload.instructionText(program, pc);
      results::InstructionRecord record;
      record.kernel = workload.kernelName(program);
      record.pc = pc;
      record.sourceFile = text.file;
      record.line = text.line;
      record.opcode = text.opcode;
      record.opcodeClass = className(entry.instructionClass);
      record.executions = entry.executions;
      record.threadExecutions = entry.threadExecutions;
      record.degrees = degrees(entry);
      record.stallCycles = entry.lost;
      records.push_back(std::move(record));
    }
  }
  return records;
}

std::vector<results::BankRecord> bankRecords(const BankHistogram& histogram) {
  std::vector<results::BankRecord> records;
  const std::vector<BankHistogram::Bank> banks = histogram.banks();
  for (std::uint32_t bank = 0; bank < banks.size(); ++bank) {
    const BankHistogram::Bank& b = banks[bank];
    records.push_back({bank, b.reads, b.writes, b.atomics});
  }
  return records;
}

results::StallCycles stallCycles(const Counters::Totals& totals) {
  const auto of = [&](StallCause cause) { return totals.stalls[static_cast<unsigned>(cause)]; };
  return {of(StallCause::Scoreboard), of(StallCause::Barrier), of(StallCause::MemoryPort),
          of(StallCause::Pipeline), of(StallCause::Idle)};
}

}  // namespace

RunReport makeReport(const results::RunIdentity& identity, const Configuration& configuration,
                     const indexing::Indexer& indexer, const Workload& workload,
                     const RunOutcome& outcome) {
  RunReport report;
  report.instructions = instructionRecords(workload, outcome.profile);
  report.banks = bankRecords(outcome.banks);
  results::RunRecord& run = report.run;
  const Counters::Totals& totals = outcome.totals;
  run.identity = identity;
  run.indexer = indexer.text();
  run.banks = indexer.shape().banks;
  run.launches = totals.launches;
  run.ctas = totals.ctas;
  run.warpInstructions = totals.warpInstructions;
  run.threadInstructions = totals.threadInstructions;
  run.cycles = outcome.cycles;
  run.sharedLoads = totals.sharedLoads;
  run.sharedStores = totals.sharedStores;
  run.sharedAtomics = totals.sharedAtomics;
  for (const results::InstructionRecord& instruction : report.instructions)
    run.degrees.add(instruction.degrees);
  run.globalAccesses = totals.globalAccesses;
  run.globalSegments = totals.globalSegments;
  run.stalls = stallCycles(totals);
  const auto cycles = static_cast<double>(outcome.cycles);
  run.activeWarpsMean = outcome.cycles == 0 ? 0 : static_cast<double>(totals.warpCycles) / cycles;
  run.occupancy =
      static_cast<double>(outcome.residentWarps) / configuration.parameters().core.limits.warps;
  run.occupancyLimiter = name(outcome.occupancy.limiter);
  run.verification =
      outcome.compared > 0 ? results::Verification::Passed : results::Verification::Off;
  run.wallSeconds = outcome.wallSeconds;
  return report;
}

}  // namespace fermata::platforms
