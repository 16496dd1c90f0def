#include <fermata/stimuli/patterns/pattern_workload.h>

#include <cstring>
#include <stdexcept>

namespace fermata::patterns {

namespace {

/// First byte of an array in global memory: where launches have their first buffer.
constexpr std::uint64_t kGlobalArray = 0x10000000;

/// Returns what a store of the loop brings to a word. All lanes of an access bring the same to that
/// word, so that it does not matter which one wins.
std::uint32_t stored(std::uint32_t word, std::uint64_t iteration) {
  return word * 2654435761U + static_cast<std::uint32_t>(iteration) + 1;
}

}  // namespace

PatternWorkload::PatternWorkload(const PatternLaunch& launch,
                                 std::unique_ptr<AddressPattern> pattern)
    : launch_(launch), program_(launch.shape), pattern_(std::move(pattern)) {
  // Fill in whole rounds: every thread stores in every round.
  fillRounds_ = (pattern_->size() + launch.threads - 1) / launch.threads;
  grid_.kernel = launch.name;
  grid_.ctas = launch.ctas;
  grid_.threadsPerCta = launch.threads;
  grid_.registersPerThread = 16;
  bytes_ = fillRounds_ * launch.threads * launch.shape.bytes;
  const bool shared = launch.shape.space == MemorySpace::Shared;
  grid_.sharedBytesPerCta = shared ? bytes_ : 0;
  base_ = shared ? 0 : kGlobalArray;
  grid_.instructionCount = program_.size();
  grid_.registerCount =
      PatternProgram::kRegisters + (launch.shape.sum ? PatternProgram::kSumRegisters : 0);
}

void PatternWorkload::setWarpSlots(unsigned slots) {
  warps_.assign(slots, Warp{});
}

void PatternWorkload::setCarriesData(bool carries) {
  carriesData_ = carries && launch_.shape.fill && launch_.shape.space == MemorySpace::Shared;
}

const Grid* PatternWorkload::nextGrid() {
  if (launched_) return nullptr;
  launched_ = true;
  return &grid_;
}

void PatternWorkload::startCta(std::uint64_t cta, unsigned firstSlot) {
  const std::uint32_t warps = grid_.warpsPerCta();
  if (cta >= grid_.ctas || firstSlot + warps > warps_.size()) {
    throw std::logic_error("a CTA outside the grid or the warp slots was started");
  }
  const auto memory = carriesData_ ? std::make_shared<Memory>(bytes_ / 4) : nullptr;
  for (std::uint32_t w = 0; w < warps; ++w) {
    const std::uint32_t threads = grid_.threadsPerCta - w * kWarpLanes;
    Warp& warp = warps_[firstSlot + w];
    warp = Warp{};
    warp.at = {cta, w, 0};
    warp.lanes = threads >= kWarpLanes ? kAllLanes : (1U << threads) - 1;
    warp.running = true;
    warp.memory = memory;
  }
}

void PatternWorkload::endCta(unsigned firstSlot) {
  for (std::uint32_t w = 0; w < grid_.warpsPerCta(); ++w) warps_[firstSlot + w] = Warp{};
}

void PatternWorkload::execute(unsigned slot, WarpInstruction& out) {
  Warp& warp = warps_[slot];
  const StaticInstruction& instruction = program_[warp.pc];
  out.pc = instruction.pc;
  out.active = warp.lanes;
  out.space = instruction.space;
  out.operation = instruction.operation;
  out.bytesPerLane = instruction.bytesPerLane;
  out.hasData = false;
  out.barrier = 0;
  out.barrierThreads = 0;
  out.barrierWaits = true;
  if (instruction.instructionClass == InstructionClass::Memory) access(warp, instruction, out);
  advance(warp);
}

void PatternWorkload::advance(Warp& warp) {
  const std::uint32_t pc = warp.pc++;
  if (pc == program_.exit()) {
    warp.running = false;
  } else if (pc < program_.loopBegin()) {
    if (launch_.shape.fill && pc == program_.fillStore() && ++warp.filled < fillRounds_) {
      warp.pc = program_.fillAddress();
    }
  } else if (program_.isAccess(pc) && ++warp.at.iteration == launch_.repeat) {
    warp.pc = program_.exit();
  } else if (warp.pc == program_.exit()) {
    warp.pc = program_.loopBegin();
  }
}

void PatternWorkload::access(const Warp& warp, const StaticInstruction& instruction,
                             WarpInstruction& out) {
  LaneElements element;
  const bool filling = instruction.pc < program_.loopBegin();
  if (filling) {
    const std::uint32_t first = warp.filled * launch_.threads + warp.at.warp * kWarpLanes;
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) element[lane] = first + lane;
  } else {
    pattern_->elements(warp.at, element);
  }
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    out.address[lane] = base_ + std::uint64_t{element[lane]} * launch_.shape.bytes;
  }
  out.hasData = warp.memory != nullptr;
  if (out.hasData) move(warp, element, filling, out);
}

void PatternWorkload::move(const Warp& warp, const LaneElements& element, bool filling,
                           WarpInstruction& out) {
  const std::uint32_t words = launch_.shape.bytes / 4;
  for (LaneMask left = warp.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint32_t at = element[lane] * words + w;
      std::uint32_t& word = (*warp.memory)[at];
      std::memcpy(&out.before[lane][4 * w], &word, 4);
      if (filling) {
        word = element[lane];
      } else if (out.operation == MemoryOperation::Store) {
        word = stored(at, warp.at.iteration);
      } else if (out.operation == MemoryOperation::Atomic) {
        ++word;
      }
      std::memcpy(&out.data[lane][4 * w], &word, 4);
    }
  }
}

InstructionText PatternWorkload::instructionText(unsigned, std::uint32_t pc) const {
  InstructionText text;
  text.opcode = program_.opcode(pc);
  return text;
}

}  // namespace fermata::patterns
