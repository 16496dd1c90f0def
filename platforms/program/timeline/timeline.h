// The timeline of a run: a process a multiprocessor, and one of what they share.
#pragma once

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/program/timeline/power_over_time.h>
#include <fermata/platforms/program/timeline/sm_timeline.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace fermata::platforms {

class Timeline final : public Probe {
 public:
  /// `energy`: null, or the account of the run: with windows, it becomes power.
  Timeline(results::timeline::Writer& writer, const results::timeline::Window& window,
           const Configuration& configuration, const EnergyAccount* energy);

  /// What listens to each multiprocessor, by its number. It listens itself to what they share.
  std::vector<Probe*> ofSms() const;
  /// Before the run. `clock`: the cycle of the clock that is being simulated.
  void begin(const Workload& workload, std::function<Cycle()> clock);
  /// The run has ended, well or not: after so many cycles, if it is known.
  void finish(std::optional<Cycle> cycles);

  /// Of Stream.
  std::uint64_t written() const { return stream_.written(); }
  std::uint64_t faults() const { return stream_.faults(); }
  /// Cycles that the run has come to.
  Cycle cycles() const { return cycles_; }

  unsigned events() const override { return Runs | Grids | Caches; }
  void runStarted(Cycle at) override { time_.start(at); }
  void gridStarted(const Grid& grid, Cycle at) override;
  void gridEnded(const Grid& grid, Cycle at) override;
  void cached(const CacheEvent& event) override;

 private:
  using Event = results::timeline::Event;  // not that of a probe

  void reach(Cycle now);

  results::timeline::Stream stream_;
  InstructionNames names_;
  TimeOfRun time_;
  std::vector<std::unique_ptr<SmTimeline>> sms_;
  results::timeline::TrackId kernels_ = 0;
  results::timeline::TrackId l2_ = 0;
  results::timeline::TrackId dram_ = 0;
  bool caches_ = false;
  std::optional<PowerOverTime> power_;
  Cycle cycles_ = 0;
};

}  // namespace fermata::platforms
