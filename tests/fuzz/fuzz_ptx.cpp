// libFuzzer target: any bytes as PTX are decoded and run for a few instructions, or refused with
// InputError.
#include <fermata/stimuli/ptx/executor.h>
#include <fermata/stimuli/ptx/module.h>
#include "tests/fuzz/input.h"

namespace {

using namespace fermata::ptx;

constexpr std::uint64_t kBudget = 3000;
constexpr unsigned kSlots = 2;
constexpr std::size_t kBufferBytes = 4096;
constexpr std::uint64_t kMaxBytes = 1U << 20;  // the target has little memory

bool small(const Module& module, const Kernel& kernel) {
  std::uint64_t bytes = kernel.localBytes() * std::uint64_t{64};
  for (const auto& variable : module.variables()) bytes += variable.second;
  return bytes <= kMaxBytes;
}

/// Runs the kernel; every word of its parameters holds the address of a buffer.
void run(const Kernel& kernel, unsigned threads, bool carryData) {
  DeviceMemory memory(carryData);
  ExecutorOptions options;
  options.instructionBudget = kBudget;
  options.sharedLimit = kMaxBytes;
  options.carryData = options.checkUninitialised = carryData;
  Executor executor(kSlots, memory, options);
  const std::uint64_t buffer = memory.allocate(kBufferBytes, "buffer");
  Launch launch;
  launch.kernel = &kernel;
  launch.block.x = kernel.requiredThreads() != 0 ? kernel.requiredThreads() : threads;
  launch.dynamicSharedBytes = 256;
  launch.parameters.resize(kernel.parameterBytes());
  for (const KernelParameter& parameter : kernel.parameters()) {
    std::memcpy(&launch.parameters[parameter.offset], &buffer,
                std::min<std::size_t>(parameter.bytes, sizeof buffer));
  }
  runFunctionally(executor, launch);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    const auto module = parse({reinterpret_cast<const char*>(bytes), size}, "fuzz.ptx");
    for (const std::string& entry : module->entries()) {
      const Kernel& kernel = module->kernel(entry);
      if (!small(*module, kernel)) continue;
      try {
        run(kernel, 50, false);
        run(kernel, 32, true);
      } catch (const fermata::InputError&) {
      }
    }
  } catch (const fermata::InputError&) {
  }
  return 0;
}
