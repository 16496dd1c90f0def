// Runs the cores of a chip in epochs. Nothing that one multiprocessor does can reach another in
// less than an epoch, the latency of the interconnect. So each runs alone for that long, on an
// island of its own (island.h), and what crosses between them is exchanged at the boundary, in the
// order of cycles and then of multiprocessors:
//
//   1. CTAs that are over leave their places in the cycle in which they end. The dispatcher learns
//      of it at the boundary, and fills the places then.
//   2. Each multiprocessor runs to the next boundary. Memory runs there, too, in SystemC's time: it
//      has requests of earlier epochs alone, and its answers lie behind that boundary. So all of
//      them may run at once.
//   3. Requests to memory are handed over. Each carries its time, which lies behind the boundary.
//      What a multiprocessor has stored is seen by the others from here on (Workload::runApart).
//
// Epochs in which no multiprocessor has anything to do are not simulated.
#pragma once

#include <fermata/models/core/cta_dispatcher.h>
#include <fermata/models/timing/island.h>

#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace fermata {

class SmCore;

class Epochs : public Ticked {
 public:
  /// Runs the multiprocessors of an epoch.
  class Crew {
   public:
    virtual ~Crew() = default;
    /// Begins to call `work(i)` for each i < count, once, in any order, on any threads. `work` does
    /// not throw.
    virtual void begin(unsigned count, std::function<void(unsigned)> work) = 0;
    /// Returns when all calls have returned.
    virtual void finish() = 0;
  };

  /// `chip`: the domain whose cycles are the boundaries. `length`: cycles of an epoch, 1 or more.
  Epochs(ClockDomain& chip, Cycle length);

  /// Adds a multiprocessor, by rising number: its island, its domain there and its core.
  void add(std::shared_ptr<Island> island, ClockDomain& domain, SmCore& core);
  /// Sets the dispatcher of the cores added, once.
  void serve(CtaDispatcher& ctas) { ctas_ = &ctas; }
  /// Registers a call for each boundary before anything else happens there, when the
  /// multiprocessors have run to it, and one before they run on.
  void atBoundary(std::function<void()> exchange, std::function<void()> deliver) {
    exchange_ = std::move(exchange);
    deliver_ = std::move(deliver);
  }

  /// Sets groups of multiprocessors, by number, that reach each other's shared memory within an
  /// epoch: those of a group run one after another, on one thread. All others run alone. Call it at
  /// a boundary.
  void join(const std::vector<std::vector<unsigned>>& groups);
  /// Sets who runs the multiprocessors of grids that they execute apart, not owned; null: this
  /// thread. Results do not depend on it.
  void setCrew(Crew* crew) {
    settle();
    crew_ = crew;
  }
  /// Waits until no multiprocessor runs. Call it before their state is looked at from outside.
  void settle();
  /// Begins a workload: boundaries lie at `now` and every epoch from there.
  void begin(Cycle now);
  /// Something waits for the next boundary, to be delivered there.
  void wake();
  /// Returns the cycle up to which the islands have run.
  Cycle reached() const { return reached_; }
  /// True if nothing is planned on any island.
  bool quiet() const;
  /// Returns the domain of the multiprocessor that runs on this thread, or else that of the chip.
  const ClockDomain& running() const { return running_ != nullptr ? *running_ : chip_; }
  Cycle tick(Cycle now) override;

 private:
  /// Ticks one core.
  class Lane : public Ticked {
   public:
    Lane(std::shared_ptr<Island> home, ClockDomain& clock, SmCore& sm);
    Cycle tick(Cycle now) override;
    /// Runs the core to `end`. Does not throw.
    void run(Ticks end);

    std::shared_ptr<Island> island;
    ClockDomain& domain;
    SmCore& core;
    std::uint64_t number = 0;  ///< of the core
    std::size_t unit = 0;      ///< its group, or a number that no other has
    std::uint64_t cores = 0;   ///< if accesses are numbered by cycle and core; 0: they are not
    std::exception_ptr error;  ///< what the core has thrown
    unsigned retired = 0;      ///< CTAs since the boundary
    Cycle last = 0;            ///< cycle in which the last of them retired
  };

  /// Numbers for the accesses that one core begins in one cycle.
  static constexpr std::uint64_t kNumbersPerCycle = 256;

  void exchange();
  Ticks findDue(Ticks end);
  void hand(Cycle now);
  Cycle run(Cycle now);
  Cycle boundaryOf(Cycle cycle) const { return cycle - (cycle - origin_) % length_; }

  ClockDomain& chip_;
  Cycle length_;
  CtaDispatcher* ctas_ = nullptr;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::function<void()> exchange_, deliver_;
  Alarm boundary_;                  ///< rings at a boundary to which multiprocessors run
  std::vector<Lane*> order_;        ///< of `lanes_` in which they run: groups first
  std::vector<Lane*> due_;          ///< cores with something to do in the present epoch
  std::vector<std::size_t> units_;  ///< where in `due_` each unit begins
  Crew* crew_ = nullptr;
  bool works_ = false;  ///< the crew
  bool ran_ = false;    ///< since the last exchange
  static thread_local const ClockDomain* running_;
  Cycle origin_ = 0;
  Cycle reached_ = 0;
  Cycle ticked_ = kNever;  ///< the last boundary
};

}  // namespace fermata
