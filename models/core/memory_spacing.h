// How long no memory instruction issues behind one of shared memory, so that its bank conflicts
// hold nothing up: the safe distance (Gou and Gaydadjiev, Elastic Pipeline, CF 2011, section 4),
// from the passes that are foretold when the shared one issues.
//
//   distance = sum over the subwarps of ceil(conflict degree / ports of a bank)   [cycles]
//
// which with one port is equation 5. (With more, the equation divides the sum, and would be too
// short: each subwarp begins a pass of its own.)
//
// The distance is counted in cycles in which the front end moves: one in which it stands still
// brings the two no further apart.
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/core/conflict_history.h>
#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/cycle.h>

namespace fermata {

/// Where the passes are foretold from. History: the PC. Perfect: the access itself, as no machine
/// could. None: no conflict is ever foretold.
enum class ConflictPrediction : std::uint8_t { History, Perfect, None };

template <>
struct ChoiceTable<ConflictPrediction> {
  static const std::vector<NamedChoice<ConflictPrediction>>& table();
};

class MemorySpacing {
 public:
  struct Parameters {
    ConflictPrediction prediction = ConflictPrediction::History;
    /// A memory instruction goes for all that, where no other one is ready (footnote 10).
    bool letThrough = false;
    ConflictHistory::Parameters history;
  };
  /// What was foretold of an access.
  struct Foretold {
    unsigned degree = 0;  ///< passes beyond those without a conflict
    bool found = false;   ///< in the history
  };

  /// `freePasses`: of a warp without a conflict. `probe` may be null.
  MemorySpacing(const Parameters& parameters, unsigned freePasses, Probe* probe)
      : parameters_(parameters),
        freePasses_(freePasses),
        history_(parameters.history),
        probe_(probe) {}

  bool letsThrough() const { return parameters_.letThrough; }
  bool perfect() const { return parameters_.prediction == ConflictPrediction::Perfect; }
  /// A kernel begins.
  void clear() { history_.clear(); }
  /// An instruction of shared memory issues in front time `now`. `passes`: its own, where
  /// perfect().
  Foretold issued(std::uint32_t pc, unsigned passes, Cycle now);
  /// No memory instruction issues before this front time.
  Cycle until() const { return until_; }
  /// The passes of an access of the program are known.
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
