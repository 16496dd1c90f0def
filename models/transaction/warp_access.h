// The memory access of a whole warp: the payload extension that travels with every transaction of
// the streaming multiprocessor. Each of its parts has one kind of writer, and is reset as a whole.
#pragma once

#include <array>
#include <cstdint>
#include <tlm>

#include <fermata/models/vocabulary/prefetch.h>
#include <fermata/models/vocabulary/try_outcome.h>

namespace fermata {

/// Asks the host's cache for a payload, and for an extension that lies behind it.
inline void prefetchLine(const tlm::tlm_generic_payload* payload) {
  prefetch(payload, payload + 2);
}

/// Words of one lane: 16 bytes in the narrowest (4-byte) bank.
inline constexpr unsigned kMaxWordsPerLane = 4;

/// The request. The initiator sets it before the first try; modules of the path only read it.
struct AccessRequest {
  WarpInstruction instruction;
  unsigned slot = 0;          ///< warp slot that issued it
  unsigned warp = 0;          ///< number of the warp within its CTA
  std::uint64_t cta = 0;      ///< serial number of the CTA: rises with each CTA placed
  std::uint32_t program = 0;  ///< Grid::program
  /// Instruction that was issued, valid as long as the grid runs; null: none was.
  const StaticInstruction* issuedInstruction = nullptr;
  std::uint32_t windowBase = 0;  ///< shared space: first byte of the CTA's window in the scratchpad
  std::uint64_t sequence = 0;    ///< rises with each access of the initiator
};

/// Progress from try to try: all 0 when an access begins.
struct AccessProgress {
  // Set by the initiator.
  unsigned tries = 0;     ///< tries begun so far, this one included
  LaneMask unserved = 0;  ///< lanes that no try before this one has served
  Cycle arrives = 0;      ///< cycle in which the data served so far are there
  Cycle farther = 0;      ///< cycles by which data arrive later than the path says
  // Set by the crossbar, or the banks of a cache.
  std::uint32_t allPasses = 0;      ///< passes of the tries so far
  std::uint32_t allFreePasses = 0;  ///< ideal passes of the tries so far
  Cycle leftSince = 0;              ///< cycle behind the passes of a first try that left lanes
  /// Bit i of element k: word k of lane i was asked for and lost its bank.
  std::array<LaneMask, kMaxWordsPerLane> wordsLeft{};
  // Set by the coalescer.
  std::uint32_t allSegments = 0;  ///< memory segments of the tries so far
  // Set by a cache.
  LaneMask requested = 0;   ///< lanes whose line the cache has asked for
  LaneMask evicted = 0;     ///< `requested` lanes whose line came, but was gone at their replay
  std::uint32_t token = 0;  ///< the cache's record of the requests under way; 0: none
  // Set by the address generation unit.
  LaneMask placed = 0;  ///< lanes whose words have places in BankPlan
};

/// One try and its result: as these defaults when a try begins.
struct AccessTry {
  // Set by the initiator.
  /// Lanes of `unserved` that this try asks for; a stage may ask for fewer downstream.
  LaneMask asked = 0;
  Cycle sent = 0;            ///< cycle of the last try's BEGIN_REQ
  bool decided = false;      ///< it is settled which lanes this try serves
  bool outcomeTold = false;  ///< the core was told the outcome of this try
  Cycle again = kNever;      ///< earliest TRY_AGAIN since this try began
  // Set by the module that answers the try.
  /// Cycles, counted from BEGIN_REQ, for which the path takes no further try. Read if the answer
  /// comes with the call.
  Cycle occupancy = 1;
  /// Outcome of the try, read with the phase TRY_OUTCOME.
  TryOutcome outcome;
};

/// The places of a try's words, set by the address generation unit, or by a cache for the lanes
/// that hit. Word k of lane i is word[k][i]; lanes outside `asked` are unset.
struct BankPlan {
  using Lanes = std::array<std::uint32_t, kWarpLanes>;

  std::uint32_t banks = 0;  ///< banks of the mapping: every element of `bank` is less
  unsigned wordsPerLane = 1;
  alignas(64) std::array<Lanes, kMaxWordsPerLane> word;
  std::array<Lanes, kMaxWordsPerLane> bank;
  std::array<Lanes, kMaxWordsPerLane> row;
};

/// The passes of a try, set by the crossbar, or the banks of a cache.
struct PassPlan {
  std::uint32_t passes = 0;  ///< cycles for which the try holds the banks, at least 1
  Cycle firstPass = 0;       ///< clock cycle in which the try begins to hold the banks
  std::uint32_t degree = 0;  ///< distinct words asked of the fullest bank, by one lane group
  /// Ideal passes: one per lane group that asks, plus the passes that the machine adds
  /// (LaneGrouping::extraPasses128).
  std::uint32_t freePasses = 0;
  /// Passes of each lane group, without those that the machine adds; 0 if the group asks for no
  /// word.
  std::array<std::uint8_t, kWarpLanes> groupPasses{};
  unsigned groups = 0;  ///< elements of `groupPasses` in use
  /// Bit i of element k: lane i counts as the one that reads or writes its word k; the other lanes
  /// on that word merge with it. For counting only: when several lanes store to one word, the
  /// highest lane wins.
  std::array<LaneMask, kMaxWordsPerLane> leaders{};
  /// Bit b: bank b delivers a word. Set only for a try of one lane group in which no bank delivers
  /// two words, with at most 64 banks; otherwise 0.
  std::uint64_t bankSet = 0;
  /// Where a listener may keep the wire pitches of all words of the lanes that ask; 0: not known
  /// yet; null: nowhere.
  std::uint32_t* wire = nullptr;
};

/// The memory segments that a try touches, set by the coalescer.
struct SegmentPlan {
  std::uint32_t segments = 0;
  std::array<std::uint64_t, kWarpLanes> segment;  ///< byte address of each segment, all distinct
};

/// The access in its parts. A sticky extension: pooled with its payload, never freed between
/// transactions.
class WarpAccess : public tlm::tlm_extension<WarpAccess>,
                   public AccessRequest,
                   public AccessProgress,
                   public AccessTry,
                   public BankPlan,
                   public PassPlan,
                   public SegmentPlan {
 public:
  static constexpr unsigned kMaxWordsPerLane = fermata::kMaxWordsPerLane;

  tlm::tlm_generic_payload* payload = nullptr;  ///< payload of this extension; set by the pool

  /// Begins an access, in a payload that may have held another one.
  void begin(std::uint64_t number) {
    instruction.clear();
    issuedInstruction = nullptr;
    sequence = number;
    static_cast<AccessProgress&>(*this) = {};
  }
  /// Begins a try in cycle `now`, which asks for all unserved lanes.
  void beginTry(Cycle now) {
    if (tries == 0) unserved = instruction.active;
    static_cast<AccessTry&>(*this) = {};
    wire = nullptr;
    asked = unserved;
    sent = now;
  }
  /// True if the try asks for words that an earlier one left.
  bool goesOn() const {
    LaneMask lanes = 0;
    for (const LaneMask left : wordsLeft) lanes |= left;
    return (lanes & asked) != 0;
  }
  /// True if a try that leaves lanes `left` is the last of the access. Either it asked for every
  /// unserved lane and leaves none, or the producer brings the rest itself, in another access.
  bool lastTry(LaneMask left = 0) const {
    return instruction.takesOutcome || (left == 0 && asked == unserved);
  }

  tlm::tlm_extension_base* clone() const override { return new WarpAccess(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const WarpAccess&>(other);
  }
};

/// True if a lane may access this many bytes at once: a power of two up to
/// WarpInstruction::kMaxBytesPerLane.
constexpr bool validWidth(unsigned bytesPerLane) {
  constexpr unsigned widths = 1U << 1 | 1U << 2 | 1U << 4 | 1U << 8 | 1U << 16;
  return bytesPerLane <= WarpInstruction::kMaxBytesPerLane && (widths >> bytesPerLane & 1) != 0;
}

/// Returns the extension of a payload; a payload without one is a fatal report.
WarpAccess& warpAccess(const tlm::tlm_generic_payload& payload);

}  // namespace fermata
