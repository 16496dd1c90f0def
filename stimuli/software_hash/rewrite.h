// PTX to PTX: a bank mapping put into every access of shared memory, so that what it costs in
// instructions is simulated as well as what it saves in conflicts.
//
// Each ld, st, atom and red on .shared gets the hashed address; what computes it stands before it,
// where address_plan.h says, and is not guarded, while the access keeps its guard. An address that
// is known (a variable plus a constant) is hashed when the text is rewritten and costs nothing.
// Accesses wider than a bank become accesses of a bank's word each. Everything else stays as it is:
// addresses in registers are the kernel's own until they are used.
//
// A window that the hash makes larger grows in the text, at its last variable; dynamic shared
// memory is given by the launch, which has to give SoftwareHash::windowBytes(static + dynamic)
// bytes in all. %dynamic_smem_size then tells the kernel more than it asked for.
//
// Refused, with file, line and column: generic accesses that might be to shared memory, atomics
// wider than a bank, a window that grows beyond what a CTA can have.
#pragma once

#include <string>
#include <vector>

#include <fermata/stimuli/ptx/module.h>
#include <fermata/stimuli/software_hash/software_hash.h>

namespace fermata::software_hash {

/// What has changed in an entry or a function.
struct FunctionChange {
  std::string name;
  bool isEntry = false;
  unsigned accesses = 0;  ///< instructions on shared memory that were there
  int inserted = 0;       ///< instructions more than before
  // Of an entry: bytes of its static shared memory, and whether the launch adds to them.
  std::uint64_t staticBefore = 0;
  std::uint64_t staticAfter = 0;
  bool dynamic = false;
};

struct Rewritten {
  std::string text;  ///< PTX; the text as it was when the mapping is the identity
  std::vector<FunctionChange> changes;
};

enum class Lines {
  Kept,     ///< what is inserted stands on the line of its access: errors name the same lines
  OneEach,  ///< each instruction on a line of its own
};

/// The module has been parsed and decoded, so that what remains to refuse is what cannot be hashed.
Rewritten rewrite(const ptx::Module& module, const HashRequest& request, Lines lines);

}  // namespace fermata::software_hash
