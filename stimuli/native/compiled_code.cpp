#include <fermata/stimuli/native/compiled_code.h>

#include <algorithm>

#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::native {
namespace {

using ptx::Machine;
using ptx::Warp;

/// Receives what an instruction tells a timing model, to which nobody listens here.
WarpInstruction& unheard() {
  thread_local WarpInstruction one;
  return one;
}

std::uint32_t interpret(Context* context, std::uint32_t pc) {
  Warp& warp = *context->warp;
  Machine& machine = *warp.machine;
  warp.pc = pc;
  const LaneMask active = warp.active;
  const std::uint32_t reconverge = warp.reconverge;
  ptx::stepOnce(machine, warp, unheard());
  --machine.executed;  // its piece counts it
  const bool goesOn = warp.pc == pc + 1 && warp.active == active && warp.reconverge == reconverge;
  if (goesOn) return 0;
  context->pc = warp.pc;
  return 1;
}

Context contextOf(Warp& warp, unsigned most) {
  const Machine& machine = *warp.machine;
  Context context{};
  context.rows = warp.base[0];
  context.constants = warp.base[1];
  context.predicates = warp.predicates;
  context.shared = warp.cta->shared.get();
  context.sharedBytes = machine.sharedBytes;
  context.local = warp.local;
  context.localBytes = warp.local == nullptr ? 0 : warp.localTop;
  context.parameters = machine.parameters.data();
  context.hints = machine.hints.data();
  context.left = most;
  context.pc = warp.pc;
  context.reconverge = warp.reconverge;
  context.active = warp.active;
  context.interpret = &interpret;
  context.warp = &warp;
  return context;
}

/// Returns how many of `most` instructions the budget of the launch allows.
unsigned allowed(const Machine& machine, unsigned most) {
  const std::uint64_t spent = machine.executed + machine.elsewhere;
  const std::uint64_t budget = machine.options.instructionBudget;
  return static_cast<unsigned>(std::min<std::uint64_t>(most, budget > spent ? budget - spent : 0));
}

}  // namespace

unsigned CompiledCode::runPieces(Warp& warp, unsigned most) const {
  const std::uint32_t meet = warp.reconverge;
  if (meet != ptx::kNoReconvergence && !pieces_.leader[meet]) return 0;
  Context context = contextOf(warp, most);
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
  unsigned done = 0;
  while (done < limit && warp.active != 0) {
    const std::uint32_t pc = warp.pc;
    const unsigned length = pieces_.length[pc];
    const unsigned now =
        length != Pieces::kNone && length <= limit - done ? runPieces(warp, limit - done) : 0;
    done += now;
    if (now != 0) continue;
    if (!pieces_.stepped[warp.pc]) break;
    ptx::stepOnce(machine, warp, unheard());
    ++done;
  }
  return done;
}

}  // namespace fermata::native
