// Computes a study's measures from the figures of its cells.
#include <fermata/platforms/program/study/study_measures.h>
#include <fermata/stimuli/refuse.h>

#include <algorithm>
#include <array>
#include <functional>

namespace fermata::platforms {

namespace {

using Form = MeasureTraits::Form;
using Against = MeasureTraits::Against;
using Cell = StudyCell;
using Value = std::optional<double>;

Value ratio(double a, double b) {
  if (b == 0) return {};
  return a / b;
}

Value percent(double a, double b) {
  if (b == 0) return {};
  return 100 * (a / b);
}

// Rules of several measures. `figure` and `all` are members of a cell.

template <auto figure>
Value own(const Cell& cell, const Cell&) {
  return std::invoke(figure, cell);
}

template <auto figure, auto all>
Value ratioOf(const Cell& cell, const Cell&) {
  return ratio(std::invoke(figure, cell), std::invoke(all, cell));
}

template <auto figure, auto all>
Value percentOf(const Cell& cell, const Cell&) {
  return percent(std::invoke(figure, cell), std::invoke(all, cell));
}

template <auto figure>
Value perThousand(const Cell& cell, const Cell&) {
  return ratio(1000 * std::invoke(figure, cell), cell.warpInstructions);
}

template <auto figure>
Value removed(const Cell& cell, const Cell& base) {
  return percent(std::invoke(figure, base) - std::invoke(figure, cell), std::invoke(figure, base));
}

template <auto figure>
Value grown(const Cell& cell, const Cell& base) {
  return percent(std::invoke(figure, cell) - std::invoke(figure, base), std::invoke(figure, base));
}

/// Returns a cause's percent of the baseline's pipeline stalls.
template <auto cause>
Value stallShare(const Cell& cell, const Cell& base) {
  const auto all = base.stalls();
  if (!(cell.*cause) || !all) return {};
  return percent(*(cell.*cause), *all);
}

// Rules of one measure.

Value conflictFree(const Cell& cell, const Cell&) {
  return cell.conflicts == 0 ? 1 : 0;
}

/// Without stalls, an instruction issues as soon as the subwarps of the last one are in. Passes of
/// shared accesses beyond the ideal ones delay it (Gou and Gaydadjiev 2011, table 4).
Value theoreticSpeedup(const Cell& cell, const Cell&) {
  if (!cell.subwarps) return {};
  const double issue = *cell.subwarps * cell.warpInstructions;
  return ratio(issue + cell.wavefronts - cell.wavefrontsIdeal, issue);
}

Value wronglyForetold(const Cell& cell, const Cell&) {
  if (!cell.historyWrong || !cell.historyHits || !cell.historyMisses) return {};
  return percent(*cell.historyWrong, *cell.historyHits + *cell.historyMisses);
}

Value speedup(const Cell& cell, const Cell& base) {
  return ratio(base.cycles, cell.cycles);
}

Value improvement(const Cell& cell, const Cell& base) {
  return percent(base.cycles - cell.cycles, cell.cycles);
}

/// Returns nothing for the baseline itself.
Value cyclesAdded(const Cell& cell, const Cell& base) {
  if (&cell == &base) return {};
  return cell.cycles - base.cycles;
}

Value issued(const Cell& cell, const Cell& base) {
  return percent(cell.issued(), base.issued());
}

Value stallsRemoved(const Cell& cell, const Cell& base) {
  const auto now = cell.stalls();
  const auto before = base.stalls();
  if (!now || !before) return {};
  return percent(*before - *now, *before);
}

Value timeAgainst(const Cell& cell, const Cell& first) {
  return ratio(cell.cycles, first.cycles);
}

Value cyclesPerWay(const Cell& cell, const Cell& first) {
  const auto step = ratio(cell.cycles, cell.accesses);
  const auto firstStep = ratio(first.cycles, first.accesses);
  if (!step || !firstStep) return {};
  return ratio(*step - *firstStep,
               cell.conflicts / cell.accesses - first.conflicts / first.accesses);
}

// Slopes: the cost of starting a run is in its baseline, too. The baseline itself has none.

Value cyclesPerFurther(const Cell& cell, const Cell& base) {
  return ratio(cell.cycles - base.cycles, cell.allAccesses() - base.allAccesses());
}

Value bytesPerCycle(const Cell& cell, const Cell& base) {
  return ratio(cell.globalBytes - base.globalBytes, cell.cycles - base.cycles);
}

Value bytesPerTime(const Cell& cell, const Cell& base) {
  const Value bytes = bytesPerCycle(cell, base);
  if (!bytes) return {};
  return *bytes * cell.megahertz / 1000;
}

/// In the order of Measure.
const std::array<MeasureTraits, kMeasures> kTraits{
    {{"conflicts_removed", "bank conflicts removed, percent of the baseline's", Form::Percent,
      removed<&Cell::conflicts>, Against::Baseline},
     {"speedup", "speed-up: cycles of the baseline / cycles", Form::Factor, speedup,
      Against::Baseline},
     {"slowdown", "cycles more than the baseline, percent", Form::Percent, grown<&Cell::cycles>,
      Against::Baseline},
     {"instructions_added", "warp instructions more than the baseline, percent", Form::Percent,
      grown<&Cell::warpInstructions>, Against::Baseline},
     {"conflicts", "bank conflicts: passes beyond the first of each group of lanes", Form::Count,
      own<&Cell::conflicts>},
     {"wavefronts", "wavefronts: passes over the banks of the scratchpad", Form::Count,
      own<&Cell::wavefronts>},
     {"cycles", "cycles", Form::Cycles, own<&Cell::cycles>},
     {"time", "cycles / cycles of the first row", Form::Factor, timeAgainst, Against::First},
     {"relative_time", "cycles / cycles of the baseline", Form::Factor, timeAgainst,
      Against::Baseline},
     {"conflict_free", "without any bank conflict", Form::Yes, conflictFree},
     {"all_conflicts_removed",
      "bank conflicts of scratchpad and L1 removed, percent of the baseline's", Form::Percent,
      removed<&Cell::allConflicts>, Against::Baseline},
     {"memory_intensity", "memory intensity: percent of the warp instructions", Form::Share,
      percentOf<&Cell::allAccesses, &Cell::warpInstructions>},
     {"scratchpad_intensity", "scratchpad accesses, percent of the warp instructions", Form::Share,
      percentOf<&Cell::accesses, &Cell::warpInstructions>},
     {"l1_intensity", "accesses to global memory, percent of the warp instructions", Form::Share,
      percentOf<&Cell::globalAccesses, &Cell::warpInstructions>},
     {"bcpki", "bank conflicts per 1000 warp instructions, scratchpad and L1", Form::Rate,
      perThousand<&Cell::allConflicts>},
     {"bcpki_scratchpad", "bank conflicts per 1000 warp instructions, scratchpad", Form::Rate,
      perThousand<&Cell::conflicts>},
     {"bcpki_l1", "bank conflicts per 1000 warp instructions, L1", Form::Rate,
      perThousand<&Cell::l1Conflicts>},
     {"rpki", "replays and squashes per 1000 warp instructions", Form::Rate,
      perThousand<&Cell::repeats>},
     {"replays_removed", "replays and squashes removed, percent of the baseline's", Form::Percent,
      removed<&Cell::repeats>, Against::Baseline},
     {"issued", "issued instructions, replays included, percent of the baseline's", Form::Percent,
      issued, Against::Baseline},
     {"issued_removed", "issued instructions removed, percent of the baseline's", Form::Percent,
      removed<&Cell::issued>, Against::Baseline},
     {"cycles_per_access", "cycles / access", Form::Share,
      ratioOf<&Cell::cycles, &Cell::allAccesses>},
     {"cycles_per_way", "cycles that an access costs more for each conflict more", Form::Share,
      cyclesPerWay, Against::First},
     {"vector_broadcast", "one value for the CTA, percent of the accesses", Form::Percent,
      percentOf<&Cell::vectorBroadcasts, &Cell::allAccesses>},
     {"warp_broadcast", "one value for the warp, percent of the accesses", Form::Percent,
      percentOf<&Cell::warpBroadcasts, &Cell::allAccesses>},
     {"lane_broadcast", "values shared by some lanes, percent of the accesses", Form::Percent,
      percentOf<&Cell::laneBroadcasts, &Cell::allAccesses>},
     {"scatter_gather", "a value for each lane, percent of the accesses", Form::Percent,
      percentOf<&Cell::scatters, &Cell::allAccesses>},
     {"cycles_added", "cycles beyond the baseline's", Form::Cycles, cyclesAdded, Against::Baseline},
     {"max_passes", "passes of the worst access", Form::Cycles, own<&Cell::maxDegree>},
     {"atomic_rounds", "rounds of warps through the loop of a shared atomic", Form::Count,
      own<&Cell::atomicRounds>},
     {"lock_tries", "tries of lanes to get a lock", Form::Count, own<&Cell::lockTries>},
     {"lock_failures_position", "tries lost to a lane on the same word", Form::Count,
      own<&Cell::lockFailuresPosition>},
     {"lock_failures_alias", "tries lost to a lane on another word", Form::Count,
      own<&Cell::lockFailuresAlias>},
     {"lock_failures_other_warp", "tries lost to another warp", Form::Count,
      own<&Cell::lockFailuresOtherWarp>},
     {"improvement", "performance beyond the baseline's, percent", Form::Percent, improvement,
      Against::Baseline},
     {"stalls", "pipeline stalls: bank conflicts, scheduling fails, writeback", Form::Cycles,
      own<&Cell::stalls>},
     {"stalls_removed", "pipeline stalls removed, percent of the baseline's", Form::Percent,
      stallsRemoved, Against::Baseline},
     {"stall_bank_conflict", "stalls by bank conflicts, percent of the baseline's pipeline stalls",
      Form::Percent, stallShare<&Cell::stallBankConflict>, Against::Baseline},
     {"stall_schedule_fail", "scheduling fails, percent of the baseline's pipeline stalls",
      Form::Percent, stallShare<&Cell::stallScheduleFail>, Against::Baseline},
     {"stall_writeback", "stalls by writeback, percent of the baseline's pipeline stalls",
      Form::Percent, stallShare<&Cell::stallWriteback>, Against::Baseline},
     {"subwarp_degree", "bank conflict degree: cycles of a subwarp's access", Form::Share,
      ratioOf<&Cell::wavefronts, &Cell::wavefrontsIdeal>},
     {"thread_scratchpad_intensity", "scratchpad accesses, percent of the thread instructions",
      Form::Share, percentOf<&Cell::sharedThreads, &Cell::threadInstructions>},
     {"theoretic_speedup", "theoretic speed-up: no stalls against those of bank conflicts alone",
      Form::Factor, theoreticSpeedup},
     {"thread_instructions", "thread instructions", Form::Count, own<&Cell::threadInstructions>},
     {"thread_accesses", "scratchpad accesses of threads", Form::Count, own<&Cell::sharedThreads>},
     {"history_wrong", "accesses whose conflicts were foretold wrong, percent", Form::Percent,
      wronglyForetold},
     {"cycles_per_further_access", "cycles / access beyond the baseline's", Form::Share,
      cyclesPerFurther, Against::Baseline},
     {"bytes_per_cycle", "bytes of global accesses / cycle beyond the baseline's", Form::Share,
      bytesPerCycle, Against::Baseline},
     {"gigabytes_per_second", "GB/s of global accesses beyond the baseline's", Form::Share,
      bytesPerTime, Against::Baseline},
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

constexpr std::size_t kLongestLabel = 42;  ///< that fits beside a panel of a picture

bool isTime(Measure measure) {
  return measure == Measure::Cycles || measure == Measure::CyclesAdded ||
         measure == Measure::CyclesPerAccess || measure == Measure::CyclesPerWay ||
         measure == Measure::CyclesPerFurther;
}

}  // namespace

const MeasureTraits& traits(Measure measure) {
  return kTraits.at(static_cast<unsigned>(measure));
}

std::string shortHeading(Measure measure) {
  const std::string text = traits(measure).heading;
  return text.substr(0, text.find_first_of(",:"));
}

std::string unitLabel(const Study& study, Measure measure) {
  const std::string text = traits(measure).heading;
  if (measure == Measure::CyclesPerAccess || measure == Measure::CyclesPerFurther)
    return heading(study, measure);
  if (isTime(measure)) return study.time.name.empty() ? "cycles" : study.time.name;
  for (const char* reference : {"percent", "per 1000"}) {
    const std::size_t at = text.find(reference);
    if (at == std::string::npos) continue;
    const std::string label = text.substr(at, text.find(',', at) - at);
    return label == "percent of the baseline's" ? "percent" : label;
  }
  if (text.find(':') != std::string::npos) return shortHeading(measure);
  if (text.size() <= kLongestLabel) return text;
  const std::string end = text.substr(text.rfind(' ') + 1);
  if (end == "mW" || end == "nJ") return end;
  std::string words = shortHeading(measure);
  if (words.size() <= kLongestLabel) return words;
  words = traits(measure).name;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string heading(const Study& study, Measure measure) {
  const std::string text = traits(measure).heading;
  return isTime(measure) && !study.time.name.empty() ? text + " (" + study.time.name + ")" : text;
}

const char* name(Measure measure) {
  return traits(measure).name;
}

const char* unit(Measure measure) {
  const Form form = traits(measure).form;
  return form == Form::Factor ? "ratio" : form == Form::Percent ? "percent" : "";
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
  const MeasureTraits& asked = traits(measure);
  const auto& cell = cells.at(workload).at(variant);
  if (!cell) return {};
  const auto& base = cells[workload].at(cell->baseline);
  if (asked.value == nullptr) {
    if (!cell->energy) return {};
    return energyMeasure(*cell->energy, base && base->energy ? &*base->energy : nullptr, measure);
  }
  const auto& other = asked.against == Against::Cell    ? cell
                      : asked.against == Against::First ? cells.front()[variant]
                                                        : base;
  return other ? asked.value(*cell, *other) : std::nullopt;
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

bool Study::countsBytes() const {
  return asks(*this, [](Measure measure) {
    return measure == Measure::BytesPerCycle || measure == Measure::BytesPerTime;
  });
}

}  // namespace fermata::platforms
