// Features that the bitwise heuristics choose from: address bits and the XORs of two of them (table
// 3 of van den Braak et al., IEEE TC 2016). A feature is the mask of its address bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/indexing/gf2.h>

namespace fermata::search {

using Feature = std::uint32_t;

/// Returns the features of one bit each, rising.
std::vector<Feature> singleBits(unsigned addressBits);
/// Returns table 3 row by row, a, a^b, a^c, ..., b, b^c, ...: the order in which Givargis breaks
/// ties.
std::vector<Feature> pairsByRow(unsigned addressBits);
/// Returns single bits first, then the pairs in the order of table 3: the order of Minimum
/// Imbalance.
std::vector<Feature> singlesThenPairs(unsigned addressBits);

/// Returns "bits 3,4,0" or "pairs 3,0^4": `family`, a blank, the features, bank bit 0 first.
std::string featuresText(const std::string& family, const std::vector<Feature>& features);

unsigned rankOf(const std::vector<Feature>& features);

}  // namespace fermata::search
