// Any bytes as a study: accepted or refused.
#include <fermata/platforms/program/study/study.h>
#include "tests/fuzz/input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fermata::fuzz::InputFile file(".toml");
  try {
    const auto study =
        fermata::platforms::openStudy(file.write({reinterpret_cast<const char*>(data), size}));
    for (const auto& workload : study.workloads) {
      fermata::fuzz::require(!workload.platform.empty(), "every workload has a platform");
    }
  } catch (const fermata::InputError&) {
  }
  return 0;
}
