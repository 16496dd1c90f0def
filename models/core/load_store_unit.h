// Follows each memory access of the warps from its issue until all its lanes are served: through
// the queue before the memory port, try by try, with the lanes that are left going to the retry
// queue.
#pragma once

#include <fermata/models/core/memory_port.h>
#include <fermata/models/core/pipelines.h>
#include <fermata/models/core/replay_buffer.h>
#include <fermata/models/core/slot_mask.h>
#include <fermata/models/timing/ring.h>

#include <array>
#include <string>
#include <vector>

namespace fermata {

class LoadStoreUnit : private MemoryPort::Client, private ReplayBuffer::Sender {
 public:
  struct Parameters {
    /// Accesses of a path that wait before the memory port for their turn; 0: the issue stage waits
    /// instead.
    unsigned queue = 0;
    ReplayBuffer::Parameters replay;
  };
  /// Told of what issue() could not say.
  class Client {
   public:
    virtual ~Client() = default;
    /// Something of what follows is about to change, in cycle `now`.
    virtual void changing(Cycle now) = 0;
    /// The data of the whole access are there in cycle `at`; the access ends with this call.
    virtual void arrived(const WarpAccess& access, Cycle at) = 0;
    /// A try of an access whose instruction takes outcomes.
    virtual void responded(const WarpAccess& access, const TryOutcome& outcome) = 0;
    /// holdsMemory() or holdsBarrier() of the slot may be another.
    virtual void holdChanged(unsigned slot) = 0;
    /// A path that did not accept an access takes the next one from cycle `at` on.
    virtual void accepting(MemoryPath, Cycle) {}
    /// The core has something to do in cycle `at`.
    virtual void wake(Cycle at) = 0;
  };

  MemoryPort port;

  LoadStoreUnit(ClockDomain& domain, const Parameters& parameters, const SchedulerMap& schedulers,
                Pipelines& pipelines, Client& client, Probe* probe);

  /// Told of each try, from now on; it may be null.
  void listen(Probe* watch) { watch_ = watch; }

  /// Lanes that are left, as a source of the issue stage.
  ReplayBuffer& replays() { return replays_; }
  const ReplayBuffer& replays() const { return replays_; }

  /// Issues a filled access, with an active lane, in cycle `now`. Returns the cycle in which its
  /// data are there, and then the access has ended; kNever: the client will be told.
  Cycle issue(WarpAccess& access, IssueKind kind, Cycle now);

  // Where a pipeline brings the accesses to memory (staged_issue.h), instead of issue().

  /// The access has issued, with an active lane.
  void accept(const WarpAccess& access) { open_[access.slot].push_back(access.sequence); }
  /// It reaches its path in cycle `now`. Where Sent::served is true, end() is to follow; otherwise
  /// the client will be told.
  MemoryPort::Sent start(WarpAccess& access, Cycle now) { return send(access, now); }
  void end(WarpAccess& access, Cycle at) { served(access, at); }

  /// The path may leave lanes: behind an access of it none of the warp's is sent before it is
  /// settled what becomes of that. Otherwise one that waits for its path holds nothing on another.
  void mayLeaveLanes(MemoryPath path) { mayLeave_[static_cast<unsigned>(path)] = true; }

  /// The warp's later memory instructions wait: lanes of an access have been left, or may be.
  bool holdsMemory(unsigned slot) const {
    return left_[slot] != 0 || (parameters_.queue == 0 && !undecided_[slot].empty());
  }
  /// Its barriers wait: of some access it is not known that all lanes are served.
  bool holdsBarrier(unsigned slot) const { return !open_[slot].empty(); }

  /// What each access on its way waits for. Cycles are counted from `started`.
  std::string describeWait(Cycle started) const;

  /// What is due in cycle `now`, before the issue stage has its turn and again after it.
  void tick(Cycle now) {
    if (port.nextDue() <= now) port.deliver(now);
    if (parameters_.queue != 0) drain(now);
  }
  /// The next cycle, `from` or later, in which tick() has something to do by itself.
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
  void awaitDecision(const WarpAccess& access);
  void settle(const WarpAccess& access);
  bool mayLeave(const WarpAccess& access) const {
    return mayLeave_[static_cast<unsigned>(pathOf(access.instruction.space))];
  }
  bool mayGo(const WarpAccess& access) const;
  void enqueue(WarpAccess& access, Cycle now);
  void drain(Cycle now);
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
  std::array<Ring<WarpAccess*>, kMemoryPaths> queues_;
  std::array<Reservation, kMemoryPaths> paths_;  ///< held while a request waits to be accepted
  Reservation sending_;                          ///< the port, behind a queue
  std::array<std::vector<std::uint64_t>, kMaxWarpSlots> open_;  ///< sequences, oldest first
  std::array<unsigned, kMaxWarpSlots> left_{};                  ///< accesses with lanes left
  std::array<bool, kMemoryPaths> mayLeave_{};
  /// Sequences, oldest first, of accesses in the queue or on their way of which lanes may be left.
  std::array<std::vector<std::uint64_t>, kMaxWarpSlots> undecided_;
};

}  // namespace fermata
