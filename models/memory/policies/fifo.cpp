// Replaces the line that was placed first: the rule of the base class.
#include <fermata/models/memory/replacement.h>

namespace fermata {

extern const Descriptor<ReplacementPolicy> kFifo{"fifo", makePolicy<ReplacementPolicy>};

}  // namespace fermata
