#include <fermata/platforms/program/work/shared_traces.h>

#include <unistd.h>

#include <algorithm>
#include <new>
#include <string>
#include <thread>

namespace fermata::platforms {

namespace {

constexpr std::size_t kParts = 8;  ///< one trace may take 1 / kParts of the budget

}  // namespace

SharedTraces::SharedTraces(const std::vector<std::size_t>& todo,
                           const std::function<std::string(std::size_t)>& executes,
                           std::size_t budget)
    : budget_(budget) {
  std::map<std::string, std::size_t> numbers;
  for (const std::size_t run : todo) {
    const std::string what = executes(run);
    const auto [at, isNew] = numbers.emplace(what, groups_.size());
    const std::size_t group = isNew || what.empty() ? groups_.size() : at->second;
    if (group == groups_.size()) groups_.emplace_back();
    groupOf_[run] = group;
    ++groups_[group].runs;
  }
}

bool SharedTraces::hasRoom() const {
  std::size_t used = budget_ / kParts;
  for (const Group& group : groups_) {
    if (group.trace != nullptr) used += group.recording ? budget_ / kParts : group.trace->bytes();
  }
  return budget_ != 0 && used <= budget_;
}

traces::MemoryTrace* SharedTraces::of(std::size_t run) {
  Group& group = groups_[groupOf_.at(run)];
  if (group.recording && group.trace->state() == traces::MemoryTrace::State::Ready)
    group.recording = false;  // recorded: its process is storing the result
  if (group.unfit || group.recording) return nullptr;
  if (group.trace != nullptr) return group.trace.get();
  if (group.runs == 1 || !hasRoom()) return nullptr;
  try {
    group.trace = std::make_unique<traces::MemoryTrace>(budget_ / kParts);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  group.recording = true;
  group.recorder = run;
  return group.trace.get();
}

void SharedTraces::ended(std::size_t run, bool again) {
  Group& group = groups_[groupOf_.at(run)];
  if (group.recording && group.recorder == run) {
    group.recording = false;
    const auto state = group.trace->state();
    group.unfit = state == traces::MemoryTrace::State::Unfit;
    if (state != traces::MemoryTrace::State::Ready) group.trace.reset();
  }
  if (!again) --group.runs;
  if (group.runs == 0 && group.trace != nullptr) {
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
