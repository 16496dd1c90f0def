#include "tests/traces/interleaved_run.h"

namespace fermata::test {

std::string describe(const StaticInstruction& instruction, const WarpInstruction& executed) {
  std::ostringstream text;
  text << instruction.pc << " class " << unsigned(instruction.instructionClass) << " r";
  for (unsigned i = 0; i < instruction.readCount; ++i) text << ' ' << instruction.reads[i];
  text << " w";
  for (unsigned i = 0; i < instruction.writeCount; ++i) text << ' ' << instruction.writes[i];
  if (instruction.tensorWork != 0)
    text << " work " << instruction.tensorWork << (instruction.floatSums ? " of floats" : "");
  if (instruction.fence) text << " fence";
  if (instruction.groupsLeft != StaticInstruction::kAnyGroups)
    text << " leaves " << unsigned(instruction.groupsLeft);
  if (instruction.copyStep != CopyStep::None) text << " copies " << unsigned(instruction.copyStep);
  text << " | " << executed.pc << " mask " << std::hex << executed.active << std::dec;
  if (instruction.instructionClass == InstructionClass::Memory) {
    text << " space " << unsigned(instruction.space) << " operation "
         << unsigned(instruction.operation) << '/' << unsigned(executed.operation) << " bytes "
         << unsigned(instruction.bytesPerLane) << '/' << unsigned(executed.bytesPerLane)
         << (instruction.polls ? " polls" : "");
    if (instruction.form != AtomicForm::Plain) text << " form " << unsigned(instruction.form);
    if (instruction.unread && instruction.writeCount != 0) text << " unread";
    text << " in " << unsigned(executed.space) << " at";
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((executed.active >> lane & 1U) != 0) text << ' ' << executed.address[lane];
    }
  }
  if (instruction.instructionClass == InstructionClass::Barrier) {
    text << " barrier " << executed.barrier << ' ' << executed.barrierThreads << ' '
         << executed.barrierWaits;
  }
  return text.str();
}

std::string describe(const Grid& grid) {
  std::ostringstream text;
  text << grid.kernel << " program " << grid.program << " ctas " << grid.ctas << " threads "
       << grid.threadsPerCta << " registers " << grid.registersPerThread << " shared "
       << grid.sharedBytesPerCta << " instructions " << grid.instructionCount << " scoreboard "
       << grid.registerCount;
  return text.str();
}

std::string describePrograms(const Workload& workload) {
  std::ostringstream text;
  for (unsigned program = 0; program < workload.programCount(); ++program) {
    text << workload.kernelName(program) << '\n';
    for (std::uint32_t pc = 0; pc < workload.instructionCount(program); ++pc) {
      const InstructionText one = workload.instructionText(program, pc);
      text << pc << ' ' << one.opcode << " @ " << one.file << ':' << one.line << '\n';
    }
  }
  return text.str();
}

Residents::Residents(Workload& workload, const RunOptions& options)
    : workload_(workload), options_(options), state_(options.seed * 2 + 1) {
  workload_.setWarpSlots(kSlots);
}

const Grid* Residents::begin() {
  grid_ = workload_.nextGrid();
  if (grid_ == nullptr) return nullptr;
  warps_ = grid_->warpsPerCta();
  nextCta_ = 0;
  last_ = 0;
  ctas_.assign(std::min<std::size_t>(options_.residentCtas, kSlots / warps_), Cta{});
  return grid_;
}

std::uint64_t Residents::random() {
  state_ = state_ * 6364136223846793005U + 1442695040888963407U;
  return state_ >> 33;
}

void Residents::settle(Cta& cta, unsigned first) {
  for (unsigned warp = 0; warp < warps_; ++warp) {
    if (workload_.peek(first + warp) == nullptr) cta.exited |= 1U << warp;
  }
  const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << warps_) - 1);
  if ((cta.waiting | cta.exited) == all) cta.waiting = 0;
  if (cta.exited != all) return;
  workload_.endCta(first);
  cta.resident = false;
}

void Residents::refill() {
  for (unsigned place = 0; place < ctas_.size(); ++place) {
    Cta& cta = ctas_[place];
    while (!cta.resident && nextCta_ < grid_->ctas) {
      cta = Cta{true, nextCta_, 0, 0};
      workload_.startCta(nextCta_++, place * warps_);
      settle(cta, place * warps_);
    }
  }
}

bool Residents::canRun(unsigned slot) {
  const Cta& cta = ctas_[slot / warps_];
  return cta.resident && ((cta.exited | cta.waiting) >> (slot % warps_) & 1U) == 0;
}

int Residents::pick() {
  refill();
  const auto slots = static_cast<unsigned>(ctas_.size()) * warps_;
  const unsigned start = options_.order == Order::Greedy    ? last_
                         : options_.order == Order::Random  ? unsigned(random() % slots)
                         : options_.order == Order::Reverse ? last_ + slots - 1
                                                            : last_ + 1;
  for (unsigned i = 0; i < slots; ++i) {
    const unsigned slot =
        options_.order == Order::Reverse ? (start + slots - i) % slots : (start + i) % slots;
    if (!canRun(slot)) continue;
    last_ = slot;
    return static_cast<int>(slot);
  }
  const bool stuck =
      std::any_of(ctas_.begin(), ctas_.end(), [](const Cta& cta) { return cta.resident; });
  if (stuck) throw std::runtime_error("no warp can run");
  return -1;
}

void Residents::executed(unsigned slot, const StaticInstruction& instruction) {
  Cta& cta = ctas_[slot / warps_];
  if (options_.honourBarriers && instruction.instructionClass == InstructionClass::Barrier) {
    cta.waiting |= 1U << (slot % warps_);
  }
  settle(cta, slot / warps_ * warps_);
}

namespace {

std::string describeStore(const WarpInstruction& store) {
  StaticInstruction access;
  access.instructionClass = InstructionClass::Memory;
  return describe(access, store);
}

/// The pending copies of the running warps, by slot.
class Copies {
 public:
  Copies(Workload& workload, unsigned slots) : workload_(workload), warps_(slots) {}

  /// Call after each execution. Returns what there is to know about copies, as text.
  std::string after(unsigned slot, const StaticInstruction& instruction, std::uint64_t copy) {
    std::vector<std::uint64_t>& pending = warps_[slot];
    std::string text = " groups " + std::to_string(workload_.copyGroups(slot));
    if (instruction.beginsCopy() && copy != WarpInstruction::kNoCopy) {
      pending.push_back(copy);
      workload_.copyTarget(slot, copy, out_);
      text += " goes to " + describeStore(out_);
    }
    if (workload_.peek(slot) == nullptr) {
      while (!pending.empty()) text += store(slot, 0);
    } else if (pending.size() > 2) {
      text += store(slot, 1);
    }
    return text;
  }

 private:
  std::string store(unsigned slot, std::size_t which) {
    std::vector<std::uint64_t>& pending = warps_[slot];
    workload_.storeCopy(slot, pending[which], out_);
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(which));
    return " stored " + describeStore(out_);
  }

  Workload& workload_;
  std::vector<std::vector<std::uint64_t>> warps_;
  WarpInstruction out_{};
};

}  // namespace

RunResult record(Workload& workload, const RunOptions& options) {
  RunResult result;
  Residents residents(workload, options);
  Copies copies(workload, Residents::kSlots);
  WarpInstruction out;
  while (const Grid* grid = residents.begin()) {
    result.grids.push_back(describe(*grid));
    const auto number = static_cast<unsigned>(result.grids.size() - 1);
    for (int slot = residents.pick(); slot >= 0; slot = residents.pick()) {
      const auto chosen = static_cast<unsigned>(slot);
      const StaticInstruction instruction = *workload.peek(chosen);
      out.copy = WarpInstruction::kNoCopy;
      const std::uint64_t pause = instruction.suspends ? workload.sleep(chosen) : 0;
      workload.execute(chosen, out);
      std::string copied = copies.after(chosen, instruction, out.copy);
      if (instruction.suspends && out.active != 0) copied += " pause " + std::to_string(pause);
      result.streams[{number, residents.ctaOf(chosen), residents.warpOf(chosen)}].push_back(
          describe(instruction, out) + copied);
      ++result.instructions;
      residents.executed(chosen, instruction);
    }
  }
  return result;
}

}  // namespace fermata::test
