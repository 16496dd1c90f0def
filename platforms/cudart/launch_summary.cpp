#include <fermata/platforms/cudart/launch_summary.h>

#include <fermata/results/table.h>

#include <algorithm>

namespace fermata::cudart {

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
  Entry& entry = entryOf(kernel);
  ++entry.launches;
  entry.timed = true;
  entry.warpInstructions += outcome.totals.warpInstructions;
  entry.timedInstructions += outcome.totals.warpInstructions;
  entry.cycles += outcome.cycles;
  entry.sharedAccesses += outcome.totals.sharedAccesses();
  entry.conflictCycles += outcome.totals.bankConflictCycles();
  entry.bound += bound;
}

void LaunchSummary::add(const std::string& kernel, std::uint64_t warpInstructions) {
  Entry& entry = entryOf(kernel);
  ++entry.launches;
  entry.warpInstructions += warpInstructions;
}

void LaunchSummary::print(std::ostream& out) const {
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
    const double ipc = entry.cycles == 0 ? 0
                                         : static_cast<double>(entry.timedInstructions) /
                                               static_cast<double>(entry.cycles);
    table.row({entry.kernel, grouped(entry.launches), grouped(entry.warpInstructions),
               ifTimed(grouped(entry.cycles)), ifTimed(results::fixed(ipc, 2)),
               ifTimed(grouped(entry.sharedAccesses)), ifTimed(grouped(entry.conflictCycles))});
  }
  table.print(out);
  for (const Entry& entry : entries_) {
    if (entry.timed) out << entry.kernel << ": " << entry.bound.text() << '\n';
  }
}

}  // namespace fermata::cudart
