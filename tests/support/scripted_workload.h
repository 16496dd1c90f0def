// A workload that a test spells out: every warp of every CTA executes the same instructions.
#pragma once

#include <fermata/models/vocabulary/workload.h>

#include "tests/support/test.h"

namespace fermata::test {

/// A straight-line program with a repeated body; a function gives the addresses.
class ScriptedWorkload : public Workload {
 public:
  /// Returns the byte address of a lane; the arguments are CTA, warp, lane, repetition.
  using Address = std::function<std::uint64_t(std::uint64_t, unsigned, unsigned, unsigned)>;

  struct Instruction {
    StaticInstruction what;
    LaneMask active = kAllLanes;
    std::function<LaneMask(unsigned)> activeIn;  ///< by warp; if set, replaces `active`
    Address address;
    std::uint16_t barrier = 0;
    std::uint32_t barrierThreads = 0;
    bool barrierWaits = true;
  };

  Grid grid;
  std::vector<Instruction> body;  ///< executed `repeat` times
  unsigned repeat = 1;
  unsigned launches = 1;
  /// True for warps that exit at once.
  std::function<bool(unsigned)> skips = [](unsigned) { return false; };
  /// Called before each launch with its number.
  std::function<void(unsigned)> beforeLaunch;
  /// Returns the word that a load must find; used if set and lane data are wanted.
  std::function<std::uint32_t(std::uint64_t)> loaded;

  ScriptedWorkload(unsigned ctas, unsigned threads) {
    grid.kernel = "scripted";
    grid.ctas = ctas;
    grid.threadsPerCta = threads;
    grid.registersPerThread = 16;
    grid.registerCount = 64;
  }

  Instruction& add(InstructionClass instructionClass, std::vector<RegisterId> writes = {},
                   std::vector<RegisterId> reads = {}) {
    Instruction instruction;
    instruction.what.pc = static_cast<std::uint32_t>(body.size());
    instruction.what.instructionClass = instructionClass;
    instruction.what.writeCount = static_cast<std::uint8_t>(writes.size());
    instruction.what.readCount = static_cast<std::uint8_t>(reads.size());
    std::copy(writes.begin(), writes.end(), instruction.what.writes.begin());
    std::copy(reads.begin(), reads.end(), instruction.what.reads.begin());
    body.push_back(instruction);
    return body.back();
  }
  Instruction& addMemory(MemorySpace space, MemoryOperation operation, unsigned bytes,
                         Address address, std::vector<RegisterId> writes = {},
                         std::vector<RegisterId> reads = {}) {
    Instruction& instruction = add(InstructionClass::Memory, std::move(writes), std::move(reads));
    instruction.what.space = space;
    instruction.what.operation = operation;
    instruction.what.bytesPerLane = static_cast<std::uint8_t>(bytes);
    instruction.address = std::move(address);
    return instruction;
  }
  /// Adds a load of shared memory: lane i reads word i * stride.
  Instruction& addSharedLoad(unsigned stride, std::vector<RegisterId> writes = {},
                             std::vector<RegisterId> reads = {}) {
    return addMemory(MemorySpace::Shared, MemoryOperation::Load, 4, apart(4 * stride),
                     std::move(writes), std::move(reads));
  }
  /// Returns the addresses of lanes that are `bytes` apart; lane 0 is at `first`.
  static Address apart(unsigned bytes, std::uint64_t first = 0) {
    return [=](auto, auto, unsigned lane, auto) { return first + std::uint64_t{bytes} * lane; };
  }

  void setWarpSlots(unsigned slots) override { warps_.assign(slots, Warp{}); }
  void setCarriesData(bool carries) override { carries_ = carries; }
  const Grid* nextGrid() override {
    grid.instructionCount = static_cast<std::uint32_t>(body.size());
    if (launched_ >= launches) return nullptr;
    if (beforeLaunch) beforeLaunch(launched_);
    ++launched_;
    return &grid;
  }
  void startCta(std::uint64_t cta, unsigned first) override {
    started.push_back(cta);
    for (unsigned w = 0; w < grid.warpsPerCta(); ++w) {
      warps_[first + w] = {cta, w, 0, skips(w) || body.empty() ? repeat : 0};
    }
  }
  void endCta(unsigned first) override { ended.push_back(warps_[first].cta); }
  const StaticInstruction* peek(unsigned slot) override {
    const Warp& warp = warps_[slot];
    return warp.repetition >= repeat ? nullptr : &body[warp.position].what;
  }
  void execute(unsigned slot, WarpInstruction& out) override {
    Warp& warp = warps_[slot];
    const Instruction& instruction = body[warp.position];
    out.pc = instruction.what.pc;
    out.active = instruction.activeIn ? instruction.activeIn(warp.warp) : instruction.active;
    out.space = instruction.what.space;
    out.operation = instruction.what.operation;
    out.bytesPerLane = instruction.what.bytesPerLane;
    out.barrier = instruction.barrier;
    out.barrierThreads = instruction.barrierThreads;
    out.barrierWaits = instruction.barrierWaits;
    if (instruction.address) fillAddresses(instruction, warp, out);
    ++executed;
    if (++warp.position == body.size()) {
      warp.position = 0;
      ++warp.repetition;
    }
  }
  unsigned programCount() const override { return 1; }
  std::string kernelName(unsigned) const override { return grid.kernel; }
  std::uint32_t instructionCount(unsigned) const override { return grid.instructionCount; }
  InstructionText instructionText(unsigned, std::uint32_t) const override {
    return {"scripted", "", 0};
  }

  std::vector<std::uint64_t> started, ended;
  std::uint64_t executed = 0;

 private:
  struct Warp {
    std::uint64_t cta = 0;
    unsigned warp = 0;
    std::size_t position = 0;
    unsigned repetition = 0;
  };

  void fillAddresses(const Instruction& instruction, const Warp& warp, WarpInstruction& out) const {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      out.address[lane] = instruction.address(warp.cta, warp.warp, lane, warp.repetition);
    }
    out.hasData = carries_ && loaded != nullptr;
    if (!out.hasData) return;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      for (unsigned b = 0; b < out.bytesPerLane; ++b) {
        const std::uint64_t address = out.address[lane] + b;
        out.data[lane][b] = static_cast<std::uint8_t>(loaded(address / 4) >> (address % 4 * 8));
      }
    }
  }

  std::vector<Warp> warps_;
  unsigned launched_ = 0;
  bool carries_ = false;
};

}  // namespace fermata::test
