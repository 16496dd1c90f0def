// The streaming multiprocessors of a platform, in one clock domain, and what they share.
#pragma once

#include <fermata/models/core/cta_dispatcher.h>
#include <fermata/models/core/epochs.h>
#include <fermata/platforms/compose/memory_system.h>
#include <fermata/platforms/compose/streaming_multiprocessor.h>
#include <fermata/platforms/compose/worker_pool.h>

#include <memory>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Holds modules and their bindings; has no behaviour of its own, except between kernels.
class Chip {
 public:
  /// `configuration` has been checked; `probe` and `waves` may be null and must outlive the chip.
  /// `ofSms`: one probe for each multiprocessor, in the place of `probe`; empty: all use `probe`.
  Chip(const Configuration& configuration, Probe* probe, Connector& connector, BuildOrder order,
       rtl::Waves* waves = nullptr, const std::vector<Probe*>& ofSms = {});

  ~Chip() { settle(); }

  ClockDomain domain;

  /// Returns the cycle that is being simulated: with epochs that of the multiprocessor that runs.
  Cycle now() const { return (epochs_ != nullptr ? epochs_->running() : domain).now(); }
  unsigned sms() const { return static_cast<unsigned>(sms_.size()); }
  StreamingMultiprocessor& sm(unsigned number = 0) { return *sms_[number]; }
  const StreamingMultiprocessor& sm(unsigned number = 0) const { return *sms_[number]; }
  CtaDispatcher& ctas() { return *ctas_; }
  const CtaDispatcher& ctas() const { return *ctas_; }
  /// Returns null with global.memory = "flat": each multiprocessor then has its own memory.
  MemorySystem* memory() { return memory_.get(); }

  /// Sets how many threads run the SMs of grids that they execute apart (epochs.h): 1 or more.
  /// Results do not depend on their number.
  void setWorkers(unsigned workers);
  /// Waits for threads that run SMs. Call it before the chip is looked at while a workload runs.
  void settle() {
    if (epochs_ != nullptr) epochs_->settle();
  }
  /// Clears what the previous workload left and starts this one. The simulation pauses when the
  /// workload has finished.
  void start(Workload& workload);
  /// Call after the pause. Simulates to the cycle in which the workload finished (the clock domain
  /// may have run ahead to it) and on until memory is quiet. Returns false if memory is not quiet
  /// within `limit` cycles; 0: no limit.
  bool finish(Cycle limit);
  bool waitsForMemory() const;
  /// Returns the warp instructions issued since start.
  std::uint64_t issued() const;
  /// Returns the number of lane accesses compared so far.
  std::uint64_t compared() const;
  /// Returns a text: what each resident warp waits for, of the first multiprocessors that have any.
  std::string describeWait() const;

 private:
  void composeSms(const Configuration& configuration, Probe* probe, Connector& connector,
                  BuildOrder order, rtl::Waves* waves, const std::vector<Probe*>& ofSms);
  ClockDomain& domainOf(unsigned sm) { return domains_.empty() ? domain : *domains_[sm]; }
  void dispatch(Probe* probe, const Gpcs& gpcs);
  /// Simulates up to `time`, unless that has passed.
  void runTo(const sc_core::sc_time& time);
  void alignClocks();
  void splitArrays(const PlatformParameters& parameters);
  void clearIdle();
  bool quiet();
  void share(const PlatformParameters& parameters, Probe* probe, Connector& connector);

  // With epochs: an island for each multiprocessor, and its domain there.
  std::vector<std::shared_ptr<Island>> islands_;
  std::vector<std::unique_ptr<ClockDomain>> domains_;
  std::unique_ptr<Epochs> epochs_;
  std::unique_ptr<WorkerPool> pool_;  ///< null: one thread runs the SMs
  std::vector<std::unique_ptr<StreamingMultiprocessor>> sms_;
  std::unique_ptr<CtaDispatcher> ctas_;
  std::unique_ptr<MemorySystem> memory_;
};

}  // namespace fermata::platforms
