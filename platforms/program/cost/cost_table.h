// What blocks of hardware cost: results/published/rtl_costs.csv as data. Its README says how it was
// made and what the columns mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace fermata::platforms {

/// One block of one size, synthesised.
struct BlockCost {
  std::string block;         ///< "ami", "xor", "crossbar"
  std::string setting;       ///< "modulus=33 form=fast corner=exact"
  std::string gives;         ///< which outputs: "bank and row", "bank"
  unsigned addressBits = 0;  ///< of a word address; 0: takes none
  unsigned lanes = 1;
  double cells = 0;
  double gates = 0;      ///< gate equivalents: of the area of a two-input NAND
  double registers = 0;  ///< of these: flip-flops, with what writes them where they configure
  double area = 0;       ///< um^2
  double delay = 0;      ///< ns
  double energy = 0;     ///< fJ an evaluation, random addresses, without glitches
  std::optional<double> energyInOrder;   ///< fJ, of addresses that rise by 32 words
  std::optional<double> energyGlitches;  ///< fJ, random addresses, each gate a unit of time late
  double energyClock = 0;  ///< fJ a cycle of the clock pins, which the others leave out
};

class CostTable {
 public:
  /// Throws InputError: "file:line: what; expected ...".
  explicit CostTable(const std::string& path);
  /// The one that comes with the program, read once.
  static const CostTable& ours();

  const std::vector<BlockCost>& rows() const { return rows_; }
  /// Those of a block, in the table's order; with a setting only of that.
  std::vector<BlockCost> of(const std::string& block, const std::string& setting = "") const;
  /// The one row of a block and setting. Throws InputError when there is none.
  const BlockCost& one(const std::string& block, const std::string& setting) const;

 private:
  std::string file_;
  std::vector<BlockCost> rows_;
};

/// A fixed function of so many XOR gates with two inputs, on so many levels, each as the mean one
/// of the table's tree of them (block "parity").
BlockCost costOfXors(const CostTable& table, unsigned gates, unsigned depth);

}  // namespace fermata::platforms
