// Synthetic workloads that need no kernel: each warp repeatedly reads, writes or updates the
// scratchpad by a pattern.
//
// Every pattern runs this kernel. An access is to element INDEX of a shared array, `bytes` wide:
//
//   index = pattern(thread);
//   for (e = thread; e < elements; e += threads) array[e] = e;   // fill=1
//   barrier;                                                     // fill=1
//   for (i = 0; i < repeat; i++) { compute instructions; access array[index]; additions; }  //
//   sum=1
//
// The loop has only the instructions named: no counter, no branch. It is unrolled 16 times, so that
// loads that do not depend on each other have different destinations.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/vocabulary/workload.h>

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

/// Returns all patterns in the order of their listing; `openPattern` takes exactly these names.
const std::vector<PatternEntry>& listPatterns();

/// Opens a pattern by name; parameters that are not given have their defaults. Throws InputError
/// for an unknown name or parameter, listing the known ones, and for a value that is not allowed.
std::unique_ptr<Workload> openPattern(const std::string& name,
                                      const std::map<std::string, std::string>& parameters);

}  // namespace fermata::patterns
