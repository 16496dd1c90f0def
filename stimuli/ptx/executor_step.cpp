// Executes one instruction of a warp.
#include <fermata/stimuli/ptx/executor_state.h>
#include <fermata/stimuli/ptx/handlers.h>

namespace fermata::ptx {
namespace {

/// Counts one instruction, or one round of an atomic. Throws Fault beyond the budget.
inline void spend(Machine& machine, const Warp& warp, const Instruction& i) {
  if (++machine.executed <= machine.options.instructionBudget) return;
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

}  // namespace

void Executor::execute(unsigned slot, WarpInstruction& out) {
  step(state_->machine, state_->warps[slot], out,
       [](Warp& warp, const Instruction& i, LaneMask mask) { i.handler(warp, i, mask); });
}

void Executor::beginAtomic(unsigned slot, WarpInstruction& out) {
  step(state_->machine, state_->warps[slot], out,
       [&](Warp& warp, const Instruction& i, LaneMask mask) {
         state_->atomics[slot] = &i;
         readAtomic(warp, i, mask);
       });
}

void Executor::updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out) {
  const Instruction& i = *state_->atomics[slot];
  out.pc = static_cast<std::uint32_t>(&i - state_->machine.code->instructions.data());
  out.active = lanes;
  out.space = i.space;
  out.operation = i.operation;
  out.bytesPerLane = i.bytesPerLane;
  state_->machine.out = &out;
  i.handler(state_->warps[slot], i, lanes);
}

void Executor::lostRound(unsigned slot) {
  spend(state_->machine, state_->warps[slot], *state_->atomics[slot]);
}

}  // namespace fermata::ptx
