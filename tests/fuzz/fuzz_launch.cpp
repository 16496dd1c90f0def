// libFuzzer target: any text is a launch file or gives an InputError. An accepted file is also
// planned with its default parameters: loops, sizes and arguments are evaluated. No kernel is
// loaded, no file is opened, and at most a small image is made.
#include <fermata/stimuli/launch/description_reader.h>
#include <fermata/stimuli/launch/plan.h>
#include "tests/fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto description = fermata::launch::parseLaunchFile(text, "fuzz.toml");
    const auto smallImage = [](const fermata::launch::ImageSource& source,
                               const fermata::launch::Scope& scope, const std::string&) {
      source.source.in(scope);
      return fermata::images::Image{3, 3, 255, {0, 0, 0, 0, 0, 0, 255, 255, 255}};
    };
    fermata::launch::planLaunches(description, {}, smallImage);
  } catch (const fermata::InputError&) {
  }
  return 0;
}
