// Matrices and boxes that an instruction moves as a whole: which elements each address stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fermata::search {

/// An operand's elements are numbered with the row fastest: row + rows * column.
struct Operand {
  /// By what an address is found from its number.
  enum class Order {
    None,         ///< no operand: each element has an address
    Wave,         ///< lane l of 64 has row l mod rows, and the columns of part l / rows
    Cores,        ///< core matrices of 8 rows, along the columns first
    TurnedCores,  ///< core matrices of 8 columns, along the columns first
    Chunks,       ///< one after the other
  };
  Order order = Order::None;
  unsigned rows = 1;
  unsigned depth = 1;  ///< columns
  unsigned chunk = 1;  ///< neighbours that an address stands for

  bool exists() const { return order != Order::None; }
  /// True for a factor of wgmma or tcgen05.mma.
  bool isFactor() const { return order == Order::Cores || order == Order::TurnedCores; }
  std::uint64_t size() const { return std::uint64_t{rows} * depth; }
  std::uint64_t addresses() const { return size() / chunk; }
  /// Returns the number of the first element that an address stands for.
  std::uint64_t element(std::uint64_t address) const;
  /// Returns the step from one neighbour's number to the next.
  unsigned step() const { return order == Order::Wave || order == Order::Cores ? rows : 1; }
};

/// Returns the operand that an atom of this name moves, of elements of `elementBytes` bytes, or
/// nothing for another name. Throws indexing::IndexingError for sizes that no instruction has.
std::optional<Operand> parseOperand(const std::string& name, std::uint32_t elementBytes);

}  // namespace fermata::search
