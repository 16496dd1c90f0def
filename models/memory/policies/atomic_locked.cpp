// Expects no atomic of the model's own: each is a loop of reads and writes with a lock unit behind
// the crossbar (core/lock_loop.h, memory/lock_unit.h). One of a foreign workload has the passes of
// a load.
#include <fermata/models/memory/atomic_policy.h>

namespace fermata {

extern const Descriptor<AtomicPolicy> kAtomicLocked{"locked", makePolicy<AtomicPolicy>, {true}};

}  // namespace fermata
