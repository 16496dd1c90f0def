// The stream of warp instructions that a streaming multiprocessor (SM) executes: the one thing it
// knows of kernels, traces and patterns. No SystemC, no file format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fermata/models/transaction/grid.h>
#include <fermata/models/transaction/model_time.h>
#include <fermata/models/transaction/try_outcome.h>

namespace fermata {

/// What a profile prints of a PC.
struct InstructionText {
  std::string opcode;      ///< for instance "ld.shared.f32"
  std::string file;        ///< source file as the program names it; empty: unknown
  std::uint32_t line = 0;  ///< line in `file`; 0: unknown
  /// Where `line` is unknown: the nearest line in `file` that every path to the instruction has
  /// executed before; 0: none.
  std::uint32_t nearLine = 0;

  /// "transpose.cu:20", "about transpose.cu:19", or "" where no line is known.
  std::string place() const {
    if (file.empty() || (line == 0 && nearLine == 0)) return "";
    return line == 0 ? "about " + file + ':' + std::to_string(nearLine)
                     : file + ':' + std::to_string(line);
  }
};

/// A stretch of device memory, as the host sees it.
struct DeviceBytes {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  const std::uint8_t* data = nullptr;
  bool copied = false;  ///< the host has copied it there
};

/// A workload is a sequence of grids. A warp lives in a *warp slot* that the SM chose; it is asked
/// for its next instruction (peek), which executes when the SM issues it (execute), so that
/// barriers, atomics and divergence follow the timing.
///
/// Errors of the input (a kernel out of bounds, a torn trace) are thrown as InputError.
class Workload {
 public:
  virtual ~Workload() = default;

  /// By whoever runs it, before anything else: a workload runs once. False: it was claimed before.
  bool claim() { return !std::exchange(claimed_, true); }

  /// Called once before anything else: warp slots that the SM has.
  virtual void setWarpSlots(unsigned slots) = 0;
  /// Called once before anything else: shall WarpInstruction carry lane data?
  virtual void setCarriesData(bool) {}
  /// From now on; null: there is no time, as when nobody has called it. It stays the caller's.
  virtual void setTime(const ModelTime*) {}

  /// The next launch, or nullptr after the last. Called when every CTA of the one before has ended.
  /// The reference stays valid until the next call.
  virtual const Grid* nextGrid() = 0;
  /// Places CTA number `cta` (0 <= cta < ctas, each once, in rising order) in warp slots
  /// [firstSlot, firstSlot + warpsPerCta).
  virtual void startCta(std::uint64_t cta, unsigned firstSlot) = 0;
  /// Every warp of the CTA in these slots has exited.
  virtual void endCta(unsigned firstSlot) = 0;

  /// The instruction that the warp in this slot executes next; nullptr once it has exited. Cheap.
  virtual const StaticInstruction* peek(unsigned slot) = 0;
  /// Executes it. `out` is filled as its class needs; its arrays may hold old values elsewhere.
  virtual void execute(unsigned slot, WarpInstruction& out) = 0;
  /// As execute() for a next instruction that is an atomic, for whoever carries it out in parts:
  /// the warp goes on behind it, `out` has lanes, addresses and, with carried data, what is there
  /// now, but nothing is updated. By default everything is at once, and there is no data.
  virtual void beginAtomic(unsigned slot, WarpInstruction& out) {
    execute(slot, out);
    out.hasData = false;
  }
  /// Updates `lanes` of the atomic that the warp began last, each once, before the warp executes
  /// anything else. `out` is filled as execute() does it.
  virtual void updateAtomic(unsigned /*slot*/, LaneMask /*lanes*/, WarpInstruction&) {}
  /// A round of the atomic that the warp began last has served no lane. It counts as an executed
  /// instruction: a budget of instructions ends rounds without end.
  virtual void lostRound(unsigned /*slot*/) {}
  /// Instructions executed so far by which no warp got on: those of rounds that served no lane.
  virtual std::uint64_t idleInstructions() const { return 0; }
  /// What became of the memory instruction that the warp executed last, when it was executed with
  /// WarpInstruction::takesOutcome: lanes that were left are not served, and the workload brings
  /// them again in an instruction of its own. The warp is not asked for its next one before this.
  virtual void responded(unsigned /*slot*/, const TryOutcome&) {}

  // Asynchronous copies (StaticInstruction::beginsCopy).

  /// Where the copy of this number, which the warp began, will be stored: `out` is filled as by
  /// storeCopy(), but without data. No lanes: there is none.
  virtual void copyTarget(unsigned /*slot*/, std::uint64_t /*copy*/, WarpInstruction& out) const {
    out.active = 0;
  }
  /// The copy of this number, which the warp began, has come: puts it into shared memory. `out` is
  /// filled as for an access that the warp executes there, of the PC of the copy.
  virtual void storeCopy(unsigned /*slot*/, std::uint64_t /*copy*/, WarpInstruction&) {}
  /// Groups that the warp has closed so far: a copy that begins now is of the group of this number.
  virtual std::uint64_t copyGroups(unsigned /*slot*/) const { return 0; }

  /// What device memory holds between two grids, in the order in which the host allocated it;
  /// empty: not known. What is copied is so before the first grid.
  virtual std::vector<DeviceBytes> deviceMemory() const { return {}; }

  /// Number of programs seen so far; Grid::program < programCount().
  virtual unsigned programCount() const = 0;
  virtual std::string kernelName(unsigned program) const = 0;
  virtual std::uint32_t instructionCount(unsigned program) const = 0;
  virtual InstructionText instructionText(unsigned program, std::uint32_t pc) const = 0;

 private:
  bool claimed_ = false;
};

/// A workload around a workload: everything is the inner one's, but for what a derived class
/// changes.
class WorkloadDecorator : public Workload {
 public:
  /// `inner` must outlive it.
  explicit WorkloadDecorator(Workload& inner) : inner_(inner) {}

  void setWarpSlots(unsigned slots) override { inner_.setWarpSlots(slots); }
  void setCarriesData(bool carries) override { inner_.setCarriesData(carries); }
  void setTime(const ModelTime* time) override { inner_.setTime(time); }
  const Grid* nextGrid() override { return inner_.nextGrid(); }
  void startCta(std::uint64_t cta, unsigned firstSlot) override { inner_.startCta(cta, firstSlot); }
  void endCta(unsigned firstSlot) override { inner_.endCta(firstSlot); }
  const StaticInstruction* peek(unsigned slot) override { return inner_.peek(slot); }
  void execute(unsigned slot, WarpInstruction& out) override { inner_.execute(slot, out); }
  void beginAtomic(unsigned slot, WarpInstruction& out) override { inner_.beginAtomic(slot, out); }
  void updateAtomic(unsigned slot, LaneMask lanes, WarpInstruction& out) override {
    inner_.updateAtomic(slot, lanes, out);
  }
  void lostRound(unsigned slot) override { inner_.lostRound(slot); }
  std::uint64_t idleInstructions() const override { return inner_.idleInstructions(); }
  void responded(unsigned slot, const TryOutcome& outcome) override {
    inner_.responded(slot, outcome);
  }
  void copyTarget(unsigned slot, std::uint64_t copy, WarpInstruction& out) const override {
    inner_.copyTarget(slot, copy, out);
  }
  void storeCopy(unsigned slot, std::uint64_t copy, WarpInstruction& out) override {
    inner_.storeCopy(slot, copy, out);
  }
  std::uint64_t copyGroups(unsigned slot) const override { return inner_.copyGroups(slot); }
  std::vector<DeviceBytes> deviceMemory() const override { return inner_.deviceMemory(); }
  unsigned programCount() const override { return inner_.programCount(); }
  std::string kernelName(unsigned program) const override { return inner_.kernelName(program); }
  std::uint32_t instructionCount(unsigned program) const override {
    return inner_.instructionCount(program);
  }
  InstructionText instructionText(unsigned program, std::uint32_t pc) const override {
    return inner_.instructionText(program, pc);
  }

 protected:
  Workload& inner_;
};

}  // namespace fermata
