// A short description of an access: Eq. 4 of van den Braak et al., IEEE TC 2016.
//
//   s = (M00 ty + M01 tx + o0) COLS + M10 ty + M11 tx + o1
//
// Text form: "threads=16x16 cols=16 matrix=0,1,1,0 offset=0,0". threads=X or XxY is the block, tx
// fastest; cols: words in a row of the array; matrix: M00,M01,M10,M11; offset (may be absent):
// o0,o1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/models/search/access_sets.h>

namespace fermata::search {

struct AccessMatrix {
  std::uint32_t threadsX = 32;
  std::uint32_t threadsY = 1;
  std::uint32_t columns = 1;
  std::int64_t matrix[2][2] = {{0, 0}, {0, 1}};
  std::int64_t offset[2] = {0, 0};
};

/// Throws indexing::IndexingError with the column of the error.
AccessMatrix parseAccessMatrix(std::string_view text);

/// Returns the words of each warp of the block, lane 0 first; the last warp may have fewer lanes.
/// Throws indexing::IndexingError that names the thread whose word is below 0 or not below `words`.
std::vector<std::vector<std::uint32_t>> warpWords(const AccessMatrix& access, std::uint32_t words);

}  // namespace fermata::search
