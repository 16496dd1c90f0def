// Computes a study's measures from the figures of its cells.
#include <fermata/platforms/program/study/study_measures.h>
#include <fermata/stimuli/refuse.h>

#include <algorithm>
#include <array>

namespace fermata::platforms {

namespace {

using Form = MeasureTraits::Form;

/// In the order of Measure.
const std::array<MeasureTraits, kMeasures> kTraits{
    {{"conflicts_removed", "bank conflicts removed, percent of the baseline's", Form::Percent},
     {"speedup", "speed-up: cycles of the baseline / cycles", Form::Factor},
     {"slowdown", "cycles more than the baseline, percent", Form::Percent},
     {"instructions_added", "warp instructions more than the baseline, percent", Form::Percent},
     {"conflicts", "bank conflicts: passes beyond the first of each group of lanes", Form::Count},
     {"cycles", "cycles", Form::Cycles},
     {"time", "cycles / cycles of the first row", Form::Factor},
     {"conflict_free", "without any bank conflict", Form::Yes},
     {"all_conflicts_removed",
      "bank conflicts of scratchpad and L1 removed, percent of the baseline's", Form::Percent},
     {"memory_intensity", "memory intensity: percent of the warp instructions", Form::Share},
     {"scratchpad_intensity", "scratchpad accesses, percent of the warp instructions", Form::Share},
     {"l1_intensity", "accesses to global memory, percent of the warp instructions", Form::Share},
     {"bcpki", "bank conflicts per 1000 warp instructions, scratchpad and L1", Form::Percent},
     {"bcpki_scratchpad", "bank conflicts per 1000 warp instructions, scratchpad", Form::Percent},
     {"bcpki_l1", "bank conflicts per 1000 warp instructions, L1", Form::Percent},
     {"rpki", "replays and squashes per 1000 warp instructions", Form::Percent},
     {"replays_removed", "replays and squashes removed, percent of the baseline's", Form::Percent},
     {"issued", "issued instructions, replays included, percent of the baseline's", Form::Percent},
     {"issued_removed", "issued instructions removed, percent of the baseline's", Form::Percent},
     {"cycles_per_access", "cycles / shared access", Form::Share},
     {"cycles_per_way", "cycles that an access costs more for each conflict more", Form::Share},
     {"vector_broadcast", "one value for the CTA, percent of the accesses", Form::Percent},
     {"warp_broadcast", "one value for the warp, percent of the accesses", Form::Percent},
     {"lane_broadcast", "values shared by some lanes, percent of the accesses", Form::Percent},
     {"scatter_gather", "a value for each lane, percent of the accesses", Form::Percent},
     {"cycles_added", "cycles beyond the baseline's", Form::Cycles},
     {"max_passes", "passes of the worst access", Form::Cycles},
     {"atomic_rounds", "rounds of warps through the loop of a shared atomic", Form::Count},
     {"lock_tries", "tries of lanes to get a lock", Form::Count},
     {"lock_failures_position", "tries lost to a lane on the same word", Form::Count},
     {"lock_failures_alias", "tries lost to a lane on another word", Form::Count},
     {"lock_failures_other_warp", "tries lost to another warp", Form::Count},
     {"improvement", "performance beyond the baseline's, percent", Form::Percent},
     {"stalls", "pipeline stalls: bank conflicts, scheduling fails, writeback", Form::Cycles},
     {"stalls_removed", "pipeline stalls removed, percent of the baseline's", Form::Percent},
     {"stall_bank_conflict", "stalls by bank conflicts, percent of the baseline's pipeline stalls",
      Form::Percent},
     {"stall_schedule_fail", "scheduling fails, percent of the baseline's pipeline stalls",
      Form::Percent},
     {"stall_writeback", "stalls by writeback, percent of the baseline's pipeline stalls",
      Form::Percent},
     {"subwarp_degree", "bank conflict degree: cycles of a subwarp's access", Form::Share},
     {"thread_scratchpad_intensity", "scratchpad accesses, percent of the thread instructions",
      Form::Share},
     {"theoretic_speedup", "theoretic speed-up: no stalls against those of bank conflicts alone",
      Form::Factor},
     {"thread_instructions", "thread instructions", Form::Count},
     {"thread_accesses", "scratchpad accesses of threads", Form::Count},
     {"history_wrong", "accesses whose conflicts were foretold wrong, percent", Form::Percent},
     {"energy", "energy, nJ", Form::Count},
     {"energy_low", "energy at the lowest prices, nJ", Form::Count},
     {"energy_high", "energy at the highest prices, nJ", Form::Count},
     {"energy_saved", "energy saved, percent of the baseline's", Form::Percent},
     {"energy_delay", "energy-delay product, nJ us", Form::Count},
     {"energy_delay_saved", "energy-delay product saved, percent of the baseline's", Form::Percent},
     {"energy_per_warp_instruction", "energy of a warp instruction, pJ", Form::Share},
     {"average_power", "power, mW", Form::Share},
     {"indexer_power", "active power of the indexers, mW", Form::Share},
     {"indexer_power_low", "active power of the indexers at the lowest prices, mW", Form::Share},
     {"indexer_power_high", "active power of the indexers at the highest prices, mW", Form::Share},
     {"crossbar_power", "active power of the crossbars, mW", Form::Share},
     {"crossbar_power_low", "active power of the crossbars at the lowest prices, mW", Form::Share},
     {"crossbar_power_high", "active power of the crossbars at the highest prices, mW",
      Form::Share},
     {"bank_power", "active power of the banks of scratchpad and L1, mW", Form::Share},
     {"bank_power_low", "active power of the banks at the lowest prices, mW", Form::Share},
     {"bank_power_high", "active power of the banks at the highest prices, mW", Form::Share},
     {"register_power", "active power of the register file, mW", Form::Share},
     {"replay_energy", "energy of replays and squashes, percent of all", Form::Share},
     {"indexer_activity", "words given their banks, percent of lanes x cycles", Form::Share}}};

std::optional<double> ratio(double a, double b) {
  if (b == 0) return {};
  return a / b;
}

std::optional<double> percent(double a, double b) {
  if (b == 0) return {};
  return 100 * (a / b);
}

/// Without stalls, an instruction issues as soon as the subwarps of the last one are in. Passes of
/// shared accesses beyond the ideal ones delay it (Gou and Gaydadjiev 2011, table 4).
std::optional<double> theoreticSpeedup(const StudyCell& cell) {
  if (!cell.subwarps) return {};
  const double issue = *cell.subwarps * cell.warpInstructions;
  return ratio(issue + cell.wavefronts - cell.wavefrontsIdeal, issue);
}

std::optional<double> wronglyForetold(const StudyCell& cell) {
  if (!cell.historyWrong || !cell.historyHits || !cell.historyMisses) return {};
  return percent(*cell.historyWrong, *cell.historyHits + *cell.historyMisses);
}

/// Returns a measure that depends on one cell only; nothing for other measures.
std::optional<double> ofCell(const StudyCell& cell, Measure measure) {
  const double accesses = cell.accesses + cell.globalAccesses;
  const double instructions = cell.warpInstructions;
  const auto perThousand = [&](double figure) { return ratio(1000 * figure, instructions); };
  switch (measure) {
    case Measure::Conflicts:
      return cell.conflicts;
    case Measure::Cycles:
      return cell.cycles;
    case Measure::ConflictFree:
      return cell.conflicts == 0 ? 1 : 0;
    case Measure::MemoryIntensity:
      return percent(accesses, instructions);
    case Measure::ScratchpadIntensity:
      return percent(cell.accesses, instructions);
    case Measure::L1Intensity:
      return percent(cell.globalAccesses, instructions);
    case Measure::Bcpki:
      return perThousand(cell.allConflicts());
    case Measure::BcpkiScratchpad:
      return perThousand(cell.conflicts);
    case Measure::BcpkiL1:
      return perThousand(cell.l1Conflicts);
    case Measure::Rpki:
      return perThousand(cell.repeats());
    case Measure::CyclesPerAccess:
      return ratio(cell.cycles, cell.accesses);
    case Measure::VectorBroadcast:
      return percent(cell.vectorBroadcasts, accesses);
    case Measure::WarpBroadcast:
      return percent(cell.warpBroadcasts, accesses);
    case Measure::LaneBroadcast:
      return percent(cell.laneBroadcasts, accesses);
    case Measure::ScatterGather:
      return percent(cell.scatters, accesses);
    case Measure::MaxDegree:
      return cell.maxDegree;
    case Measure::AtomicRounds:
      return cell.atomicRounds;
    case Measure::LockTries:
      return cell.lockTries;
    case Measure::LockFailuresPosition:
      return cell.lockFailuresPosition;
    case Measure::LockFailuresAlias:
      return cell.lockFailuresAlias;
    case Measure::LockFailuresOtherWarp:
      return cell.lockFailuresOtherWarp;
    case Measure::Stalls:
      return cell.stalls();
    case Measure::SubwarpDegree:
      return ratio(cell.wavefronts, cell.wavefrontsIdeal);
    case Measure::ThreadScratchpadIntensity:
      return percent(cell.sharedThreads, cell.threadInstructions);
    case Measure::TheoreticSpeedup:
      return theoreticSpeedup(cell);
    case Measure::ThreadInstructions:
      return cell.threadInstructions;
    case Measure::ThreadAccesses:
      return cell.sharedThreads;
    case Measure::HistoryWrong:
      return wronglyForetold(cell);
    default:
      return {};
  }
}

/// Returns a cause's percent of the baseline's pipeline stalls.
std::optional<double> stallShare(const std::optional<double>& stall, const StudyCell& base) {
  const auto all = base.stalls();
  if (!stall || !all) return {};
  return percent(*stall, *all);
}

std::optional<double> stallsRemoved(const StudyCell& cell, const StudyCell& base) {
  const auto now = cell.stalls();
  const auto before = base.stalls();
  if (!now || !before) return {};
  return percent(*before - *now, *before);
}

/// Returns a measure relative to the same workload under the cell's baseline.
std::optional<double> againstBaseline(const StudyCell& cell, const StudyCell& base,
                                      Measure measure) {
  const auto removed = [](double now, double before) { return percent(before - now, before); };
  switch (measure) {
    case Measure::Speedup:
      return ratio(base.cycles, cell.cycles);
    case Measure::CyclesAdded:
      return cell.cycles - base.cycles;
    case Measure::Slowdown:
      return percent(cell.cycles - base.cycles, base.cycles);
    case Measure::InstructionsAdded:
      return percent(cell.warpInstructions - base.warpInstructions, base.warpInstructions);
    case Measure::ConflictsRemoved:
      return removed(cell.conflicts, base.conflicts);
    case Measure::AllConflictsRemoved:
      return removed(cell.allConflicts(), base.allConflicts());
    case Measure::ReplaysRemoved:
      return removed(cell.repeats(), base.repeats());
    case Measure::Issued:
      return percent(cell.issued(), base.issued());
    case Measure::IssuedRemoved:
      return removed(cell.issued(), base.issued());
    case Measure::Improvement:
      return percent(base.cycles - cell.cycles, cell.cycles);
    case Measure::StallsRemoved:
      return stallsRemoved(cell, base);
    case Measure::StallBankConflict:
      return stallShare(cell.stallBankConflict, base);
    case Measure::StallScheduleFail:
      return stallShare(cell.stallScheduleFail, base);
    case Measure::StallWriteback:
      return stallShare(cell.stallWriteback, base);
    default:
      return {};
  }
}

/// Returns a measure relative to the first workload under the same variant.
std::optional<double> againstFirst(const StudyCell& cell, const StudyCell& first, Measure measure) {
  if (measure == Measure::Time) return ratio(cell.cycles, first.cycles);
  const auto step = ofCell(cell, Measure::CyclesPerAccess);
  const auto firstStep = ofCell(first, Measure::CyclesPerAccess);
  if (!step || !firstStep) return {};
  return ratio(*step - *firstStep,
               cell.conflicts / cell.accesses - first.conflicts / first.accesses);
}

}  // namespace

const MeasureTraits& traits(Measure measure) {
  return kTraits.at(static_cast<unsigned>(measure));
}

std::string heading(const Study& study, Measure measure) {
  const std::string text = traits(measure).heading;
  const bool isTime = measure == Measure::Cycles || measure == Measure::CyclesAdded ||
                      measure == Measure::CyclesPerAccess || measure == Measure::CyclesPerWay;
  return isTime && !study.time.name.empty() ? text + " (" + study.time.name + ")" : text;
}

const char* name(Measure measure) {
  return traits(measure).name;
}

Measure parseMeasure(const std::string& text, const SourceLocation& where) {
  std::string list;
  for (unsigned i = 0; i < kMeasures; ++i) {
    if (text == kTraits[i].name) return static_cast<Measure>(i);
    list += (i == 0 ? "" : ", ") + std::string(kTraits[i].name);
  }
  refuse(where, "unknown measure '{}'; expected one of {}", text, list);
}

std::optional<double> measureOf(const StudyCells& cells, std::size_t workload, std::size_t variant,
                                Measure measure) {
  const auto& cell = cells.at(workload).at(variant);
  if (!cell) return {};
  if (measure == Measure::Time || measure == Measure::CyclesPerWay) {
    const auto& first = cells.front()[variant];
    if (!first) return {};
    return againstFirst(*cell, *first, measure);
  }
  if (const auto own = ofCell(*cell, measure)) return own;
  const auto& base = cells[workload].at(cell->baseline);
  if (isOfEnergy(measure)) {
    const bool both = base && base->energy;
    if (!cell->energy) return {};
    return energyMeasure(*cell->energy, both ? &*base->energy : nullptr, measure);
  }
  if (!base || (measure == Measure::CyclesAdded && cell->baseline == variant)) return {};
  return againstBaseline(*cell, *base, measure);
}

namespace {

/// Returns whether the study shows or compares a measure that satisfies `is`.
template <class Is>
bool asks(const Study& study, Is is) {
  const auto drawn = study.picture ? study.picture->measures : std::vector<Measure>{};
  const auto compared = [&](const Comparison& c) {
    return is(c.measure) || std::any_of(c.figures.begin(), c.figures.end(),
                                        [&](const auto& f) { return is(f.second.measure); });
  };
  return std::any_of(study.measures.begin(), study.measures.end(), is) ||
         std::any_of(drawn.begin(), drawn.end(), is) ||
         std::any_of(study.comparisons.begin(), study.comparisons.end(), compared);
}

}  // namespace

bool Study::countsSharing() const {
  return asks(*this, [](Measure measure) {
    return measure >= Measure::VectorBroadcast && measure <= Measure::ScatterGather;
  });
}

bool Study::asksEnergy() const {
  return asks(*this, isOfEnergy);
}

bool Study::countsThreads() const {
  return asks(*this, [](Measure measure) {
    return measure == Measure::ThreadScratchpadIntensity || measure == Measure::ThreadAccesses;
  });
}

}  // namespace fermata::platforms
