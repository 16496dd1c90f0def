// Several listeners behind one probe.
#pragma once

#include <vector>

#include <fermata/models/probe/probe.h>

namespace fermata {

/// Forwards each event to its listeners in the order of `add`. Listeners must outlive it.
class ProbeList : public Probe {
 public:
  void add(Probe& listener) { listeners_.push_back(&listener); }

  void gridStarted(const Grid& grid, Cycle at) override {
    for (Probe* p : listeners_) p->gridStarted(grid, at);
  }
  void gridEnded(const Grid& grid, Cycle at) override {
    for (Probe* p : listeners_) p->gridEnded(grid, at);
  }
  void ctaStarted(std::uint64_t cta, unsigned warps, Cycle at) override {
    for (Probe* p : listeners_) p->ctaStarted(cta, warps, at);
  }
  void ctaEnded(std::uint64_t cta, unsigned warps, Cycle at) override {
    for (Probe* p : listeners_) p->ctaEnded(cta, warps, at);
  }
  void issued(const IssueEvent& event) override {
    for (Probe* p : listeners_) p->issued(event);
  }
  void stalled(StallCause cause, Cycle from, Cycle cycles, std::uint64_t slots) override {
    for (Probe* p : listeners_) p->stalled(cause, from, cycles, slots);
  }
  void sharedAccess(const WarpAccess& access) override {
    for (Probe* p : listeners_) p->sharedAccess(access);
  }
  void globalAccess(const WarpAccess& access) override {
    for (Probe* p : listeners_) p->globalAccess(access);
  }

 private:
  std::vector<Probe*> listeners_;
};

}  // namespace fermata
