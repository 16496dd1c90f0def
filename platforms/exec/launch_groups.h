// Groups the launches of a program, and says which of them are worth timing.
//
// Launches of one kernel, grid, block and dynamic shared memory have one *shape*. Launches of one
// shape whose counts are equal form a group. The counts of a launch are known when it has executed,
// too late to time it: memory has changed. The next launch of a shape is therefore expected in the
// group of the one before it, and timed if that group wants it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fermata/platforms/exec/spread.h>

namespace fermata::exec {

/// Two launches have equal counts if each differs by this share at most. An estimate is scaled by
/// the warp instructions, so what is left is a change of their mix: no more than half of the 2 %
/// that a total may be off.
inline constexpr double kEqualCounts = 0.01;

struct LaunchShape {
  std::string kernel;  ///< readable name
  std::string text;    ///< differs for each kernel, grid, block and dynamic shared memory
};

/// A launch that has executed.
struct ExecutedLaunch {
  LaunchShape shape;
  std::uint64_t instructions = 0;     ///< warp instructions
  std::vector<std::uint64_t> counts;  ///< what launches of a group have in common
};

class LaunchGroups {
 public:
  /// Returns whether the next launch of the shape is to be timed: the first and the 2nd of a group,
  /// then the 6th, 22nd, 86th, ... as long as each timed one agrees with those before it: its
  /// cycles per warp instruction lie between theirs, or beyond by kSteady at most. After one that
  /// does not agree the next is timed, and the last three before it alone count further.
  bool times(const LaunchShape& shape) const;

  /// Adds a timed launch. Returns the number of its group.
  unsigned addTimed(const ExecutedLaunch& launch, const Estimates& figures);

  struct Placed {
    unsigned group = 0;
    Estimates figures;
  };
  /// Adds a launch that was not timed, and estimates its figures by the timed launches of its
  /// group. If there are none, by those of the nearest group of the shape. Precondition: a launch
  /// of the shape was timed.
  Placed addExecuted(const ExecutedLaunch& launch);

  /// Returns by how much the sums of a kernel's figures may be off. Errors of launches that have
  /// one estimate add up; errors of groups are independent.
  std::array<double, kSampled> halves(const std::string& kernel) const;

 private:
  /// Measurements of one figure of a group; all but `squares` and `linear` per warp instruction.
  struct Known {
    std::vector<double> rates;  ///< of the timed launches that count
    double own = 0;             ///< halves of the timed launches within themselves, summed
    double squares = 0;         ///< of the halves of timed launches
    double linear = 0;          ///< halves that add up
  };
  struct Group {
    ExecutedLaunch first;
    std::array<Known, kSampled> figures;
    std::uint64_t timed = 0;
    std::uint64_t stride = 1;  ///< launches from one timed to the next
    std::uint64_t since = 0;   ///< launches since the last timed one
    double sinceInstructions = 0;
    std::uint64_t estimated = 0;       ///< launches that its timed ones estimate
    double estimatedInstructions = 0;  ///< theirs

    Spread spread(unsigned figure) const;
    double half(unsigned figure, std::uint64_t further) const;
    Estimates of(double instructions) const;
    bool agrees(double cyclesPerInstruction) const;
    void disagree(const std::array<double, kSampled>& rates);
  };

  Group& groupOf(const ExecutedLaunch& launch);
  Group* nearest(const std::vector<unsigned>& shape, const ExecutedLaunch& launch,
                 const Group* without);
  double missOfNearest(const std::vector<unsigned>& shape, unsigned figure);
  Estimates ofNearest(const ExecutedLaunch& launch);

  std::vector<Group> groups_;
  std::map<std::string, std::vector<unsigned>> ofShape_;  ///< groups, the last launch's first
};

}  // namespace fermata::exec
