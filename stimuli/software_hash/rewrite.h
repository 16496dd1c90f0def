// Rewrites PTX to PTX with a bank mapping in every access of the scratchpad (shared memory), so
// that the mapping's cost in instructions is simulated as well as its saving in conflicts.
//
// Each ld, st, atom and red on .shared gets the hashed address. The instructions that compute it
// stand before the access, at the place that address_plan.h gives; they are not guarded, while the
// access keeps its guard. A known address (a variable plus a constant) is hashed when the text is
// rewritten and costs nothing. An access wider than a bank becomes accesses of one bank word each.
// Everything else stays unchanged: addresses in registers are the kernel's own until they are used.
//
// A window that the hash enlarges grows in the text, at its last variable. Dynamic shared memory
// comes from the launch, which must give SoftwareHash::windowBytes(static + dynamic) bytes in all.
// %dynamic_smem_size then tells the kernel more than it asked for.
//
// Refused with file, line and column: generic accesses that might reach shared memory, atomics
// wider than a bank, a window that grows beyond the limit of a CTA.
#pragma once

#include <string>
#include <vector>

#include <fermata/stimuli/ptx/module.h>
#include <fermata/stimuli/software_hash/software_hash.h>

namespace fermata::software_hash {

/// The changes in an entry or a function.
struct FunctionChange {
  std::string name;
  bool isEntry = false;
  unsigned accesses = 0;  ///< instructions on shared memory before the rewriting
  int inserted = 0;       ///< instructions added
  // For an entry: bytes of its static shared memory, and whether the launch adds to them.
  std::uint64_t staticBefore = 0;
  std::uint64_t staticAfter = 0;
  bool dynamic = false;
};

struct Rewritten {
  std::string text;  ///< PTX; unchanged if the mapping is the identity
  std::vector<FunctionChange> changes;
};

enum class Lines {
  Kept,     ///< inserted instructions stand on the line of their access: errors name the same lines
  OneEach,  ///< each instruction has its own line
};

/// Rewrites a module that has been parsed and decoded. Throws InputError where it cannot be hashed.
Rewritten rewrite(const ptx::Module& module, const HashRequest& request, Lines lines);

}  // namespace fermata::software_hash
