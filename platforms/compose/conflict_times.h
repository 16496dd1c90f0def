// Time that conflicts took in a run: for each grid, that of the multiprocessor with the most.
#pragma once

#include <fermata/models/memory/conflict_time.h>
#include <fermata/models/probe/probe.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fermata::platforms {

class ConflictTimes : public Probe {
 public:
  void watch(ConflictTime& ofSm) { ofSms_.push_back(&ofSm); }
  unsigned events() const override { return Grids; }
  void gridStarted(const Grid&, Cycle) override { settle(); }
  std::uint64_t cycles() {
    settle();
    return cycles_;
  }
  void reset() {
    settle();
    cycles_ = 0;
  }

 private:
  void settle() {
    std::uint64_t most = 0;
    for (ConflictTime* const one : ofSms_) {
      most = std::max(most, one->cycles());
      one->reset();
    }
    cycles_ += most;
  }

  std::vector<ConflictTime*> ofSms_;
  std::uint64_t cycles_ = 0;
};

}  // namespace fermata::platforms
