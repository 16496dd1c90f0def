// Names of the elements that lanes ask for, as the writer of a layout counts them.
//
// Lane 11 of ldmatrix over "(8,4):(64,8)" has the address of element (3,1), which lies at 200. It
// asks for 16 bytes: with elements of 2 bytes its words are (3,1), +2, +4 and +6.
#pragma once

#include <fermata/platforms/program/search/access_descriptions.h>

#include <cstdint>
#include <functional>
#include <string>

namespace fermata::platforms {

struct ElementName {
  std::string shown;  ///< short, for a cell: "(3,1)", "+2" for a later word of the lane, or "200"
  std::string whole;  ///< "(3,1)+2, element 202"
};
/// Names the first element of a word that a lane asks for.
using ElementNaming = std::function<ElementName(const AskedWord&)>;

/// Names elements by their coordinates in a layout. A layout of one mode has numbers only. The
/// texts must be valid.
ElementNaming layoutElements(const std::string& layout, const std::string& atom,
                             std::uint32_t elementBytes, std::uint32_t wordBytes);
/// Names the words of an access matrix by row and column of its array. The text must be valid.
ElementNaming matrixElements(const std::string& text);
/// Names words by their numbers.
ElementNaming wordNumbers();

}  // namespace fermata::platforms
