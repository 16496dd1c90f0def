// libFuzzer target: any bytes are a PGM image, with every pixel in its range, or are refused with
// InputError.
#include <fermata/stimuli/images/pgm.h>
#include "tests/fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    const fermata::images::Image image = fermata::images::parsePgm(
        std::string(reinterpret_cast<const char*>(bytes), size), "fuzz.pgm", {"fuzz.toml", 1, 1});
    if (image.pixels.size() != std::size_t{image.width} * image.height) std::abort();
    for (const std::uint16_t level : image.pixels) {
      if (level > image.largest) std::abort();
    }
  } catch (const fermata::InputError&) {
  }
  return 0;
}
