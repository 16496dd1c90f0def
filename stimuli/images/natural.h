// A synthetic image with the statistics of photographs, edges included: what a histogram counts and
// a Hough transform looks at.
//
// Objects hide one another. In an image of opaque shapes whose sizes follow r^-3, one before the
// other at random places ("dead leaves": Matheron, Modele de sequence de partition aleatoire, 1968;
// with this law of sizes: Lee, Mumford and Huang, Occlusion models for natural images, Int. J.
// Computer Vision 41, 2001), every scale looks alike, regions are smooth, edges lie between, and
// the amplitude spectrum falls about as 1/f, as photographs' does (picture.h): measured here, as
// f^-1.25. Assumed: half of the shapes are discs and half rectangles in any direction, of radii
// from 4 pixels to half the image; a shape's level is the mean of two uniform ones, so that middle
// greys are more frequent than black and white, and changes by up to 1/16 of the range from its
// middle to its rim; a camera's noise moves pixels by up to `noise`, 1/256 of the range. The image
// goes on at its opposite sides. Integers alone: the same image everywhere.
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
  unsigned bits = 8;           ///< of a level: 8 to 16
  std::uint32_t noise = 16;    ///< most that it moves a pixel by, of 4096 levels: 0 to 4096
};

Image naturalImage(const NaturalRequest& request);

}  // namespace fermata::images
