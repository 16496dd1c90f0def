#include <fermata/platforms/program/sweep/sweep_traces.h>

#include <unistd.h>

#include <algorithm>
#include <new>
#include <string>
#include <thread>

namespace fermata::platforms {

namespace {

constexpr std::size_t kParts = 8;  ///< one trace may take 1 / kParts of the budget

using What = std::pair<std::string, std::vector<std::string>>;

What whatRuns(const SweepPlan& plan, std::size_t point) {
  SweepRun run = runOf(plan, plan.points[point]);
  std::sort(run.parameters.begin(), run.parameters.end());
  return {run.workload, run.parameters};
}

}  // namespace

SweepTraces::SweepTraces(const SweepPlan& plan, const std::vector<std::size_t>& todo,
                         std::size_t budget)
    : budget_(budget) {
  std::map<What, std::size_t> numbers;
  for (const std::size_t point : todo) {
    const auto [at, isNew] = numbers.emplace(whatRuns(plan, point), groups_.size());
    if (isNew) groups_.emplace_back();
    groupOf_[point] = at->second;
    ++groups_[at->second].points;
  }
}

bool SweepTraces::hasRoom() const {
  std::size_t used = budget_ / kParts;
  for (const Group& group : groups_) {
    if (group.trace != nullptr) used += group.recording ? budget_ / kParts : group.trace->bytes();
  }
  return budget_ != 0 && used <= budget_;
}

traces::MemoryTrace* SweepTraces::of(std::size_t point) {
  Group& group = groups_[groupOf_.at(point)];
  if (group.recording && group.trace->state() == traces::MemoryTrace::State::Ready)
    group.recording = false;  // recorded; its process is storing the result
  if (group.unfit || group.recording) return nullptr;
  if (group.trace != nullptr) return group.trace.get();
  if (group.points == 1 || !hasRoom()) return nullptr;
  try {
    group.trace = std::make_unique<traces::MemoryTrace>(budget_ / kParts);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  group.recording = true;
  group.recorder = point;
  return group.trace.get();
}

void SweepTraces::ended(std::size_t point, bool again) {
  Group& group = groups_[groupOf_.at(point)];
  if (group.recording && group.recorder == point) {
    group.recording = false;
    const auto state = group.trace->state();
    group.unfit = state == traces::MemoryTrace::State::Unfit;
    if (state != traces::MemoryTrace::State::Ready) group.trace.reset();
  }
  if (!again) --group.points;
  if (group.points == 0 && group.trace != nullptr) {
    replays_ += group.trace->replays();
    group.trace.reset();
  }
}

std::size_t traceBudget(unsigned atOnce) {
  const auto memory = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return memory / 4 / cores * std::min(atOnce, cores);
}

}  // namespace fermata::platforms
