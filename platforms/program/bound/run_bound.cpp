#include <fermata/platforms/program/bound/run_bound.h>

#include <fermata/models/core/pipelines.h>
#include <fermata/platforms/compose/figure_table.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fermata::platforms {

namespace {

constexpr const char* kUsePhrases[kSlotUses] = {
    "issue",    "the scratchpad",   "global memory", "arithmetic latency",
    "barriers", "arithmetic units", "too few warps"};
constexpr const char* kUseNames[kSlotUses] = {
    "issue", "scratchpad", "global memory", "arithmetic", "barriers", "units", "too few warps"};

/// Divides `whole` by two weights; returns the first part, so that both sum to the whole.
std::uint64_t partOf(std::uint64_t whole, double weight, double all) {
  if (all <= 0) return 0;
  return std::min(
      whole, static_cast<std::uint64_t>(std::llround(static_cast<double>(whole) * weight / all)));
}

std::uint64_t quotient(std::uint64_t whole, std::uint64_t by) {
  return by == 0 ? 0 : (whole + by - 1) / by;
}

class Division {
 public:
  Division(const RunOutcome& run, const PlatformParameters& platform, RunBound& bound)
      : run_(run), platform_(platform), bound_(bound) {}

  void all(const OperandSources& sources) {
    add(SlotUse::Issue, run_.totals.warpInstructions);
    // The subwarps of an instruction go into an in-order pipeline one by one.
    add(run_.staged ? SlotUse::Issue : SlotUse::Units, lost(StallCause::Pipeline));
    add(SlotUse::Units, lost(StallCause::Writeback));
    add(SlotUse::Scratchpad, lost(StallCause::BankConflict) + lost(StallCause::SafeDistance));
    add(SlotUse::Barrier, lost(StallCause::Barrier));
    add(SlotUse::NoWarp, lost(StallCause::Idle));
    replays();
    port();
    registers(sources);
  }

 private:
  std::uint64_t lost(StallCause cause) const { return run_.totals.stalled(cause); }
  void add(SlotUse use, std::uint64_t slots) { bound_.slots[static_cast<unsigned>(use)] += slots; }

  void replays() {
    if (run_.replays == nullptr) return;
    const ReplayCounters::Counts& counts = run_.replays->counts().totals();
    const std::uint64_t bank = counts.of(LeftCause::Bank) + counts.of(LeftCause::Lock);
    const std::uint64_t slots = counts.issued() - counts.instructions;
    const std::uint64_t scratchpad =
        partOf(slots, static_cast<double>(bank), static_cast<double>(counts.replays()));
    add(SlotUse::Scratchpad, scratchpad);
    add(SlotUse::Global, slots - scratchpad);
  }

  // Global memory has held the port for the cycles that are neither passes nor free: at least for
  // a cycle per segment, and longer where a cache or a queue took nothing.
  void port() {
    const std::uint64_t slots = lost(StallCause::MemoryPort);
    const auto passes = static_cast<double>(run_.totals.conflictPasses);
    const double held = static_cast<double>(slots) / slotsPerCycle();
    const double global = std::max(static_cast<double>(run_.totals.globalSegments), held - passes);
    const std::uint64_t scratchpad = partOf(slots, passes, passes + global);
    add(SlotUse::Scratchpad, scratchpad);
    add(SlotUse::Global, slots - scratchpad);
  }

  // An instruction that goes to memory has lost slots to the port, too: these count by the port's
  // share. One that reads no register ends a wait that was not its own, such as the first one of a
  // CTA: what other instructions wait for says what it was.
  void registers(const OperandSources& sources) {
    const std::uint64_t slots = lost(StallCause::Scoreboard);
    const auto waits = static_cast<double>(slots);
    const double ofMemory =
        slots == 0 ? 0 : waits / (waits + static_cast<double>(lost(StallCause::MemoryPort)));
    std::array<double, 3> weights{};
    const auto& profile = run_.profile.entries();
    for (std::uint32_t program = 0; program < profile.size(); ++program) {
      sources.forEach(
          program, [&](std::uint32_t pc, const StaticInstruction& one, OperandSource source) {
            if (one.readCount == 0) return;
            const bool memory = one.instructionClass == InstructionClass::Memory;
            weights[static_cast<unsigned>(source)] +=
                static_cast<double>(profile[program][pc].lost) * (memory ? ofMemory : 1);
          });
    }
    const double all = weights[0] + weights[1] + weights[2];
    const std::uint64_t scratchpad = partOf(slots, weights[1], all);
    const std::uint64_t global = std::min(slots - scratchpad, partOf(slots, weights[2], all));
    add(SlotUse::Scratchpad, scratchpad);
    add(SlotUse::Global, global);
    add(SlotUse::Arithmetic, slots - scratchpad - global);
  }

  double slotsPerCycle() const {
    const WarpSchedulerParameters& issue = platform_.core.issue;
    return std::max(1U, issue.schedulers * issue.issueWidth);
  }

  const RunOutcome& run_;
  const PlatformParameters& platform_;
  RunBound& bound_;
};

/// Returns the cycles for which each SM needs its arithmetic units, at least.
std::uint64_t unitCycles(const RunOutcome& run, const PlatformParameters& platform) {
  const PipelineParameters& p = platform.core.issue.pipelines;
  std::uint64_t alu = 0;
  std::uint64_t integer = 0;
  std::uint64_t special = 0;
  std::uint64_t doubles = 0;
  for (const auto& program : run.profile.entries()) {
    for (const PcProfile::Entry& entry : program) {
      const InstructionClass kind = entry.instructionClass;
      const bool multiplies = kind == InstructionClass::Multiply;  // timed as an integer
      const std::uint64_t held =
          entry.executions * p.of(multiplies ? InstructionClass::Integer : kind).interval;
      switch (kKindOfClass[static_cast<unsigned>(kind)]) {
        case IssueKind::Alu:
          alu += held;
          break;
        case IssueKind::Integer:
          (p.integerUnits == 0 ? alu : integer) += held;
          break;
        case IssueKind::Special:
          special += held;
          break;
        case IssueKind::Double:
          doubles += held;
          break;
        default:  // products of matrices take units by their size; memory is counted elsewhere
          break;
      }
    }
  }
  const std::uint64_t sms = run.sms;
  return std::max({quotient(alu, sms * p.aluUnits), quotient(integer, sms * p.integerUnits),
                   quotient(special, sms * p.specialUnits),
                   quotient(doubles, sms * p.doubleUnits)});
}

// Every instruction takes a slot, every ideal pass and every segment a cycle of the one port of an
// SM, every arithmetic instruction its unit. Curing conflicts saves none of these.
std::uint64_t neededCycles(const RunOutcome& run, const PlatformParameters& platform) {
  const WarpSchedulerParameters& issue = platform.core.issue;
  const Counters::Totals& totals = run.totals;
  std::uint64_t port = totals.freePasses;
  if (platform.globalMemory == GlobalMemory::Flat) port += totals.globalSegments;
  const std::uint64_t slots = quotient(
      totals.warpInstructions, std::uint64_t{run.sms} * issue.schedulers * issue.issueWidth);
  const std::uint64_t front =
      run.staged ? quotient(totals.warpInstructions * issue.inOrder.stages.subwarps(), run.sms)
                 : unitCycles(run, platform);
  return std::min<std::uint64_t>(run.cycles, std::max({slots, front, quotient(port, run.sms)}));
}

// Curing conflicts saves their time. Warps then meet otherwise, which may save more, as a schedule
// may shrink by more than its parts do: at most as much again, and at most a quarter of the other
// cycles. This is no proof. Of 332 runs compared with runs without conflicts, fft1 on k20 saves the
// most: 14 % of its other cycles.
std::uint64_t leastCycles(const RunOutcome& run, const PlatformParameters& platform) {
  const std::uint64_t needed = neededCycles(run, platform);
  // A loop of atomics makes rounds by its conflicts: these cost instructions, too.
  const bool loops = (run.locks != nullptr && run.locks->counts().totals().tries != 0) ||
                     (run.replays != nullptr && run.totals.sharedAtomics != 0);
  if (!run.conflictTime || loops) return needed;
  const std::uint64_t conflicts = std::min<std::uint64_t>(*run.conflictTime, run.cycles);
  const std::uint64_t others = run.cycles - conflicts;
  return std::max(needed, others - std::min(conflicts, others / 4));
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format(
      "{:.0f}%", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

const Figures<RunBound>& boundFigures() {
  const auto slots = [](SlotUse use) { return [use](const RunBound& b) { return b.of(use); }; };
  static const Figures<RunBound> all{
      {"bound", "",
       "what takes the most issue slots: issue, scratchpad, global memory, arithmetic, barriers, "
       "units or too few warps",
       [](const RunBound& b) { return kUseNames[static_cast<unsigned>(b.largest())]; }},
      {"slots_issue", "issue-slot cycles",
       "issue slots that warp instructions take; in an in-order pipeline, with all their subwarps",
       slots(SlotUse::Issue)},
      {"slots_scratchpad", "issue-slot cycles",
       "issue slots lost to the scratchpad: its port, its data, replays of bank conflicts",
       slots(SlotUse::Scratchpad)},
      {"slots_global", "issue-slot cycles",
       "issue slots lost to global memory: its port, its data, other replays",
       slots(SlotUse::Global)},
      {"slots_arithmetic", "issue-slot cycles",
       "issue slots lost: warps wait for a result of arithmetic, a constant or a branch",
       slots(SlotUse::Arithmetic)},
      {"slots_barriers", "issue-slot cycles", "issue slots lost: warps wait at barriers",
       slots(SlotUse::Barrier)},
      {"slots_units", "issue-slot cycles", "issue slots lost: an arithmetic unit takes nothing",
       slots(SlotUse::Units)},
      {"slots_no_warp", "issue-slot cycles", "issue slots lost: the scheduler has no warp",
       slots(SlotUse::NoWarp)},
      {"sms", "SMs", "streaming multiprocessors", &RunBound::sms},
      {"cycles_least", "cycles",
       "cycles that the run takes at least without any conflict: what issue slots, arithmetic "
       "units "
       "and ideal passes need, or the cycles without those of conflicts and what warps may save "
       "that then meet otherwise, if that is more",
       &RunBound::leastCycles},
      {"speedup_most", "ratio",
       "times as fast without conflicts, at most: cycles / cycles_least; 1 without "
       "conflicts",
       &RunBound::mostSpeedup},
      {"explanation", "", "what bounds the run, as the command prints it", &RunBound::text}};
  return all;
}

const FigureTable<RunBound>& boundTable() {
  static const FigureTable<RunBound> all = [] {
    FigureTable<RunBound> made;
    made.add(boundFigures());
    return made;
  }();
  return all;
}

}  // namespace

RunBound& RunBound::operator+=(const RunBound& other) {
  if (other.cycles >= longest) {
    residentWarps = other.residentWarps;
    warpSlots = other.warpSlots;
    limiter = other.limiter;
    registersEstimated = other.registersEstimated;
    longest = other.cycles;
  }
  for (unsigned i = 0; i < kSlotUses; ++i) slots[i] += other.slots[i];
  cycles += other.cycles;
  // A run without conflicts stays as it is.
  leastCycles += other.conflictCycles == 0 ? other.cycles : other.leastCycles;
  conflictCycles += other.conflictCycles;
  warpCycles += other.warpCycles;
  sms = other.sms;
  return *this;
}

std::uint64_t RunBound::allSlots() const {
  return std::accumulate(slots.begin(), slots.end(), std::uint64_t{0});
}

SlotUse RunBound::largest() const {
  return static_cast<SlotUse>(std::max_element(slots.begin(), slots.end()) - slots.begin());
}

std::string RunBound::limitText() const {
  if (residentWarps >= warpSlots) return "";
  switch (limiter) {
    case OccupancyLimiter::Shared:
      return "; limited by shared memory";
    case OccupancyLimiter::Registers:
      return std::string("; limited by registers") + (registersEstimated ? ", an estimate" : "");
    case OccupancyLimiter::Grid:
      return "; limited by the grid";
    case OccupancyLimiter::Ctas:
      return "; limited by CTAs";
    default:
      return std::string("; limited by ") + name(limiter);
  }
}

double RunBound::mostSpeedup() const {
  if (conflictCycles == 0 || leastCycles == 0) return 1;
  return static_cast<double>(cycles) / static_cast<double>(leastCycles);
}

std::string RunBound::text() const {
  if (cycles == 0) return "nothing ran";
  const SlotUse use = largest();
  const double resident = ratio(warpCycles, cycles * sms).value_or(0);
  std::string text = fmt::format("bound by {} ({} of issue slots; {:.0f} of {} warps resident{})",
                                 kUsePhrases[static_cast<unsigned>(use)],
                                 percent(of(use), allSlots()), resident, warpSlots, limitText());
  if (conflictCycles == 0) return text + "; no conflicts";
  // Rounded up: the text must not promise less than there may be.
  return text + fmt::format("; without conflicts ({} of cycles) at most {:.2f} times as fast",
                            percent(conflictCycles, cycles * sms),
                            std::ceil(mostSpeedup() * 100) / 100);
}

RunBound boundOf(const RunOutcome& run, const PlatformParameters& platform,
                 const OperandSources& sources) {
  RunBound bound;
  bound.cycles = bound.longest = run.cycles;
  bound.conflictCycles = run.totals.bankConflictCycles();
  bound.sms = run.sms;
  bound.warpCycles = run.totals.warpCycles;
  bound.residentWarps = run.residentWarps;
  bound.warpSlots = run.warpSlots;
  bound.limiter = run.occupancy.limiter;
  bound.leastCycles = leastCycles(run, platform);
  Division(run, platform, bound).all(sources);
  return bound;
}

results::Columns boundColumns() {
  return boundTable().columns();
}

results::Row boundRow(const RunBound& bound) {
  return boundTable().row(bound);
}

}  // namespace fermata::platforms
