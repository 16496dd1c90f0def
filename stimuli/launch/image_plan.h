// The images of a launch file for chosen parameters.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fermata/stimuli/images/image.h>
#include <fermata/stimuli/launch/description.h>

namespace fermata::launch {

struct PlannedImage {
  std::string name;
  images::Image image;
  std::vector<std::uint32_t> edges;  ///< images::edgePixels; empty when none are asked for

  /// Returns width(name), height(name), bits(name), edges(name), with their values.
  std::vector<std::pair<std::string, std::int64_t>> sizes() const;
};

using PlannedImages = std::vector<std::shared_ptr<const PlannedImage>>;

/// Makes the image of a source; relative files start from `folder`. Throws InputError.
using ImageMaker = std::function<images::Image(const ImageSource& source, const Scope& scope,
                                               const std::string& folder)>;
/// Reads the file, or generates the image.
images::Image makeImage(const ImageSource& source, const Scope& scope, const std::string& folder);

/// Makes the image of every source, in order, and adds width(name), height(name), bits(name) and
/// edges(name) to the scope. Throws InputError, also for a threshold that no pixel reaches.
PlannedImages planImages(const LaunchDescription& description, Scope& scope,
                         const ImageMaker& make);

}  // namespace fermata::launch
