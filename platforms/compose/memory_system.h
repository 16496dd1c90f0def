// What the streaming multiprocessors share: interconnect, L2 and DRAM, and what the host does to
// them between kernels.
#pragma once

#include <fermata/models/core/workload.h>
#include <fermata/models/memory/dram.h>
#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/l2_cache.h>
#include <fermata/platforms/compose/streaming_multiprocessor.h>

#include <memory>

namespace fermata::platforms {

/// Modules and their bindings, and the host's side of device memory.
class MemorySystem : public sc_core::sc_module {
 public:
  /// `parameters` have been checked; `clock` is the SMs'. `probe` may be null.
  MemorySystem(const sc_core::sc_module_name& name, const Clock& clock,
               const PlatformParameters& parameters, unsigned sms, Probe* probe,
               Connector& connector);

  Interconnect interconnect;
  L2Cache l2;
  std::unique_ptr<Dram> dram;  ///< null: the connector has bound another memory

  /// Nothing is under way behind the L2: writes may be when a kernel has ended.
  bool quiet() const { return l2.quiet(); }
  /// A workload is about to run: nothing is left of the one before. Precondition: quiet.
  void begin();
  /// Time after which the clocks of SMs and memory are as they were at time 0.
  sc_core::sc_time phase() const { return phase_; }
  /// Between two grids of a workload: buffers that are new are copied to the device. With `verify`
  /// the caches and memory must hold what the executor left in those that are known already; a
  /// difference is an error.
  void betweenGrids(const Workload& workload);
  /// Bytes compared so far.
  std::uint64_t compared() const { return compared_; }

 private:
  void store(const DeviceBytes& range);
  void compare(const DeviceBytes& range);

  sc_core::sc_time phase_;
  bool verify_;
  bool copies_;
  std::size_t known_ = 0;  ///< ranges of device memory
  std::uint64_t compared_ = 0;
};

}  // namespace fermata::platforms
