#include <fermata/stimuli/launch/image_plan.h>

#include <filesystem>

#include <fermata/stimuli/images/edges.h>
#include <fermata/stimuli/images/natural.h>
#include <fermata/stimuli/images/pgm.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

std::uint32_t within(const Expression& expression, const Scope& scope, const char* what,
                     std::int64_t least, std::int64_t greatest) {
  return static_cast<std::uint32_t>(expression.evaluate(scope, least, greatest, what));
}

std::vector<std::uint32_t> edgesOf(const ImageSource& source, const images::Image& image,
                                   const Scope& scope) {
  if (!source.threshold) return {};
  const std::uint32_t threshold = within(*source.threshold, scope, "threshold", 1, 65535);
  std::vector<std::uint32_t> edges = images::edgePixels(image, threshold);
  if (edges.empty()) {
    refuse(source.threshold->where(),
           "image '{}' has no edge of {} levels; expected a lower threshold or another image",
           source.name, threshold);
  }
  return edges;
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> PlannedImage::sizes() const {
  return {{"width(" + name + ")", image.width},
          {"height(" + name + ")", image.height},
          {"bits(" + name + ")", image.bits()},
          {"edges(" + name + ")", static_cast<std::int64_t>(edges.size())}};
}

images::Image makeImage(const ImageSource& source, const Scope& scope, const std::string& folder) {
  const std::string name = source.source.in(scope);
  if (name != Fill::kNatural) {
    return images::readPgm((std::filesystem::path(folder) / name).string(), source.source.where);
  }
  images::NaturalRequest request;
  request.seed = static_cast<std::uint64_t>(source.seed.evaluate(scope));
  request.width = within(source.width, scope, "width", 1, images::NaturalRequest::kMostSide);
  request.height = within(source.height, scope, "height", 1, images::NaturalRequest::kMostSide);
  request.bits = within(source.bits, scope, "bits", 8, 16);
  request.noise = within(source.noise, scope, "noise", 0, images::NaturalRequest::kMostNoise);
  return images::naturalImage(request);
}

PlannedImages planImages(const LaunchDescription& description, Scope& scope,
                         const ImageMaker& make) {
  PlannedImages planned;
  for (const ImageSource& source : description.images) {
    PlannedImage image{source.name, make(source, scope, description.folder), {}};
    image.edges = edgesOf(source, image.image, scope);
    for (const auto& [name, value] : image.sizes()) scope[name] = value;
    planned.push_back(std::make_shared<const PlannedImage>(std::move(image)));
  }
  return planned;
}

}  // namespace fermata::launch
