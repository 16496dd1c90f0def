// Grey images in Netpbm's PGM format, plain (P2) and binary (P5), of 8 to 16 bits: a pixel of a
// binary file takes two bytes, the upper one first, where the largest level is above 255
// (https://netpbm.sourceforge.net/doc/pgm.html).
#pragma once

#include <string>

#include <fermata/stimuli/images/image.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::images {

/// The first image of a file's bytes, levels as they stand there. `where` is the place that names
/// the file. Throws InputError: they are no PGM, have a level above the largest that it says, or
/// too few pixels. `path` is for errors.
Image parsePgm(std::string bytes, const std::string& path, const SourceLocation& where);
/// The same of a file. Throws InputError besides when it cannot be read.
Image readPgm(const std::string& path, const SourceLocation& where);

}  // namespace fermata::images
