// The safe distance: for how long no memory instruction issues behind an access to shared memory,
// so that its bank conflicts hold nothing up (Gou and Gaydadjiev, Elastic Pipeline, CF 2011,
// section 4). The distance follows from the passes that are predicted when the access issues.
//
//   distance = sum over the subwarps of ceil(conflict degree / ports of a bank)   [cycles]
//
// With one port this is equation 5. With several ports, equation 5 divides the sum and would be too
// short, since each subwarp begins its own pass.
//
// The distance is counted in cycles in which the front end moves. A cycle in which the front end
// stands still brings two instructions no further apart.
#pragma once

#include <fermata/models/core/conflict_history.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/vocabulary/cycle.h>

namespace fermata {

class MemorySpacing {
 public:
  using Parameters = SpacingParameters;
  /// Prediction for an access.
  struct Foretold {
    unsigned degree = 0;  ///< conflict cycles: passes beyond the ideal ones
    bool found = false;   ///< the prediction comes from the history or the access, not a default
  };

  /// `freePasses`: ideal passes of a warp. `probe` may be null.
  MemorySpacing(const Parameters& parameters, unsigned freePasses, Probe* probe)
      : parameters_(parameters),
        freePasses_(freePasses),
        history_(parameters.history),
        probe_(probe) {}

  bool letsThrough() const { return parameters_.letThrough; }
  bool perfect() const { return parameters_.prediction == ConflictPrediction::Perfect; }
  /// Forgets the history, when a kernel begins.
  void clear() { history_.clear(); }
  /// Sets the distance behind a shared memory instruction that issues in front time `now`
  /// (StagedPipeline::frontTime). `passes`: its actual passes, read only if perfect(). Returns the
  /// prediction.
  Foretold issued(std::uint32_t pc, unsigned passes, Cycle now);
  /// Returns the front time before which no memory instruction issues.
  Cycle until() const { return until_; }
  /// Records the actual passes of an access of the program, which was predicted as `foretold`.
  void resolved(std::uint32_t program, std::uint32_t pc, const Foretold& foretold, unsigned passes);

 private:
  Foretold foretell(std::uint32_t pc, unsigned passes);
  unsigned excess(unsigned passes) const { return passes > freePasses_ ? passes - freePasses_ : 0; }

  Parameters parameters_;
  unsigned freePasses_;
  ConflictHistory history_;
  Probe* probe_;
  Cycle until_ = 0;
};

}  // namespace fermata
