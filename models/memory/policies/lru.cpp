// Replaces the line that was used least recently.
#include <fermata/models/memory/replacement.h>

namespace fermata {

namespace {

class Lru final : public ReplacementPolicy {
 public:
  void used(CacheLine& line, std::uint64_t time) override { line.rank = time; }
};

}  // namespace

extern const Descriptor<ReplacementPolicy> kLru{"lru", makePolicy<ReplacementPolicy, Lru>};

}  // namespace fermata
