// Executes one instruction of a warp.
#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/compiled.h>
#include <fermata/stimuli/ptx/executor_state.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/machine_code.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/tensor_memory.h>

#include <algorithm>

namespace fermata::ptx {
namespace {

/// Nanoseconds after which a warp looks again whether the launches before are over (assumption).
constexpr std::uint64_t kGridSleep = 100;

/// Counts one instruction, or one round of an atomic. Throws Fault beyond the budget.
inline void spend(Machine& machine, const Warp& warp, const Instruction& i) {
  if (++machine.executed + machine.elsewhere <= machine.options.instructionBudget) return;
  failAt(warp, i, firstLane(warp.active), FaultKind::Budget,
         "the launch has executed its budget of {} warp instructions (--budget); expected a launch "
         "that ends",
         machine.options.instructionBudget);
}

/// Does what every instruction needs; act(warp, instruction, mask) executes the instruction itself.
template <class Act>
inline void step(Machine& machine, Warp& warp, WarpInstruction& out, Act act) {
  const Instruction& i = machine.code->instructions[warp.pc];
  spend(machine, warp, i);
  const LaneMask mask = warp.active & predicateValue(warp, i.guard);
  out.pc = warp.pc;
  out.active = mask;
  out.space = i.space;
  out.operation = i.operation;
  out.bytesPerLane = i.bytesPerLane;
  out.hasData = false;
  machine.out = &out;
  ++warp.pc;
  if (mask != 0) {
    if (machine.hintGeneration != machine.memory->generation()) {
      machine.hints.assign(machine.hints.size(), nullptr);
      machine.hintGeneration = machine.memory->generation();
    }
    act(warp, i, mask);
  } else if (i.space == MemorySpace::Generic) {
    out.space = MemorySpace::Global;
  }
  if (warp.pc == warp.reconverge && warp.active != 0) reconverge(warp);
}

void runHandler(Warp& warp, const Instruction& i, LaneMask mask) {
  i.handler(warp, i, mask);
}

/// Makes the access of an instruction that of all those that it stands for.
void widen(const Warp& warp, unsigned bytes, unsigned below, WarpInstruction& out) {
  for (std::uint64_t& address : out.address) address -= below;
  out.bytesPerLane = static_cast<std::uint8_t>(bytes);
  if (!out.hasData) return;
  for (const unsigned lane : lanesIn(out.active)) {
    const std::uint64_t address = out.address[lane];
    const Window window = namesRank(address) ? windowOfRank(warp, address) : sharedWindow(warp);
    readLane(window, address, lane, bytes, out.data[lane].data());
  }
}

/// Executes one instruction of machine code. Returns false if more of its sequence follow. The last
/// one of a sequence executes what PTX says, by act().
template <class Act>
bool stepLowered(Machine& machine, Warp& warp, WarpInstruction& out, Act act) {
  const MachineCode& lowered = *machine.lowered;
  const std::uint32_t pc = warp.pc, at = lowered.first[pc] + warp.step;
  if (at + 1 < lowered.first[pc + 1]) {
    ++warp.step;
    const PredicateOperand guard = machine.code->instructions[lowered.pcOf[at]].guard;
    out.active = warp.active & predicateValue(warp, guard);
    out.pc = at;
    out.space = MemorySpace::None;
    out.hasData = false;
    return false;
  }
  warp.step = 0;
  step(machine, warp, out, act);
  out.pc = at;
  const StaticInstruction& known = lowered.statics[at];
  if (known.bytesPerLane > out.bytesPerLane && known.space == MemorySpace::Shared)
    widen(warp, known.bytesPerLane, lowered.below[at], out);
  return true;
}

/// True for an instruction behind which memory and registers may still change before the warp's
/// next one: free ones wait for that.
bool mayComeLater(const Machine& machine, std::uint32_t at) {
  const StaticInstruction& known = machine.lowered->statics[at];
  return known.instructionClass == InstructionClass::Barrier ||
         known.operation == MemoryOperation::Atomic;
}

/// Instructions per turn. A warp of a kernel that may wait for another one has short turns.
constexpr unsigned kShortTurn = 64, kLongTurn = 1024;

bool mayWait(const KernelCode& code) {
  const auto& all = code.instructions;
  return std::any_of(all.begin(), all.end(),
                     [](const Instruction& i) { return i.handler == &executeWaitingBranch; });
}

}  // namespace

void stepOnce(Machine& machine, Warp& warp, WarpInstruction& out) {
  step(machine, warp, out, runHandler);
}

void Executor::State::askForCode() {
  const ExecutorOptions& options = machine.options;
  compiles = options.compiler != nullptr && !options.checkUninitialised && !options.carryData &&
             !machine.memory->tracksWritten() && !machine.code->callsLibrary &&
             !machine.launch.kernel->readsClock();
  if (compiles) options.compiler->launched(*machine.launch.kernel);
}

bool Executor::hasCode() const {
  const State& s = *state_;
  if (!s.compiles) return false;
  return s.machine.launch.kernel->compiled().code.load(std::memory_order_acquire) != nullptr;
}

unsigned Executor::executeCompiled(unsigned slot, unsigned most) {
  const CompiledPlace& place = state_->machine.launch.kernel->compiled();
  return place.code.load(std::memory_order_acquire)->run(state_->warps[slot], most);
}

void Executor::executedWithoutCode(unsigned instructions) {
  const State& s = *state_;
  if (s.compiles) s.machine.options.compiler->executed(*s.machine.launch.kernel, instructions);
}

unsigned Executor::turn() const {
  return state_->turn;
}

void Executor::State::beginTurns() {
  compiles = false;
  turn = mayWait(*machine.code) ? kShortTurn : kLongTurn;
}

void Executor::execute(unsigned slot, WarpInstruction& out) {
  Warp& warp = state_->warps[slot];
  Machine& machine = *warp.machine;
  if (machine.lowered == nullptr) return step(machine, warp, out, runHandler);
  State::passFree(warp);
  if (stepLowered(machine, warp, out, runHandler) && !mayComeLater(machine, out.pc))
    State::passFree(warp);
}

std::uint64_t Executor::sleep(unsigned slot) const {
  Warp& warp = state_->warps[slot];
  if (warp.machine->lowered != nullptr) State::passFree(warp);
  if (warp.active == 0) return 0;
  const Instruction& i = warp.machine->code->instructions[warp.pc];
  const LaneMask mask = warp.active & predicateValue(warp, i.guard);
  if (mask == 0) return 0;
  if (i.handler == &executeGridWait) return warp.machine->awaitsGrids ? kGridSleep : 0;
  if (i.space == MemorySpace::None && i.handler != &executeSleep)
    return lacksTensorColumns(warp, i) ? kTensorSleep : 0;
  if (i.handler != &executeSleep) return sleepAtMBarriers(warp, i, mask);
  std::uint32_t longest = 0;
  for (const unsigned lane : lanesIn(mask))
    longest = std::max(longest, rowOf<std::uint32_t>(warp, i.a)[lane]);
  return longest;
}

void Executor::State::passFree(Warp& warp) {
  Machine& machine = *warp.machine;
  WarpInstruction* const told = machine.out;
  while (warp.active != 0 && machine.lowered->isFree(warp.pc))
    step(machine, warp, machine.unseen, runHandler);
  machine.out = told;
}

void Executor::beginAtomic(unsigned slot, WarpInstruction& out) {
  Warp& own = state_->warps[slot];
  if (own.machine->lowered != nullptr) State::passFree(own);
  own.step = 0;
  step(*own.machine, own, out, [&](Warp& warp, const Instruction& i, LaneMask mask) {
    state_->atomics[slot] = &i;
    readAtomic(warp, i, mask);
  });
  const MachineCode* lowered = state_->machine.lowered;
  if (lowered != nullptr) out.pc = lowered->computing(out.pc);
}

void Executor::updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out) {
  const Instruction& i = *state_->atomics[slot];
  Warp& warp = state_->warps[slot];
  out.pc = static_cast<std::uint32_t>(&i - state_->machine.code->instructions.data());
  const MachineCode* lowered = state_->machine.lowered;
  if (lowered != nullptr) out.pc = lowered->computing(out.pc);
  out.active = lanes;
  out.space = i.space;
  out.operation = i.operation;
  out.bytesPerLane = i.bytesPerLane;
  warp.machine->out = &out;
  i.handler(warp, i, lanes);
}

void Executor::lostRound(unsigned slot) {
  const Warp& warp = state_->warps[slot];
  spend(*warp.machine, warp, *state_->atomics[slot]);
}

}  // namespace fermata::ptx
