// libFuzzer target: any bytes as a CSV trace are replayed or refused with InputError.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>

#include <fermata/stimuli/input_error.h>
#include <fermata/stimuli/traces/trace_workload.h>

namespace {

constexpr unsigned kSlots = 64;

/// CTAs two at a time, as far as slots go, warps in turn.
void replay(fermata::Workload& workload) {
  workload.setWarpSlots(kSlots);
  fermata::WarpInstruction out;
  while (const fermata::Grid* grid = workload.nextGrid()) {
    const unsigned warps = grid->warpsPerCta();
    for (std::uint64_t cta = 0; cta < grid->ctas;) {
      const unsigned places = cta + 2 <= grid->ctas ? 2 : 1;
      for (unsigned place = 0; place < places; ++place) workload.startCta(cta++, place * warps);
      for (bool any = true; any;) {
        any = false;
        for (unsigned slot = 0; slot < places * warps; ++slot) {
          if (workload.peek(slot) == nullptr) continue;
          workload.execute(slot, out);
          any = true;
        }
      }
      for (unsigned place = 0; place < places; ++place) workload.endCta(place * warps);
    }
  }
  for (unsigned program = 0; program < workload.programCount(); ++program) {
    workload.kernelName(program);
    workload.instructionText(program, workload.instructionCount(program) - 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    auto in = std::make_unique<std::istringstream>(
        std::string(reinterpret_cast<const char*>(bytes), size));
    fermata::traces::TraceOptions options;
    options.windowBytes = 0;  // the temporary file takes part
    fermata::traces::TraceWorkload trace(std::move(in), "fuzz.csv", options);
    replay(trace);
  } catch (const fermata::InputError&) {
  }
  return 0;
}
