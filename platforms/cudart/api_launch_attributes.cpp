// Launches with attributes, of which clusters are one, and the occupancy of clusters.
#include <fermata/platforms/cudart/driver.h>
#include <fermata/platforms/cudart/graphs/capture.h>

#include <fermata/models/vocabulary/cluster.h>
#include <fermata/platforms/compose/gpc_text.h>
#include <fermata/stimuli/ptx/clusters.h>

#include <algorithm>
#include <optional>

namespace fermata::cudart {
namespace {

constexpr unsigned kPortableCtas = 8;  ///< of a cluster, on each GPU that has clusters

struct Attributes {
  bool cooperative = false;
  std::optional<ptx::Dim3> cluster;
  std::optional<int> priority;
  bool programmatic = false;
};

/// Returns what the attributes ask for. Hints about schedule change nothing. Throws ApiError for
/// attributes that would change results.
template <class Attribute, class ValueOf>
Attributes attributesIn(const Attribute* list, unsigned count, ValueOf valueOf) {
  requireValue(count == 0 || list != nullptr, "attributes at a null pointer");
  Attributes found;
  for (unsigned i = 0; i < count; ++i) {
    const auto& value = valueOf(list[i]);
    switch (static_cast<int>(list[i].id)) {
      case cudaLaunchAttributeCooperative:
        found.cooperative = value.cooperative != 0;
        break;
      case cudaLaunchAttributeClusterDimension:
        found.cluster = ptx::Dim3{value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
        break;
      case cudaLaunchAttributeProgrammaticStreamSerialization:
        found.programmatic = value.programmaticStreamSerializationAllowed != 0;
        break;
      case cudaLaunchAttributePriority:
        found.priority = value.priority;
        break;
      case cudaLaunchAttributeIgnore:
      case cudaLaunchAttributeAccessPolicyWindow:
      case cudaLaunchAttributeSynchronizationPolicy:
      case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      case cudaLaunchAttributeMemSyncDomainMap:
      case cudaLaunchAttributeMemSyncDomain:
      case cudaLaunchAttributePreferredClusterDimension:
      case cudaLaunchAttributePreferredSharedMemoryCarveout:
        break;
      default:
        fail(cudaErrorNotSupported, "launch attribute {} is not supported",
             static_cast<int>(list[i].id));
    }
  }
  return found;
}

Attributes attributesOfLaunch(const cudaLaunchConfig_t& config) {
  return attributesIn(config.attrs, config.numAttrs,
                      [](const cudaLaunchAttribute& one) { return one.val; });
}
Attributes attributesOfLaunch(const CUlaunchConfig& config) {
  return attributesIn(config.attrs, config.numAttrs,
                      [](const CUlaunchAttribute& one) { return one.value; });
}

const DeviceFunction& functionOf(const void* host) {
  const DeviceFunction* const function = programs().functions.find(host);
  require(function != nullptr, cudaErrorInvalidDeviceFunction,
          "the address is of no kernel; expected a __global__ function");
  return *function;
}

const DeviceFunction& functionOf(CUfunction handle) {
  const DeviceFunction* const function = driverFunction(handle);
  require(function != nullptr, cudaErrorInvalidResourceHandle, "not a function");
  return *function;
}

/// Returns how many clusters of `ctas` CTAs the SMs hold at once.
int activeClusters(const ptx::Kernel& kernel, std::uint64_t threads, std::size_t sharedBytes,
                   const std::optional<ptx::Dim3>& cluster) {
  Session& one = session();
  ptx::Launch launch;
  launch.kernel = &kernel;
  launch.cluster = cluster;
  const std::uint64_t ctas = ptx::clusterOf(launch).count();
  requireValue(ctas >= 1 && ctas <= kMostClusterCtas,
               "a cluster of that size; expected 1 to 16 CTAs");
  if (ctas > kPortableCtas && !one.allowsLargeClusters(kernel)) return 0;
  const unsigned resident = one.residentCtas(kernel, static_cast<int>(threads), sharedBytes);
  const platforms::PlatformParameters& platform = one.launcher.platform();
  const Gpcs gpcs = platforms::gpcsOf(platform);
  if (gpcs.none() || ctas == 1 || ctas > platform.sms)
    return static_cast<int>(std::uint64_t{resident} * platform.sms / ctas);
  return static_cast<int>(resident * gpcs.clusters(static_cast<unsigned>(ctas)).size());
}

/// Returns the CTAs of the largest cluster that the chip has room for. A chip of fewer SMs than a
/// cluster has CTAs runs it on one SM.
unsigned largestCluster(unsigned most) {
  const platforms::PlatformParameters& platform = session().launcher.platform();
  const Gpcs gpcs = platforms::gpcsOf(platform);
  if (gpcs.none() || most > platform.sms) return most;
  return std::min(most, std::max(1U, gpcs.largest()));
}

int largestCluster(const ptx::Kernel& kernel) {
  return static_cast<int>(
      largestCluster(session().allowsLargeClusters(kernel) ? kMostClusterCtas : kPortableCtas));
}

}  // namespace

bool Session::allowsLargeClusters(const ptx::Kernel& kernel) const {
  return withLargeClusters_.count(&kernel) != 0;
}

void Session::allowLargeClusters(const ptx::Kernel& kernel, bool allows) {
  if (allows) {
    withLargeClusters_.insert(&kernel);
  } else {
    withLargeClusters_.erase(&kernel);
  }
}

void Session::checkCluster(const ptx::Launch& launch) const {
  const ptx::Kernel& kernel = *launch.kernel;
  try {
    ptx::checkCluster(launch);
  } catch (const BadInput& error) {
    throw ApiError(cudaErrorInvalidClusterSize, error.what());
  }
  const unsigned ctas = ptx::clusterCtas(launch);
  if (ctas == 1) return;
  require(launcher.platform().capability >= 9, cudaErrorNotSupported,
          "clusters need compute capability 9.0; expected a platform that has it, such as sm_90");
  if (ctas > kPortableCtas && !allowsLargeClusters(kernel))
    fail(cudaErrorInvalidClusterSize,
         "kernel '{}': clusters of {} CTAs; expected at most {}, or "
         "cudaFuncAttributeNonPortableClusterSizeAllowed",
         kernel.name(), ctas, kPortableCtas);
  if (ctas > largestCluster(ctas))
    fail(cudaErrorInvalidClusterSize,
         "kernel '{}': clusters of {} CTAs; expected at most {}, the SMs of the largest GPC "
         "(chip.gpcs)",
         kernel.name(), ctas, largestCluster(ctas));
}

}  // namespace fermata::cudart

using namespace fermata::cudart;

extern "C" {

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args) {
  return api("cudaLaunchKernelExC", [&] {
    requireValue(config != nullptr, "no configuration");
    return enqueue("cudaLaunchKernelExC", config->stream, [&] {
      const Attributes attributes = attributesOfLaunch(*config);
      KernelWork work = kernelWork(func, config->gridDim, config->blockDim, args,
                                   config->dynamicSmemBytes, attributes.cooperative);
      work.cluster = attributes.cluster;
      work.priority = attributes.priority;
      work.programmatic = attributes.programmatic;
      return work;
    });
  });
}
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* func,
                                           const cudaLaunchConfig_t* config) {
  return api("cudaOccupancyMaxActiveClusters", [&] {
    requireValue(clusters != nullptr && config != nullptr, "no place for the answer, or no launch");
    const dim3& block = config->blockDim;
    *clusters = activeClusters(session().kernel(functionOf(func)),
                               std::uint64_t{block.x} * block.y * block.z, config->dynamicSmemBytes,
                               attributesOfLaunch(*config).cluster);
  });
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, const void* func,
                                                 const cudaLaunchConfig_t* config) {
  return api("cudaOccupancyMaxPotentialClusterSize", [&] {
    requireValue(clusterSize != nullptr && config != nullptr,
                 "no place for the answer, or no launch");
    *clusterSize = largestCluster(session().kernel(functionOf(func)));
  });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                          void** extra) {
  return driver("cuLaunchKernelEx", [&] {
    requireValue(config != nullptr, "no configuration");
    return enqueue("cuLaunchKernelEx", config->hStream, [&] {
      const Attributes attributes = attributesOfLaunch(*config);
      KernelWork work;
      work.handle = function;
      work.function = functionOf(function);
      work.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
      work.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
      const bool isBlock = extra != nullptr && parameters == nullptr;
      work.parameters =
          isBlock ? blockOf(extra) : parametersOf(soundSession().kernel(work.function), parameters);
      work.sharedBytes = config->sharedMemBytes;
      work.cooperative = attributes.cooperative;
      work.cluster = attributes.cluster;
      work.priority = attributes.priority;
      work.programmatic = attributes.programmatic;
      return work;
    });
  });
}
CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function,
                                      const CUlaunchConfig* config) {
  return driver("cuOccupancyMaxActiveClusters", [&] {
    requireValue(clusters != nullptr && config != nullptr, "no place for the answer, or no launch");
    *clusters =
        activeClusters(session().kernel(functionOf(function)),
                       std::uint64_t{config->blockDimX} * config->blockDimY * config->blockDimZ,
                       config->sharedMemBytes, attributesOfLaunch(*config).cluster);
  });
}
CUresult cuOccupancyMaxPotentialClusterSize(int* clusterSize, CUfunction function,
                                            const CUlaunchConfig* config) {
  return driver("cuOccupancyMaxPotentialClusterSize", [&] {
    requireValue(clusterSize != nullptr && config != nullptr,
                 "no place for the answer, or no launch");
    *clusterSize = largestCluster(session().kernel(functionOf(function)));
  });
}

}  // extern "C"
