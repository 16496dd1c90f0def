// The part of the scheduler that begins asynchronous copies and moves them on.
#include <fermata/models/core/warp_scheduler.h>
#include <fermata/models/vocabulary/error.h>

#include <algorithm>

namespace fermata {

namespace {

/// True if a piece lies in the shared memory of another CTA.
bool ofOther(const WarpAccess& piece) {
  const WarpInstruction& what = piece.instruction;
  return namesRank(what.address[static_cast<unsigned>(__builtin_ctz(what.active))]);
}

}  // namespace

bool WarpScheduler::awaitsCopies(unsigned slot, const StaticInstruction& next) const {
  if (copies_.count(slot) == 0) return false;
  const std::uint64_t groups = workload_->copyGroups(firstSlot_ + slot);
  return groups > next.groupsLeft &&
         copies_.before(slot, groups - next.groupsLeft, next.copyStep == CopyStep::AwaitRead);
}

// Issues a copy, which takes an issue slot and the memory port like any load. A copy that reads
// nothing is there in the next cycle.
void WarpScheduler::executeCopy(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                                WarpAccess& access, Cycle now) {
  if (!execution_->takesCopies()) {
    throw BadInput(nameOf(slot, instruction) +
                   ": an asynchronous copy, for which an in-order pipeline has no place; expected "
                   "pipeline.organisation = \"decoupled\"");
  }
  if (instruction.ofEngine() && instruction.tensorWork != 0)
    return executeProduct(slot, instruction, kind, access, now);
  if (instruction.ofEngine()) return executeBulk(slot, instruction, kind, access, now);
  const std::uint64_t number = access.instruction.copy;
  const std::uint64_t sequence = access.sequence;
  if (reorder_.used()) reorder_.issue(slot, now + 1, sequence);
  lastCompletes_ = now + 1;
  if (number != WarpInstruction::kNoCopy) {
    await(slot);
    lastCompletes_ = kNever;
    const bool grouped = instruction.copyStep != CopyStep::Complete;
    copies_.begin({slot, &instruction, number,
                   grouped ? workload_->copyGroups(firstSlot_ + slot) : kNever, sequence});
  }
  if (lastActive_ == 0) {
    loadStore_.port.close(access);
    copies_.arrived(sequence, execution_->issueIdle(slot, instruction, kind, now));
    return;
  }
  sign(access, slot, instruction, ctas_.ofSlot(slot));
  if (watch_ != nullptr) watch_->requested(access, now);
  const Cycle arrives = execution_->issueAccess(access, kind, now);
  if (arrives != kNever) copies_.arrived(sequence, arrives);
}

// Hands a copy to the engine, which takes an issue slot. The warp executes the instruction for each
// piece of the copy, at once: that is where it reads its source.
void WarpScheduler::executeBulk(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                                WarpAccess& access, Cycle now) {
  if (!engine_.exists())
    throw MissingUnits(nameOf(slot, instruction) +
                       " needs an engine for copies of blocks, as sm_90 and h100 have, and "
                       "tma.load_interval is 0");
  const bool grouped = instruction.copyStep == CopyStep::BulkOut;
  WarpAccess* piece = &access;
  bool begins = true, any = false;
  const std::uint64_t first = access.sequence;
  for (;;) {
    const WarpInstruction& what = piece->instruction;
    if (what.copy != WarpInstruction::kNoCopy) {
      any = true;
      await(slot);
      copies_.begin({slot, &instruction, what.copy,
                     grouped ? workload_->copyGroups(firstSlot_ + slot) : kNever, piece->sequence});
    }
    const unsigned bytes = laneCount(what.active) * what.bytesPerLane;
    Cycle at = now;
    if (what.copy != WarpInstruction::kNoCopy) {
      at = engine_.plan(bytes, grouped, begins, now);
      begins = false;
    }
    if (what.active != 0) {
      sign(*piece, slot, instruction, ctas_.ofSlot(slot));
      engine_.push(*piece, at);
    } else {  // a piece outside of the tensor, or nothing
      copies_.arrived(piece->sequence, at + 1);
      loadStore_.port.close(*piece);
    }
    const StaticInstruction* const next = workload_->peek(firstSlot_ + slot);
    if (next == nullptr || next->pc != instruction.pc) break;
    piece = &loadStore_.port.open();
    workload_->execute(firstSlot_ + slot, piece->instruction);
  }
  lastActive_ = any ? 1 : 0;
  lastCompletes_ = execution_->issueIdle(slot, instruction, kind, now);
  if (reorder_.used()) reorder_.issue(slot, now + 1, first);
  if (any) lastCompletes_ = kNever;
}

// Hands products or copies of the tensor unit to it. The warp executes the instruction for each
// piece of its reads, at once: the last one knows how long the whole takes.
void WarpScheduler::executeProduct(unsigned slot, const StaticInstruction& instruction,
                                   IssueKind kind, WarpAccess& access, Cycle now) {
  if (!products_.exists())
    throw MissingUnits(nameOf(slot, instruction) +
                       " needs tensor memory, as sm_100 has, and tensor_memory.load_latency is 0");
  std::vector<WarpAccess*>& pieces = pieces_;
  pieces.assign(1, &access);
  while (access.instruction.active != 0) {
    const StaticInstruction* const next = workload_->peek(firstSlot_ + slot);
    if (next == nullptr || next->pc != instruction.pc) break;
    pieces.push_back(&loadStore_.port.open());
    workload_->execute(firstSlot_ + slot, pieces.back()->instruction);
  }
  lastActive_ = access.instruction.active;
  lastCompletes_ = execution_->issueIdle(slot, instruction, kind, now);
  if (reorder_.used()) reorder_.issue(slot, now + 1, access.sequence);
  if (lastActive_ == 0) return loadStore_.port.close(access);
  lastCompletes_ = kNever;
  pushProduct(slot, instruction, now);
}

// Pieces that the other CTA of a pair reads come last, those of its rows behind those of columns.
// Each CTA copies its own chunks, and multiplies by all columns.
void WarpScheduler::pushProduct(unsigned slot, const StaticInstruction& instruction, Cycle now) {
  const std::vector<WarpAccess*>& pieces = pieces_;
  const bool rows = ProductEngine::readsRows(instruction.tensorWork);
  const bool copies = instruction.tensorWork == ProductEngine::Copy;
  const bool pair = ofOther(*pieces.back());
  const std::size_t ofOtherRows = rows && pair ? ProductEngine::kPiecesOfRows : 0;
  const std::size_t end = pieces.size() - std::min(pieces.size(), ofOtherRows);
  unsigned chunks = 0;
  for (std::size_t k = rows ? ProductEngine::kPiecesOfRows : 0; k < end; ++k)
    chunks += copies && ofOther(*pieces[k]) ? 0 : laneCount(pieces[k]->instruction.active);
  const ProductEngine::Plan plan = products_.plan(instruction.tensorWork, chunks, now);
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    WarpAccess& piece = *pieces[k];
    await(slot);
    copies_.begin({slot, &instruction, piece.instruction.copy, kNever, piece.sequence});
    sign(piece, slot, instruction, ctas_.ofSlot(slot));
    products_.push(piece, plan.at(k, pieces.size()));
  }
  copies_.setPlan(slot, pieces.back()->instruction.copy, plan);
}

// Sends the engine's oldest piece, if its time has come and the port is free.
template <class Engine>
void WarpScheduler::sendPiece(Engine& engine, Cycle now) {
  if (engine.due() > now || engineDue(engine, now) != now) return;
  WarpAccess& piece = engine.front();
  engine.pop();
  const std::uint64_t sequence = loadStore_.port.renumber(piece);
  copies_.sent(piece.slot, piece.instruction.copy, sequence);
  if (watch_ != nullptr) watch_->requested(piece, now);
  const Cycle arrives = loadStore_.store(piece, now);
  if (arrives != kNever) copies_.arrived(sequence, arrives);
}

void WarpScheduler::moveCopies(Cycle now) {
  if (!engine_.empty()) sendPiece(engine_, now);
  if (!products_.empty()) sendPiece(products_, now);
  copies_.move(
      now, [&](AsyncCopies::Copy& copy) { storeCopy(copy, now); },
      [&](const AsyncCopies::Copy& copy) {
        ended(copy.slot, *copy.instruction, copy.at);
        holdChanged(copy.slot);
      });
}

void WarpScheduler::storeCopy(AsyncCopies::Copy& copy, Cycle now) {
  WarpAccess& access = loadStore_.port.open();
  workload_->storeCopy(firstSlot_ + copy.slot, copy.number, access.instruction);
  if ((asleep_ | spread_) != 0 && AsyncCopies::arrives(copy)) tellArrival(copy.slot, now);
  copy.sequence = access.sequence;
  copy.stores = true;
  copy.at = now;
  if (access.instruction.active == 0) return loadStore_.port.close(access);  // no place is known
  sign(access, copy.slot, *copy.instruction, ctas_.ofSlot(copy.slot));
  // The banks serve the passes of an engine's piece one right behind the other.
  if (copy.instruction->ofEngine()) access.instruction.copy = copy.number;
  copy.at = loadStore_.store(access, now);
  if (copy.instruction->copyStep == CopyStep::BulkOut) holdChanged(copy.slot);  // has read
}

}  // namespace fermata
