// Follows each memory access of the warps from its issue until all its lanes are served: through
// the queues before the memory port and try by try. Lanes left go to the replay buffer.
#pragma once

#include <fermata/models/core/memory_collectors.h>
#include <fermata/models/core/memory_port.h>
#include <fermata/models/core/pipelines.h>
#include <fermata/models/core/replay_buffer.h>
#include <fermata/models/core/subcore_queues.h>
#include <fermata/models/timing/ring.h>
#include <fermata/models/vocabulary/slot_mask.h>

#include <array>
#include <string>
#include <vector>

namespace fermata {

class LoadStoreUnit : private MemoryPort::Client, private ReplayBuffer::Sender {
 public:
  using Parameters = LoadStoreParameters;
  /// Receives the events that issue() could not return.
  class Client {
   public:
    virtual ~Client() = default;
    /// Called before the unit changes state and makes the calls below, in cycle `now`.
    virtual void changing(Cycle now) = 0;
    /// The data of the whole access are there in cycle `at`. The access ends with this call.
    /// Returns true if it has done what holdChanged() does.
    virtual bool arrived(const WarpAccess& access, Cycle at) = 0;
    /// A try has an outcome, of an access whose instruction takes outcomes.
    virtual void responded(const WarpAccess& access, const TryOutcome& outcome) = 0;
    /// holdsMemory() or holdsBarrier() of the slot may have changed.
    virtual void holdChanged(unsigned slot) = 0;
    /// No later instruction of the warp may write what the access reads before cycle `until`.
    virtual void readsUntil(const WarpAccess&, Cycle /*until*/) {}
    /// The port takes, in cycle `at`, an instruction that collectConstants() was told of. False: it
    /// holds the port until retryConstants().
    virtual bool readsConstants(unsigned /*slot*/, const StaticInstruction&, Cycle /*lines*/,
                                Cycle /*at*/) {
      return true;
    }
    /// A path that did not accept an access takes the next one from cycle `at` on.
    virtual void accepting(MemoryPath, Cycle) {}
    /// Sends an access away, in cycle `now`, whose `farther` is kLeaves. It ends with end(), unless
    /// the result says that it is served.
    virtual MemoryPort::Sent leave(WarpAccess&, Cycle /*now*/) { return {}; }
    /// The core has something to do in cycle `at`.
    virtual void wake(Cycle at) = 0;
  };

  MemoryPort port;

  /// Value of AccessProgress::farther of an access that takes the port, but no path: its lanes go
  /// to other multiprocessors.
  static constexpr Cycle kLeaves = kNever;

  LoadStoreUnit(ClockDomain& domain, const Parameters& parameters, const SchedulerMap& schedulers,
                Pipelines& pipelines, Client& client, Probe* probe);

  /// Sets the probe that is told of each try; null: none.
  void listen(Probe* watch) { watch_ = watch; }

  /// Returns the replay buffer, which is a source of the issue stage.
  ReplayBuffer& replays() { return replays_; }
  const ReplayBuffer& replays() const { return replays_; }

  /// Issues a filled access, with an active lane, in cycle `now`. Returns the cycle in which its
  /// data are there; the access has then ended. Returns kNever if the client will be told instead.
  Cycle issue(WarpAccess& access, IssueKind kind, Cycle now);

  /// True if instructions that read constants wait for the port in collectors, too.
  bool collectsConstants() const { return collectors_.used(); }
  /// Issues an instruction that reads so many lines of constants. The client is told when the port
  /// takes it (readsConstants).
  void collectConstants(unsigned slot, const StaticInstruction& instruction, Cycle lines,
                        Cycle now);
  /// Offers an instruction that holds the port to the client again.
  void retryConstants() { collectors_.hold(false); }

  // Accesses of asynchronous copies, which no scheduler issues.

  /// Returns the first cycle, `from` or later, in which store() may be called for the space.
  Cycle storeFree(MemorySpace space, Cycle from) const;
  /// Sends the store of a copy, or a piece of the engine's. Returns as issue() does. With queues
  /// before the port, a request to global memory takes the port for one cycle: its addresses need
  /// no calculation by lane.
  Cycle store(WarpAccess& access, Cycle now);

  // Calls of a pipeline that brings accesses to memory (in_order_execution.h), instead of issue().

  /// Registers an access that has issued, with an active lane.
  void accept(const WarpAccess& access) { open_[access.slot].push_back(access.sequence); }
  /// Sends the access, which reaches its path in cycle `now`. If Sent::served is true the caller
  /// must call end(); otherwise the client will be told.
  MemoryPort::Sent start(WarpAccess& access, Cycle now) { return send(access, now); }
  /// Ends an access that start() sent, or that has left.
  void end(WarpAccess& access, Cycle at) { served(access, at); }

  /// Declares that the path may leave lanes. A warp's later accesses are then not sent before the
  /// outcome of its access to this path is settled. Without the call, an access that waits for its
  /// path holds up no access to the other path.
  void mayLeaveLanes(MemoryPath path) { mayLeave_[static_cast<unsigned>(path)] = true; }

  /// True while lanes of an access of the warp have been left, or may be: its later memory
  /// instructions must not issue.
  bool holdsMemory(unsigned slot) const {
    return left_[slot] != 0 || (!waits_ && !undecided_[slot].empty());
  }
  /// True while an access of the warp may have unserved lanes: its barriers must not issue.
  bool holdsBarrier(unsigned slot) const { return !open_[slot].empty(); }

  /// Describes what each access on its way waits for. Cycles are counted from `started`.
  std::string describeWait(Cycle started) const;

  /// Does the work that is due in cycle `now`. Called before the issue stage's turn and after it.
  /// The queues of the schedulers send after that turn: the entry is free in the next cycle.
  void tick(Cycle now, bool afterIssue) {
    if (port.nextDue() <= now) port.deliver(now);
    if (!waits_) return;
    if (!subcores_.used()) {
      drain(now);
    } else if (afterIssue && subcores_.earliest() <= now) {
      grant(now);
    }
  }
  /// True if tick(), called after the issue stage, may have work in cycle `now`.
  bool hasWork(Cycle now) const {
    return port.nextDue() <= now || (waits_ && (!subcores_.used() || subcores_.earliest() <= now));
  }
  /// Returns the next cycle, `from` or later, in which tick() has work without a further event.
  Cycle next(Cycle from) const;

 private:
  void responded(WarpAccess& access, Cycle now) override;
  void arrived(WarpAccess& access, Cycle at) override;
  void again(WarpAccess& access, Cycle at) override;
  void pathFree(MemoryPath path, Cycle at) override;
  void decided(const WarpAccess& access) override;
  void due(Cycle at) override { client_.wake(at); }
  Cycle mayRetry(const WarpAccess& access, Cycle from) const override;
  void retry(WarpAccess& access, Cycle now) override;

  MemoryPort::Sent send(WarpAccess& access, Cycle now);
  MemoryPort::Sent sendAway(WarpAccess& access, Cycle now);
  void awaitDecision(const WarpAccess& access);
  void settle(const WarpAccess& access);
  bool mayLeave(const WarpAccess& access) const {
    return mayLeave_[static_cast<unsigned>(pathOf(access.instruction.space))];
  }
  bool mayGo(const WarpAccess& access) const {
    const std::vector<std::uint64_t>& undecided = undecided_[access.slot];
    return undecided.empty() || undecided.front() >= access.sequence;
  }
  void enqueue(WarpAccess& access, Cycle now);
  void enter(WarpAccess& access, Cycle now);
  static unsigned wordsOf(const WarpAccess& access);
  static unsigned registersRead(const WarpAccess& access);
  Cycle sourcesHeld(const WarpAccess& access) const;
  void drainCollectors(Cycle now);
  Cycle collectorsNext(Cycle from) const;
  void sendFirst(WarpAccess& access, Cycle now);
  void drain(Cycle now);
  void grant(Cycle now);
  bool accepts(const WarpAccess& access, Cycle now) const {
    return paths_[static_cast<unsigned>(pathOf(access.instruction.space))].free(now) == now &&
           mayGo(access);
  }
  WarpAccess* firstToGo(Cycle now) const;
  Cycle queueNext(Cycle from) const;
  void served(WarpAccess& access, Cycle at);
  void finish(WarpAccess& access, Cycle at);
  void forget(const WarpAccess& access);
  Cycle portFree(Cycle from) const;

  ClockDomain& domain_;
  Parameters parameters_;
  Pipelines& pipelines_;
  Client& client_;
  Probe* watch_ = nullptr;
  ReplayBuffer replays_;
  SchedulerMap schedulers_;
  SubcoreQueues subcores_;
  MemoryCollectors collectors_;
  bool waits_;                     ///< accesses wait before the port; false: the issue stage waits
  std::vector<SlotMask> slotsOf_;  ///< by scheduler, with subcores_
  std::array<Ring<WarpAccess*>, kMemoryPaths> queues_;
  std::array<Reservation, kMemoryPaths> paths_;  ///< held while a request waits to be accepted
  Reservation sending_;                          ///< the memory port, if accesses wait before it
  std::array<std::vector<std::uint64_t>, kMaxWarpSlots> open_;  ///< sequences, oldest first
  std::array<unsigned, kMaxWarpSlots> left_{};                  ///< accesses with lanes left
  std::array<bool, kMemoryPaths> mayLeave_{};
  /// Accesses in the queue or on their way whose lanes may be left: sequences, oldest first.
  std::array<std::vector<std::uint64_t>, kMaxWarpSlots> undecided_;
};

}  // namespace fermata
