// A sweep as its file defines it: every combination of the values of its axes is a point.
//
//   description = "..."
//   order = ["workload", "mapping"]      # columns, the last one fastest; default: as the axes
//   [base]                               # one value for every point
//   platform = "gtx480"
//   [axes]
//   workload = ["transpose", "matmul"]
//   mapping = ["mod 32", "ami 33"]       # scratchpad.indexer
//   scratchpad.latency = { from = 10, to = 40, step = 10 }
//   param.n = { from = 32, to = 256, factor = 2 }
//   seed = [1, 2, 3]                     # param.seed
//   [[zip]]                              # axes that move together
//   scratchpad.bytes = [16384, 49152]
//   l1.bytes = [49152, 16384]
//   [[exclude]]                          # points that match all of its lines are left out
//   workload = "matmul"
//   mapping = ["mod 32"]
//
// A column is `platform`, `workload`, `mapping`, `seed`, `param.NAME` of a workload, `prices` (a
// table of them: energy is booked), or the path of a platform parameter, as in --set. Values are
// integers, texts and truth values.
#pragma once

#include <fermata/stimuli/input_error.h>

#include <map>
#include <string>
#include <vector>

namespace fermata::platforms {

/// A column and its values, in the form of --set or --param.
struct SweepAxis {
  std::string name;
  std::vector<std::string> values;
  SourceLocation where;
};

/// Axes that move together, of equal length: a single axis, or those of a [[zip]].
using SweepGroup = std::vector<SweepAxis>;

/// Values per column. A point is excluded if each column matches one of its values.
using SweepExclude = std::map<std::string, std::vector<std::string>>;

struct SweepStudy {
  std::string file;
  std::string text;                ///< content of the file
  std::vector<SweepAxis> base;     ///< columns with one value each
  std::vector<SweepGroup> groups;  ///< in the order of points, the last one fastest
  std::vector<SweepExclude> excludes;
};

/// Reads a sweep. Throws InputError with file, line and column.
SweepStudy readSweep(const std::string& file);

}  // namespace fermata::platforms
