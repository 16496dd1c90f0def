// The pixels of an image's edges: what the voting step of a Hough transform starts from.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/stimuli/images/image.h>

namespace fermata::images {

/// Row by row from the top, as y * 65536 + x: where Sobel's gradient, |gx| + |gy|, is at least four
/// times `threshold`, which an upright or level edge between areas `threshold` levels apart just
/// reaches. Pixels of the outermost rows and columns have no gradient.
std::vector<std::uint32_t> edgePixels(const Image& image, std::uint32_t threshold);

}  // namespace fermata::images
