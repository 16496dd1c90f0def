// A synthetic image with the statistics of photographs, edges included: an input for histograms and
// Hough transforms.
//
// Objects hide one another. The image is made of opaque shapes whose sizes follow r^-3, drawn one
// in front of the other at random places ("dead leaves": Matheron, Modele de sequence de partition
// aleatoire, 1968; with this law of sizes: Lee, Mumford and Huang, Occlusion models for natural
// images, Int. J. Computer Vision 41, 2001). Such an image looks alike at every scale: smooth
// regions with edges between. Its amplitude spectrum falls about as 1/f, like that of photographs
// (picture.h); measured here, as f^-1.25.
//
// Assumed: half of the shapes are discs and half rectangles in any direction, with radii from 4
// pixels to half the image. A shape's level is the mean of two uniform ones, so that middle greys
// are more frequent than black and white; it changes by up to 1/16 of the range from the middle to
// the rim. A camera's noise moves pixels by up to `noise`, by default 1/256 of the range. The image
// wraps around at its sides. Only integers are used, so that every machine makes the same image.
#pragma once

#include <cstdint>

#include <fermata/stimuli/images/image.h>

namespace fermata::images {

struct NaturalRequest {
  static constexpr std::uint32_t kMostSide = 1U << 13;
  static constexpr std::uint32_t kMostNoise = 4096;

  std::uint64_t seed = 0;
  std::uint32_t width = 640;   ///< pixels: 1 to kMostSide
  std::uint32_t height = 480;  ///< pixels: 1 to kMostSide
  unsigned bits = 8;           ///< bits of a level: 8 to 16
  std::uint32_t noise = 16;    ///< largest change of a pixel, of 4096 levels: 0 to 4096
};

Image naturalImage(const NaturalRequest& request);

}  // namespace fermata::images
