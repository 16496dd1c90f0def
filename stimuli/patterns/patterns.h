// Synthetic workloads that need no kernel: each warp reads, writes or updates shared memory by a
// pattern, over and over.
//
// Every pattern runs this kernel; an access is of element INDEX, `bytes` wide, of a shared array:
//
//   index = pattern(thread);
//   for (e = thread; e < elements; e += threads) array[e] = e;   // fill=1
//   barrier;                                                     // fill=1
//   for (i = 0; i < repeat; i++) { compute instructions; access array[index]; }
//
// The loop costs nothing but what is named: no counter, no branch. It is unrolled 16 times, so that
// loads that do not depend on each other have different destinations.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/core/workload.h>

namespace fermata::patterns {

struct PatternParameter {
  std::string name;
  std::string defaultValue;
  std::string description;
};

struct PatternEntry {
  std::string name;
  std::string description;
  std::vector<PatternParameter> parameters;
};

/// All there are, in the order of their names' listing; `openPattern` takes exactly these.
const std::vector<PatternEntry>& listPatterns();

/// A pattern by name; parameters that are not given have their defaults. Throws InputError for an
/// unknown name or parameter, naming those there are, and for a value that cannot be.
std::unique_ptr<Workload> openPattern(const std::string& name,
                                      const std::map<std::string, std::string>& parameters);

}  // namespace fermata::patterns
