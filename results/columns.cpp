#include <fermata/results/columns.h>

#include <filesystem>
#include <optional>
#include <utility>

#include <fermata/results/csv.h>

namespace fermata::results {
namespace {

// Makers of columns: the getter's type decides the column's type. `get` is a member or a function
// of the record.
template <class Record, class Get>
Column<Record> textColumn(const char* name, const char* description, Get get) {
  return {
      name, ColumnType::Text, "", description,
      [get](const RunIdentity&, const Record& r) -> std::string { return std::invoke(get, r); }};
}

template <class Record, class Get>
Column<Record> count(const char* name, const char* unit, const char* description, Get get) {
  return {name, ColumnType::Integer, unit, description, [get](const RunIdentity&, const Record& r) {
            return std::to_string(std::uint64_t{std::invoke(get, r)});
          }};
}

template <class Record, class Get>
Column<Record> real(const char* name, const char* unit, const char* description, Get get) {
  return {name, ColumnType::Real, unit, description,
          [get](const RunIdentity&, const Record& r) -> std::string {
            const std::optional<double> value = std::invoke(get, r);
            return value ? number(*value) : std::string();
          }};
}

template <class Record>
Columns<Record> identityColumns() {
  const auto column = [](const char* name, const char* description, auto get) {
    return Column<Record>{name, ColumnType::Text, "", description,
                          [get](const RunIdentity& run, const Record&) { return get(run); }};
  };
  return {
      column("workload", "kernel, launch file, trace or pattern that ran",
             [](const RunIdentity& run) { return run.workload; }),
      column("parameters", "parameters of the workload, name=value, separated by semicolons",
             [](const RunIdentity& run) { return text(run.parameters); }),
      column("platform", "platform that it ran on",
             [](const RunIdentity& run) { return run.platform; }),
      column("changes",
             "platform parameters that differ from the platform file, name=value, separated by "
             "semicolons",
             [](const RunIdentity& run) { return text(run.changes); }),
  };
}

template <class Record>
Columns<Record> withIdentity(Columns<Record> own) {
  Columns<Record> all = identityColumns<Record>();
  for (Column<Record>& column : own) all.push_back(std::move(column));
  return all;
}

std::string verificationText(const RunRecord& run) {
  switch (run.verification) {
    case Verification::Passed:
      return "true";
    case Verification::Failed:
      return "false";
    case Verification::Off:
      break;
  }
  return "off";
}

Columns<RunRecord> workColumns() {
  using R = RunRecord;
  return {
      textColumn<R>("indexer", "bank mapping of the scratchpad", &R::indexer),
      count<R>("banks", "banks", "banks of the scratchpad", &R::banks),
      count<R>("launches", "launches", "kernel launches (grids)", &R::launches),
      count<R>("ctas", "CTAs", "thread blocks that ran", &R::ctas),
      count<R>("warp_instructions", "warp instructions", "instructions issued, one a warp",
               &R::warpInstructions),
      count<R>("thread_instructions", "thread instructions",
               "active lanes of the warp instructions, summed", &R::threadInstructions),
      count<R>("cycles", "cycles", "SM cycles from the first launch to the end of the last",
               &R::cycles),
      real<R>("ipc", "warp instructions/cycle",
              "warp instructions a cycle; empty when no cycle passed", &R::ipc),
  };
}

Columns<RunRecord> memoryColumns() {
  using R = RunRecord;
  return {
      count<R>("shared_accesses", "accesses", "warp-wide accesses to shared memory",
               &R::sharedAccesses),
      count<R>("shared_loads", "accesses", "loads among shared_accesses", &R::sharedLoads),
      count<R>("shared_stores", "accesses", "stores among shared_accesses", &R::sharedStores),
      count<R>("shared_atomics", "accesses", "atomics among shared_accesses", &R::sharedAtomics),
      count<R>("conflict_passes", "passes", "passes that the shared accesses took, summed",
               [](const R& run) { return run.degrees.passes(); }),
      count<R>("bank_conflict_cycles", "cycles",
               "passes beyond the first of each shared access, or of each part of the warp that is "
               "served on its own, summed",
               [](const R& run) { return run.degrees.conflictCycles(); }),
      real<R>("mean_degree", "passes/access",
              "mean passes of a shared access: its conflict degree, where a bank has one port, a "
              "lane one word and the warp is served at once; empty when nothing was accessed",
              [](const R& run) { return run.degrees.mean(); }),
      count<R>("max_degree", "passes/access",
               "largest number of passes of a shared access; 0 when nothing was accessed",
               [](const R& run) { return run.degrees.largest(); }),
      count<R>("global_accesses", "accesses", "warp-wide accesses to global memory",
               &R::globalAccesses),
      count<R>("global_segments", "segments", "memory segments that the global accesses touched",
               &R::globalSegments),
  };
}

Columns<RunRecord> issueColumns() {
  using R = RunRecord;
  return {
      count<R>("stall_scoreboard", "issue-slot cycles",
               "issue slots lost: warps wait for registers, a branch's target or their next turn "
               "(one issue a cycle)",
               [](const R& run) { return run.stalls.scoreboard; }),
      count<R>("stall_barrier", "issue-slot cycles", "issue slots lost: warps wait at barriers",
               [](const R& run) { return run.stalls.barrier; }),
      count<R>("stall_memory_port", "issue-slot cycles",
               "issue slots lost: the load/store port is held",
               [](const R& run) { return run.stalls.memoryPort; }),
      count<R>("stall_pipeline", "issue-slot cycles",
               "issue slots lost: an arithmetic pipeline is held",
               [](const R& run) { return run.stalls.pipeline; }),
      count<R>("stall_idle", "issue-slot cycles", "issue slots lost: the scheduler has no warp",
               [](const R& run) { return run.stalls.idle; }),
      real<R>("active_warps_mean", "warps", "resident warps, averaged over the cycles",
              &R::activeWarpsMean),
      real<R>("occupancy", "ratio", "resident warps at best over warps that the SM can hold",
              &R::occupancy),
      textColumn<R>("occupancy_limiter",
                    "what limits the resident warps: ctas, warps, registers, shared or grid",
                    &R::occupancyLimiter),
      textColumn<R>("verified",
                    "data read back from the banks: true, false, or off when not checked",
                    verificationText),
  };
}

}  // namespace

std::string_view name(ColumnType type) {
  switch (type) {
    case ColumnType::Integer:
      return "integer";
    case ColumnType::Real:
      return "real";
    case ColumnType::Text:
      break;
  }
  return "text";
}

Columns<RunRecord> runColumns(const WriterOptions& options) {
  Columns<RunRecord> columns = withIdentity(workColumns());
  for (auto& column : memoryColumns()) columns.push_back(std::move(column));
  for (auto& column : issueColumns()) columns.push_back(std::move(column));
  if (options.timing) {
    columns.push_back(real<RunRecord>("wall_seconds", "s", "host time that the run took",
                                      &RunRecord::wallSeconds));
  }
  return columns;
}

Columns<InstructionRecord> instructionColumns() {
  using I = InstructionRecord;
  Column<I> line = count<I>("line", "", "line in the source file; empty when unknown", &I::line);
  line.cell = [](const RunIdentity&, const I& i) {
    return i.line == 0 ? "" : std::to_string(i.line);
  };
  return withIdentity<I>({
      textColumn<I>("kernel", "entry of the program", &I::kernel),
      count<I>("pc", "", "index of the instruction in the kernel", &I::pc),
      // Without its folder: the same inputs give the same bytes wherever they lie.
      textColumn<I>(
          "source_file", "source file without its folder; empty when unknown",
          [](const I& i) { return std::filesystem::path(i.sourceFile).filename().string(); }),
      std::move(line),
      textColumn<I>("opcode", "instruction with its modifiers", &I::opcode),
      textColumn<I>("class", "integer, float, special, double, branch, barrier, memory or exit",
                    &I::opcodeClass),
      count<I>("executions", "warp instructions", "times that a warp executed it", &I::executions),
      count<I>("thread_executions", "thread instructions", "active lanes of the executions, summed",
               &I::threadExecutions),
      textColumn<I>("degree_histogram",
                    "shared accesses by conflict degree, degree:accesses, separated by semicolons",
                    [](const I& i) { return i.degrees.text(); }),
      real<I>("mean_degree", "passes/access",
              "mean passes of a shared access: its conflict degree, where a bank has one port, a "
              "lane one word and the warp is served at once; empty when nothing was accessed",
              [](const I& i) { return i.degrees.mean(); }),
      count<I>("max_degree", "passes/access",
               "largest number of passes of a shared access; 0 when nothing was accessed",
               [](const I& i) { return i.degrees.largest(); }),
      count<I>("conflict_cycles", "cycles",
               "passes beyond the first of each shared access, or of each part of the warp that is "
               "served on its own, summed",
               [](const I& i) { return i.degrees.conflictCycles(); }),
      count<I>("stall_cycles", "issue-slot cycles",
               "issue slots that its scheduler lost just before issuing it", &I::stallCycles),
  });
}

Columns<BankRecord> bankColumns() {
  using B = BankRecord;
  return withIdentity<B>({
      count<B>("bank", "", "number of the bank", &B::bank),
      count<B>("reads", "words", "words read; lanes that share a word count once", &B::reads),
      count<B>("writes", "words", "words written", &B::writes),
      count<B>("atomics", "words", "words updated by atomics", &B::atomics),
      count<B>("accesses", "words", "reads, writes and atomics together", &B::accesses),
  });
}

}  // namespace fermata::results
