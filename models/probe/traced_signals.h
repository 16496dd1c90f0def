// Signals of a streaming multiprocessor for sc_trace: plain variables that change at the time at
// which the model says that something happens, for a waveform beside a user's own signals.
//
//   TracedSignals signals(clock);                          // a probe: Simulation::addProbe,
//   ProbeList sc_core::sc_trace(file, signals.holding, "holding");   // those that are wanted
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/agenda.h>
#include <fermata/models/timing/clock.h>

namespace fermata {

class TracedSignals : public Probe {
 public:
  std::uint32_t issues = 0;   ///< instructions that issue in this cycle
  std::uint32_t warp = 0;     ///< warp slot of the last one
  std::uint32_t pc = 0;       ///< its number in the kernel
  std::uint32_t holding = 0;  ///< shared accesses that hold the banks
  std::uint32_t conflicting =
      0;                   ///< of `holding`, those beyond their ideal passes: conflict cycles
  std::uint32_t ctas = 0;  ///< resident CTAs

  /// `clock`: that of the multiprocessor. Construct it before the simulation starts.
  explicit TracedSignals(const Clock& clock);
  TracedSignals(const TracedSignals&) = delete;
  TracedSignals& operator=(const TracedSignals&) = delete;

  unsigned events() const override { return Runs | Ctas | Issues | SharedTries; }
  void runStarted(Cycle at) override { start_ = at; }
  void ctaStarted(std::uint64_t cta, unsigned warps, Cycle at) override;
  void ctaEnded(std::uint64_t cta, unsigned warps, Cycle at) override;
  void issued(const IssueEvent& event) override;
  void sharedTry(const WarpAccess& access) override;

 private:
  using Signal = std::uint32_t TracedSignals::*;
  struct Change {
    Cycle at;
    std::uint64_t number;  ///< changes of one cycle keep their order
    Signal signal;
    std::uint32_t value;
    bool adds;  ///< `value` is added, modulo 2^32
    bool operator>(const Change& other) const {
      return at != other.at ? at > other.at : number > other.number;
    }
  };

  void change(Cycle at, Signal signal, std::uint32_t value, bool adds);
  void countDuring(Cycle from, Cycle until, Signal signal);
  void apply();

  Clock clock_;
  Cycle start_ = 0;
  std::uint64_t changes_ = 0;
  std::priority_queue<Change, std::vector<Change>, std::greater<>> due_;
  Alarm alarm_;
};

}  // namespace fermata
