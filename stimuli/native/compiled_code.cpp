#include <fermata/stimuli/native/compiled_code.h>

#include <algorithm>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::native {
namespace {

using ptx::Machine;
using ptx::Warp;

std::uint32_t interpret(Context* context, std::uint32_t pc) {
  Warp& warp = *context->warp;
  Machine& machine = *warp.machine;
  warp.pc = pc;
  const LaneMask active = warp.active;
  const std::uint32_t reconverge = warp.reconverge;
  ptx::stepOnce(machine, warp, machine.unseen);
  --machine.executed;  // its piece counts it
  const bool goesOn = warp.pc == pc + 1 && warp.active == active && warp.reconverge == reconverge;
  if (goesOn) return 0;
  context->pc = warp.pc;
  return 1;
}

/// Fills what stays while a CTA runs.
Context contextOf(Warp& warp) {
  const Machine& machine = *warp.machine;
  Context context{};
  context.constants = warp.base[1];
  context.shared = warp.cta->shared.get();
  context.sharedBytes = machine.sharedBytes;
  context.local = warp.local;
  context.parameters = machine.parameters.data();
  context.hints = machine.hints.data();
  context.shares = machine.crew != nullptr ? 1 : 0;
  context.interpret = &interpret;
  context.warp = &warp;
  return context;
}

/// Executes a branch at which lanes may part.
void branch(Warp& warp, const ptx::Instruction& i) {
  const LaneMask mask = warp.active & ptx::predicateValue(warp, i.guard);
  ++warp.machine->executed;
  ++warp.pc;
  if (mask != 0) ptx::executeBranch(warp, i, mask);
  if (warp.pc == warp.reconverge && warp.active != 0) ptx::reconverge(warp);
}

/// Returns how many of `most` instructions the budget of the launch allows.
unsigned allowed(const Machine& machine, unsigned most) {
  const std::uint64_t spent = machine.executed + machine.elsewhere;
  const std::uint64_t budget = machine.options.instructionBudget;
  return static_cast<unsigned>(std::min<std::uint64_t>(most, budget > spent ? budget - spent : 0));
}

}  // namespace

unsigned CompiledCode::runPieces(Context& context, unsigned most) const {
  Warp& warp = *context.warp;
  const std::uint32_t meet = warp.reconverge;
  if (meet != ptx::kNoReconvergence && !pieces_.leader[meet]) return 0;
  context.rows = warp.base[0];
  context.predicates = warp.predicates;
  context.localBytes = warp.local == nullptr ? 0 : warp.localTop;
  context.left = most;
  context.pc = warp.pc;
  context.reconverge = meet;
  context.active = warp.active;
  (warp.active == kAllLanes ? library_.whole : library_.part)(&context);
  const auto done = static_cast<unsigned>(most - context.left);
  warp.machine->executed += done;
  warp.pc = context.pc;
  if (warp.pc == warp.reconverge && warp.active != 0) ptx::reconverge(warp);
  return done;
}

unsigned CompiledCode::run(Warp& warp, unsigned most) const {
  Machine& machine = *warp.machine;
  if (machine.hintGeneration != machine.memory->generation()) {
    machine.hints.assign(machine.hints.size(), nullptr);
    machine.hintGeneration = machine.memory->generation();
  }
  const unsigned limit = allowed(machine, most);
  Context context = contextOf(warp);
  unsigned done = 0;
  while (done < limit && warp.active != 0) {
    const unsigned length = pieces_.length[warp.pc];
    const unsigned now =
        length != Pieces::kNone && length <= limit - done ? runPieces(context, limit - done) : 0;
    done += now;
    if (now != 0) continue;
    const ptx::Instruction& i = machine.code->instructions[warp.pc];
    if (i.handler == &ptx::executeBranch) {
      branch(warp, i);
    } else if (pieces_.stepped[warp.pc]) {
      ptx::stepOnce(machine, warp, machine.unseen);
    } else {
      break;
    }
    ++done;
  }
  return done;
}

}  // namespace fermata::native
