// A synthetic picture with the amplitude spectrum of photographs: an input for histograms.
//
// The amplitude spectrum of natural scenes falls about as 1/f (Field, Relations between the
// statistics of natural images and the response properties of cortical cells, J. Opt. Soc. Am. A 4,
// 1987). The slopes of 135 photographs were -0.8 to -1.5, -1.2 on average (Tolhurst, Tadmor and
// Chao, Amplitude spectra of natural images, Ophthal. Physiol. Opt. 12, 1992). In two dimensions
// 1/f is the same variance in every octave of f. So the picture is a sum of noises, one per octave,
// each made of random numbers on a lattice with straight lines between. It lacks what photographs
// also have: areas of one shade with edges between. Only integers are used, so that every machine
// makes the same picture.
#pragma once

#include <cstdint>
#include <vector>

namespace fermata::images {

struct PictureRequest {
  static constexpr std::uint32_t kMostWidth = 1U << 15;

  std::uint64_t seed = 0;
  std::uint32_t width = 512;  ///< pixels of a row: 2 to kMostWidth
  std::uint32_t contrast =
      48;                     ///< root mean square deviation from the mean (128), levels: 0 to 127
  std::uint32_t slope = 120;  ///< the amplitude falls as f^-(slope / 100): 50 to 200
};

/// Returns `pixels` pixels, row by row from the top, cut to 0 to 255. Octaves go from single pixels
/// to lattices half as wide as the largest power of two in `width`.
std::vector<std::uint8_t> picture(const PictureRequest& request, std::uint64_t pixels);

}  // namespace fermata::images
