// libFuzzer target: any bytes as a CSV trace are replayed, or refused with InputError.
#include <fermata/stimuli/traces/trace_reader.h>
#include <fermata/stimuli/traces/trace_workload.h>
#include "tests/fuzz/input.h"
#include "tests/fuzz/replay.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    auto in = std::make_unique<std::istringstream>(
        std::string(reinterpret_cast<const char*>(bytes), size));
    fermata::traces::TraceOptions options;
    options.windowBytes = 0;  // rows go through the temporary file
    fermata::traces::TraceWorkload trace(
        std::make_unique<fermata::traces::TraceReader>(std::move(in), "fuzz.csv"), options);
    fermata::fuzz::replay(trace);
  } catch (const fermata::InputError&) {
  }
  return 0;
}
