// Costs of hardware blocks: results/published/rtl_costs.csv as data. Its README says how it was
// made and what the columns mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// One synthesised block of one size.
struct BlockCost {
  std::string block;         ///< "ami", "xor", "crossbar"
  std::string setting;       ///< "modulus=33 form=fast corner=exact"
  std::string gives;         ///< outputs: "bank and row", "bank"
  unsigned addressBits = 0;  ///< of a word address; 0: takes no address
  unsigned lanes = 1;
  double cells = 0;
  double gates = 0;  ///< gate equivalents: area / area of a two-input NAND
  /// Gate equivalents of flip-flops and, if they configure, their write logic; part of `gates`.
  double registers = 0;
  double area = 0;                      ///< um^2
  double delay = 0;                     ///< ns
  double energy = 0;                    ///< fJ per evaluation, random addresses, without glitches
  std::optional<double> energyInOrder;  ///< fJ per evaluation, addresses that rise by 32 words
  /// FJ per evaluation, random addresses, each gate one unit of time late.
  std::optional<double> energyGlitches;
  double energyClock = 0;  ///< fJ per cycle of the clock pins; not in the other energies
};

class CostTable {
 public:
  /// Throws InputError: "file:line: what; expected ...".
  explicit CostTable(const std::string& path);
  /// Returns the table that comes with the program, read once.
  static const CostTable& ours();

  const std::vector<BlockCost>& rows() const { return rows_; }
  /// Returns the rows of a block, in the table's order; if `setting` is given, only its rows.
  std::vector<BlockCost> of(const std::string& block, const std::string& setting = "") const;
  /// Returns the only row of a block and setting. Throws InputError if there is none.
  const BlockCost& one(const std::string& block, const std::string& setting) const;

 private:
  std::string file_;
  std::vector<BlockCost> rows_;
};

/// Returns the cost of a fixed function of `gates` two-input XOR gates on `depth` levels. Each gate
/// costs the mean of the table's XOR tree (block "parity").
BlockCost costOfXors(const CostTable& table, unsigned gates, unsigned depth);

}  // namespace fermata::platforms
