// The stream of warp instructions that a streaming multiprocessor (SM) executes. The SM knows no
// more of kernels, traces and patterns. No SystemC, no file format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fermata/models/vocabulary/grid.h>
#include <fermata/models/vocabulary/model_state.h>
#include <fermata/models/vocabulary/slot_mask.h>
#include <fermata/models/vocabulary/try_outcome.h>

namespace fermata {

struct GridSet;

/// The text that a profile prints for a PC.
struct InstructionText {
  std::string opcode;      ///< for instance "ld.shared.f32"
  std::string file;        ///< source file as the program names it; empty: unknown
  std::uint32_t line = 0;  ///< line in `file`; 0: unknown
  /// If `line` is unknown: the nearest line in `file` that every path to the instruction has
  /// executed before; 0: none.
  std::uint32_t nearLine = 0;

  /// Returns "transpose.cu:20", "about transpose.cu:19", or "" if no line is known.
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
  bool copied = false;  ///< the host has copied its data there
};

/// A workload is a sequence of grids. A warp lives in a *warp slot* that the SM chose. The SM asks
/// for the warp's next instruction (peek), and executes it at its issue (execute). Barriers,
/// atomics and divergence therefore follow the timing.
///
/// Or it is a set of grids that may run side by side (together()).
///
/// Errors of the input (a kernel out of bounds, a torn trace) are thrown as InputError.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Claims the workload for a run, before any other call. Returns false if it was claimed before:
  /// a workload runs once.
  bool claim() { return !std::exchange(claimed_, true); }

  /// Sets the number of warp slots, over all SMs. Called once, before the calls below.
  virtual void setWarpSlots(unsigned slots) = 0;
  /// Sets whether WarpInstruction carries lane data. Called once, before the calls below.
  virtual void setCarriesData(bool) {}
  /// Sets the clock and the place that kernels read; null (the default): none. Not owned.
  virtual void setModel(const ModelState*) {}

  /// Returns the CTAs of all launches together; 0: not known before the end.
  virtual std::uint64_t totalCtas() const { return 0; }
  /// Returns the next launch, or nullptr after the last. Called when every CTA of the previous one
  /// has ended. The grid stays valid until the next call. Its `ctas` may fall meanwhile, to no
  /// fewer than have started: the others do not run.
  virtual const Grid* nextGrid() = 0;
  /// Asks, behind nextGrid(), that multiprocessors execute the grid apart from each other, each
  /// with `slots` warp slots, in their order: each may then run on a thread of its own. A store to
  /// global memory is then seen by its own multiprocessor at once, by others from the next
  /// exchange() on. Those that have clusters together count as one, with the slots of all, and may
  /// be called by one thread alone. Returns false if the grid cannot be run so: multiprocessors
  /// then execute one after another, and what one stores is seen at once.
  virtual bool runApart(unsigned /*multiprocessors*/, unsigned /*slots*/) { return false; }
  /// Carries out what the multiprocessors have stored since the last call, in the order of cycles,
  /// then of multiprocessors. None of them runs meanwhile.
  virtual void exchange() {}
  /// Places CTA number `cta` (0 <= cta < ctas, each once, in rising order) in warp slots
  /// [firstSlot, firstSlot + warpsPerCta).
  virtual void startCta(std::uint64_t cta, unsigned firstSlot) = 0;
  /// Ends the CTA whose first slot this is. Every warp of it has exited.
  virtual void endCta(unsigned firstSlot) = 0;

  // Grids side by side. A caller that runs a set calls neither nextGrid() nor startCta(); one that
  // cannot calls nextGrid(), which gives the members with CTAs in their order.

  /// Returns the set that the workload consists of, which stays valid; null (the default): grids
  /// run one after another. runApart() is then asked once, before the first member.
  virtual const GridSet* together() const { return nullptr; }
  /// Begins a member of the set. The members that it waits for are over.
  virtual void beginMember(unsigned /*member*/) {}
  /// Places a CTA of a member that has begun, as startCta().
  virtual void startCtaOf(unsigned /*member*/, std::uint64_t /*cta*/, unsigned /*firstSlot*/) {}
  /// Returns whether a member that runs lets those begin that wait for that alone. All of its CTAs
  /// then have a place, or have ended.
  virtual bool letsBegin(unsigned /*member*/) { return false; }
  /// Ends a member. All of its CTAs have ended.
  virtual void endMember(unsigned /*member*/) {}

  /// Returns the instruction that the warp in this slot executes next; nullptr once the warp has
  /// exited. Cheap.
  virtual const StaticInstruction* peek(unsigned slot) = 0;
  /// Executes the warp's next instruction. Fills the fields of `out` that the instruction's class
  /// needs; the arrays of `out` may hold old values elsewhere.
  virtual void execute(unsigned slot, WarpInstruction& out) = 0;
  /// Begins the warp's next instruction, an atomic, for a caller that carries it out in parts. The
  /// warp goes on behind the atomic. `out` gets lanes, addresses and, if data are carried, the
  /// present values; nothing is updated. The default executes the whole atomic at once, without
  /// data.
  virtual void beginAtomic(unsigned slot, WarpInstruction& out) {
    execute(slot, out);
    out.hasData = false;
  }
  /// Updates `lanes` of the atomic that the warp began last. Each lane is updated once, before the
  /// warp executes anything else. `out` is filled as by execute().
  virtual void updateAtomic(unsigned /*slot*/, LaneMask /*lanes*/, WarpInstruction&) {}
  /// Notes that a round of the atomic that the warp began last has served no lane. The round counts
  /// as an executed instruction, so that a budget of instructions ends an endless loop of rounds.
  virtual void lostRound(unsigned /*slot*/) {}
  /// Returns the instructions executed so far that advanced no warp: those of rounds that served no
  /// lane.
  virtual std::uint64_t idleInstructions() const { return 0; }
  /// Tells the outcome of the memory instruction that the warp executed last, if that one had
  /// WarpInstruction::takesOutcome. Lanes left are not served: the workload brings them again in
  /// another instruction. The warp is not asked for its next instruction before this call.
  virtual void responded(unsigned /*slot*/, const TryOutcome&) {}

  /// Asks of an instruction that suspends (StaticInstruction::suspends): returns the nanoseconds
  /// for which the warp sleeps before it unless a change of an mbarrier wakes it; 0: it may go on.
  virtual std::uint64_t sleep(unsigned /*slot*/) { return 0; }

  // Asynchronous copies (StaticInstruction::beginsCopy).

  /// Tells where a copy that the warp began will be stored. Fills `out` as storeCopy() does, but
  /// without data. No active lane: no such copy is pending.
  virtual void copyTarget(unsigned /*slot*/, std::uint64_t /*copy*/, WarpInstruction& out) const {
    out.active = 0;
  }
  /// Puts a copy that the warp began, and whose data have come, into shared memory. Fills `out` as
  /// for an access to shared memory that the warp executes at the copy's PC.
  virtual void storeCopy(unsigned /*slot*/, std::uint64_t /*copy*/, WarpInstruction&) {}
  /// Returns how many groups of copies the warp has closed so far. This is the group number of a
  /// copy that begins now.
  virtual std::uint64_t copyGroups(unsigned /*slot*/) const { return 0; }

  /// Returns the contents of device memory between two grids, in the order in which the host
  /// allocated them; empty: not known. `copied` ranges were copied before the first grid.
  virtual std::vector<DeviceBytes> deviceMemory() const { return {}; }

  /// Returns the number of programs seen so far; Grid::program < programCount().
  virtual unsigned programCount() const = 0;
  virtual std::string kernelName(unsigned program) const = 0;
  virtual std::uint32_t instructionCount(unsigned program) const = 0;
  virtual InstructionText instructionText(unsigned program, std::uint32_t pc) const = 0;

 private:
  bool claimed_ = false;
};

/// A workload around an inner one. It forwards every call that a derived class does not override,
/// except runApart(): a decorator that multiprocessors may call at once says so.
class WorkloadDecorator : public Workload {
 public:
  /// `inner` must outlive the decorator.
  explicit WorkloadDecorator(Workload& inner) : inner_(inner) {}

  void setWarpSlots(unsigned slots) override { inner_.setWarpSlots(slots); }
  void setCarriesData(bool carries) override { inner_.setCarriesData(carries); }
  void setModel(const ModelState* model) override { inner_.setModel(model); }
  std::uint64_t totalCtas() const override { return inner_.totalCtas(); }
  const Grid* nextGrid() override { return inner_.nextGrid(); }
  void exchange() override { inner_.exchange(); }
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
  std::uint64_t sleep(unsigned slot) override { return inner_.sleep(slot); }
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
