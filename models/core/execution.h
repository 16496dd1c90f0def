// Executes instructions that have issued: the interface of the organisations of an SM's units. The
// warp scheduler gives every instruction to an Execution, which says when its results can be used.
// Three exist:
//
//   DecoupledExecution  units that are independent of each other (decoupled_execution.h)
//   CollectedExecution  such units behind operand collectors (collected_execution.h)
//   InOrderExecution    one pipeline, in which an instruction that waits holds up those behind it
//                       (in_order_execution.h)
//
// Only makeExecution() and Pipelines ask for the organisation.
#pragma once

#include <fermata/models/core/issue_source.h>
#include <fermata/models/core/load_store_unit.h>
#include <fermata/models/core/pipelines.h>

#include <memory>

namespace fermata {

struct WarpSchedulerParameters;

class Execution {
 public:
  /// Receives what an issue could not return yet.
  class Client {
   public:
    virtual ~Client() = default;
    /// The instruction has ended, with its access: its results can be used in cycle `at`.
    virtual void ended(unsigned slot, const StaticInstruction& instruction, Cycle at) = 0;
    /// The warp may have less to wait for. If an instruction held up the warp, the next one waits
    /// until cycle `at`; otherwise `at` is 0. Called after ended().
    virtual void released(unsigned slot, Cycle at) = 0;
    /// The warp in the slot arrives at its barrier in cycle `at`.
    virtual void arrivedAtBarrier(unsigned slot, Cycle at) = 0;
  };

  Execution() = default;
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  virtual ~Execution() = default;

  // Issue. Each returns the cycle in which the results can be used, and in which the warp arrives
  // at its barrier; kNever: the client will be told.

  /// Issues an instruction that does not go to memory. `arrives`: some lane arrives at a barrier.
  virtual Cycle issue(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                      bool arrives, Cycle now) = 0;
  /// Issues a memory instruction without an active lane.
  virtual Cycle issueIdle(unsigned slot, const StaticInstruction& instruction, IssueKind kind,
                          Cycle now) = 0;
  /// Issues a memory instruction with its filled and signed access, which has an active lane.
  virtual Cycle issueAccess(WarpAccess& access, IssueKind kind, Cycle now) = 0;
  /// Takes the end of an access whose issue returned kNever: the data are there in cycle `at`.
  /// Returns false if the instruction has ended with it; true: the client will be told. Called only
  /// with ticks().
  virtual bool arrived(const WarpAccess& /*access*/, Cycle /*at*/) { return false; }
  /// A path that did not accept an access takes the next one from cycle `at` on.
  virtual void accepting(MemoryPath, Cycle) {}
  /// Begins a kernel.
  virtual void beginGrid() {}

  // Time. Only an execution with ticks() has these called.

  virtual bool ticks() const { return false; }
  /// Does the work of the cycles before `now`. Changes no answer of front() for earlier cycles.
  virtual void advance(Cycle /*now*/) {}
  /// Tells the client of the instructions that ended.
  virtual void deliver(Cycle /*now*/) {}
  /// Returns the first cycle, `from` or later, in which deliver() has work. `whenFree`: what it
  /// tells matters for the next issue only.
  virtual Cycle next(Cycle /*from*/, bool /*whenFree*/) const { return kNever; }

  // Holds: why a warp that has its operands does not issue.

  /// True if the warp's next instruction must wait for its earlier ones.
  bool holds(unsigned slot) const { return (holding_ >> slot & 1) != 0; }
  /// True if memory instructions must not issue in cycle `now` unless no other one can.
  bool spaces(Cycle now) const { return maySpace_ && spacesAt(now); }
  /// Returns why nothing issues in cycle `at`, and until when; Idle: an instruction could. Called
  /// only with ticks().
  virtual IssueWait front(Cycle /*at*/) const { return {}; }
  /// False: a kernel with asynchronous copies is refused.
  virtual bool takesCopies() const { return true; }

 protected:
  virtual bool spacesAt(Cycle) const { return false; }

  SlotMask holding_ = 0;   ///< warps for which holds() is true
  bool maySpace_ = false;  ///< spacesAt() must be asked
};

/// `probe` may be null.
std::unique_ptr<Execution> makeExecution(const WarpSchedulerParameters& parameters,
                                         LoadStoreUnit& loadStore, Pipelines& pipelines,
                                         Execution::Client& client, Probe* probe);

}  // namespace fermata
