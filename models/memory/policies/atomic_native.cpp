// Models banks with units that update (Maxwell and later): no lanes merge, and each lane takes its
// bank for one pass.
#include <fermata/models/memory/atomic_policy.h>

#include <algorithm>
#include <vector>

namespace fermata {

namespace {

class AtomicNative final : public AtomicPolicy {
 public:
  void resolve(WarpAccess& access, ConflictResolver& conflicts) override {
    conflicts.resolve(access);
    lanes_.resize(access.banks);
    std::uint32_t passes = 0;
    access.degree = 0;
    for (const LaneMask group : conflicts.groupsOf(access)) {
      const std::uint32_t most = mostOnABank(access, group & access.asked);
      access.degree = std::max(access.degree, most);
      passes += most;
    }
    access.passes = std::max(access.passes, passes);
    if (access.degree > 1) access.bankSet = 0;
    for (unsigned k = 0; k < access.wordsPerLane; ++k) access.leaders[k] = access.asked;
  }

 private:
  std::uint32_t mostOnABank(const WarpAccess& access, LaneMask group) {
    std::uint32_t most = 0;
    eachBank(access, group, [&](std::uint32_t bank) { most = std::max(most, ++lanes_[bank]); });
    eachBank(access, group, [&](std::uint32_t bank) { lanes_[bank] = 0; });
    return most;
  }
  template <class Visit>
  static void eachBank(const WarpAccess& access, LaneMask lanes, Visit visit) {
    for (LaneMask m = lanes; m != 0; m &= m - 1) {
      for (unsigned k = 0; k < access.wordsPerLane; ++k)
        visit(access.bank[k][static_cast<unsigned>(__builtin_ctz(m))]);
    }
  }

  std::vector<std::uint32_t> lanes_;  ///< by bank
};

}  // namespace

extern const Descriptor<AtomicPolicy> kAtomicNative{
    "native", makePolicy<AtomicPolicy, AtomicNative>, {}};

}  // namespace fermata
