// Several listeners behind one probe.
#pragma once

#include <fermata/models/probe/probe.h>

#include <array>
#include <vector>

namespace fermata {

/// Forwards each event to its listeners, in the order of `add`. Listeners must outlive the list.
class ProbeList : public Probe {
 public:
  /// Adds a listener to those of `events` that it listens to.
  void add(Probe& listener, unsigned events = kAllEvents) {
    events &= listener.events();
    events_ |= events;
    for (unsigned i = 0; i < kKinds; ++i) {
      if ((events >> i & 1) != 0) listeners_[i].push_back(&listener);
    }
  }

  unsigned events() const override { return events_; }
  void gridStarted(const Grid& grid, Cycle at) override {
    tell<&Probe::gridStarted>(Grids, grid, at);
  }
  void gridEnded(const Grid& grid, Cycle at) override { tell<&Probe::gridEnded>(Grids, grid, at); }
  void ctaStarted(std::uint64_t cta, unsigned warps, Cycle at) override {
    tell<&Probe::ctaStarted>(Ctas, cta, warps, at);
  }
  void ctaEnded(std::uint64_t cta, unsigned warps, Cycle at) override {
    tell<&Probe::ctaEnded>(Ctas, cta, warps, at);
  }
  void issued(const IssueEvent& event) override { tell<&Probe::issued>(Issues, event); }
  void retried(const WarpAccess& access, Cycle at) override {
    tell<&Probe::retried>(Retries, access, at);
  }
  void stalled(StallCause cause, Cycle from, Cycle cycles, std::uint64_t slots) override {
    tell<&Probe::stalled>(Stalls, cause, from, cycles, slots);
  }
  void sharedTry(const WarpAccess& access) override {
    tell<&Probe::sharedTry>(SharedTries, access);
  }
  void sharedAccess(const WarpAccess& access) override {
    tell<&Probe::sharedAccess>(SharedAccesses, access);
  }
  void globalAccess(const WarpAccess& access) override {
    tell<&Probe::globalAccess>(GlobalAccesses, access);
  }
  void cached(const CacheEvent& event) override { tell<&Probe::cached>(Caches, event); }
  void l1Try(const WarpAccess& access) override { tell<&Probe::l1Try>(Caches, access); }
  void locked(const LockEvent& event) override { tell<&Probe::locked>(Locks, event); }
  void foretold(const ForetoldEvent& event) override { tell<&Probe::foretold>(Forecasts, event); }
  void effort(const EffortEvent& event) override { tell<&Probe::effort>(Efforts, event); }
  void runStarted(Cycle at) override { tell<&Probe::runStarted>(Runs, at); }
  void waits(const WaitEvent& event, Cycle at) override { tell<&Probe::waits>(Warps, event, at); }
  void waitsAtBarrier(unsigned slot, unsigned barrier, Cycle at) override {
    tell<&Probe::waitsAtBarrier>(Warps, slot, barrier, at);
  }
  void requested(const WarpAccess& access, Cycle at) override {
    tell<&Probe::requested>(Warps, access, at);
  }
  void completed(unsigned slot, const StaticInstruction& instruction, Cycle at) override {
    tell<&Probe::completed>(Warps, slot, instruction, at);
  }
  void exited(unsigned slot, Cycle at) override { tell<&Probe::exited>(Warps, slot, at); }
  void sent(const SendEvent& event) override { tell<&Probe::sent>(Ports, event); }
  void pathFree(bool shared, Cycle at) override { tell<&Probe::pathFree>(Ports, shared, at); }

 private:
  static constexpr unsigned kKinds = 15;
  template <auto Call, class... Values>
  void tell(Event event, const Values&... values) {
    for (Probe* p : listeners_[static_cast<unsigned>(__builtin_ctz(event))]) (p->*Call)(values...);
  }

  unsigned events_ = 0;
  std::array<std::vector<Probe*>, kKinds> listeners_;  ///< by the bit of an Event
};

}  // namespace fermata
