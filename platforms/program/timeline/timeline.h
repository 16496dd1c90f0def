// The timeline of a run: one process per multiprocessor, and one for what they share.
#pragma once

#include <fermata/models/probe/probe.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/program/timeline/instruction_names.h>
#include <fermata/platforms/program/timeline/power_over_time.h>
#include <fermata/platforms/program/timeline/time_of_run.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace fermata::platforms {

class SmTimeline;

class Timeline final : public Probe {
 public:
  /// `energy`: the account of the run, or null. An account with windows is drawn as power.
  Timeline(results::timeline::Writer& writer, const results::timeline::Window& window,
           const Configuration& configuration, const EnergyAccount* energy);
  ~Timeline() override;

  /// Returns the listeners of the multiprocessors, by number. The Timeline itself listens to the
  /// parts that they share.
  std::vector<Probe*> ofSms() const;
  /// Call it before the run. `clock`: returns the current cycle of the simulated clock.
  void begin(const Workload& workload, std::function<Cycle()> clock);
  /// Call it when the run has ended, also with an error. `cycles`: the run's length, if known.
  void finish(std::optional<Cycle> cycles);

  /// Both return the counts of the Stream.
  std::uint64_t written() const { return stream_.written(); }
  std::uint64_t faults() const { return stream_.faults(); }
  /// Returns the latest cycle that the run has reached.
  Cycle cycles() const { return cycles_; }

  unsigned events() const override { return Runs | Grids | Caches; }
  void runStarted(Cycle at) override { time_.start(at); }
  void gridStarted(const Grid& grid, Cycle at) override;
  void gridEnded(const Grid& grid, Cycle at) override;
  void cached(const CacheEvent& event) override;

 private:
  using Event = results::timeline::Event;  // hides Probe's Event

  void reach(Cycle now);

  results::timeline::Stream stream_;
  InstructionNames names_;
  TimeOfRun time_;
  std::vector<std::unique_ptr<SmTimeline>> sms_;
  results::timeline::TrackId kernels_ = 0;
  results::timeline::TrackId l2_ = 0;
  results::timeline::TrackId dram_ = 0;  ///< 0: global memory is flat
  std::optional<PowerOverTime> power_;
  Cycle cycles_ = 0;
};

}  // namespace fermata::platforms
