#include <fermata/models/core/staged_pipeline.h>

#include <stdexcept>

namespace fermata {

namespace {

const StageParameters& checked(PipelineOrganisation organisation, const StageParameters& p) {
  if (!isStaged(organisation)) throw std::invalid_argument("the pipeline has no stages");
  if (p.memoryStages < 2 || p.stages < p.memoryStages + 3 || p.writebackPorts == 0)
    throw std::invalid_argument("a pipeline of too few stages or ports");
  if (p.simdWidth == 0 || kWarpLanes % p.simdWidth != 0)
    throw std::invalid_argument("a warp is no whole number of subwarps");
  return p;
}

}  // namespace

StagedPipeline::StagedPipeline(PipelineOrganisation organisation, const StageParameters& parameters)
    : unified_(organisation == PipelineOrganisation::Unified),
      elastic_(organisation == PipelineOrganisation::Elastic),
      parameters_(checked(organisation, parameters)),
      subwarps_(parameters.subwarps()),
      depthOfExecute_(parameters.stages - parameters.memoryStages - 2),
      nonmemEntries_(parameters.nonmemEntries()),
      prememEntries_(parameters.prememEntries()) {}

// Into the pipeline

StagedPipeline::Id StagedPipeline::issue(Kind kind, Cycle now, unsigned passes) {
  Id id = static_cast<Id>(instructions_.size());
  if (unused_.empty()) {
    instructions_.emplace_back();
  } else {
    id = unused_.back();
    unused_.pop_back();
  }
  Instruction& i = instructions_[id];
  i = Instruction();
  i.kind = kind;
  i.passes.fill(passes);
  if (passes != 1) i.cause = StallCause::Pipeline;
  front_.push({id, usesMemory(kind), kind == Kind::Access, frontTime(now) + depthOfExecute_});
  free_ = busyUntil_ = now + subwarps_;
  blockedSince_.clear();
  return id;
}

void StagedPipeline::serve(const Service& service) {
  Instruction& i = instructions_[*reached_];
  i.exit = service.exit;
  i.cause = service.cause;
  i.passes = service.passes;
  memoryLast_ = i.lastPass = cycle_ + i.passes[0] - 1;
  if (!service.accepted) {
    i.acceptedAt = kNever;
    if (subwarps_ == 1) memoryLast_ = kNever;
  }
  reached_.reset();
}

void StagedPipeline::accepted(Id id, Cycle at) {
  Instruction& i = instructions_[id];
  i.acceptedAt = at;
  if (inMemory_ != id || memoryLast_ != kNever) return;
  memoryLast_ = std::max(i.lastPass, at - 1);
}

void StagedPipeline::returned(Id id, Cycle at) {
  Instruction& i = instructions_[id];
  i.returnAt = at;
  if (i.left) comeBack(id, at);
}

void StagedPipeline::comeBack(Id id, Cycle at) {
  const auto later = [](Cycle cycle, const Returning& r) { return cycle < r.at; };
  returns_.insert(std::upper_bound(returns_.begin(), returns_.end(), at, later),
                  {id, at, subwarps_});
}

// Time

void StagedPipeline::advanceTo(Cycle now) {
  while (cycle_ < now) {
    if (reached_)
      throw std::logic_error("the pipeline is advanced beyond an access that is not served");
    const Cycle paths = nextOfPaths();
    const Cycle move = nextMove(paths);
    standStill(std::min(move, now));
    if (move >= now) return;
    if (paths > move && executesAlone()) {
      passAlone(std::min(now, paths));
    } else {
      step(move);
      cycle_ = move + 1;
    }
  }
}

// Returns the first cycle, `cycle_` or later, at the end of which a subwarp leaves EXE or MEM0 or
// gets to WB. A blocked subwarp needs no cycle here: the one that it waits for moves first.
Cycle StagedPipeline::nextMove(Cycle paths) const {
  Cycle least = paths;
  if (!blocked_ && !front_.empty()) least = std::min(least, arrivalOf(front_.front(), executed_));
  if (!nonmem_.empty() || waitsForPort()) least = cycle_;
  return std::max(least, cycle_);
}

// Returns the part of nextMove() that concerns MEM0, the two paths and data from outside.
Cycle StagedPipeline::nextOfPaths() const {
  Cycle least = inMemory_ == kNone ? kNever : memoryLast_;
  if (!memory_.moving.empty()) least = std::min(least, memory_.nextAtEnd());
  if (!others_.moving.empty()) least = std::min(least, others_.nextAtEnd());
  if (!returns_.empty()) least = std::min(least, returns_.front().at);
  return least;
}

// True if the subwarp in EXE goes straight to WB (elastic). Precondition: something moves in this
// cycle, but no path.
bool StagedPipeline::executesAlone() const {
  return elastic_ && nonmem_.empty() && !front_.front().memory;
}

// Moves subwarps from EXE to WB, one per cycle, before cycle `until`. Equal to as many calls of
// step().
void StagedPipeline::passAlone(Cycle until) {
  const auto left = Cycle{subwarps_} - executed_;
  const Cycle cycles = std::min(left, until - cycle_);
  blocked_ = false;
  executed_ += static_cast<unsigned>(cycles);
  cycle_ += cycles;
  if (cycles != left) return;
  executed_ = 0;
  commits_.push_back({front_.pop().id, cycle_ + 1});
}

// True if EXE is blocked by a subwarp that waits for a port of WB, which can take it in the next
// cycle.
bool StagedPipeline::waitsForPort() const {
  return blocked_ && elastic_ && !front_.front().memory;
}

// Goes on to cycle `until`. Precondition: no subwarp takes a turn before it. Delays such as a stall
// of the front end grow.
void StagedPipeline::standStill(Cycle until) {
  if (blocked_ && until > cycle_) stall(cycle_, until - cycle_);
  cycle_ = until;
}

void StagedPipeline::stall(Cycle from, Cycle cycles) {
  stalls_ += cycles;
  free_ = std::max(free_, from + 1) + cycles;
  if (busyUntil_ > from) busyUntil_ += cycles;
  const Cycle begin = from + 1;
  if (!blockedSince_.empty() && blockedSince_.back().to == begin &&
      blockedSince_.back().cause == cause_) {
    blockedSince_.back().to += cycles;
  } else {
    blockedSince_.push_back({begin, begin + cycles, cause_});
  }
}

// Does the moves at the end of cycle c, in the order given in the header.
void StagedPipeline::step(Cycle c) {
  unsigned ports = parameters_.writebackPorts;
  writeBackReturns(c, ports);
  const bool memoryMoves = writeBackPath(memory_, c, ports);
  const bool othersMove = writeBackPath(others_, c, ports);
  writeBackQueue(c, ports);
  moveMemory(c, memoryMoves);
  execute(c, memoryMoves, othersMove, ports);
}

void StagedPipeline::writeBackReturns(Cycle c, unsigned& ports) {
  while (ports != 0 && !returns_.empty() && returns_.front().at <= c) {
    Returning& first = returns_.front();
    const unsigned taken = std::min(ports, first.left);
    ports -= taken;
    first.left -= taken;
    if (first.left != 0) return;
    const Id id = first.id;
    returns_.erase(returns_.begin());
    commits_.push_back({id, c + 2});
  }
}

// Returns whether the path moves.
bool StagedPipeline::writeBackPath(Path& path, Cycle c, unsigned& ports) {
  if (!path.atEnd(c)) return true;
  const Moving first = path.moving.front();
  Instruction& i = instructions_[first.id];
  if (i.exit == Exit::WriteBack) {
    if (ports == 0) {
      ++path.delay;
      return false;
    }
    --ports;
  }
  path.moving.pop();
  if (first.last) passed(first.id, c + 2);
  return true;
}

void StagedPipeline::writeBackQueue(Cycle c, unsigned& ports) {
  for (; ports != 0 && !nonmem_.empty(); --ports) {
    const Moving first = nonmem_.pop();
    if (first.last) commits_.push_back({first.id, c + 2});
  }
}

// Called when the last subwarp of an instruction is in WB or outside.
void StagedPipeline::passed(Id id, Cycle at) {
  Instruction& i = instructions_[id];
  if (i.exit != Exit::Return) return commits_.push_back({id, at});
  i.left = true;
  if (i.returnAt != kNever) comeBack(id, std::max(i.returnAt, at - 1));
}

void StagedPipeline::moveMemory(Cycle c, bool moves) {
  if (inMemory_ != kNone && memoryLast_ <= c && moves) {
    const bool last = instructions_[inMemory_].entered == subwarps_;
    memory_.moving.push({inMemory_, c + parameters_.memoryStages - 1 - memory_.delay, last});
    inMemory_ = kNone;
  }
  if (inMemory_ == kNone && !premem_.empty()) enterMemory(premem_.pop(), c + 1);
}

// Puts the next subwarp of an instruction into MEM0, from cycle `at` on.
void StagedPipeline::enterMemory(Id id, Cycle at) {
  Instruction& i = instructions_[id];
  const unsigned subwarp = i.entered++;
  inMemory_ = id;
  if (i.kind == Kind::Access && subwarp == 0) {
    reached_ = id;
    memoryLast_ = kNever;
    return;
  }
  i.lastPass = at + i.passes[subwarp] - 1;
  memoryLast_ = i.lastPass;
  if (i.entered < subwarps_ || i.acceptedAt == 0) return;
  memoryLast_ = i.acceptedAt == kNever ? kNever : std::max(i.lastPass, i.acceptedAt - 1);
}

void StagedPipeline::execute(Cycle c, bool memoryMoves, bool othersMove, unsigned ports) {
  blocked_ = false;
  if (front_.empty()) return;
  const Fetched& first = front_.front();
  if (arrivalOf(first, executed_) > c) return;
  const bool last = executed_ + 1 == subwarps_;
  const bool memory = first.memory;
  if (memory ? toMemory(first.id, c) : toOthers(first.id, last, c, othersMove, ports)) {
    ++executed_;
    if (!last) return;
    executed_ = 0;
    front_.pop();
    return;
  }
  blocked_ = true;
  const bool byPasses = memory && memoryMoves;
  cause_ = byPasses ? instructions_[inMemory_].cause : StallCause::Writeback;
  stall(c, 1);
}

bool StagedPipeline::toMemory(Id id, Cycle c) {
  if (inMemory_ == kNone) return enterMemory(id, c + 1), true;
  if (!elastic_ || premem_.size() >= prememEntries_) return false;
  premem_.push(id);
  return true;
}

bool StagedPipeline::toOthers(Id id, bool last, Cycle c, bool othersMove, unsigned ports) {
  if (!elastic_) {
    if (othersMove) others_.moving.push({id, c + parameters_.memoryStages - others_.delay, last});
    return othersMove;
  }
  if (ports != 0) {
    if (last) commits_.push_back({id, c + 2});
    return true;
  }
  if (nonmem_.size() >= nonmemEntries_) return false;
  nonmem_.push({id, 0, last});
  return true;
}

// Outlook: the next events, and the stalls since the last issue

Cycle StagedPipeline::free() const {
  if (!blocked_) return free_;
  const Cycle move = nextMove(nextOfPaths());  // EXE is blocked until then
  return move == kNever ? kNever : std::max(free_, cycle_ + 1) + (move - cycle_);
}

StagedPipeline::Front StagedPipeline::front(Cycle at) const {
  Cycle until = kNever;
  for (const Blocked& b : blockedSince_) {
    if (at >= b.to) continue;
    if (at >= b.from) return {b.cause, b.to};
    until = b.from;
    break;
  }
  if (at < busyUntil_) return {StallCause::Pipeline, std::min(until, busyUntil_)};
  return {StallCause::Idle, until};
}

Cycle StagedPipeline::nextAccess() const {
  if (reached_) return cycle_;
  const Cycle busy = inMemory_ == kNone ? cycle_ : memoryLast_;
  if (busy == kNever) return kNever;
  const bool queued = !premem_.empty() && premem_[premem_.size() - 1] != inMemory_;
  if (queued) return leavesMemory() + 1;
  for (std::size_t k = 0; k < front_.size(); ++k) {
    const Fetched& one = front_[k];
    const bool entered = k == 0 && executed_ != 0 && instructions_[one.id].entered != 0;
    if (one.access && !entered) return std::max({arrivalOf(one, 0), busy, cycle_}) + 1;
  }
  return kNever;
}

Cycle StagedPipeline::nextCommit() const {
  Cycle least = std::min({nextOfMemory(), nextOfOthers(), nextOfFront()});
  if (!returns_.empty()) {
    const Returning& first = returns_.front();
    const Cycle cycles = (first.left - 1) / parameters_.writebackPorts;
    least = std::min(least, std::max(first.at, cycle_) + cycles + 2);
  }
  return least;
}

// Returns the last cycle in MEM0 of the instruction in MEM0. Precondition: memoryLast_ is known.
Cycle StagedPipeline::leavesMemory() const {
  const Instruction& i = instructions_[inMemory_];
  Cycle last = std::max(memoryLast_, cycle_);
  for (unsigned s = i.entered; s < subwarps_; ++s) last += i.passes[s];
  return last;
}

// Returns the first cycle in which the last subwarp of a warp is at the end of the path, among
// warps for which isTold() holds; kNever: none.
Cycle StagedPipeline::endOfWarp(const Path& path) const {
  for (std::size_t i = 0; i < path.moving.size(); ++i) {
    const Moving& one = path.moving[i];
    if (one.last && isTold(instructions_[one.id])) return one.end + path.delay;
  }
  return kNever;
}

Cycle StagedPipeline::nextOfMemory() const {
  Cycle least = kNever;
  if (const Cycle end = endOfWarp(memory_); end != kNever) least = std::max(end, cycle_) + 2;
  if (inMemory_ == kNone || memoryLast_ == kNever) return least;
  if (!isTold(instructions_[inMemory_])) return least;
  return std::min(least, leavesMemory() + parameters_.memoryStages - 1 + 2);
}

Cycle StagedPipeline::nextOfOthers() const {
  if (const Cycle end = endOfWarp(others_); end != kNever) return std::max(end, cycle_) + 2;
  for (std::size_t i = 0; i < nonmem_.size(); ++i) {
    if (nonmem_[i].last) return cycle_ + i / parameters_.writebackPorts + 2;
  }
  return kNever;
}

// Returns a lower bound on the commits of instructions in the front end and in EXE. Only the first
// one that goes to memory and the first one that does not matter, each as if nothing held it up.
Cycle StagedPipeline::nextOfFront() const {
  Cycle least = kNever;
  bool memory = false;
  bool others = unified_;
  for (std::size_t k = 0; k < front_.size() && !(memory && others); ++k) {
    const Fetched& one = front_[k];
    const bool in = one.id == inMemory_;
    bool& seen = one.memory ? memory : others;
    if (seen || in) continue;
    seen = true;
    const Cycle last = std::max(arrivalOf(one, subwarps_ - 1), cycle_);
    least = std::min(least, last + (elastic_ && !one.memory ? 0 : parameters_.memoryStages) + 2);
  }
  return least;
}

}  // namespace fermata
