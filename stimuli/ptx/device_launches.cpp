#include <fermata/stimuli/ptx/device_launches.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <fermata/stimuli/ptx/ast.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/kernel_decoding.h>
#include <fermata/stimuli/ptx/memory_access.h>
#include <fermata/stimuli/ptx/runtime_names.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

constexpr int kInvalidValue = 1;  ///< cudaErrorInvalidValue

}  // namespace

std::uint64_t DeviceLaunches::open(DeviceMemory& memory, Launch launch, std::uint64_t thread) {
  if (const int code = check_(launch); code != 0) {
    errors_[thread] = code;
    return 0;
  }
  const std::size_t bytes = std::max(launch.kernel->parameterBytes(), 1U);
  const std::uint64_t buffer =
      memory.allocate(bytes, "parameters of kernel " + launch.kernel->name());
  memory.markInitialised(buffer, bytes);
  open_.emplace(buffer, std::move(launch));
  return buffer;
}

int DeviceLaunches::close(DeviceMemory& memory, std::uint64_t buffer, std::uint64_t stream,
                          std::uint64_t thread) {
  constexpr std::uint64_t kTailLaunch = 3;
  const auto found = open_.find(buffer);
  if (found == open_.end()) {  // a launch that was refused keeps its error
    return errors_.try_emplace(thread, kInvalidValue).first->second;
  }
  Launch launch = std::move(found->second);
  open_.erase(found);
  launch.parameters.resize(launch.kernel->parameterBytes());
  memory.read(buffer, launch.parameters.data(), launch.parameters.size());
  memory.release(buffer);
  (stream == kTailLaunch ? queue_.tails : queue_.children).push_back(std::move(launch));
  return 0;
}

int DeviceLaunches::lastError(std::uint64_t thread, bool takes) {
  const auto found = errors_.find(thread);
  if (found == errors_.end()) return 0;
  const int code = found->second;
  if (takes) errors_.erase(found);
  return code;
}

DeviceLaunches::Queue DeviceLaunches::take(DeviceMemory& memory) {
  for (const auto& [buffer, launch] : open_) memory.release(buffer);
  open_.clear();
  errors_.clear();
  return std::exchange(queue_, {});
}

namespace {

enum class LaunchCall : std::uint8_t { Buffer, Launch, Last, Peek, NewStream, OldStream };

struct LaunchFunction {
  std::string_view name;
  LaunchCall call;
  std::size_t arguments;  ///< words of all arguments
  std::size_t results;
};

constexpr LaunchFunction kLaunchFunctions[] = {
    {"GetParameterBufferV2", LaunchCall::Buffer, 9, 2},
    {"LaunchDeviceV2", LaunchCall::Launch, 4, 1},
    {"GetLastError", LaunchCall::Last, 0, 1},
    {"PeekAtLastError", LaunchCall::Peek, 0, 1},
    {"StreamCreateWithFlags", LaunchCall::NewStream, 3, 1},
    {"StreamDestroy", LaunchCall::OldStream, 2, 1},
};

const LaunchFunction* launchFunction(std::string_view name) {
  for (const std::string_view start : {"__cudaCDP2", "cuda"}) {
    if (name.substr(0, start.size()) != start) continue;
    const auto* const found = std::find_if(
        std::begin(kLaunchFunctions), std::end(kLaunchFunctions),
        [&](const LaunchFunction& one) { return one.name == name.substr(start.size()); });
    if (found != std::end(kLaunchFunctions)) return found;
  }
  return nullptr;
}

/// The words of one thread's call: arguments, then results.
class LaunchWords {
 public:
  LaunchWords(Warp& warp, const Instruction& i, unsigned lane)
      : warp_(warp), rows_(&warp.machine->code->matrixRows[i.product.rows]), lane_(lane) {}

  std::uint32_t word(std::size_t k) const {
    return static_cast<std::uint32_t>(laneValue(warp_, rows_[k], false, lane_));
  }
  std::uint64_t address(std::size_t k) const { return word(k) | std::uint64_t{word(k + 1)} << 32; }
  Dim3 dimensions(std::size_t k) const { return {word(k), word(k + 1), word(k + 2)}; }
  void set(std::size_t k, std::uint32_t value) {
    rowOf<std::uint32_t>(warp_, rows_[k])[lane_] = value;
  }

 private:
  Warp& warp_;
  const Row* rows_;
  unsigned lane_;
};

const Kernel& kernelAt(const Warp& warp, const Instruction& i, unsigned lane,
                       std::uint64_t address) {
  const ModuleData& module = *warp.machine->code->module;
  const auto& functions = module.ast->functions;
  const std::uint64_t base = warp.machine->functionBase;
  const std::uint64_t number = (address - base) / kFunctionStride;
  const bool known = address >= base && (address - base) % kFunctionStride == 0 &&
                     number < functions.size() && functions[number]->isEntry &&
                     functions[number]->isDefined;
  if (!known) failAt(warp, i, lane, "a launch of {:#x}, where this module has no kernel", address);
  return kernelOf(module, functions[number]->name);
}

std::uint64_t threadOf(const Warp& warp, unsigned lane) {
  return (warp.cta->number * warp.machine->warpsPerCta + warp.indexInCta) * kWarpLanes + lane;
}

void executeLaunchCall(Warp& warp, const Instruction& i, LaneMask mask) {
  Machine& machine = *warp.machine;
  if (machine.options.launches == nullptr)
    failAt(warp, i, firstLane(mask),
           "a kernel launches kernels, which only programs of 'fermata cc' may do");
  DeviceLaunches& launches = *machine.options.launches;
  for (const unsigned lane : lanesIn(mask)) {
    LaunchWords words(warp, i, lane);
    const std::uint64_t thread = threadOf(warp, lane);
    switch (static_cast<LaunchCall>(i.product.flags)) {
      case LaunchCall::Buffer: {
        Launch launch;
        launch.kernel = &kernelAt(warp, i, lane, words.address(0));
        launch.grid = words.dimensions(2);
        launch.block = words.dimensions(5);
        launch.dynamicSharedBytes = words.word(8);
        const std::uint64_t buffer = launches.open(*machine.memory, std::move(launch), thread);
        words.set(9, static_cast<std::uint32_t>(buffer));
        words.set(10, static_cast<std::uint32_t>(buffer >> 32));
        break;
      }
      case LaunchCall::Launch:
        words.set(4, static_cast<std::uint32_t>(launches.close(*machine.memory, words.address(0),
                                                               words.address(2), thread)));
        break;
      case LaunchCall::Last:
      case LaunchCall::Peek:
        words.set(0, static_cast<std::uint32_t>(launches.lastError(
                         thread, i.product.flags == static_cast<std::uint8_t>(LaunchCall::Last))));
        break;
      case LaunchCall::NewStream: {
        constexpr std::uint64_t kSomeStream = 0x100;
        words.set(3, writeGeneric(warp, lane, words.address(0), sizeof kSomeStream,
                                  reinterpret_cast<const std::uint8_t*>(&kSomeStream))
                         ? 0
                         : kInvalidValue);
        break;
      }
      case LaunchCall::OldStream:
        words.set(2, 0);
        break;
    }
  }
}

}  // namespace

bool isDeviceLaunchFunction(std::string_view name) {
  return launchFunction(name) != nullptr;
}

void KernelDecoder::launchCall(Frame& frame, const Call& call, Decoding& decoding) {
  const LaunchFunction& function = *launchFunction(call.function->name);
  std::vector<Row>& rows = builder_.code().matrixRows;
  decoding.i.handler = &executeLaunchCall;
  decoding.i.product = {};
  decoding.i.product.rows = static_cast<std::uint32_t>(rows.size());
  decoding.i.product.flags = static_cast<std::uint8_t>(function.call);
  const auto take = [&](const std::vector<const Operand*>& operands, std::size_t words,
                        bool writes) {
    const std::size_t end = rows.size() + words;
    for (const Operand* const operand : operands) {
      if (!isParameter(*operand)) builder_.fail(operand->at, "expected a .param variable");
      const FramePlace& place = builder_.parameterPlace(frame, *operand->variable, call.at);
      rows.insert(rows.end(), place.words.begin(), place.words.end());
      for (const RegisterId id : place.ids) writes ? decoding.writes(id) : decoding.reads(id);
    }
    if (rows.size() != end)
      builder_.fail(call.at, "'{}' with parameters of other sizes than CUDA's",
                    call.function->name);
  };
  take(call.arguments, function.arguments, false);
  take(call.results, function.results, true);
}

}  // namespace fermata::ptx
