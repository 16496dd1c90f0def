// Picks by another policy. Memory instructions keep their distance from one with bank conflicts
// (Gou and Gaydadjiev, CF 2011, section 4.3).
#include <fermata/models/core/warp_policy.h>

namespace fermata {

extern const Descriptor<WarpPolicy> kConflictAware{"conflict-aware", nullptr, {true}};

}  // namespace fermata
