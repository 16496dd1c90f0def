// The part of the launcher that runs launches side by side.
#include <fermata/platforms/cudart/launcher.h>

#include <fermata/models/vocabulary/grid_set.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/cudart/launch_tables.h>
#include <fermata/platforms/cudart/timed_runs.h>
#include <fermata/stimuli/launch/entry_names.h>
#include <fermata/stimuli/launch/launch_set.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fermata::cudart {
namespace {

/// Returns the ends of the parts of a list of works that follow each other: every work of a part
/// follows, at least through others, all works of earlier parts.
std::vector<std::size_t> partsOf(const std::vector<WaitingWork>& works) {
  std::vector<std::set<unsigned>> earlier(works.size());  // works of the present part
  std::vector<std::size_t> ends;
  std::size_t first = 0;
  for (std::size_t end = 1; end <= works.size(); ++end) {
    const bool whole = [&] {
      for (std::size_t later = end; later < works.size(); ++later) {
        std::set<unsigned> before;
        bool within = false;  // follows a work that is looked at as well
        for (const unsigned one : works[later].after) {
          within = within || one >= end;
          if (one < first || one >= end) continue;
          before.insert(one);
          before.insert(earlier[one].begin(), earlier[one].end());
        }
        if (!within && before.size() != end - first) return false;
      }
      return true;
    }();
    if (whole) {
      ends.push_back(end);
      first = end;
    } else if (end < works.size()) {
      for (const unsigned one : works[end].after) {
        if (one < first) continue;
        earlier[end].insert(one);
        earlier[end].insert(earlier[one].begin(), earlier[one].end());
      }
    }
  }
  return ends;
}

}  // namespace

bool Launcher::runsSideBySide() const {
  const platforms::PlatformParameters& p = platform();
  const bool wholeLaunches = settings_.sample || !settings_.record.empty() ||
                             !settings_.timeline.empty() || !settings_.prices.empty();
  return !settings_.functional && settings_.launches.empty() && !wholeLaunches &&
         !settings_.checkUninitialised && !settings_.allowStrayReads && !p.verify &&
         !p.crossbar.atomics->needs.locks;
}

std::vector<double> Launcher::run(std::vector<WaitingWork> works) {
  std::vector<double> ends(works.size());
  std::size_t first = 0;
  for (const std::size_t end : partsOf(works)) {
    if (end - first > 1) {
      runSet(works, first, end, ends);
    } else {
      if (works[first].work)
        works[first].work();
      else
        run(works[first].request);
      ends[first] = seconds();
    }
    first = end;
  }
  return ends;
}

void Launcher::runSet(const std::vector<WaitingWork>& works, std::size_t first, std::size_t end,
                      std::vector<double>& ends) {
  std::vector<launch::SetMember> members;
  std::vector<LaunchFacts> facts;
  for (std::size_t i = first; i < end; ++i) {
    const WaitingWork& one = works[i];
    launch::SetMember member;
    member.priority = one.priority;
    member.work = one.work;
    for (const unsigned before : one.after) {
      if (before >= first) member.after.push_back(before - static_cast<unsigned>(first));
    }
    for (const unsigned before : one.early) {
      if (before >= first) member.early.push_back(before - static_cast<unsigned>(first));
    }
    facts.emplace_back();
    if (!one.work) {
      const ptx::Launch& launch = one.request.launch;
      facts.back() = {takeNumber(), launch::writtenName(launch.kernel->name()),
                      dimensionsText(launch.grid), dimensionsText(launch.block)};
      member.launch = launch;
      member.grid = launch::gridOf(launch, facts.back().kernel, platform().core.code);
    }
    members.push_back(std::move(member));
  }
  launch::LaunchSet set(*executor_, std::move(members), launch::LaunchSet::Programs::Launches);
  failedInTime_ = true;  // stays true if anything below throws
  const std::uint64_t begin = cycles_;
  const std::string name = fmt::format("{} launches from {} on", facts.size(), facts[0].launch);
  timed().runSet(set, name, [&](TimedRuns::SetResults& all) {
    cycles_ += all.cycles();
    for (unsigned i = 0; i < facts.size(); ++i) {
      ends[first + i] = secondsAt(begin + all.ended(i));
      const Grid& grid = set.together()->grid(i);
      if (grid.ctas == 0) continue;
      const platforms::RunOutcome outcome = all.outcomeOf(grid);
      facts[i].begin = begin + all.begun(i);
      summary_.addBeside(facts[i].kernel, outcome);
      tables_->addBeside(facts[i], set, outcome);
    }
  });
  failedInTime_ = false;
}

}  // namespace fermata::cudart
