// Memory pools, by the runtime's and the driver's names.
#include <fermata/platforms/cudart/driver.h>
#include <fermata/platforms/cudart/pools.h>
#include <fermata/platforms/cudart/streams.h>

#include <memory>
#include <set>

using namespace fermata::cudart;

/// Never deleted: blocks outlive their pool and count with it.
struct CUmemPoolHandle_st {
  std::uint64_t threshold = 0;  ///< cudaMemPoolAttrReleaseThreshold; kept without an effect
  int reuses[3] = {1, 1, 1};    ///< by attribute, from cudaMemPoolReuseFollowEventDependencies
};

namespace {

CUmemPoolHandle_st& defaultPool() {
  static auto* const one = new CUmemPoolHandle_st;
  return *one;
}
std::set<cudaMemPool_t>& madePools() {
  static auto* const all = new std::set<cudaMemPool_t>;
  return *all;
}
cudaMemPool_t& current() {
  static cudaMemPool_t one = &defaultPool();
  return one;
}

CUmemPoolHandle_st& requirePool(cudaMemPool_t pool) {
  requireValue(pool == &defaultPool() || madePools().count(pool) != 0, "not a memory pool");
  return *pool;
}
void requireOrdinal(int device) {
  require(device == 0, cudaErrorInvalidDevice, "there is one device, number 0");
}
void requirePlace(const cudaMemLocation& location) {
  requireValue(location.type == cudaMemLocationTypeDevice, "a place that is no device");
  requireOrdinal(location.id);
}

/// Reads or writes one attribute; `write` is null to read it, `read` null to write it.
void exchange(cudaMemPool_t handle, cudaMemPoolAttr attribute, const void* write, void* read) {
  CUmemPoolHandle_st& pool = requirePool(handle);
  requireValue(write != nullptr || read != nullptr, "no place for the value");
  if (attribute >= cudaMemPoolReuseFollowEventDependencies &&
      attribute <= cudaMemPoolReuseAllowInternalDependencies) {
    int& value = pool.reuses[attribute - cudaMemPoolReuseFollowEventDependencies];
    if (read != nullptr)
      *static_cast<int*>(read) = value;
    else
      value = *static_cast<const int*>(write);
    return;
  }
  requireValue(
      attribute >= cudaMemPoolAttrReleaseThreshold && attribute <= cudaMemPoolAttrUsedMemHigh,
      "no such attribute of a memory pool");
  PoolUse& use = soundSession().heap.use(handle);
  const bool isNow =
      attribute == cudaMemPoolAttrReservedMemCurrent || attribute == cudaMemPoolAttrUsedMemCurrent;
  std::uint64_t& value = attribute == cudaMemPoolAttrReleaseThreshold ? pool.threshold
                         : isNow                                      ? use.now
                                                                      : use.high;
  if (read != nullptr) {
    *static_cast<std::uint64_t*>(read) = value;
    return;
  }
  const std::uint64_t wanted = *static_cast<const std::uint64_t*>(write);
  const bool threshold = attribute == cudaMemPoolAttrReleaseThreshold;
  requireValue(threshold || (!isNow && wanted == 0),
               "an attribute that counts; expected 0 for a high mark");
  value = threshold ? wanted : use.now;
}

}  // namespace

cudaMemPool_t fermata::cudart::currentPool() { return current(); }

void fermata::cudart::forgetPools() {
  current() = &defaultPool();
  madePools().clear();
}

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return api("cudaDeviceGetDefaultMemPool", [&] {
    requireOrdinal(device);
    requireValue(pool != nullptr, "no place for the pool");
    *pool = &defaultPool();
  });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return api("cudaDeviceGetMemPool", [&] {
    requireOrdinal(device);
    requireValue(pool != nullptr, "no place for the pool");
    *pool = current();
  });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return api("cudaDeviceSetMemPool", [&] {
    requireOrdinal(device);
    current() = &requirePool(pool);
  });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return api("cudaMemPoolCreate", [&] {
    requireValue(pool != nullptr && properties != nullptr,
                 "no place for the pool, or no properties");
    requireValue(properties->allocType == cudaMemAllocationTypePinned,
                 "memory of an unknown type; expected cudaMemAllocationTypePinned");
    requirePlace(properties->location);
    require(properties->handleTypes == cudaMemHandleTypeNone, cudaErrorNotSupported,
            "memory for other processes; expected cudaMemHandleTypeNone");
    (void)soundSession();
    *pool = new CUmemPoolHandle_st;
    madePools().insert(*pool);
  });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return api("cudaMemPoolDestroy", [&] {
    requireValue(madePools().erase(pool) != 0, "not a memory pool that was made");
    if (current() == pool) current() = &defaultPool();
  });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api("cudaMemPoolSetAttribute", [&] { exchange(pool, attribute, value, nullptr); });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api("cudaMemPoolGetAttribute", [&] { exchange(pool, attribute, nullptr, value); });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return api("cudaMemPoolTrimTo", [&] { (void)requirePool(pool); });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
  return api("cudaMemPoolSetAccess", [&] {
    (void)requirePool(pool);
    requireValue(list != nullptr || count == 0, "no list");
    for (size_t i = 0; i < count; ++i) {
      requirePlace(list[i].location);
      requireValue(list[i].flags == cudaMemAccessFlagsProtReadWrite,
                   "the pool's own device always reads and writes it");
    }
  });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return api("cudaMemPoolGetAccess", [&] {
    (void)requirePool(pool);
    requireValue(flags != nullptr && location != nullptr, "no place for the answer, or no device");
    requirePlace(*location);
    *flags = cudaMemAccessFlagsProtReadWrite;
  });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return api("cudaMallocFromPoolAsync", [&] {
    const cudaMemPool_t before = current();
    current() = &requirePool(pool);
    const cudaError_t code = cudaMallocAsync(pointer, size, stream);
    current() = before;
    return code;
  });
}

CUresult cuMemAllocAsync(CUdeviceptr* to, size_t bytes, CUstream stream) {
  return cuMemAllocFromPoolAsync(to, bytes, currentPool(), stream);
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* to, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
  return driver("cuMemAllocFromPoolAsync", [&] {
    requireValue(to != nullptr && bytes != 0, "no place for the pointer, or 0 bytes");
    void* address = nullptr;
    const cudaError_t code = cudaMallocFromPoolAsync(&address, bytes, pool, stream);
    *to = reinterpret_cast<CUdeviceptr>(address);
    return code;
  });
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return result(cudaFreeAsync(pointer(address), stream));
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return result(cudaDeviceGetDefaultMemPool(pool, device));
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return result(cudaDeviceGetMemPool(pool, device));
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return result(cudaDeviceSetMemPool(device, pool));
}
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return result(cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(properties)));
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) { return result(cudaMemPoolDestroy(pool)); }
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return result(cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value));
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return result(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value));
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) {
  return result(cudaMemPoolTrimTo(pool, bytes));
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* list, size_t count) {
  return result(
      cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc*>(list), count));
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  return result(cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags*>(flags), pool,
                                     reinterpret_cast<cudaMemLocation*>(location)));
}

}  // extern "C"
