// The memory access of a whole warp: the payload extension that travels with every transaction of
// the streaming multiprocessor.
#pragma once

#include <array>
#include <cstdint>
#include <tlm>

#include <fermata/models/transaction/warp_instruction.h>

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
  std::uint32_t program = 0;  ///< Grid::program
  /// What was issued; valid as long as the grid runs.
  const StaticInstruction* issuedInstruction = nullptr;
  std::uint32_t windowBase = 0;  ///< shared space: first byte of the CTA's window in the scratchpad
  Cycle issued = 0;              ///< cycle of the issue

  // Set by the address generation unit. Word k of lane i is word[k][i]; lanes outside `active`
  // unset.
  std::uint32_t banks = 0;  ///< that the mapping has: every element of `bank` is less
  unsigned wordsPerLane = 1;
  std::array<Lanes, kMaxWordsPerLane> word;
  std::array<Lanes, kMaxWordsPerLane> bank;
  std::array<Lanes, kMaxWordsPerLane> row;

  // Set by the crossbar.
  std::uint32_t passes = 0;  ///< cycles that the access holds the banks, at least 1
  std::uint32_t degree = 0;  ///< largest number of distinct words in one bank within one pass group
  std::uint32_t groups = 0;  ///< lane groups with an active lane: the passes without any conflict
  /// Bit i of element k: lane i is the one that reads or writes word k of its bank; the other lanes
  /// on the word merge with it. For counting only: of several stores to one word the highest lane
  /// wins.
  std::array<LaneMask, kMaxWordsPerLane> leaders{};

  // Set by the global path.
  std::uint32_t segments = 0;                     ///< memory segments touched
  std::array<std::uint64_t, kWarpLanes> segment;  ///< byte address of each, distinct

  /// Cycles for which the path can take no further access, counted from the cycle of BEGIN_REQ.
  Cycle occupancy = 0;

  tlm::tlm_extension_base* clone() const override { return new WarpAccess(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const WarpAccess&>(other);
  }
};

/// The extension of a payload; a payload without one is a model error.
WarpAccess& warpAccess(const tlm::tlm_generic_payload& payload);

}  // namespace fermata
