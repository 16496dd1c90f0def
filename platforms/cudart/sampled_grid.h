// One launch of which so many CTAs are timed as its rate needs to be steady.
#pragma once

#include <fermata/models/probe/counters.h>
#include <fermata/models/vocabulary/workload.h>
#include <fermata/platforms/exec/steady_rate.h>
#include <fermata/stimuli/ptx/execution_counts.h>

#include <cstdint>

namespace fermata::cudart {

/// Counts what executes. At the end of each wave of CTAs it asks whether the rate is steady, and
/// then ends the grid early. Whole waves are left out: the last CTAs of the timed part end as those
/// of the whole launch would.
class SampledGrid : public WorkloadDecorator {
 public:
  /// `wave`: CTAs that are resident at once. `counters` listen to the run; they must outlive it.
  SampledGrid(Workload& inner, std::uint64_t wave, const Counters& counters)
      : WorkloadDecorator(inner), wave_(wave), counters_(counters) {}

  void setModel(const ModelState* model) override {
    model_ = model;
    WorkloadDecorator::setModel(model);
  }
  const Grid* nextGrid() override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override {
    ++started_;
    WorkloadDecorator::startCta(cta, firstSlot);
  }
  void endCta(unsigned firstSlot) override;
  void execute(unsigned slot, WarpInstruction& out) override;
  void beginAtomic(unsigned slot, WarpInstruction& out) override;

  std::uint64_t startedCtas() const { return started_; }
  /// Returns true if no CTA was left out.
  bool isWhole() const { return started_ == allCtas_; }
  const exec::SteadyRate& rate() const { return rate_; }
  const ptx::ExecutionCounts& counts() const { return counts_; }

 private:
  void endWave();

  std::uint64_t wave_;
  const Counters& counters_;
  const ModelState* model_ = nullptr;
  Grid grid_;  ///< its CTAs are those to be timed
  std::uint64_t allCtas_ = 0;
  std::uint64_t started_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t instructions_ = 0;
  bool steady_ = false;
  exec::SteadyRate rate_;
  ptx::ExecutionCounts counts_;
};

}  // namespace fermata::cudart
