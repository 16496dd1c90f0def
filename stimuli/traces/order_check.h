// Decides whether warps would execute the same in any order: they do if no two conflict in memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <fermata/models/vocabulary/grid.h>

namespace fermata::traces {

/// Two accesses of the same bytes, at least one of them a store, are ordered if one warp executes
/// both, or if a barrier of the whole CTA or a grid's end lies between them. If all such pairs are
/// ordered, each load returns the same in every order that barriers allow, and so does each branch
/// and address computed from it. One pair that is not ordered, or one atomic, makes the answer
/// "no". This is conservative: two warps may store the same value. The scratchpad is tracked by
/// byte, device memory by words of 4 bytes.
class OrderCheck {
 public:
  explicit OrderCheck(unsigned warpSlots) : slots_(warpSlots), shared_(warpSlots) {}

  /// Returns false if the order may matter. Once false it stays so, and no more calls are needed.
  bool orderFree() const { return free_; }
  /// Records that the order matters for a reason that is not seen here.
  void fail() { free_ = false; }

  void gridStarted(const Grid& grid);
  void ctaStarted(std::uint64_t cta, unsigned firstSlot);
  void executed(unsigned slot, const StaticInstruction& instruction, const WarpInstruction& done);

 private:
  /// A warp, numbered through all grids from 1, and the barriers that its CTA had passed.
  struct Moment {
    std::uint32_t warp = 0;  ///< 0: none
    std::uint32_t barriers = 0;
  };
  enum class Readers : std::uint8_t { One, OfCta, OfCtas };
  /// The last store to some bytes, and the loads since that no later store is ordered behind.
  struct Stamp {
    Moment stored;
    Moment loaded;
    Readers readers = Readers::One;
  };
  static constexpr unsigned kPageWords = 1024;
  using Page = std::array<Stamp, kPageWords>;
  struct Slot {
    Moment now;
    unsigned first = 0;  ///< first slot of its CTA
  };

  std::uint32_t ctaOf(std::uint32_t warp) const { return (warp - firstWarp_) / warpsPerCta_; }
  bool ordered(const Moment& before, const Moment& now) const;
  void load(Stamp& stamp, const Moment& now);
  void store(Stamp& stamp, const Moment& now);
  void touch(Stamp& stamp, bool stores, const Moment& now);
  Stamp* deviceWord(std::uint64_t word);

  bool free_ = true;
  std::uint32_t firstWarp_ = 1;  ///< first warp of the grid
  std::uint32_t nextWarp_ = 1;   ///< first warp of the next grid
  std::uint32_t warpsPerCta_ = 1;
  std::uint32_t threads_ = 0;
  std::uint32_t sharedBytes_ = 0;
  std::vector<Slot> slots_;
  std::vector<std::vector<Stamp>> shared_;  ///< scratchpad stamps, by first slot of a CTA
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  Page* lastPage_ = nullptr;
  std::uint64_t lastNumber_ = 0;
};

}  // namespace fermata::traces
