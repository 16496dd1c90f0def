// Gives an atomic the passes of a load: lanes on one word merge (the rule of GPGPU-Sim's Fermi
// model). This hides the cost of atomics: 32 lanes that add to one word take one pass.
#include <fermata/models/memory/atomic_policy.h>

namespace fermata {

extern const Descriptor<AtomicPolicy> kAtomicLoad{"load", makePolicy<AtomicPolicy>, {false, true}};

}  // namespace fermata
