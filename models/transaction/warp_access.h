// The memory access of a whole warp: the payload extension that travels with every transaction of
// the streaming multiprocessor.
#pragma once

#include <array>
#include <cstdint>
#include <tlm>

#include <fermata/models/transaction/try_outcome.h>

namespace fermata {

/// A sticky extension: pooled with its payload, never freed between transactions.
class WarpAccess : public tlm::tlm_extension<WarpAccess> {
 public:
  /// Words of one lane: 16 bytes in the narrowest (4-byte) bank.
  static constexpr unsigned kMaxWordsPerLane = 4;
  using Lanes = std::array<std::uint32_t, kWarpLanes>;

  // Set by the initiator.
  WarpInstruction instruction;
  unsigned slot = 0;          ///< warp slot that issued it
  unsigned warp = 0;          ///< which of its CTA
  std::uint64_t cta = 0;      ///< rises from CTA to CTA that the initiator places
  std::uint32_t program = 0;  ///< Grid::program
  /// What was issued; valid as long as the grid runs.
  const StaticInstruction* issuedInstruction = nullptr;
  std::uint32_t windowBase = 0;  ///< shared space: first byte of the CTA's window in the scratchpad
  std::uint64_t sequence = 0;    ///< rises from access to access of the initiator
  unsigned tries = 0;            ///< begun so far, this one included
  LaneMask unserved = 0;         ///< lanes that no try before this one has served
  /// Lanes that this try asks for, of `unserved`; a stage may ask for fewer downstream.
  LaneMask asked = 0;

  // Set by the address generation unit. Word k of lane i is word[k][i]; lanes outside `asked`
  // unset.
  std::uint32_t banks = 0;  ///< that the mapping has: every element of `bank` is less
  unsigned wordsPerLane = 1;
  std::array<Lanes, kMaxWordsPerLane> word;
  std::array<Lanes, kMaxWordsPerLane> bank;
  std::array<Lanes, kMaxWordsPerLane> row;

  // Set by the crossbar, of this try.
  std::uint32_t passes = 0;  ///< cycles that the try holds the banks, at least 1
  Cycle firstPass = 0;       ///< cycle of the clock in which it begins to hold them
  std::uint32_t degree = 0;  ///< largest number of distinct words in one bank within one pass group
  /// Those without a conflict: one of each lane group that asks, and what the machine adds to it.
  std::uint32_t freePasses = 0;
  /// Passes of each group of lanes, extra ones aside; 0 of one that asks for nothing.
  std::array<std::uint8_t, kWarpLanes> groupPasses{};
  unsigned groups = 0;  ///< of them
  // Summed over the tries so far.
  std::uint32_t allPasses = 0;
  std::uint32_t allFreePasses = 0;
  /// Bit i of element k: lane i is the one that reads or writes word k of its bank; the other lanes
  /// on the word merge with it. For counting only: of several stores to one word the highest lane
  /// wins.
  std::array<LaneMask, kMaxWordsPerLane> leaders{};
  /// Bit b: bank b delivers a word, of a try of one group in which no bank delivers two, where
  /// there are at most 64 banks; otherwise 0.
  std::uint64_t bankSet = 0;

  // Kept by the crossbar from try to try; 0 when an access begins.
  /// Bit i of element k: word k of lane i was asked for and lost its bank.
  std::array<LaneMask, kMaxWordsPerLane> wordsLeft{};

  // Set by the global path.
  std::uint32_t segments = 0;                     ///< memory segments that this try touches
  std::uint32_t allSegments = 0;                  ///< summed over the tries so far
  std::array<std::uint64_t, kWarpLanes> segment;  ///< byte address of each, distinct

  // Kept by a cache from try to try; 0 when an access begins.
  LaneMask requested = 0;   ///< lanes whose line it has asked for
  LaneMask evicted = 0;     ///< of these: the line had come, and was gone when they tried again
  std::uint32_t token = 0;  ///< what of it is under way behind the cache; 0: nothing

  // Set by whoever answers a try.
  /// Cycles for which the path can take no further try, counted from the cycle of BEGIN_REQ: read
  /// where the answer comes with the call. 1 when nobody sets it.
  Cycle occupancy = 0;
  /// Read with the phase TRY_OUTCOME; no lane is left when a try begins.
  TryOutcome outcome;

  /// A try that leaves `left` is the last: none of them, and it asked for every lane still to be
  /// served; or the producer brings the rest itself, in another access.
  bool lastTry(LaneMask left = 0) const {
    return instruction.takesOutcome || (left == 0 && asked == unserved);
  }

  // Kept by the initiator.
  tlm::tlm_generic_payload* payload = nullptr;  ///< that it extends; set by the pool
  Cycle sent = 0;                               ///< cycle of the last try's BEGIN_REQ
  Cycle arrives = 0;                            ///< when the data served so far are there
  bool decided = false;                         ///< of this try: it is settled who is served
  bool outcomeTold = false;                     ///< of this try
  Cycle again = kNever;                         ///< of TRY_AGAIN, since this try began

  tlm::tlm_extension_base* clone() const override { return new WarpAccess(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const WarpAccess&>(other);
  }
};

/// Bytes that a lane may access at once: a power of two up to WarpInstruction::kMaxBytesPerLane.
constexpr bool validWidth(unsigned bytesPerLane) {
  constexpr unsigned widths = 1U << 1 | 1U << 2 | 1U << 4 | 1U << 8 | 1U << 16;
  return bytesPerLane <= WarpInstruction::kMaxBytesPerLane && (widths >> bytesPerLane & 1) != 0;
}

/// The extension of a payload; a payload without one is a model error.
WarpAccess& warpAccess(const tlm::tlm_generic_payload& payload);

}  // namespace fermata
