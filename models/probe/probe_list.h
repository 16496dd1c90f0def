// Several listeners behind one probe.
#pragma once

#include <fermata/models/probe/probe.h>

#include <array>
#include <vector>

namespace fermata {

/// Forwards each event to its listeners, in the order of `add`. Listeners must outlive the list.
class ProbeList : public Probe {
 public:
  void add(Probe& listener) {
    events_ |= listener.events();
    for (unsigned i = 0; i < kKinds; ++i) {
      if ((listener.events() >> i & 1) != 0) listeners_[i].push_back(&listener);
    }
  }

  unsigned events() const override { return events_; }
  void gridStarted(const Grid& grid, Cycle at) override {
    for (Probe* p : of(Grids)) p->gridStarted(grid, at);
  }
  void gridEnded(const Grid& grid, Cycle at) override {
    for (Probe* p : of(Grids)) p->gridEnded(grid, at);
  }
  void ctaStarted(std::uint64_t cta, unsigned warps, Cycle at) override {
    for (Probe* p : of(Ctas)) p->ctaStarted(cta, warps, at);
  }
  void ctaEnded(std::uint64_t cta, unsigned warps, Cycle at) override {
    for (Probe* p : of(Ctas)) p->ctaEnded(cta, warps, at);
  }
  void issued(const IssueEvent& event) override {
    for (Probe* p : of(Issues)) p->issued(event);
  }
  void retried(const WarpAccess& access, Cycle at) override {
    for (Probe* p : of(Retries)) p->retried(access, at);
  }
  void stalled(StallCause cause, Cycle from, Cycle cycles, std::uint64_t slots) override {
    for (Probe* p : of(Stalls)) p->stalled(cause, from, cycles, slots);
  }
  void sharedTry(const WarpAccess& access) override {
    for (Probe* p : of(SharedTries)) p->sharedTry(access);
  }
  void sharedAccess(const WarpAccess& access) override {
    for (Probe* p : of(SharedAccesses)) p->sharedAccess(access);
  }
  void globalAccess(const WarpAccess& access) override {
    for (Probe* p : of(GlobalAccesses)) p->globalAccess(access);
  }
  void cached(const CacheEvent& event) override {
    for (Probe* p : of(Caches)) p->cached(event);
  }
  void l1Try(const WarpAccess& access) override {
    for (Probe* p : of(Caches)) p->l1Try(access);
  }
  void locked(const LockEvent& event) override {
    for (Probe* p : of(Locks)) p->locked(event);
  }
  void foretold(const ForetoldEvent& event) override {
    for (Probe* p : of(Forecasts)) p->foretold(event);
  }
  void effort(const EffortEvent& event) override {
    for (Probe* p : of(Efforts)) p->effort(event);
  }
  void runStarted(Cycle at) override {
    for (Probe* p : of(Runs)) p->runStarted(at);
  }
  void waits(const WaitEvent& event, Cycle at) override {
    for (Probe* p : of(Warps)) p->waits(event, at);
  }
  void waitsAtBarrier(unsigned slot, unsigned barrier, Cycle at) override {
    for (Probe* p : of(Warps)) p->waitsAtBarrier(slot, barrier, at);
  }
  void requested(const WarpAccess& access, Cycle at) override {
    for (Probe* p : of(Warps)) p->requested(access, at);
  }
  void completed(unsigned slot, const StaticInstruction& instruction, Cycle at) override {
    for (Probe* p : of(Warps)) p->completed(slot, instruction, at);
  }
  void exited(unsigned slot, Cycle at) override {
    for (Probe* p : of(Warps)) p->exited(slot, at);
  }
  void sent(const SendEvent& event) override {
    for (Probe* p : of(Ports)) p->sent(event);
  }
  void pathFree(bool shared, Cycle at) override {
    for (Probe* p : of(Ports)) p->pathFree(shared, at);
  }

 private:
  static constexpr unsigned kKinds = 15;
  const std::vector<Probe*>& of(Event event) const {
    return listeners_[static_cast<unsigned>(__builtin_ctz(event))];
  }

  unsigned events_ = 0;
  std::array<std::vector<Probe*>, kKinds> listeners_;  ///< by the bit of an Event
};

}  // namespace fermata
