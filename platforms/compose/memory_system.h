// Interconnect, slices of the L2 and DRAM, which the streaming multiprocessors share, and what the
// host does to them between kernels.
#pragma once

#include <fermata/models/memory/dram.h>
#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/l2_cache.h>
#include <fermata/models/memory/line_merge.h>
#include <fermata/models/vocabulary/workload.h>
#include <fermata/platforms/compose/streaming_multiprocessor.h>

#include <memory>
#include <vector>

namespace fermata::platforms {

/// Holds modules and their bindings, and the host's side of device memory.
class MemorySystem : public sc_core::sc_module {
 public:
  /// `parameters` have been checked; `clock` is that of the SMs. `probe` may be null. `islands`: of
  /// SMs that run in epochs, or none.
  MemorySystem(const sc_core::sc_module_name& name, const Clock& clock,
               const PlatformParameters& parameters, unsigned sms, Probe* probe,
               Connector& connector, const Interconnect::Islands& islands);

 private:
  SliceMap slices_;
  unsigned waysOfSm_;  ///< ports of the interconnect per SM

 public:
  Interconnect interconnect;
  std::vector<std::unique_ptr<L2Cache>> l2;  ///< slices; empty with global.memory = "dram"
  std::unique_ptr<Dram> dram;                ///< null: the connector has bound another memory
  /// Brings the requests of several slices to the one socket of the connector's memory, in order of
  /// (time, slice). Null: one slice, or DRAM, which has a socket for each.
  std::unique_ptr<LineMerge> merge;

  /// Returns the socket of SM `sm` for its data or, if it has an instruction cache, for its
  /// instructions. Each has a port of the interconnect.
  LineTargetSocket& data(unsigned sm) { return interconnect.in(sm * waysOfSm_); }
  LineTargetSocket& instructions(unsigned sm) { return interconnect.in(sm * waysOfSm_ + 1); }
  bool hasL2() const { return !l2.empty(); }
  /// With `verify`: all writes to the L2 since the last call of betweenGrids.
  const WriteOrder& writes();
  /// True if nothing is under way behind the L2, or, without one, behind the interconnect. Writes
  /// may be when a kernel has ended.
  bool quiet() const;
  /// Clears what the previous workload left; call before a workload runs. Precondition: quiet.
  void begin();
  /// Returns the common period of the clocks of SMs and memory, in which their phase repeats.
  sc_core::sc_time phase() const { return phase_; }
  /// Copies new buffers to the device between two grids of a workload. With `verify`, caches and
  /// memory must hold what the executor left in the buffers already known; a difference is an
  /// error. Precondition: there is an L2.
  void betweenGrids(const Workload& workload);
  /// Returns the number of bytes compared so far.
  std::uint64_t compared() const { return compared_; }

 private:
  void composeL2(const Clock& clock, const PlatformParameters& parameters, Probe* probe,
                 Connector& connector);
  bool bindForeign(Connector& connector);
  LineInitiatorSocket& toMemory(unsigned slice);
  L2Cache& sliceOf(std::uint64_t address) { return *l2[slices_.ofAddress(address)]; }
  void warm(const DeviceBytes& range);
  void store(const DeviceBytes& range);
  void compare(const DeviceBytes& range);

  WriteOrder writes_;
  sc_core::sc_time phase_;
  bool verify_;
  bool copies_;
  std::size_t known_ = 0;  ///< number of known ranges of device memory
  std::uint64_t compared_ = 0;
};

}  // namespace fermata::platforms
