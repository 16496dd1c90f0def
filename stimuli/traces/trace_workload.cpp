#include <fermata/stimuli/traces/trace_workload.h>

#include <stdexcept>

namespace fermata::traces {

TraceWorkload::TraceWorkload(std::unique_ptr<std::istream> in, const std::string& file,
                             TraceOptions options)
    : reader_(std::move(in), file), pool_(options.windowBytes) {}

void TraceWorkload::setWarpSlots(unsigned slots) {
  slots_.assign(slots, Slot{});
}

const Grid* TraceWorkload::nextGrid() {
  switch (reader_.next()) {
    case TraceReader::Event::Grid:
      break;
    case TraceReader::Event::End:
      return nullptr;
    case TraceReader::Event::Row:
    case TraceReader::Event::Exit:
      throw std::logic_error("the next grid was asked for before every CTA of the last had ended");
  }
  current_ = reader_.grid();
  program_ = &reader_.tables()[current_.program];
  firstCta_ = 0;
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
    ctas_.push_back(std::move(cta));
  }
  return *ctas_[index];
}

void TraceWorkload::startCta(std::uint64_t cta, unsigned firstSlot) {
  const unsigned warps = current_.warpsPerCta();
  if (program_ == nullptr || cta >= current_.ctas || firstSlot + warps > slots_.size()) {
    throw std::logic_error("a CTA outside the grid or the warp slots was started");
  }
  Cta& placed = ctaNumbered(cta);
  for (unsigned warp = 0; warp < warps; ++warp) {
    slots_[firstSlot + warp] = Slot{&placed.warps[warp], nullptr, cta};
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
  while (!ctas_.empty() && !ctas_.front()->live) {
    freeCtas_.push_back(std::move(ctas_.front()));
    ctas_.pop_front();
    ++firstCta_;
  }
}

void TraceWorkload::readOn() {
  const TraceReader::Event event = reader_.next();
  if (event != TraceReader::Event::Row && event != TraceReader::Event::Exit) {
    throw std::logic_error("a warp was asked for rows beyond its grid");
  }
  RowQueue& queue = ctaNumbered(reader_.cta()).warps[reader_.warp()];
  if (event == TraceReader::Event::Row) {
    queue.push(pool_, reader_.row());
  } else {
    queue.ended = true;
  }
}

void TraceWorkload::fetch(Slot& slot) {
  while (slot.queue->empty()) {
    if (slot.queue->ended) {
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
  const RowHead& head = warp.queue->front();
  out.pc = head.pc;
  out.active = head.active;
  out.space = head.space;
  out.operation = instruction->operation;
  out.bytesPerLane = head.bytes;
  out.hasData = false;
  out.barrier = head.barrier;
  out.barrierThreads = head.barrierThreads;
  out.barrierWaits = head.barrierWaits;
  unpackAddresses(head, warp.queue->frontAddresses(), out.address);
  warp.queue->pop(pool_);
  warp.next = nullptr;
}

unsigned TraceWorkload::programCount() const {
  return static_cast<unsigned>(reader_.tables().size());
}

std::string TraceWorkload::kernelName(unsigned program) const {
  return reader_.tables()[program].name;
}

std::uint32_t TraceWorkload::instructionCount(unsigned program) const {
  return reader_.tables()[program].instructionCount;
}

InstructionText TraceWorkload::instructionText(unsigned program, std::uint32_t pc) const {
  const Program& from = reader_.tables()[program];
  return pc < from.texts.size() ? from.texts[pc] : InstructionText{};
}

std::unique_ptr<TraceWorkload> openTrace(const std::string& path, TraceOptions options) {
  return std::make_unique<TraceWorkload>(openInput(path), path, options);
}

}  // namespace fermata::traces
