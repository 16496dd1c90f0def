// Maps a mapping, or the name of a block, to blocks of the cost table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/program/cost/cost_table.h>

namespace fermata::platforms {

struct PricedText {
  std::string text;             ///< as requested: "ami 33"
  std::vector<BlockCost> rows;  ///< at least one
};

/// Returns the blocks of a mapping that have at least as many address bits as the memory needs. A
/// text that starts with the name of a block that is no mapping ("crossbar", "lock-unit banks")
/// gives the rows with the settings named after it ("lock-unit locks=64"). Throws InputError for a
/// mapping that the shape refuses, that has no block, or no block of its size; the message lists
/// what exists.
PricedText priced(const CostTable& table, const std::string& text, const indexing::Shape& shape);

/// Price of a mapping: gate equivalents of the logic that gives bank and row to one lane, in the
/// narrowest blocks of the table with the address bits that the memory needs.
struct MappingPrice {
  std::optional<double> gates;  ///< empty: no price
  std::string why;              ///< why there is no price
};

/// Returns the price of a mapping. Every price that the program prints or compares comes from here.
MappingPrice priceOf(const CostTable& table, const std::string& mapping,
                     const indexing::Shape& shape);

/// Lists the names of the blocks that are no mappings, in the table's order.
std::vector<std::string> otherBlocks(const CostTable& table);

}  // namespace fermata::platforms
