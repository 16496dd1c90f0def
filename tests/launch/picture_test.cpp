// Pictures for histograms: synthetic ones have the spectrum that they ask for, PGM files are read.
#include <fermata/stimuli/launch/picture.h>

#include <cmath>
#include <complex>
#include <numeric>

#include <fermata/stimuli/launch/fill.h>
#include <fermata/stimuli/launch/pgm.h>
#include "tests/launch/support.h"

namespace fermata::launch {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t kSide = 256;

void transform(std::vector<Complex>& values) {
  if (values.size() == 1) return;
  std::vector<Complex> even;
  std::vector<Complex> odd;
  for (std::size_t i = 0; i < values.size(); i += 2) {
    even.push_back(values[i]);
    odd.push_back(values[i + 1]);
  }
  transform(even);
  transform(odd);
  const double turn = -2 * std::acos(-1.0) / static_cast<double>(values.size());
  for (std::size_t k = 0; k < odd.size(); ++k) {
    const Complex turned = std::polar(1.0, turn * static_cast<double>(k)) * odd[k];
    values[k] = even[k] + turned;
    values[k + odd.size()] = even[k] - turned;
  }
}

std::size_t frequency(std::size_t x, std::size_t y) {
  const auto signedOf = [](std::size_t k) {
    return static_cast<double>(k) - (k < kSide / 2 ? 0 : kSide);
  };
  return static_cast<std::size_t>(std::lround(std::hypot(signedOf(x), signedOf(y))));
}

/// Slope of the amplitude's logarithm over the frequency's, from 4 to 100 cycles a picture.
double slopeOf(const std::vector<std::uint8_t>& pixels) {
  const auto window = [](std::size_t i) {
    const double s = std::sin(std::acos(-1.0) * static_cast<double>(i) / kSide);
    return s * s;
  };
  const double mean =
      std::accumulate(pixels.begin(), pixels.end(), 0.0) / static_cast<double>(pixels.size());
  std::vector<std::vector<Complex>> rows;
  for (std::size_t y = 0; y < kSide; ++y) {
    std::vector<Complex> row;
    for (std::size_t x = 0; x < kSide; ++x) {
      row.emplace_back((pixels[y * kSide + x] - mean) * window(x) * window(y));
    }
    transform(row);
    rows.push_back(std::move(row));
  }
  std::vector<double> amplitude(2 * kSide);
  std::vector<double> count(2 * kSide);
  for (std::size_t x = 0; x < kSide; ++x) {
    std::vector<Complex> column;
    for (std::size_t y = 0; y < kSide; ++y) column.push_back(rows[y][x]);
    transform(column);
    for (std::size_t y = 0; y < kSide; ++y) {
      amplitude[frequency(x, y)] += std::abs(column[y]);
      ++count[frequency(x, y)];
    }
  }
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (double f = 4; f < 100; f *= 1.1, ++n) {
    const auto at = static_cast<std::size_t>(f);
    const double x = std::log(static_cast<double>(at));
    const double y = std::log(amplitude[at] / count[at]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

std::vector<std::uint8_t> square(std::uint64_t seed, std::uint32_t slope,
                                 std::uint32_t contrast = 48) {
  PictureRequest request;
  request.seed = seed;
  request.width = kSide;
  request.slope = slope;
  request.contrast = contrast;
  return picture(request, kSide * kSide);
}

/// The contents of a buffer of `count` bytes.
std::vector<std::uint8_t> contents(const std::string& fill, unsigned count,
                                   const std::string& folder = "", const std::string& type = "u8") {
  const auto description = parseLaunchFile(
      "kernel = 'k.cu'\n[buffers.b]\ntype = '" + type + "'\ncount = " + std::to_string(count) +
          "\nfill = " + fill + "\n[[launch]]\nentry = 'k'\ngrid = 1\nblock = 1\n",
      "f.toml");
  const Plan plan = planLaunches(description, {});
  return fillBuffer(plan.buffers[0], plan.scope, folder);
}

BOOST_AUTO_TEST_SUITE(pictures)

BOOST_AUTO_TEST_CASE(the_amplitude_falls_as_asked) {
  for (const std::uint32_t slope : {80U, 100U, 120U, 150U}) {
    double sum = 0;
    for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) sum += slopeOf(square(seed, slope));
    BOOST_TEST(std::abs(sum / 4 + slope / 100.0) < 0.1, slope << ": " << sum / 4);
  }
}

BOOST_AUTO_TEST_CASE(mean_and_contrast_are_those_asked_for) {
  for (const std::uint32_t contrast : {0U, 16U, 40U}) {
    double sum = 0;
    double squares = 0;
    constexpr unsigned kPictures = 60;
    for (unsigned seed = 0; seed < kPictures; ++seed) {
      for (const std::uint8_t level : square(seed, 120, contrast)) {
        sum += level - 128;
        squares += (level - 128) * (level - 128);
      }
    }
    constexpr double kPixels = kPictures * double{kSide} * kSide;
    BOOST_TEST(std::abs(sum / kPixels) <= 0.5 + contrast / 8.0);
    BOOST_TEST(std::abs(std::sqrt(squares / kPixels) - contrast) <= 0.5 + contrast / 8.0);
  }
}

BOOST_AUTO_TEST_CASE(a_picture_is_the_same_everywhere_and_each_seed_has_its_own) {
  const auto first = square(0, 120);
  BOOST_TEST(std::accumulate(first.begin(), first.end(), 0U) == 10517297U);
  BOOST_TEST((std::vector<std::uint8_t>(first.begin(), first.begin() + 8) ==
              std::vector<std::uint8_t>{5, 13, 67, 74, 61, 57, 57, 75}));
  // A longer one goes on where a shorter one ends.
  PictureRequest request;
  request.width = 100;
  const auto longer = picture(request, 1000);
  const auto shorter = picture(request, 333);
  BOOST_TEST(std::equal(shorter.begin(), shorter.end(), longer.begin()));

  const auto second = square(1, 100);
  const auto third = square(0, 100);
  double product = 0;
  for (std::size_t i = 0; i < second.size(); ++i) product += (second[i] - 128) * (third[i] - 128);
  BOOST_TEST(std::abs(product / static_cast<double>(second.size()) / (48 * 48)) < 0.3);
}

BOOST_AUTO_TEST_CASE(a_launch_file_asks_for_a_picture) {
  PictureRequest request;
  request.seed = 7;
  request.width = 64;
  request.contrast = 20;
  request.slope = 90;
  BOOST_TEST((contents("{ picture = { seed = 7, width = 64, contrast = 20, slope = 90 } }", 300) ==
              picture(request, 300)));
  PictureRequest usual;
  usual.seed = 7;
  BOOST_TEST((contents("{ picture = { seed = 7 } }", 300) == picture(usual, 300)));
  const auto refused = [](const std::string& keys) {
    return refusal([&] { contents("{ picture = { " + keys + " } }", 10); });
  };
  BOOST_TEST(contains(refused("width = 64"), "f.toml:5:"));
  BOOST_TEST(contains(refused("seed = 1, width = 1"), "expected 2 to 32768"));
  BOOST_TEST(contains(refused("seed = 1, contrast = 128"), "expected 0 to 127"));
  BOOST_TEST(contains(refused("seed = 1, slope = 10"), "expected 50 to 200"));
  BOOST_TEST(contains(refused("seed = 1, height = 10"), "unknown key 'height'"));
}

BOOST_AUTO_TEST_CASE(a_pgm_is_read_plain_and_binary) {
  const Scratch scratch;
  const SourceLocation here{"f.toml", 3, 1};
  const std::string plain =
      scratch.write("plain.pgm", "P2 # by hand\n# a comment\n3 2\n9\n0 1 2\n7 8 # last\n9\n");
  const Pgm pgm = readPgm(plain, here);
  BOOST_TEST(pgm.width == 3U);
  BOOST_TEST(pgm.height == 2U);
  BOOST_TEST((pgm.pixels == std::vector<std::uint8_t>{0, 1, 2, 7, 8, 9}));
  // The byte after the one white space is a pixel, even if it looks like white space or a comment.
  const std::string binary = scratch.write("binary.pgm", "P5\n2 2\n255\n\n# \xff");
  BOOST_TEST((readPgm(binary, here).pixels == std::vector<std::uint8_t>{10, 35, 32, 255}));

  BOOST_TEST((contents("{ pgm = 'plain.pgm' }", 4, scratch.path("")) ==
              std::vector<std::uint8_t>{0, 1, 2, 7}));  // the first so many, row by row
  BOOST_TEST((elementsOf<float>(contents("{ pgm = 'plain.pgm' }", 2, scratch.path(""), "f32")) ==
              std::vector<float>{0, 1}));
  BOOST_TEST(contains(refusal([&] { contents("{ pgm = 'plain.pgm' }", 7, scratch.path("")); }),
                      "3 x 2 = 6 pixels; expected 7 or more"));
  BOOST_TEST(
      contains(refusal([&] { contents("{ pgm = 'binary.pgm' }", 4, scratch.path(""), "s8"); }),
               "255, which does not fit s8"));
}

BOOST_AUTO_TEST_CASE(what_is_no_pgm_is_refused_with_file_and_reason) {
  const Scratch scratch;
  const auto refused = [&](const std::string& text) {
    const std::string path = scratch.write("bad.pgm", text);
    const std::string message = refusal([&] { readPgm(path, {"f.toml", 3, 1}); });
    BOOST_TEST(contains(message, "f.toml:3:1: '" + path + "' "));
    return message;
  };
  BOOST_TEST(contains(refused(""), "no PGM"));
  BOOST_TEST(
      contains(refused("P6\n1 1\n255\nabc"), "no PGM; expected a file that begins P2 or P5"));
  BOOST_TEST(contains(refused("P5"), "does not say the width at byte 2"));
  BOOST_TEST(contains(refused("P5\n#"), "does not say the width"));
  BOOST_TEST(contains(refused("P5\n0 1\n255\na"), "the width at byte 3; expected 1 to 65536"));
  BOOST_TEST(contains(refused("P5\n1 99999999999999999999\n255\na"), "the height"));
  BOOST_TEST(contains(refused("P5\n-1 1\n255\na"), "the width"));
  BOOST_TEST(contains(refused("P5\n1 1\n0\na"), "the largest level"));
  BOOST_TEST(contains(refused("P5\n1 1\n65535\nab"), "levels up to 65535; expected 255 at most"));
  BOOST_TEST(contains(refused("P5\n2 2\n255\nabc"), "ends after 3 of 4 pixels"));
  BOOST_TEST(contains(refused("P5\n65536 65536\n255\n"), "expected 2147483648 at most"));
  BOOST_TEST(contains(refused("P5\n1 1\n255"), "no white space"));
  BOOST_TEST(contains(refused("P5\n2 1\n9\n\x01\x0a"), "level 10 in pixel 1; expected 9 at most"));
  BOOST_TEST(contains(refused("P2\n2 2\n9\n1 2 3"), "ends after 3 of 4 pixels"));
  BOOST_TEST(contains(refused("P2\n2 1\n9\n1 x"), "pixel 1"));
  BOOST_TEST(contains(refused("P2\n2 1\n9\n1 10"), "level 10 in pixel 1"));
  for (const std::string& path : {scratch.path("none.pgm"), scratch.path("")}) {
    BOOST_TEST(contains(refusal([&] {
                          readPgm(path, {"f.toml", 3, 1});
                        }),
                        "'" + path + "' cannot be read; expected a picture in PGM"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace fermata::launch
