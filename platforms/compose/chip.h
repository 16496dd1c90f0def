// The streaming multiprocessors of a platform, in one clock domain, and what they share.
#pragma once

#include <fermata/models/core/cta_dispatcher.h>
#include <fermata/platforms/compose/memory_system.h>
#include <fermata/platforms/compose/streaming_multiprocessor.h>

#include <memory>
#include <string>
#include <vector>

namespace fermata::platforms {

/// In which order of their numbers the multiprocessors are built. No figure depends on it.
enum class BuildOrder { Rising, Falling };

/// Modules and their bindings; no behaviour of its own but for what happens between kernels.
class Chip {
 public:
  /// `configuration` has been checked; `probe` and `waves` may be null and must outlive it.
  /// `ofSms`: in the place of `probe` for each multiprocessor; empty: it is the same for all.
  Chip(const Configuration& configuration, Probe* probe, Connector& connector, BuildOrder order,
       rtl::Waves* waves = nullptr, const std::vector<Probe*>& ofSms = {});

  ClockDomain domain;

  unsigned sms() const { return static_cast<unsigned>(sms_.size()); }
  StreamingMultiprocessor& sm(unsigned number = 0) { return *sms_[number]; }
  const StreamingMultiprocessor& sm(unsigned number = 0) const { return *sms_[number]; }
  CtaDispatcher& ctas() { return *ctas_; }
  const CtaDispatcher& ctas() const { return *ctas_; }
  /// Null with global.memory = "flat": each multiprocessor has its own.
  MemorySystem* memory() { return memory_.get(); }

  /// A workload is about to run: nothing is left of the one before. The simulation pauses when it
  /// has finished.
  void start(Workload& workload);
  /// After the pause: goes on to the cycle in which the workload finished, which the clock domain
  /// may have run ahead to, and until memory is quiet. False: it is not within `limit` cycles; 0:
  /// no limit.
  bool finish(Cycle limit);
  bool waitsForMemory() const;
  /// Warp instructions issued since start.
  std::uint64_t issued() const;
  /// Lane accesses compared so far.
  std::uint64_t compared() const;
  /// What each resident warp waits for.
  std::string describeWait() const;

 private:
  void alignClocks();
  void share(const PlatformParameters& parameters, Probe* probe, Connector& connector);

  std::vector<std::unique_ptr<StreamingMultiprocessor>> sms_;
  std::unique_ptr<CtaDispatcher> ctas_;
  std::unique_ptr<MemorySystem> memory_;
};

}  // namespace fermata::platforms
