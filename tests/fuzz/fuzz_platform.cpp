// Any bytes as a platform file and as a mapping text: accepted or refused, never a crash.
#include <fermata/platforms/compose/configuration.h>
#include "tests/fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const auto configuration = fermata::platforms::Configuration::parse(text, "fuzz.toml");
    fermata::platforms::Configuration::parse(configuration.text(), "again.toml");
  } catch (const fermata::InputError&) {
  }
  try {
    fermata::indexing::build(text, {32, 2048});
  } catch (const fermata::indexing::IndexingError&) {
  }
  return 0;
}
