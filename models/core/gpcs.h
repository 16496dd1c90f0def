// Graphics processing clusters (GPCs): the parts of a chip in which its multiprocessors (SMs) lie.
//
// An example, the H100 of results/silicon/cta_order.csv: "8+8 16 16 16 16 16 18 18".
//
//   GPC     0              1                     ...   7
//   TPCs    0 1            2 3                         14 15         two SMs each
//           16 17          18 19                       30 31
//           ...            ...                         ...
//           48 49          50 51                       62 63
//                          64 65                       76 77
//   lone    124 to 131
//
// SMs are numbered in pairs (TPCs), one of each GPC in turn. The lone TPCs, 8 SMs of GPC 0 here,
// have the last numbers and take no part in clusters of more than two CTAs.
//
// The CTAs of a grid go to the SMs in turns. In its turn each SM of a GPC that has a place gets one
// CTA. The lone TPCs of all GPCs have a turn together: the first, the one behind 5 turns of GPCs,
// and those behind each 6 turns from there on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace fermata {

class Gpcs {
 public:
  /// SMs of a GPC.
  struct Size {
    unsigned sms = 0;                   ///< that clusters may use
    unsigned lone = 0;                  ///< of lone TPCs
    std::optional<unsigned> part = {};  ///< partition of the L2 that is near, if that is known
  };
  static constexpr unsigned kTpcSms = 2;  ///< on NVIDIA's machines since Pascal

  /// SMs without GPCs.
  Gpcs() = default;
  explicit Gpcs(const std::vector<Size>& sizes);

  bool none() const { return gpcOf_.empty(); }
  /// Returns the number of SMs.
  unsigned sms() const { return static_cast<unsigned>(gpcOf_.size()); }
  /// Returns the GPC of each SM; empty: there are none.
  const std::vector<unsigned>& gpcOf() const { return gpcOf_; }
  /// Returns the partition of the L2 that is near each SM, 0 if that of its GPC is not known;
  /// empty: that of none is known.
  const std::vector<unsigned>& partOf() const { return partOf_; }
  /// Returns the SMs that have a turn together, by rising number. The lone TPCs are the last.
  const std::vector<std::vector<unsigned>>& turns() const { return turns_; }
  bool hasLone() const { return lone_; }
  /// Returns the SMs of each cluster of `ctas` CTAs that fits at once, an SM for each CTA by rank:
  /// neighbours in one GPC. `ctas`: 2 or more.
  std::vector<std::vector<unsigned>> clusters(unsigned ctas) const;
  /// Returns the SMs of the largest GPC, which limit a cluster.
  unsigned largest() const;

 private:
  std::vector<unsigned> gpcOf_, partOf_;
  std::vector<std::vector<unsigned>> turns_;
  bool lone_ = false;
};

/// Says which SMs have the next turn. Each grid begins anew.
class GpcTurns {
 public:
  /// `gpcs` must outlive the object and have SMs.
  explicit GpcTurns(const Gpcs& gpcs) : gpcs_(&gpcs), first_(gpcs.hasLone()) {}
  /// Returns the SMs of the next turn.
  const std::vector<unsigned>& next();

 private:
  static constexpr unsigned kAtFirst = 5, kLater = 6;  ///< turns of GPCs between two of lone TPCs

  const Gpcs* gpcs_;
  bool first_;
  unsigned between_ = 0;  ///< turns of GPCs up to the next of lone TPCs
  std::size_t gpc_ = 0;
};

/// Returns how many CTAs of a fresh grid of `ctas` come to the SM that gets the most, at most
/// `most`.
unsigned mostOfOneSm(const Gpcs& gpcs, std::uint64_t ctas, unsigned most);

}  // namespace fermata
