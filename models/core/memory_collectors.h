// Operand collectors for memory instructions, as in GPGPU-Sim (opndcoll_rfu_t). Issued instructions
// wait there for the memory port, which takes them in the order of their issue, whatever their
// path: one that waits for its path holds the others. Issue needs a free place, not the port.
//
//   four places, the port takes 8 cycles for an instruction with 8 lines
//   cycle 0: the first issues and takes the port
//   cycles 1 to 4: four more issue and wait; the second takes the port in 8
//   an instruction keeps its place for some cycles once the port has taken it: it is on its way
//
// Instructions that read constants take the port for each line, and no path.
#pragma once

#include <fermata/models/timing/ring.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/vocabulary/cycle.h>

namespace fermata {

class MemoryCollectors {
 public:
  struct One {
    WarpAccess* access = nullptr;  ///< null: the instruction reads constants
    unsigned slot = 0;             ///< of constants
    const StaticInstruction* constants = nullptr;
    Cycle lines = 1;  ///< of constants
  };

  /// `places`: 0: there are no such collectors. `way`: cycles for which an instruction keeps its
  /// place once the port has taken it.
  MemoryCollectors(unsigned places, Cycle way) : used_(places != 0), way_(way) {}

  bool used() const { return used_; }
  Cycle way() const { return way_; }
  bool empty() const { return waiting_.empty(); }
  void push(const One& one) { waiting_.push(one); }
  const One& front() const { return waiting_.front(); }
  void pop() { waiting_.pop(); }
  /// Sets whether the oldest instruction, which reads constants, waits at the port.
  void hold(bool held) { held_ = held; }
  bool held() const { return held_; }

 private:
  bool used_;
  Cycle way_;
  bool held_ = false;
  Ring<One> waiting_;
};

}  // namespace fermata
