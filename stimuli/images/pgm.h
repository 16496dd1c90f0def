// Grey images in Netpbm's PGM format, plain (P2) and binary (P5), of 8 to 16 bits
// (https://netpbm.sourceforge.net/doc/pgm.html). In a binary file whose largest level is above 255
// a pixel takes two bytes, the upper one first.
#pragma once

#include <string>

#include <fermata/stimuli/images/image.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::images {

/// Returns the first image in a file's bytes, with its levels unchanged. `where` is the place that
/// names the file; `path` is for errors. Throws InputError if the bytes are no PGM, hold a level
/// above the largest that the header states, or too few pixels.
Image parsePgm(std::string bytes, const std::string& path, const SourceLocation& where);
/// Reads a file and parses it with parsePgm(). Also throws InputError if it cannot be read.
Image readPgm(const std::string& path, const SourceLocation& where);

}  // namespace fermata::images
