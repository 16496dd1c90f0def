// Multiprocessors that run apart: a machine for each, which looks at memory through the log of its
// own stores.
#include <fermata/stimuli/ptx/executor_state.h>
#include <fermata/stimuli/ptx/instruction.h>

#include <algorithm>
#include <numeric>

namespace fermata::ptx {

bool Executor::runApart(unsigned multiprocessors, unsigned slots) {
  State& s = *state_;
  const ExecutorOptions& options = s.machine.options;
  const KernelCode& code = *s.machine.code;
  if (options.checkUninitialised || options.allowStrayReads || code.meetsOthers() ||
      (options.carryData && code.hasGlobalAtomics()))
    return false;
  s.logs.resize(multiprocessors);
  for (unsigned i = 0; i < multiprocessors; ++i) {
    s.apart.push_back(std::make_unique<Machine>(s.machine));
    s.apart.back()->log = &s.logs[i];
    for (unsigned slot = i * slots; slot < (i + 1) * slots; ++slot)
      s.warps.at(slot).machine = s.apart.back().get();
  }
  return true;
}

void Executor::exchange() {
  State& s = *state_;
  StoreLog::exchange(s.logs);
  const std::uint64_t all = s.executed();
  for (const auto& machine : s.apart) machine->elsewhere = all - machine->executed;
}

std::uint64_t Executor::State::executed() const {
  return std::accumulate(
      apart.begin(), apart.end(), machine.executed,
      [](std::uint64_t sum, const auto& other) { return sum + other->executed; });
}

/// Gives all warps one machine again.
void Executor::State::joinMachines() {
  apart.clear();
  logs.clear();
  for (Warp& warp : warps) warp.machine = &machine;
}

}  // namespace fermata::ptx
