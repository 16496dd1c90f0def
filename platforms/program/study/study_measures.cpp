// What a study measures: from the figures of its cells.
#include <fermata/platforms/program/study/study_measures.h>

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
     {"max_degree", "passes of the worst access", Form::Cycles},
     {"atomic_rounds", "rounds of warps through the loop of a shared atomic", Form::Count},
     {"lock_tries", "tries of lanes to get a lock", Form::Count},
     {"lock_failures_position", "tries lost to a lane on the same word", Form::Count},
     {"lock_failures_alias", "tries lost to a lane on another word", Form::Count},
     {"lock_failures_other_warp", "tries lost to another warp", Form::Count}}};

std::optional<double> ratio(double a, double b) {
  if (b == 0) return {};
  return a / b;
}

std::optional<double> percent(double a, double b) {
  if (b == 0) return {};
  return 100 * (a / b);
}

/// Of one cell, whatever the others are.
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
    default:
      return {};
  }
}

/// Against the same workload under the cell's baseline.
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
    default:
      return {};
  }
}

/// Against the first workload under the same variant.
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
  throw InputError(where, "unknown measure '" + text + "'; expected one of " + list);
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
  if (!base || (measure == Measure::CyclesAdded && cell->baseline == variant)) return {};
  return againstBaseline(*cell, *base, measure);
}

bool Study::countsSharing() const {
  const auto sharing = [](Measure measure) {
    return measure >= Measure::VectorBroadcast && measure <= Measure::ScatterGather;
  };
  return std::any_of(measures.begin(), measures.end(), sharing) ||
         std::any_of(comparisons.begin(), comparisons.end(),
                     [&](const Comparison& c) { return sharing(c.measure); });
}

}  // namespace fermata::platforms
