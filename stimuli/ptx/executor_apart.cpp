// A machine for each multiprocessor that runs apart, which looks at memory through the log of its
// own stores; and for each thread that shares a launch, which looks at memory itself.
#include <fermata/stimuli/ptx/executor_state.h>
#include <fermata/stimuli/ptx/instruction.h>

#include <algorithm>
#include <numeric>

namespace fermata::ptx {

bool Executor::mayRunApart(const Kernel& kernel) const {
  const ExecutorOptions& options = state_->machine.options;
  const KernelCode& code = kernel.code();
  return !options.checkUninitialised && !options.allowStrayReads && !code.meetsOthers() &&
         !(options.carryData && code.hasGlobalAtomics());
}

bool Executor::runApart(unsigned multiprocessors, unsigned slots) {
  State& s = *state_;
  if (!mayRunApart(*s.machine.launch.kernel)) return false;
  s.logs.resize(multiprocessors);
  for (unsigned i = 0; i < multiprocessors; ++i) {
    s.addMachine(i * slots, slots).log = &s.logs[i];
  }
  return true;
}

bool Executor::share(unsigned threads, unsigned slots) {
  State& s = *state_;
  const ExecutorOptions& options = s.machine.options;
  if (options.checkUninitialised || options.allowStrayReads || s.machine.code->callsLibrary ||
      s.machine.launch.kernel->readsClock())
    return false;
  s.machine.crew = &s.crew;
  s.machine.told = s.machine.executed;
  s.crew.executed = s.machine.executed;
  for (unsigned i = 1; i < threads; ++i) {
    Machine& its = s.addMachine(i * slots, slots);
    its.executed = its.told = 0;
  }
  return true;
}

/// Makes a machine for the warps of `slots` slots.
Machine& Executor::State::addMachine(unsigned firstSlot, unsigned slots) {
  apart.push_back(std::make_unique<Machine>(machine));
  for (unsigned slot = firstSlot; slot < firstSlot + slots; ++slot)
    warps.at(slot).machine = apart.back().get();
  return *apart.back();
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

std::uint64_t Executor::instructionsExecuted() const {
  return state_->executed();
}
std::uint64_t Executor::instructionsExecuted(unsigned slot) const {
  return state_->warps[slot].machine->executed;
}

void Executor::setAwaitsGrids(bool awaits) {
  state_->machine.awaitsGrids = awaits;
  for (const auto& machine : state_->apart) machine->awaitsGrids = awaits;
}

std::uint64_t Executor::signalledCtas() const {
  return std::accumulate(
      state_->apart.begin(), state_->apart.end(), state_->machine.signalled,
      [](std::uint64_t sum, const auto& other) { return sum + other->signalled; });
}

/// Tells the crew what a thread's machine has executed, and the machine what the others have.
void Executor::State::tellCrew(Machine& its) {
  const std::uint64_t news = its.executed - its.told;
  its.told = its.executed;
  its.elsewhere = crew.executed.fetch_add(news, std::memory_order_relaxed) + news - its.executed;
}

/// Gives all warps one machine again.
void Executor::State::joinMachines() {
  machine.executed = executed();
  apart.clear();
  logs.clear();
  machine.crew = nullptr;
  machine.elsewhere = 0;
  for (Warp& warp : warps) warp.machine = &machine;
}

}  // namespace fermata::ptx
