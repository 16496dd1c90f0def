// Which blocks a mapping, or a name of a block, stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/program/cost/cost_table.h>

namespace fermata::platforms {

struct PricedText {
  std::string text;             ///< as it was asked: "ami 33"
  std::vector<BlockCost> rows;  ///< at least one
};

/// The blocks of a mapping: those of at least as many address bits as the memory needs. Or, of a
/// text that starts with the name of a block that is no mapping ("crossbar", "lock-unit banks"),
/// those whose settings are named behind it ("lock-unit locks=64"). Throws InputError for a mapping
/// that the shape refuses, that has no block, or none of its size: what there is.
PricedText priced(const CostTable& table, const std::string& text, const indexing::Shape& shape);

/// What a mapping costs: gate equivalents of what gives bank and row to one lane, in the narrowest
/// blocks of the table that have the address bits that the memory needs.
struct MappingPrice {
  std::optional<double> gates;  ///< empty: no price
  std::string why;              ///< there is no price
};

/// Every price of a mapping that the program prints or compares is this one.
MappingPrice priceOf(const CostTable& table, const std::string& mapping,
                     const indexing::Shape& shape);

/// Names of the blocks that are no mappings, in the table's order.
std::vector<std::string> otherBlocks(const CostTable& table);

}  // namespace fermata::platforms
