// Grey pictures in Netpbm's PGM format, plain (P2) and binary (P5), of up to 255 levels
// (https://netpbm.sourceforge.net/doc/pgm.html).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/stimuli/input_error.h>

namespace fermata::launch {

struct Pgm {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> pixels;  ///< row by row, as they stand in the file
};

/// `where` is the place that names the file. Throws InputError: the file cannot be read, is no PGM,
/// has more than 255 levels, a pixel above its largest level, or fewer pixels than it says.
Pgm readPgm(const std::string& path, const SourceLocation& where);

}  // namespace fermata::launch
