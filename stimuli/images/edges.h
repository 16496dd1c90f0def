// The edge pixels of an image: the input of the voting step of a Hough transform.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/stimuli/images/image.h>

namespace fermata::images {

/// Returns the edge pixels row by row from the top, each as y * 65536 + x. An edge pixel is one
/// where Sobel's gradient, |gx| + |gy|, is at least four times `threshold`. An upright or level
/// edge between areas `threshold` levels apart just reaches that. Pixels of the outermost rows and
/// columns have no gradient.
std::vector<std::uint32_t> edgePixels(const Image& image, std::uint32_t threshold);

}  // namespace fermata::images
