// Tells the probe of an L1 about hits, misses and the effort of its parts.
#pragma once

#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/clock.h>
#include <fermata/models/transaction/warp_access.h>

namespace fermata {

class L1Events {
 public:
  /// `probe` may be null.
  L1Events(Probe* probe, const Clock& clock) : probe_(probe), clock_(clock) {}

  void cached(CacheEvent::What what, const WarpAccess& access, std::uint64_t count = 1) const {
    if (probe_ != nullptr) probe_->cached({what, access.program, access.instruction.pc, count});
  }
  void effort(EffortEvent::What what, const WarpAccess& access, std::uint64_t count,
              Cycle at) const {
    effort(what, access.program, access.instruction.pc, count, at);
  }
  void effort(EffortEvent::What what, std::uint32_t program, std::uint32_t pc, std::uint64_t count,
              Cycle at) const {
    if (probe_ != nullptr) probe_->effort({what, program, pc, count, clock_.ticks(at)});
  }
  void accessBegins(const WarpAccess& access) const {
    if (probe_ != nullptr) probe_->globalAccess(access);
  }
  void banksTried(const WarpAccess& access) const {
    if (probe_ != nullptr) probe_->l1Try(access);
  }

 private:
  Probe* probe_;
  Clock clock_;
};

}  // namespace fermata
