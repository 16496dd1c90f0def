#include <fermata/models/core/sm_core.h>

#include <algorithm>

#include <fermata/models/transaction/warp_access.h>

namespace fermata {

namespace {

/// The parameters, or a fatal report that says which of them is impossible.
const SmCore::Parameters& checked(const SmCore::Parameters& p) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) SC_REPORT_FATAL("fermata/core", what);
  };
  require(p.schedulers >= 1 && p.schedulers <= kMaxWarpSlots, "schedulers must be 1 to 64");
  require(p.issueWidth >= 1, "issueWidth must be 1 or more");
  require(p.limits.warps >= 1 && p.limits.warps <= kMaxWarpSlots, "limits.warps must be 1 to 64");
  require(p.limits.ctas >= 1, "limits.ctas must be 1 or more");
  require(p.limits.registerUnit >= 1, "limits.registerUnit must be 1 or more");
  require(p.limits.sharedUnit >= 16,
          "limits.sharedUnit must be 16 or more: a CTA's window holds aligned lanes");
  return p;
}

std::vector<SlotMask> slotsByScheduler(unsigned schedulers, unsigned slots) {
  std::vector<SlotMask> masks(schedulers, 0);
  for (unsigned slot = 0; slot < slots; ++slot) masks[slot % schedulers] |= SlotMask{1} << slot;
  return masks;
}

}  // namespace

SmCore::SmCore(const sc_core::sc_module_name& name, ClockDomain& domain,
               const Parameters& parameters, Probe* probe)
    : sc_module(name),
      port("port", domain.clock(), *this),
      domain_(domain),
      parameters_(checked(parameters)),
      probe_(probe),
      barriers_(parameters.limits.warps),
      pipelines_(parameters.pipelines),
      schedulerSlots_(slotsByScheduler(parameters.schedulers, parameters.limits.warps)),
      stalls_(schedulerSlots_, parameters.issueWidth) {
  for (unsigned s = 0; s < parameters.schedulers; ++s) {
    policies_.push_back(makePolicy(parameters.policy, parameters.activeWarps));
  }
  domain.add(*this);
}

void SmCore::start(Workload& workload) {
  if (!finished()) SC_REPORT_FATAL("fermata/core", "a workload is still running");
  workload.setWarpSlots(parameters_.limits.warps);
  workload.setCarriesData(parameters_.verify);
  workload_ = &workload;
  grid_ = nullptr;
  issued_ = 0;
  best_ = {};
  bestWarps_ = 0;
  for (auto& policy : policies_) policy->reset();
  pipelines_ = Pipelines(parameters_.pipelines);
  started_ = ended_ = domain_.nextCycle();
  stalls_.start(started_);
  domain_.wake(started_);
}

Cycle SmCore::tick(Cycle now) {
  if (workload_ == nullptr) return kNever;
  stalls_.settle(now, warps_, pipelines_, probe_);
  retireCtas(now);
  while (grid_ == nullptr || (nextCta_ == grid_->ctas && ctas_.resident() == 0)) {
    if (!beginGrid(now)) return kNever;
  }
  placeCtas(now);
  for (unsigned s = 0; s < parameters_.schedulers; ++s) schedule(s, now);
  return nextUseful(now);
}

// Returns false after the last grid.
bool SmCore::beginGrid(Cycle now) {
  if (grid_ != nullptr) endGrid(now);
  grid_ = workload_->nextGrid();
  if (grid_ == nullptr) {
    workload_ = nullptr;
    ended_ = now;
    return false;
  }
  const Occupancy fits = occupancy(*grid_, parameters_.limits);
  if (fits.ctas == 0) {
    throw OccupancyError("kernel '" + grid_->kernel +
                         "': one CTA does not fit on the SM; it exceeds the limit on " +
                         fermata::name(fits.limiter));
  }
  const WindowPlacement windows = windowPlacement(*grid_, parameters_.limits, fits.ctas);
  ctas_.configure(*grid_, fits.ctas, static_cast<std::uint32_t>(windows.stride));  // they fit
  if (const unsigned warps = fits.ctas * grid_->warpsPerCta(); warps > bestWarps_) {
    best_ = fits;
    bestWarps_ = warps;
  }
  scoreboard_.configure(parameters_.limits.warps, grid_->registerCount);
  nextCta_ = 0;
  if (probe_ != nullptr) probe_->gridStarted(*grid_, now - started_);
  return true;
}

void SmCore::endGrid(Cycle now) {
  if (probe_ != nullptr) probe_->gridEnded(*grid_, now - started_);
}

void SmCore::placeCtas(Cycle now) {
  while (nextCta_ < grid_->ctas && ctas_.hasPlace()) {
    Cta& cta = ctas_.place(nextCta_++);
    const unsigned warps = ctas_.warpsPerCta();
    if (parameters_.verify)
      port.clearWindow(cta.windowBase, (grid_->sharedBytesPerCta + 3) / 4 * 4);
    barriers_.startCta(cta.first, warps);
    workload_->startCta(cta.number, cta.first);
    if (probe_ != nullptr) probe_->ctaStarted(cta.number, warps, now - started_);
    for (unsigned slot = cta.first; slot < cta.first + warps; ++slot) {
      scoreboard_.clear(slot);
      policies_[slot % parameters_.schedulers]->started(slot);
      advance(slot, now, now);
    }
  }
}

void SmCore::retireCtas(Cycle now) {
  if (grid_ == nullptr || ctas_.resident() == 0) return;
  for (Cta& cta : ctas_.places()) {
    if (!cta.draining() || cta.retires > now) continue;
    workload_->endCta(cta.first);
    if (probe_ != nullptr) probe_->ctaEnded(cta.number, ctas_.warpsPerCta(), now - started_);
    ctas_.remove(cta);
  }
}

void SmCore::schedule(unsigned scheduler, Cycle now) {
  unsigned issued = 0;
  for (; issued < parameters_.issueWidth; ++issued) {
    SlotMask candidates = schedulerSlots_[scheduler];
    for (unsigned k = 0; k < kPipelineKinds; ++k) {
      const auto kind = static_cast<PipelineKind>(k);
      if (pipelines_.free(kind) > now) candidates &= ~warps_.wants(kind);
    }
    const SlotMask ready = warps_.ready(now, candidates);
    if (ready == 0) break;
    issue(scheduler, policies_[scheduler]->pick(ready), now);
  }
  stalls_.cycle(scheduler, issued, now, warps_, pipelines_, probe_);
}

bool SmCore::fixedLatency(const StaticInstruction& instruction) const {
  return instruction.instructionClass != InstructionClass::Memory ||
         instruction.space == MemorySpace::Constant || instruction.space == MemorySpace::Parameter;
}

void SmCore::issue(unsigned scheduler, unsigned slot, Cycle now) {
  const StaticInstruction& instruction = *warps_.next(slot);
  const PipelineKind kind = pipelineOf(instruction.instructionClass);
  const ClassTiming& timing = pipelines_.timing(instruction.instructionClass);
  Cycle notBefore = now + 1;
  if (!fixedLatency(instruction)) {
    issueMemory(slot, instruction, now);
  } else {
    workload_->execute(slot, scratch_);
    lastActive_ = scratch_.active;
    const bool constant = instruction.instructionClass == InstructionClass::Memory;
    pipelines_.take(kind, now, constant ? 1 : timing.interval);
    complete(slot, instruction, now + (constant ? parameters_.constantLatency : timing.latency));
    // Nothing of the warp issues behind a branch before its target is known.
    if (instruction.instructionClass == InstructionClass::Branch) notBefore = now + timing.latency;
  }
  ++issued_;
  if (probe_ != nullptr) {
    probe_->issued(
        {now - started_, slot, *grid_, instruction, lastActive_, stalls_.takeLost(scheduler)});
  }
  if (instruction.instructionClass == InstructionClass::Barrier && lastActive_ != 0) {
    issueBarrier(slot, now);
  } else {
    advance(slot, notBefore, now);
  }
}

void SmCore::issueMemory(unsigned slot, const StaticInstruction& instruction, Cycle now) {
  WarpAccess& access = port.open();
  access.instruction.hasData = false;
  workload_->execute(slot, access.instruction);
  lastActive_ = access.instruction.active;
  if (lastActive_ == 0) {
    port.drop();  // predicated off in every lane: it took an issue slot and the port, no more
    pipelines_.take(PipelineKind::Memory, now, 1);
    return;
  }
  access.slot = slot;
  access.program = grid_->program;
  access.issuedInstruction = &instruction;
  access.windowBase = ctas_.ofSlot(slot).windowBase;
  const MemoryPort::Outcome outcome = port.send(now);
  if (outcome.accepted) {
    pipelines_.take(PipelineKind::Memory, now, outcome.occupancy);
  } else {
    pipelines_.setFree(PipelineKind::Memory, kNever);  // until portFree() is called
  }
  if (outcome.completed == kNever) ++ctas_.ofSlot(slot).pending;
  complete(slot, instruction, outcome.completed);
}

void SmCore::issueBarrier(unsigned slot, Cycle now) {
  const Cta& cta = ctas_.ofSlot(slot);
  warps_.hold(slot);
  const SlotMask freed = barriers_.arrive(cta.first, slot, scratch_.barrier,
                                          scratch_.barrierThreads, scratch_.barrierWaits);
  if (!scratch_.barrierWaits) release(SlotMask{1} << slot, now);
  release(freed, now);
}

void SmCore::release(SlotMask warps, Cycle now) {
  const Cycle latency = pipelines_.timing(InstructionClass::Barrier).latency;
  for (; warps != 0; warps &= warps - 1) {
    advance(static_cast<unsigned>(__builtin_ctzll(warps)), now + latency, now);
  }
}

// The results of an instruction arrive in cycle `at`; kNever: not known yet.
void SmCore::complete(unsigned slot, const StaticInstruction& instruction, Cycle at) {
  scoreboard_.write(slot, instruction, at);
  if (at == kNever) return;
  Cta& cta = ctas_.ofSlot(slot);
  cta.retires = std::max(cta.retires, at);
}

// Looks at the warp's next instruction, which cannot issue before `notBefore`.
void SmCore::advance(unsigned slot, Cycle notBefore, Cycle now) {
  const StaticInstruction* next = workload_->peek(slot);
  if (next == nullptr) return exitWarp(slot, now);
  notBefore_[slot] = notBefore;
  warps_.set(slot, next, std::max(notBefore, scoreboard_.ready(slot, *next)));
}

void SmCore::exitWarp(unsigned slot, Cycle now) {
  Cta& cta = ctas_.ofSlot(slot);
  warps_.clear(slot);
  policies_[slot % parameters_.schedulers]->ended(slot);
  --cta.live;
  cta.retires = std::max(cta.retires, now + 1);
  release(barriers_.exit(cta.first), now);
}

void SmCore::portFree(Cycle at) {
  const Cycle now = domain_.clock().now();
  stalls_.settle(now, warps_, pipelines_, probe_);
  pipelines_.setFree(PipelineKind::Memory, at);
  domain_.wake(std::max(at, now));
}

// A response that came later than the call that sent the access.
void SmCore::completed(const WarpAccess& access, Cycle at) {
  const Cycle now = domain_.clock().now();
  stalls_.settle(now, warps_, pipelines_, probe_);
  const unsigned slot = access.slot;
  --ctas_.ofSlot(slot).pending;
  complete(slot, *access.issuedInstruction, at);
  const SlotMask bit = SlotMask{1} << slot;
  if ((warps_.live() & bit) != 0 && (warps_.waiting() & bit) == 0) {
    advance(slot, notBefore_[slot], now);
  }
  domain_.wake(std::max(at, now));
}

Cycle SmCore::nextUseful(Cycle now) const {
  Cycle next = warps_.earliestIssue(pipelines_, now + 1);
  for (const Cta& cta : ctas_.places()) {
    if (cta.draining()) next = std::min(next, cta.retires);
  }
  return next == kNever ? kNever : std::max(next, now + 1);
}

std::string SmCore::describeWait() const {
  if (finished()) return "nothing: the workload has finished";
  std::string text = "kernel '" + (grid_ != nullptr ? grid_->kernel : std::string("?")) + "'";
  if (port.inFlight() != 0) {
    text += "; " + std::to_string(port.inFlight()) + " accesses without a response";
  }
  for (SlotMask m = warps_.live(); m != 0; m &= m - 1) {
    const auto slot = static_cast<unsigned>(__builtin_ctzll(m));
    const bool barrier = (warps_.waiting() >> slot & 1) != 0;
    text += "; warp slot " + std::to_string(slot) + " waits " +
            (barrier ? "at a barrier" : "for a register") + ", next pc " +
            std::to_string(warps_.next(slot)->pc);
  }
  return text;
}

}  // namespace fermata
