// Gives a first try its ideal passes and leaves the words that lose their bank; each replay gets
// one pass. While an access has lanes left, later accesses of its warp are squashed. The passes of
// all tries add up to those of serialize. Atomics are not split (Diamond et al., Arbitrary Modulus
// Indexing, MICRO 2014, section IV).
#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/timing/reservation.h>
#include <fermata/models/transaction/warp_order.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fermata {

namespace {

class Replay final : public ConflictPolicy {
 public:
  Served serve(WarpAccess& access, ConflictResolver& conflicts, Cycle arrival) override {
    const LaneMask left = leave(access, conflicts);
    if (left != 0) {
      order_.left(access);
    } else if (access.lastTry()) {
      order_.served(access);
    }
    const Cycle start = banks_.free(arrival);
    const Cycle end = start + access.passes;
    banks_.take(arrival, start, end);
    access.occupancy = std::max(end, arrival + 1) - arrival;
    return {std::max(end, start + 1), left};
  }

 private:
  /// The rows that a bank delivers in the pass being made; stale if its epoch is old.
  struct Bank {
    std::uint64_t epoch = 0;
    std::uint32_t count = 0;
    std::array<std::uint32_t, ConflictResolver::kMostPorts> place;
  };

  LaneMask leave(WarpAccess& access, const ConflictResolver& conflicts) {
    if (!order_.mayServe(access)) return squash(access);
    const LaneMask begun = wordsLeft(access) & access.asked;
    if (begun == 0 && (access.passes == access.freePasses || !mayBeSplit(access.instruction)))
      return 0;
    for (unsigned k = 0; k < access.wordsPerLane; ++k) access.wordsLeft[k] |= access.asked & ~begun;
    access.leaders.fill(0);
    access.bankSet = 0;
    if (begun == 0) {
      firstPasses(access, conflicts);
    } else {
      nextPass(access, conflicts);
    }
    const LaneMask left = wordsLeft(access) & access.asked;
    access.outcome.leave(left, LeftCause::Bank);
    return left;
  }
  // Atomics are not split. The executor carries an atomic out when it issues, so lanes left would
  // reach the banks late. A locked read would repeat its loop for lanes that only lost a bank.
  static bool mayBeSplit(const WarpInstruction& instruction) {
    return instruction.operation != MemoryOperation::Atomic && instruction.lock == LockStep::None;
  }
  static LaneMask wordsLeft(const WarpAccess& access) {
    LaneMask lanes = 0;
    for (const LaneMask word : access.wordsLeft) lanes |= word;
    return lanes;
  }

  static LaneMask squash(WarpAccess& access) {
    access.leaders.fill(0);
    access.passes = access.freePasses = access.degree = 0;
    access.bankSet = 0;
    access.outcome.leave(access.asked, LeftCause::Order);
    return access.asked;
  }

  // Makes the ideal passes: one of each lane group.
  void firstPasses(WarpAccess& access, const ConflictResolver& conflicts) {
    for (const LaneMask group : conflicts.groupsOf(access)) pass(access, conflicts, group);
    access.passes = access.freePasses;
  }
  // Makes the one pass of a replay, for the first lane group that has lanes left. It is no ideal
  // pass: it counts as a conflict cycle.
  void nextPass(WarpAccess& access, const ConflictResolver& conflicts) {
    const LaneMask lanes = wordsLeft(access) & access.asked;
    for (const LaneMask group : conflicts.groupsOf(access)) {
      if ((group & lanes) == 0) continue;
      pass(access, conflicts, group);
      break;
    }
    access.passes = 1;
    access.freePasses = 0;
  }

  void pass(WarpAccess& access, const ConflictResolver& conflicts, LaneMask group) {
    if (conflicts.arbiter() == nullptr) return modelPass(access, conflicts, group);
    LaneWords asked;
    for (unsigned k = 0; k < asked.size(); ++k)
      asked[k] = access.wordsLeft[k] & access.asked & group;
    const LaneWords led = access.leaders;
    modelPass(access, conflicts, group);
    Arbiter::Pass made;
    for (unsigned k = 0; k < asked.size(); ++k) {
      made.served[k] = asked[k] & ~access.wordsLeft[k];
      made.leaders[k] = access.leaders[k] & ~led[k];
    }
    conflicts.arbiter()->passed(access, asked, made);
    for (unsigned k = 0; k < asked.size(); ++k) {
      access.wordsLeft[k] = (access.wordsLeft[k] | asked[k]) & ~made.served[k];
      access.leaders[k] = led[k] | made.leaders[k];
    }
  }
  // Makes a pass by the model's rule: each bank serves the rows of the lowest lanes that ask it, as
  // many rows as it has ports.
  void modelPass(WarpAccess& access, const ConflictResolver& conflicts, LaneMask group) {
    ++epoch_;
    taken_.resize(access.banks);
    const LaneMask lanes = wordsLeft(access) & access.asked & group;
    if (access.wordsPerLane == 1 && conflicts.ports() == 1)
      return plainPass(access, conflicts, lanes);
    for (LaneMask m = lanes; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      for (unsigned k = 0; k < access.wordsPerLane; ++k) {
        if ((access.wordsLeft[k] >> lane & 1) != 0) ask(access, conflicts, k, lane);
      }
    }
  }
  // Makes the pass of modelPass() where each lane has one word left and each bank one port.
  void plainPass(WarpAccess& access, const ConflictResolver& conflicts, LaneMask lanes) {
    LaneMask served = 0;
    LaneMask leaders = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
      const std::uint32_t place = conflicts.placeOf(access, 0, lane);
      Bank& bank = taken_[access.bank[0][lane]];
      if (bank.epoch != epoch_) {
        bank.epoch = epoch_;
        bank.place[0] = place;
        leaders |= LaneMask{1} << lane;
      } else if (bank.place[0] != place) {
        continue;
      }
      served |= LaneMask{1} << lane;
    }
    access.wordsLeft[0] &= ~served;
    access.leaders[0] |= leaders;
  }
  void ask(WarpAccess& access, const ConflictResolver& conflicts, unsigned k, unsigned lane) {
    Bank& bank = taken_[access.bank[k][lane]];
    if (bank.epoch != epoch_) {
      bank.epoch = epoch_;
      bank.count = 0;
    }
    const std::uint32_t place = conflicts.placeOf(access, k, lane);
    const auto* end = bank.place.data() + bank.count;
    if (std::find<const std::uint32_t*>(bank.place.data(), end, place) == end) {
      if (bank.count == conflicts.ports()) return;
      bank.place[bank.count++] = place;
      access.leaders[k] |= LaneMask{1} << lane;
    }
    access.wordsLeft[k] &= ~(LaneMask{1} << lane);
  }

  Reservation banks_;
  WarpOrder order_;
  std::vector<Bank> taken_;
  std::uint64_t epoch_ = 0;
};

}  // namespace

extern const Descriptor<ConflictPolicy> kReplay{
    "replay", makePolicy<ConflictPolicy, Replay>, {true}};

}  // namespace fermata
