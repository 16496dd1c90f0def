// Would warps execute the same in any order? Where no two of them meet in memory, they would.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <fermata/models/transaction/grid.h>

namespace fermata::traces {

/// Two accesses of the same bytes, at least one of them a store, are ordered when one warp executes
/// both, when a barrier of the whole CTA lies between them, or a grid's end. Where all are, each
/// load gives the same in every order that barriers allow, and so does each branch and address made
/// of it. An access that is not ordered, or an atomic, is enough for "no", for which there may yet
/// be no reason: two warps may store the same. Shared memory is told apart by bytes, device memory
/// by words of 4.
class OrderCheck {
 public:
  explicit OrderCheck(unsigned warpSlots) : slots_(warpSlots), shared_(warpSlots) {}

  /// False: perhaps not. It stays so, and nothing need be told any more.
  bool orderFree() const { return free_; }
  /// It depends on what is not seen here.
  void fail() { free_ = false; }

  void gridStarted(const Grid& grid);
  void ctaStarted(std::uint64_t cta, unsigned firstSlot);
  void executed(unsigned slot, const StaticInstruction& instruction, const WarpInstruction& done);

 private:
  /// One warp of all grids, from 1, and the barriers of its CTA until then.
  struct Moment {
    std::uint32_t warp = 0;  ///< 0: none
    std::uint32_t barriers = 0;
  };
  enum class Readers : std::uint8_t { One, OfCta, OfCtas };
  /// The last store of some bytes, and the loads since that no store is ordered behind yet.
  struct Stamp {
    Moment stored;
    Moment loaded;
    Readers readers = Readers::One;
  };
  static constexpr unsigned kPageWords = 1024;
  using Page = std::array<Stamp, kPageWords>;
  struct Slot {
    Moment now;
    unsigned first = 0;  ///< slot of its CTA
  };

  std::uint32_t ctaOf(std::uint32_t warp) const { return (warp - firstWarp_) / warpsPerCta_; }
  bool ordered(const Moment& before, const Moment& now) const;
  void load(Stamp& stamp, const Moment& now);
  void store(Stamp& stamp, const Moment& now);
  void touch(Stamp& stamp, bool stores, const Moment& now);
  Stamp* deviceWord(std::uint64_t word);

  bool free_ = true;
  std::uint32_t firstWarp_ = 1;  ///< of the grid
  std::uint32_t nextWarp_ = 1;   ///< of the next grid
  std::uint32_t warpsPerCta_ = 1;
  std::uint32_t threads_ = 0;
  std::uint32_t sharedBytes_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::vector<Stamp>> shared_;  ///< by the first slot of a CTA
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  Page* lastPage_ = nullptr;
  std::uint64_t lastNumber_ = 0;
};

}  // namespace fermata::traces
