// Checks whether the platform can run a launch.
#include <fermata/platforms/cudart/session.h>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/cudart/launch_tables.h>
#include <fermata/platforms/program/diagnostics.h>
#include <fermata/platforms/program/error_text.h>
#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/wave_exchange.h>

namespace fermata::cudart {
namespace {

constexpr const char* kLarger =
    "; expected a smaller block, or a platform that has more, such as --platform sm_80";

}  // namespace

void Session::checkLaunch(const ptx::Kernel& kernel, const ptx::Launch& launch, bool cooperative) {
  const OccupancyLimits limits = launcher.limits();
  const std::uint64_t shared =
      std::uint64_t{kernel.staticSharedBytes()} + launch.dynamicSharedBytes;
  if (launch.grid.count() == 0 || launch.block.count() == 0 || launch.grid.x > 0x7fffffffU ||
      launch.grid.y > 65535 || launch.grid.z > 65535 || launch.block.x > 1024 ||
      launch.block.y > 1024 || launch.block.z > 64 || launch.block.count() > 1024) {
    fail(cudaErrorInvalidConfiguration,
         "kernel '{}': a grid of {} blocks of {} threads; expected 1 to 2147483647 x 65535 x 65535 "
         "blocks of 1 to 1024 threads, 1024 x 1024 x 64 at most",
         kernel.name(), dimensionsText(launch.grid), dimensionsText(launch.block));
  }
  const std::uint64_t threads = launch.block.count();
  const bool bounded = kernel.maximumThreads() != 0 && threads > kernel.maximumThreads();
  if (bounded || (kernel.requiredThreads() != 0 && threads != kernel.requiredThreads()))
    fail(cudaErrorLaunchOutOfResources, "kernel '{}': {} threads a block; its launch bounds {} {}",
         kernel.name(), threads, bounded ? "allow" : "require",
         bounded ? kernel.maximumThreads() : kernel.requiredThreads());
  if (shared > limits.mostShared())
    fail(cudaErrorInvalidValue, "kernel '{}': {} bytes of shared memory; the platform has {}",
         kernel.name(), shared, limits.mostShared());
  checkCluster(launch);
  const auto& issue = launcher.platform().core.issue;
  if (ptx::hasWaveProducts(kernel) &&
      (issue.wavefrontWarps != 2 || issue.pipelines.tensorUnits == 0))
    fail(
        cudaErrorNotSupported,
        "kernel '{}' has products of a wave64 (mfma), for which platform {} has no units; expected "
        "--platform mi300 or mi350",
        kernel.name(), launcher.platformName());
  const std::uint64_t resident =
      std::uint64_t{launcher.residentCtas(launch)} * launcher.platform().sms;
  if (resident == 0)
    fail(cudaErrorLaunchOutOfResources,
         "kernel '{}': not one block of {} threads fits a multiprocessor of platform {}: it takes "
         "{} registers a thread and {} bytes of shared memory{}",
         kernel.name(), dimensionsText(launch.block), launcher.platformName(),
         kernel.registersPerThread(), shared, launcher.platform().capability < 7 ? kLarger : "");
  const unsigned together = ptx::clusterCtas(launch);
  if (cooperative && launch.grid.count() > resident / together * together)
    fail(cudaErrorCooperativeLaunchTooLarge,
         "kernel '{}': {} blocks; at once there are {} on platform {}", kernel.name(),
         launch.grid.count(), resident / together * together, launcher.platformName());
}

int Session::checkLaunchOfKernel(ptx::Launch& launch) {
  try {
    launch.carveout = carveout(*launch.kernel);
    checkLaunch(*launch.kernel, launch, false);
    return cudaSuccess;
  } catch (const ApiError& error) {
    platforms::printError(platforms::readable(std::string("a launch by a kernel: ") + error.what()),
                          "launch");
    return error.code();
  }
}

}  // namespace fermata::cudart
