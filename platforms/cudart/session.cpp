#include <fermata/platforms/cudart/session.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/cudart/launch_tables.h>
#include <fermata/platforms/cudart/program_end.h>
#include <fermata/platforms/program/caught.h>
#include <fermata/platforms/program/diagnostics.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/results/files/output_error.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/fault.h>

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <set>

namespace fermata::cudart {
namespace {

constexpr const char* kAtEnd = "at the program's end";
constexpr int kFailure = 1;
constexpr int kBadInput = 2;

void tell(const char* name, const std::string& what) {
  if (what.empty()) return;
  std::cout.flush();
  platforms::printError(name + (": " + platforms::readable(what)), "launch");
}

cudaError_t codeOf(ptx::FaultKind kind) {
  switch (kind) {
    case ptx::FaultKind::Address:
      return cudaErrorIllegalAddress;
    case ptx::FaultKind::Misaligned:
      return cudaErrorMisalignedAddress;
    case ptx::FaultKind::Assertion:
      return cudaErrorAssert;
    case ptx::FaultKind::Budget:
      return cudaErrorLaunchTimeout;
    case ptx::FaultKind::Other:
      break;
  }
  return cudaErrorLaunchFailure;
}

/// Null before the first call that needs the session.
Session*& theSession() {
  static Session* one = nullptr;
  return one;
}

std::recursive_mutex& theMutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

std::atomic<bool> forked{false};

/// Runs in the child. A held lock tells that a thread which the child lacks was in a call.
void afterFork() {
  if (theSession() != nullptr || !theMutex().try_lock()) {
    forked = true;
  } else {
    theMutex().unlock();
  }
}

platforms::Measurement settings() {
  platforms::Measurement all = platforms::measurementOfEnvironment();
  if (!platforms::isPlatformNamed()) all.platform = programs().platform();
  return all;
}

/// Removes unfinished files and ends the program.
[[noreturn]] void giveUp(const char* name, const std::string& what, int code) {
  if (theSession() != nullptr) theSession()->launcher.abandon();
  endProgram(std::string(name) + ": " + platforms::readable(what), code);
}

}  // namespace

Programs& programs() {
  // Made on first use: constructors of the compiler register before other static objects exist.
  static auto* const all = new Programs;
  return *all;
}

cudaError_t& lastError() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

std::recursive_mutex& apiMutex() {
  static const int registered = ::pthread_atfork(nullptr, nullptr, afterFork);
  (void)registered;
  return theMutex();
}

bool isForked() { return forked.load(std::memory_order_relaxed); }

cudaError_t lostError() {
  if (isForked()) return cudaErrorInitializationError;
  const std::lock_guard<std::recursive_mutex> lock(apiMutex());
  return theSession() == nullptr ? cudaSuccess : theSession()->lost();
}

Session& session() {
  Session*& one = theSession();
  static std::string failure;
  if (!failure.empty()) throw ApiError(cudaErrorInitializationError, failure);
  if (one != nullptr) return *one;
  const SizeLimitHeld held;
  try {
    one = new Session;
  } catch (const files::OutputError&) {
    throw;
  } catch (const files::OutputRefused&) {
    throw;
  } catch (...) {
    failure = platforms::caught().what;
    throw ApiError(cudaErrorInitializationError, failure);
  }
  return *one;
}

void finishSession() {
  if (isForked()) return;
  const std::lock_guard<std::recursive_mutex> lock(apiMutex());
  if (theSession() == nullptr) return;
  try {
    runWaiting();
  } catch (...) {
    answerOf(kAtEnd);
  }
  try {
    theSession()->finish();
  } catch (...) {
    answerOf(kAtEnd);
  }
}

Session& soundSession() {
  Session& one = session();
  one.requireSound();
  return one;
}

Session::Session() : launcher(settings()) {
  launcher.setCheck([this](ptx::Launch& launch) { return checkLaunchOfKernel(launch); });
}

void Session::requireSound() const {
  if (lost_ != cudaSuccess) throw ApiError(lost_, "");  // the error has been reported already
}

void Session::reset() {
  heap.clear();
  launcher.reset();
  carveouts_.clear();
  for (Program* program : std::exchange(placed_, {})) place(*program);
  if (!launcher.hasFailedInTime()) lost_ = cudaSuccess;
}

const ptx::Kernel& Session::kernel(const DeviceFunction& function) {
  try {
    return function.program->module().kernel(function.entry);
  } catch (const BadInput& error) {
    throw ApiError(cudaErrorInvalidPtx, error.what());
  }
}

void Session::place(Program& program) {
  placed_.push_back(&program);
  for (const ManagedVariable& variable : program.managed)
    launcher.executor().place(program.module(), variable.name, variable.host);
  launcher.executor().load(program.module());
}

std::uint64_t Session::address(const DeviceVariable& variable) {
  try {
    return launcher.executor().symbolAddress(variable.program->module(), variable.name);
  } catch (const BadInput& error) {
    throw ApiError(cudaErrorInvalidSymbol, error.what());
  }
}

int Session::carveout(const ptx::Kernel& kernel) const {
  const auto found = carveouts_.find(&kernel);
  return found == carveouts_.end() ? cudaSharedmemCarveoutDefault : found->second;
}

void Session::setCarveout(const ptx::Kernel& kernel, int percent) {
  requireValue(percent >= cudaSharedmemCarveoutDefault && percent <= cudaSharedmemCarveoutMaxShared,
               "a carve-out of that size; expected -1 or 0 to 100 percent");
  carveouts_[&kernel] = percent;
}

unsigned Session::residentCtas(const ptx::Kernel& kernel, int threads, std::size_t dynamicShared) {
  requireValue(threads > 0 && threads <= 1024, "a block of that size; expected 1 to 1024 threads");
  const std::uint64_t most = launcher.limits().mostShared();
  if (dynamicShared > most || dynamicShared + kernel.staticSharedBytes() > most) return 0;
  ptx::Launch shape;
  shape.kernel = &kernel;
  shape.block.x = static_cast<unsigned>(threads);
  shape.grid.x = ~0U;
  shape.dynamicSharedBytes = static_cast<std::uint32_t>(dynamicShared);
  shape.carveout = carveout(kernel);
  return launcher.residentCtas(shape);
}

void Session::launch(const DeviceFunction& function, ptx::Dim3 grid, ptx::Dim3 block,
                     std::size_t sharedBytes, void** arguments, bool cooperative,
                     std::optional<ptx::Dim3> cluster) {
  requireSound();
  launch(function, grid, block, sharedBytes, parametersOf(kernel(function), arguments), cooperative,
         cluster);
}

void Session::launch(const DeviceFunction& function, ptx::Dim3 grid, ptx::Dim3 block,
                     std::size_t sharedBytes, std::vector<std::uint8_t> parameters,
                     bool cooperative, std::optional<ptx::Dim3> cluster) {
  run(request(function, grid, block, sharedBytes, std::move(parameters), cooperative, cluster));
}

void Session::requireLaunchable(const DeviceFunction& function, ptx::Dim3 grid, ptx::Dim3 block,
                                std::size_t sharedBytes, std::vector<std::uint8_t> parameters,
                                bool cooperative, std::optional<ptx::Dim3> cluster) {
  (void)request(function, grid, block, sharedBytes, std::move(parameters), cooperative, cluster);
}

LaunchRequest Session::request(const DeviceFunction& function, ptx::Dim3 grid, ptx::Dim3 block,
                               std::size_t sharedBytes, std::vector<std::uint8_t> parameters,
                               bool cooperative, std::optional<ptx::Dim3> cluster) {
  requireSound();
  const ptx::Kernel& code = kernel(function);
  LaunchRequest request;
  request.cooperative = cooperative;
  request.launch.kernel = &code;
  request.launch.grid = grid;
  request.launch.block = block;
  request.launch.parameters = std::move(parameters);
  requireValue(request.launch.parameters.size() == code.parameterBytes(),
               "parameters of another size than the kernel's");
  requireValue(sharedBytes <= ~std::uint32_t{0}, "more than 4 GiB of dynamic shared memory");
  request.launch.dynamicSharedBytes = static_cast<std::uint32_t>(sharedBytes);
  request.launch.carveout = carveout(code);
  request.launch.cluster = cluster;
  checkLaunch(code, request.launch, cooperative);
  return request;
}

void Session::run(const LaunchRequest& request) {
  guarded([&] { launcher.run(request); });
}

std::vector<double> Session::run(std::vector<WaitingWork> works) {
  std::vector<double> ends;
  guarded([&] { ends = launcher.run(std::move(works)); });
  return ends;
}

/// Calls what runs kernels. The error of a kernel that fails stays.
template <class Run>
void Session::guarded(Run call) {
  if (finished_) throw ApiError(cudaErrorCudartUnloading, "a launch after the program's end");
  const SizeLimitHeld held;
  try {
    call();
  } catch (const ApiError&) {
    throw;
  } catch (const ptx::Fault& fault) {
    lost_ = codeOf(fault.kind());
    throw ApiError(lost_, fault.what());
  } catch (const files::OutputRefused&) {
    throw;
  } catch (const BadInput& error) {
    lost_ = cudaErrorLaunchFailure;
    throw ApiError(lost_, error.what());
  } catch (...) {
    lost_ = cudaErrorUnknown;
    throw;
  }
}

void Session::finish() {
  if (std::exchange(finished_, true)) return;
  const SizeLimitHeld held;
  launcher.finish();
}

unsigned mostSharedBytes() { return session().launcher.limits().mostShared(); }

cudaFuncAttributes attributesOf(const ptx::Kernel& kernel) {
  cudaFuncAttributes all = {};
  all.sharedSizeBytes = kernel.staticSharedBytes();
  all.localSizeBytes = kernel.localBytes();
  all.maxThreadsPerBlock =
      kernel.maximumThreads() != 0 ? static_cast<int>(kernel.maximumThreads()) : 1024;
  all.numRegs = static_cast<int>(kernel.registersPerThread());
  all.ptxVersion = all.binaryVersion = static_cast<int>(ptx::architectureOf(kernel));
  const unsigned most = mostSharedBytes();
  all.maxDynamicSharedSizeBytes =
      static_cast<int>(most - std::min(most, kernel.staticSharedBytes()));
  all.preferredShmemCarveout = session().carveout(kernel);
  const auto& cluster = kernel.requiredCluster();
  all.clusterDimMustBeSet = kernel.needsCluster() ? 1 : 0;
  all.requiredClusterWidth = static_cast<int>(cluster[0]);
  all.requiredClusterHeight = static_cast<int>(cluster[1]);
  all.requiredClusterDepth = static_cast<int>(cluster[2]);
  all.nonPortableClusterSizeAllowed = session().allowsLargeClusters(kernel) ? 1 : 0;
  return all;
}

void setAttribute(const ptx::Kernel& kernel, int attribute, int value) {
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return session().setCarveout(kernel, value);
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
    return session().allowLargeClusters(kernel, value != 0);
  if (attribute == cudaFuncAttributeClusterSchedulingPolicyPreference) return;  // a hint
  requireValue(attribute == cudaFuncAttributeMaxDynamicSharedMemorySize,
               "an attribute that cannot be set");
  const std::uint64_t bytes =
      std::uint64_t{kernel.staticSharedBytes()} + static_cast<unsigned>(value);
  requireValue(value >= 0 && bytes <= mostSharedBytes(),
               "more shared memory than the platform has");
}

void setCacheConfig(const ptx::Kernel& kernel, int config) {
  // In the order of cudaFuncCache. "Equal" is half of the largest carve-out: about half an array.
  constexpr int kWishes[] = {cudaSharedmemCarveoutDefault, cudaSharedmemCarveoutMaxShared,
                             cudaSharedmemCarveoutMaxL1, 50};
  requireValue(config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual,
               "no such preference of a cache; expected a cudaFuncCache");
  session().setCarveout(kernel, kWishes[config]);
}

cudaError_t answerOf(const char* name) {
  try {
    throw;
  } catch (const ApiError& error) {
    tell(name, error.what());
    return error.code();
  } catch (const files::OutputError& error) {
    giveUp(name, error.what(), kFailure);
  } catch (const files::OutputRefused& error) {
    giveUp(name, error.what(), kBadInput);
  } catch (...) {
    tell(name, platforms::caught().what);
    return cudaErrorUnknown;
  }
}

cudaError_t answerOfForked(const char* name) {
  // Standard output is left alone: its buffer holds text of the parent.
  static const bool told = [name] {
    platforms::printError(
        name + std::string(": this process was forked from one that uses the device; expected a "
                           "fork before the first call"),
        "launch");
    return true;
  }();
  (void)told;
  return cudaErrorInitializationError;
}

cudaError_t refused(const char* name, const char* why) {
  return api(name, [&] {
    static std::set<std::string> told;
    if (!told.insert(name).second) throw ApiError(cudaErrorNotSupported, "");
    fail(cudaErrorNotSupported, "it is not supported{}{}", *why == '\0' ? "" : ": ", why);
  });
}

}  // namespace fermata::cudart
