// Atomics on shared memory that a machine has no instruction for, as the loop that the compiler
// writes for them (read in the code of ptxas 13.0 for sm_75 to sm_90):
//
//   enter    notes where lanes meet again (BSSY)
//   load     reads the words
//   operate  the operation: one instruction, two for integers of 64 bits
//   swap     compare and swap; serves one lane of each bank
//   test     of the swap's answer: one instruction, two for 64 bits
//   branch   back to the load while lanes are left
//   leave    waits until lanes have met (BSYNC)
//
// A generic address has no step to enter: code that tests for shared memory stands before its loop.
//
// Example: 32 lanes that add floats to one word take 32 rounds, and to 32 words of one bank as
// many. To 32 words of 32 banks they take one.
//
// A swap serves the lowest lane on each bank of each lane group, and one lane on each word. An H100
// does so: k lanes on one bank take k rounds, each of which loads what is left and swaps in 2
// passes (results/silicon/atomics.csv).
//
// A swap also loses a word that another warp of the CTA has swapped since the load; the lane comes
// again in the next round. A word changes only by a swap that succeeds, so some lane advances in
// every round. Other accesses to a word that is being added to fail no swap: left out.
//
// A lane's word is updated when its swap issues. Lanes that the swap does not serve are not offered
// to the banks. A swap in which no lane wins is offered all the same, and changes nothing.
//
// The loop also lets an atomic whose result nothing reads keep no register, as compilers do: they
// write red for such an atom.
#pragma once

#include <fermata/models/core/atomic_loop.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/models/transaction/lane_groups.h>
#include <fermata/models/vocabulary/atomic_table.h>
#include <fermata/models/vocabulary/grid_set.h>

namespace fermata {

/// The workload `inner` with its atomics of the forms `loops` replaced by such loops.
class SpinLoop final : public AtomicLoop {
 public:
  /// The banks that lanes contend for. A CTA's window is taken to begin at word 0.
  struct Banks {
    std::shared_ptr<const indexing::Indexer> indexer;
    std::uint32_t bankBytes = 4;
    LaneGrouping groups;
  };

  SpinLoop(Workload& inner, const AtomicForms& loops, Banks banks)
      : AtomicLoop(inner), loops_(loops), banks_(std::move(banks)) {}

  void setWarpSlots(unsigned slots) override;
  void startCta(std::uint64_t cta, unsigned firstSlot) override;
  const GridSet* together() const override;
  void beginMember(unsigned member) override;
  void startCtaOf(unsigned member, std::uint64_t cta, unsigned firstSlot) override;
  void endMember(unsigned member) override { inner_.endMember(member); }
  bool letsBegin(unsigned member) override { return inner_.letsBegin(member); }
  const StaticInstruction* peek(unsigned slot) override;
  void execute(unsigned slot, WarpInstruction& out) override;

 private:
  struct Warp {
    const Steps* steps = nullptr;
    unsigned step = 0;        ///< next step; 0: the warp is not in a loop
    unsigned swap = 0;        ///< step of the swap
    unsigned branch = 0;      ///< step of the branch
    LaneMask met = 0;         ///< lanes of the atomic
    LaneMask round = 0;       ///< lanes that the round began with
    LaneMask offered = 0;     ///< lanes that the round's swap can serve
    LaneMask lost = 0;        ///< offered lanes whose word another warp has swapped
    std::uint64_t words = 0;  ///< bit w % 64 for each word w of the offered lanes
    unsigned first = 0;       ///< first slot of the CTA
    const Grid* grid = nullptr;
    Request request;

    bool awaitsSwap() const { return step > kLoad && step <= swap; }
    std::uint64_t word(unsigned lane) const {
      return request.address[lane] >> (request.bytesPerLane == 8 ? 3U : 2U);
    }
    LaneMask on(std::uint64_t word) const;
  };
  static constexpr unsigned kLoad = 1;

  bool isLoop(const StaticInstruction& next) const {
    return mayBeShared(next) && loops_.has(next.form);
  }
  static bool isUnread(const StaticInstruction& next) {
    return mayBeShared(next) && next.unread && next.writeCount != 0;
  }
  void startWarps(const Grid& grid, unsigned firstSlot);
  Steps makeSteps(const StaticInstruction& atomic, RegisterId link) const override;
  void begin(unsigned slot, const StaticInstruction& atomic, WarpInstruction& out);
  void offer(Warp& warp);
  void swap(unsigned slot, Warp& warp, WarpInstruction& out);
  void spoil(unsigned slot, const Warp& by, LaneMask won);
  void branch(unsigned slot, Warp& warp);

  AtomicForms loops_;
  Banks banks_;
  std::vector<Warp> warps_;  ///< by warp slot
  mutable GridSet set_;      ///< that of `inner`, with links; made by together()
};

}  // namespace fermata
