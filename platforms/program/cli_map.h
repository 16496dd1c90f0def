// fermata map TEXT: how a mapping lays words over banks and rows, and the conflicts of a warp's
// access under it. Without TEXT: the list of mappings.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include <fermata/platforms/program/row_output.h>

namespace fermata::platforms {

struct MapRequest {
  std::string text;                    ///< text of the mapping
  std::optional<std::uint32_t> banks;  ///< empty: the mapping's own number, else 32
  std::uint32_t words = 12288;
  RowOutput rows;
  std::string warp;           ///< a warp pattern; empty: draw the words of the memory
  bool notations = false;     ///< print how libraries write the mapping instead
  std::uint32_t element = 4;  ///< bytes of an element, for notations
  std::string html;           ///< file of a page that draws the warp's access; empty: none
};

/// Prints the answer to the request. Throws InputError: "mapping 'TEXT':column: ..." or "warp
/// 'PATTERN': ...".
void printMap(const MapRequest& request, std::ostream& out);

/// Prints a table of the mapping families: how their texts are written, and their meaning.
void printFamilies(const RowOutput& rows, std::ostream& out);

}  // namespace fermata::platforms
