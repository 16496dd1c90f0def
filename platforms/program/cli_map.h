// fermata map TEXT: how a mapping lays words over banks and rows, and what a warp's access makes of
// it. Without a text: which mappings there are.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace fermata::platforms {

struct MapRequest {
  std::string text;                    ///< the mapping
  std::optional<std::uint32_t> banks;  ///< 32, or what the mapping says
  std::uint32_t words = 12288;
  bool csv = false;
  std::string warp;  ///< a warp pattern, empty: draw the words of the memory
};

/// Prints what is asked for. Throws InputError: "mapping 'TEXT':column: ..." or "warp 'PATTERN':
/// ...".
void printMap(const MapRequest& request, std::ostream& out);

/// A table of the mapping families: how their texts are written, what they are.
void printFamilies(std::ostream& out);

/// Registers the subcommand `map`, which prints to standard output.
void addMapCommand(CLI::App& app);

}  // namespace fermata::platforms
