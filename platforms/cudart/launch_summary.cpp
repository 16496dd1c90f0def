#include <fermata/platforms/cudart/launch_summary.h>

#include <fermata/results/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fermata::cudart {
namespace {

/// Returns "1,234 +- 0.4%"; the number alone if it is exact.
std::string estimateText(double value, double half) {
  const auto whole = static_cast<std::uint64_t>(std::llround(value));
  if (half == 0) return results::grouped(whole);
  return fmt::format("{} +- {:.1f}%", results::grouped(whole), 100 * half / std::max(value, 1.0));
}

}  // namespace

LaunchSummary::Entry& LaunchSummary::entryOf(const std::string& kernel) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& one) { return one.kernel == kernel; });
  if (found != entries_.end()) return *found;
  entries_.emplace_back();
  entries_.back().kernel = kernel;
  return entries_.back();
}

void LaunchSummary::add(const std::string& kernel, const platforms::RunOutcome& outcome,
                        const platforms::RunBound& bound) {
  addBeside(kernel, outcome);
  Entry& entry = entryOf(kernel);
  entry.bound += bound;
  entry.bounded = true;
}

void LaunchSummary::addBeside(const std::string& kernel, const platforms::RunOutcome& outcome) {
  Entry& entry = entryOf(kernel);
  ++entry.launches;
  entry.timed = true;
  entry.warpInstructions += outcome.totals.warpInstructions;
  entry.timedInstructions += outcome.totals.warpInstructions;
  entry.cycles += outcome.cycles;
  entry.sharedAccesses += outcome.totals.sharedAccesses();
  entry.conflictCycles += outcome.totals.bankConflictCycles();
}

void LaunchSummary::add(const std::string& kernel, const SampledLaunch& launch,
                        const platforms::RunBound* bound) {
  add(kernel, launch.instructions);
  Entry& entry = entryOf(kernel);
  entry.timed = true;
  entry.timedInstructions += launch.instructions;
  entry.cycles += launch.value(exec::Sampled::Cycles);
  entry.sharedAccesses += launch.value(exec::Sampled::SharedAccesses);
  entry.conflictCycles += launch.value(exec::Sampled::ConflictCycles);
  ++coverage_.sampled;
  coverage_.launches += launch.timedCtas > 0 ? 1 : 0;
  coverage_.instructions += launch.timedInstructions;
  coverage_.allInstructions += launch.instructions;
  if (bound == nullptr) return;
  entry.bound += *bound;
  entry.bounded = true;
}

void LaunchSummary::add(const std::string& kernel, std::uint64_t warpInstructions) {
  Entry& entry = entryOf(kernel);
  ++entry.launches;
  entry.warpInstructions += warpInstructions;
}

void LaunchSummary::printTotal(std::ostream& out, const exec::LaunchGroups& groups) const {
  if (coverage_.sampled == 0) return;
  double cycles = 0, conflicts = 0, cycleSquares = 0, conflictSquares = 0;
  for (const Entry& entry : entries_) {
    const auto halves = groups.halves(entry.kernel);
    const double cycleHalf = halves[static_cast<unsigned>(exec::Sampled::Cycles)];
    const double conflictHalf = halves[static_cast<unsigned>(exec::Sampled::ConflictCycles)];
    cycles += static_cast<double>(entry.cycles);
    conflicts += static_cast<double>(entry.conflictCycles);
    cycleSquares += cycleHalf * cycleHalf;
    conflictSquares += conflictHalf * conflictHalf;
  }
  out << fmt::format(
      "sampled: {} of {} launches timed, {:.2f}% of warp instructions; cycles {}, conflict cycles "
      "{}\n",
      coverage_.launches, coverage_.sampled,
      100 * static_cast<double>(coverage_.instructions) /
          std::max(static_cast<double>(coverage_.allInstructions), 1.0),
      estimateText(cycles, std::sqrt(cycleSquares)),
      estimateText(conflicts, std::sqrt(conflictSquares)));
}

void LaunchSummary::print(std::ostream& out, const exec::LaunchGroups* groups) const {
  using results::grouped;
  if (entries_.empty()) return;
  results::Table table({{"kernel", results::Align::Left},
                        {"launches"},
                        {"warp instructions"},
                        {"cycles"},
                        {"IPC"},
                        {"shared accesses"},
                        {"conflict cycles"}});
  for (const Entry& entry : entries_) {
    const auto ifTimed = [&](const std::string& text) { return entry.timed ? text : "-"; };
    const auto halves =
        groups != nullptr ? groups->halves(entry.kernel) : std::array<double, exec::kSampled>{};
    const auto estimated = [&](std::uint64_t value, exec::Sampled figure) {
      return ifTimed(
          estimateText(static_cast<double>(value), halves[static_cast<unsigned>(figure)]));
    };
    const double ipc = entry.cycles == 0 ? 0
                                         : static_cast<double>(entry.timedInstructions) /
                                               static_cast<double>(entry.cycles);
    table.row({entry.kernel, grouped(entry.launches), grouped(entry.warpInstructions),
               estimated(entry.cycles, exec::Sampled::Cycles), ifTimed(results::fixed(ipc, 2)),
               estimated(entry.sharedAccesses, exec::Sampled::SharedAccesses),
               estimated(entry.conflictCycles, exec::Sampled::ConflictCycles)});
  }
  table.print(out);
  for (const Entry& entry : entries_) {
    if (entry.bounded) out << entry.kernel << ": " << entry.bound.text() << '\n';
  }
  if (groups != nullptr) printTotal(out, *groups);
}

}  // namespace fermata::cudart
