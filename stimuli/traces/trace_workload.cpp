#include <fermata/stimuli/traces/trace_workload.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/stimuli/traces/tensor_words.h>

namespace fermata::traces {

namespace {

constexpr std::uint64_t kUntilChanged = 1000000000;  ///< nanoseconds: a change comes sooner

/// True for copies that are counted at mbarriers when they are stored.
bool countsArrivals(CopyStep step) {
  return step == CopyStep::Arrive || step == CopyStep::Complete;
}

/// Returns the address of the first active lane.
std::uint64_t firstAddress(const RowHead& head, const std::byte* packed) {
  LaneAddresses address;
  unpackAddresses(head, packed, address);
  return address[static_cast<unsigned>(__builtin_ctz(head.active))];
}

}  // namespace

TraceWorkload::TraceWorkload(std::unique_ptr<TraceSource> source, TraceOptions options)
    : source_(std::move(source)), pool_(options.windowBytes) {}

void TraceWorkload::setWarpSlots(unsigned slots) {
  slots_.assign(slots, Slot{});
  copies_.assign(slots, Copies{});
}

const Grid* TraceWorkload::nextGrid() {
  const TraceSource::Event behind = std::exchange(behind_, TraceSource::Event::Row);
  switch (behind == TraceSource::Event::Row ? source_->next() : behind) {
    case TraceSource::Event::Grid:
      break;
    case TraceSource::Event::End:
      return nullptr;
    case TraceSource::Event::Row:
    case TraceSource::Event::Exit:
      throw std::logic_error("the next grid was asked for before every CTA of the last had ended");
  }
  current_ = source_->grid();
  program_ = &source_->tables()[current_.program];
  firstCta_ = started_ = 0;
  columns_.begin(slots_.size() <= kMaxWarpSlots);
  if (!ctas_.empty()) throw std::logic_error("a CTA of the last grid was not ended");
  return &current_;
}

TraceWorkload::Cta& TraceWorkload::ctaNumbered(std::uint64_t number) {
  if (number < firstCta_) throw std::logic_error("a CTA was started again after its end");
  const auto index = static_cast<std::size_t>(number - firstCta_);
  while (index >= ctas_.size()) {
    if (freeCtas_.empty()) freeCtas_.push_back(std::make_unique<Cta>());
    auto cta = std::move(freeCtas_.back());
    freeCtas_.pop_back();
    cta->live = true;
    cta->warps.resize(current_.warpsPerCta());
    cta->columns.rank = static_cast<unsigned>((firstCta_ + ctas_.size()) % current_.clusterCtas);
    ctas_.push_back(std::move(cta));
  }
  return *ctas_[index];
}

void TraceWorkload::startCta(std::uint64_t cta, unsigned firstSlot) {
  const unsigned warps = current_.warpsPerCta();
  if (program_ == nullptr || cta >= current_.ctas || firstSlot + warps > slots_.size()) {
    throw std::logic_error("a CTA outside the grid or the warp slots was started");
  }
  started_ = std::max(started_, cta + 1);
  Cta& placed = ctaNumbered(cta);
  for (unsigned warp = 0; warp < warps; ++warp) {
    slots_[firstSlot + warp] = Slot{&placed.warps[warp], nullptr, cta};
    copies_[firstSlot + warp] = Copies{};
  }
}

void TraceWorkload::endCta(unsigned firstSlot) {
  const std::uint64_t number = slots_[firstSlot].cta;
  Cta& cta = ctaNumbered(number);
  for (unsigned warp = 0; warp < cta.warps.size(); ++warp) {
    RowQueue& queue = cta.warps[warp];
    if (!queue.empty() || !queue.ended) {
      throw std::logic_error("a CTA was ended before each of its warps had exited");
    }
    queue.clear(pool_);
    slots_[firstSlot + warp] = Slot{};
  }
  cta.live = false;
  cta.changes.clear();
  columns_.end(cta.columns);
  while (!ctas_.empty() && !ctas_.front()->live) {
    freeCtas_.push_back(std::move(ctas_.front()));
    ctas_.pop_front();
    ++firstCta_;
  }
}

void TraceWorkload::readOn() {
  const TraceSource::Event event = source_->next();
  if (event != TraceSource::Event::Row && event != TraceSource::Event::Exit) {
    behind_ = event;
    return;
  }
  Cta& cta = ctaNumbered(source_->cta());
  RowQueue& queue = cta.warps[source_->warp()];
  if (event == TraceSource::Event::Row) {
    pushRow(source_->cta(), queue, program_->instructions[source_->row().head.pc]);
  } else {
    queue.ended = true;
  }
}

// Calls visit(changes) for each mbarrier that the address means to a CTA: one of its own, of
// another CTA of its cluster, or of several. CTAs that have ended are left out.
template <class Visit>
void TraceWorkload::eachMBarrier(std::uint64_t cta, std::uint64_t address, Visit visit) {
  if (current_.clusterCtas == 1) return visit(ctaNumbered(cta).changes[address]);
  const std::uint64_t rank = cta % current_.clusterCtas;
  unsigned ranks = ranksOfMulticast(address);
  if (ranks == 0) ranks = 1U << (namesRank(address) ? rankNamed(address) : rank);
  for (; ranks != 0; ranks &= ranks - 1) {
    const std::uint64_t owner = cta - rank + static_cast<unsigned>(__builtin_ctz(ranks));
    if (owner < firstCta_ || !ctaNumbered(owner).live) continue;
    visit(ctaNumbered(owner).changes[offsetIn(address)]);
  }
}

void TraceWorkload::pushRow(std::uint64_t cta, RowQueue& queue,
                            const StaticInstruction& instruction) {
  const Row& row = source_->row();
  if (namesTarget(instruction)) {
    queue.push(pool_, row);
    queue.push(pool_, source_->target());
    if (countsArrivals(instruction.copyStep) || instruction.arrives)
      noteRead(cta, source_->target());
  } else if (instruction.suspends && instruction.instructionClass == InstructionClass::Memory &&
             row.head.active != 0) {
    Row waiting = row;
    eachMBarrier(cta, firstAddress(row.head, row.addresses.data()),
                 [&](const Changes& changes) { waiting.head.barrierThreads = changes.read; });
    queue.push(pool_, waiting);
  } else {
    queue.push(pool_, row);
    if (instruction.arrives && instruction.instructionClass == InstructionClass::Memory)
      noteRead(cta, row);
  }
}

void TraceWorkload::noteRead(std::uint64_t cta, const Row& row) {
  if (row.head.active == 0) return;
  LaneAddresses address;
  unpackAddresses(row.head, row.addresses.data(), address);
  for (LaneMask m = row.head.active; m != 0; m &= m - 1)
    eachMBarrier(cta, address[static_cast<unsigned>(__builtin_ctz(m))],
                 [](Changes& changes) { ++changes.read; });
}

void TraceWorkload::noteChange(unsigned slot, const WarpInstruction& change) {
  for (LaneMask m = change.active; m != 0; m &= m - 1)
    eachMBarrier(slots_[slot].cta, change.address[static_cast<unsigned>(__builtin_ctz(m))],
                 [](Changes& changes) { ++changes.happened; });
}

std::uint64_t TraceWorkload::sleep(unsigned slot) {
  const StaticInstruction* const next = peek(slot);
  const RowQueue& queue = *slots_[slot].queue;
  const RowHead& head = queue.front();
  if (takesColumns(*next)) {
    if (head.active == 0) return 0;
    const std::uint64_t number = slots_[slot].cta;
    const ColumnChange change = columnChangeOf(head);
    const ColumnOwner& own = ctaNumbered(number).columns;
    return columns_.hasRoom(own, pairOf(number, change), change.columns) ? 0 : kTensorSleep;
  }
  if (next->instructionClass != InstructionClass::Memory) return head.nanoseconds();
  if (head.active == 0) return 0;
  std::uint64_t asleep = 0;
  eachMBarrier(
      slots_[slot].cta, firstAddress(head, queue.frontAddresses()), [&](const Changes& changes) {
        const auto ahead = static_cast<std::uint16_t>(changes.happened - head.barrierThreads);
        asleep = ahead < 0x8000 ? 0 : kUntilChanged;
      });
  return asleep;
}

void TraceWorkload::fetch(Slot& slot) {
  while (slot.queue->empty()) {
    // A CTA that the recording never started, as another took its work, has no rows.
    if (slot.queue->ended || behind_ != TraceSource::Event::Row) {
      slot.queue->ended = true;
      slot.queue = nullptr;
      return;
    }
    readOn();
  }
  slot.next = &program_->instructions[slot.queue->front().pc];
}

void TraceWorkload::execute(unsigned slot, WarpInstruction& out) {
  const StaticInstruction* const instruction = peek(slot);
  if (instruction == nullptr) throw std::logic_error("a warp that has exited was executed");
  Slot& warp = slots_[slot];
  unpack(warp.queue->front(), warp.queue->frontAddresses(), instruction->operation, out);
  if (__builtin_expect(static_cast<long>(instruction->arrives), 0) != 0) {
    if (changesColumns(*instruction) && !changeColumns(slot, *instruction, out)) return;
    if (asksForClusters(*instruction)) {
      warp.queue->pop(pool_);
      answer(slot, out);
    } else if (instruction->instructionClass == InstructionClass::Memory) {
      noteChange(slot, out);
    }
  }
  warp.queue->pop(pool_);
  warp.next = nullptr;
  if (__builtin_expect(static_cast<long>(instruction->copyStep), 0) == 0) return;
  if (namesTarget(*instruction)) {
    takeTarget(slot, out);
  } else if (instruction->beginsCopy()) {
    out.copy = out.active == 0 ? WarpInstruction::kNoCopy : copies_[slot].begun++;
  }
  if (instruction->copyStep == CopyStep::Commit && out.active != 0) ++copies_[slot].groups;
}

// Carries out a request for clusters whose row is gone and whose mbarriers are next. Fewer CTAs
// then run, but no fewer than the replay has started.
void TraceWorkload::answer(unsigned slot, WarpInstruction& out) {
  if (out.active == 0) return;
  const std::uint64_t taken = std::uint64_t{out.barrierThreads} * current_.clusterCtas;
  const std::uint64_t left = current_.ctas - std::min(current_.ctas, taken);
  current_.ctas = std::max(started_, left);
  const RowQueue& queue = *slots_[slot].queue;
  WarpInstruction barriers;
  unpack(queue.front(), queue.frontAddresses(), MemoryOperation::Store, barriers);
  noteChange(slot, barriers);
  for (LaneMask m = out.active; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    setAnswerBarrier(out, lane, barriers.address[lane]);
  }
}

// Returns the columns of the other CTA of the pair; null: the change is of one CTA.
ColumnOwner* TraceWorkload::pairOf(std::uint64_t cta, const ColumnChange& change) {
  const std::uint64_t other = cta ^ 1U;
  if (!change.pair || other < firstCta_) return nullptr;
  return &ctaNumbered(other).columns;
}

// Returns false if there is no room: the warp looks again.
bool TraceWorkload::changeColumns(unsigned slot, const StaticInstruction& instruction,
                                  WarpInstruction& out) {
  if (out.active == 0) return true;
  const std::uint64_t number = slots_[slot].cta;
  ColumnChange change = columnChangeOf(slots_[slot].queue->front());
  ColumnOwner& own = ctaNumbered(number).columns;
  change = takesColumns(instruction) ? columns_.take(own, pairOf(number, change), change)
                                     : columns_.free(own, change);
  fermata::setColumns(out, change);
  return change.columns != 0;
}

// Takes the target, which was pushed behind its row.
void TraceWorkload::takeTarget(unsigned slot, WarpInstruction& out) {
  RowQueue& queue = *slots_[slot].queue;
  Copies& copies = copies_[slot];
  const RowHead& head = queue.front();
  out.copy = WarpInstruction::kNoCopy;
  if (head.active != 0) {
    Copy& copy = copies.pending.emplace_back();
    copy.number = out.copy = copies.begun++;
    copy.target.head = head;
    std::memcpy(copy.target.addresses.data(), queue.frontAddresses(), addressBytes(head));
  }
  queue.pop(pool_);
}

namespace {

template <class Pending>
auto numbered(Pending& pending, std::uint64_t number) {
  return std::find_if(pending.begin(), pending.end(),
                      [&](const auto& copy) { return copy.number == number; });
}

}  // namespace

void TraceWorkload::copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const {
  const std::vector<Copy>& pending = copies_[slot].pending;
  const auto found = numbered(pending, copy);
  out.active = 0;
  if (found == pending.end()) return;
  unpack(found->target.head, found->target.addresses.data(), MemoryOperation::Store, out);
}

void TraceWorkload::storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out) {
  copyTarget(slot, copy, out);
  std::vector<Copy>& pending = copies_[slot].pending;
  const auto found = numbered(pending, copy);
  if (found == pending.end()) return;
  pending.erase(found);
  if (countsArrivals(program_->instructions[out.pc].copyStep)) noteChange(slot, out);
}

unsigned TraceWorkload::programCount() const {
  return static_cast<unsigned>(source_->tables().size());
}

std::string TraceWorkload::kernelName(unsigned program) const {
  return source_->tables()[program].name;
}

std::uint32_t TraceWorkload::instructionCount(unsigned program) const {
  return source_->tables()[program].instructionCount;
}

InstructionText TraceWorkload::instructionText(unsigned program, std::uint32_t pc) const {
  const Program& from = source_->tables()[program];
  return pc < from.texts.size() ? from.texts[pc] : InstructionText{};
}

std::unique_ptr<TraceWorkload> openTrace(const std::string& path, TraceOptions options) {
  return std::make_unique<TraceWorkload>(openSource(path, options.compileFrom), options);
}

}  // namespace fermata::traces
