// The driver interface: virtual memory.
#include <fermata/platforms/cudart/driver.h>
#include <fermata/platforms/cudart/virtual_memory.h>

using namespace fermata::cudart;

namespace {

void requireOwn(const CUmemLocation& location) {
  requireValue(location.type == CU_MEM_LOCATION_TYPE_DEVICE, "a place that is no device");
  requireDevice(location.id);
}
void requireKind(const CUmemAllocationProp* properties) {
  requireValue(properties != nullptr && properties->type == CU_MEM_ALLOCATION_TYPE_PINNED,
               "memory of an unknown type; expected CU_MEM_ALLOCATION_TYPE_PINNED");
  requireOwn(properties->location);
}

}  // namespace

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags) {
  return driver("cuMemGetAllocationGranularity", [&] {
    requireValue(granularity != nullptr, "no place for the answer");
    requireKind(properties);
    *granularity = kVirtualGranularity;
  });
}
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  return driver("cuMemCreate", [&] {
    requireValue(handle != nullptr && flags == 0, "no place for the handle, or unknown flags");
    requireKind(properties);
    require(properties->requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE, cudaErrorNotSupported,
            "memory for other processes; expected CU_MEM_HANDLE_TYPE_NONE");
    *handle = createMemory(soundSession(), bytes);
  });
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return driver("cuMemRelease", [&] { releaseMemory(soundSession(), handle); });
}
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  return driver("cuMemRetainAllocationHandle", [&] {
    requireValue(handle != nullptr, "no place for the handle");
    *handle = retainMemory(reinterpret_cast<std::uint64_t>(address));
  });
}
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  return driver("cuMemGetAllocationPropertiesFromHandle", [&] {
    requireValue(properties != nullptr, "no place for the answer");
    requireMemory(handle);
    *properties = {};
    properties->type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties->location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  });
}
CUresult cuMemAddressReserve(CUdeviceptr* base, size_t bytes, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  return driver("cuMemAddressReserve", [&] {
    requireValue(base != nullptr && flags == 0, "no place for the address, or unknown flags");
    (void)soundSession();
    *base = reserveAddresses(bytes, alignment);  // a wish for an address is only a wish
  });
}
CUresult cuMemAddressFree(CUdeviceptr base, size_t bytes) {
  return driver("cuMemAddressFree", [&] { freeAddresses(base, bytes); });
}
CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags) {
  return driver("cuMemMap", [&] {
    requireValue(flags == 0, "unknown flags");
    mapMemory(address, bytes, offset, handle);
  });
}
CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return driver("cuMemUnmap", [&] { unmapMemory(soundSession(), address, bytes); });
}
CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* list,
                        size_t count) {
  return driver("cuMemSetAccess", [&] {
    requireValue(list != nullptr && count != 0, "no list");
    for (size_t i = 0; i < count; ++i) {
      requireOwn(list[i].location);
      setAccess(soundSession(), address, bytes, list[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE);
    }
  });
}
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                        CUdeviceptr address) {
  return driver("cuMemGetAccess", [&] {
    requireValue(flags != nullptr && location != nullptr, "no place for the answer, or no device");
    requireOwn(*location);
    *flags =
        hasAccess(address) ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  });
}

}  // extern "C"
