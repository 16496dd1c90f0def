// libFuzzer: any text is a launch file or an InputError. What it reads is planned too, with the
// default parameters: loops, sizes and arguments are evaluated; no kernel is loaded, no file opened
// and no image made but a small one.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/launch/description_reader.h>
#include <fermata/stimuli/launch/plan.h>

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
