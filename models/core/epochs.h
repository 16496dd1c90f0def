// Runs the cores of a chip in epochs. Nothing that one multiprocessor does can reach another in
// less than an epoch, the latency of the interconnect. So each runs alone for that long, on an
// island of its own (island.h), and what crosses between them is exchanged at the boundary, in the
// order of cycles and then of multiprocessors:
//
//   1. CTAs that are over leave their places in the cycle in which they end. The dispatcher learns
//      of it at the boundary, and fills the places then.
//   2. Each multiprocessor runs to the next boundary.
//   3. Its requests to memory are handed over. Each carries its time, which lies behind the
//      boundary.
//
// Memory then runs in SystemC's time up to the next boundary; its answers lie behind that one.
// Epochs in which no multiprocessor has anything to do are not simulated.
#pragma once

#include <fermata/models/core/cta_dispatcher.h>
#include <fermata/models/timing/island.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace fermata {

class SmCore;

class Epochs : public Ticked {
 public:
  /// `chip`: the domain whose cycles are the boundaries. `length`: cycles of an epoch, 1 or more.
  Epochs(ClockDomain& chip, Cycle length);

  /// Adds a multiprocessor, by rising number: its island, its domain there and its core.
  void add(std::shared_ptr<Island> island, ClockDomain& domain, SmCore& core);
  /// Sets the dispatcher of the cores added, once.
  void serve(CtaDispatcher& ctas) { ctas_ = &ctas; }
  /// Registers a call for each boundary, after the multiprocessors have run to it.
  void atBoundary(std::function<void()> exchange) { exchange_ = std::move(exchange); }

  /// Begins a workload: boundaries lie at `now` and every epoch from there.
  void begin(Cycle now);
  /// Something outside reaches an island at `at`: the epoch of that time must be simulated.
  void wake(Ticks at);
  /// Returns the cycle up to which the islands have run.
  Cycle reached() const { return reached_; }
  /// True if nothing is planned on any island.
  bool quiet() const;
  /// Returns the domain of the multiprocessor that runs, or else that of the chip.
  const ClockDomain& running() const { return running_ != nullptr ? *running_ : chip_; }
  Cycle tick(Cycle now) override;

 private:
  /// Ticks one core.
  class Lane : public Ticked {
   public:
    Lane(std::shared_ptr<Island> home, ClockDomain& clock, SmCore& sm);
    Cycle tick(Cycle now) override;

    std::shared_ptr<Island> island;
    ClockDomain& domain;
    SmCore& core;
    unsigned retired = 0;  ///< CTAs since the boundary
    Cycle last = 0;        ///< cycle in which the last of them retired
  };

  void hand(Cycle now);
  void run(Cycle end);
  Cycle next(Cycle end) const;
  Cycle boundaryOf(Cycle cycle) const { return cycle - (cycle - origin_) % length_; }

  ClockDomain& chip_;
  Cycle length_;
  CtaDispatcher* ctas_ = nullptr;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::function<void()> exchange_;
  const ClockDomain* running_ = nullptr;
  Cycle origin_ = 0;
  Cycle reached_ = 0;
};

}  // namespace fermata
