// Virtual memory of the driver interface, and memory pools: a vector that grows in place, memory at
// two addresses, access that is taken away; what pools count.
#include <cuda.h>

#include "check.h"

#define DRIVER(call) GIVES(call, CUDA_SUCCESS)

const size_t kUnit = 2 << 20;

__global__ void number(int* data, int first, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    data[first + i] = first + i;
}

static CUmemAllocationProp kindOfMemory() {
  CUmemAllocationProp kind = {};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  return kind;
}
static CUmemAccessDesc access(CUmemAccess_flags flags) {
  CUmemAccessDesc list = {};
  list.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  list.flags = flags;
  return list;
}
static CUmemGenericAllocationHandle memoryOf(size_t bytes) {
  const CUmemAllocationProp kind = kindOfMemory();
  CUmemGenericAllocationHandle handle = 0;
  DRIVER(cuMemCreate(&handle, bytes, &kind, 0));
  return handle;
}

static void checkGrowth() {
  const CUmemAllocationProp kind = kindOfMemory();
  const CUmemAccessDesc all = access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  size_t unit = 0, before = 0, now = 0, total = 0;
  DRIVER(cuMemGetAllocationGranularity(&unit, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  EXPECT(unit == kUnit);
  CHECK(cudaMemGetInfo(&before, &total));
  CUdeviceptr base = 0;
  DRIVER(cuMemAddressReserve(&base, 4 * kUnit, 0, 0, 0));
  EXPECT(base % kUnit == 0);
  int* const data = reinterpret_cast<int*>(base);
  const int perUnit = kUnit / sizeof(int);
  for (int part = 0; part < 3; ++part) {
    const CUmemGenericAllocationHandle handle = memoryOf(kUnit);
    DRIVER(cuMemMap(base + part * kUnit, kUnit, 0, handle, 0));
    DRIVER(cuMemSetAccess(base + part * kUnit, kUnit, &all, 1));
    DRIVER(cuMemRelease(handle));  // the mapping keeps the memory
    number<<<16, 256>>>(data, part * perUnit, perUnit);
  }
  // A copy over all three, which are neighbours.
  const std::vector<int> got = toHost(data, 3 * perUnit);
  for (int i = 0; i < 3 * perUnit; ++i) EXPECT(got[i] == i);
  CHECK(cudaMemGetInfo(&now, &total));
  EXPECT(before - now == 3 * kUnit);
  GIVES(cudaMemcpy(data + 3 * perUnit, got.data(), 4, cudaMemcpyHostToDevice),
        cudaErrorInvalidValue);
  GIVES(cudaFree(data), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  GIVES(cuMemAddressFree(base, 4 * kUnit), CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuMemUnmap(base, 3 * kUnit));
  DRIVER(cuMemAddressFree(base, 4 * kUnit));
  CHECK(cudaMemGetInfo(&now, &total));
  EXPECT(before == now);
}

static void checkTwoPlaces() {
  const CUmemAccessDesc all = access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  const CUmemAccessDesc none = access(CU_MEM_ACCESS_FLAGS_PROT_NONE);
  CUdeviceptr first = 0, second = 0;
  DRIVER(cuMemAddressReserve(&first, kUnit, 0, 0, 0));
  DRIVER(cuMemAddressReserve(&second, kUnit, 8 * kUnit, 0, 0));
  EXPECT(second % (8 * kUnit) == 0);
  const CUmemGenericAllocationHandle handle = memoryOf(2 * kUnit);
  DRIVER(cuMemMap(first, kUnit, kUnit, handle, 0));
  DRIVER(cuMemMap(second, kUnit, kUnit, handle, 0));
  GIVES(cuMemMap(second, kUnit, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMemMap(first, kUnit, 2 * kUnit, handle, 0), CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuMemSetAccess(first, kUnit, &all, 1));
  DRIVER(cuMemSetAccess(second, kUnit, &all, 1));
  number<<<1, 64>>>(reinterpret_cast<int*>(first), 0, 64);
  EXPECT(toHost(reinterpret_cast<int*>(second), 64)[63] == 63);
  DRIVER(cuMemsetD32(second, 9, 1));
  EXPECT(toHost(reinterpret_cast<int*>(first), 1)[0] == 9);
  DRIVER(cuMemSetAccess(second, kUnit, &none, 1));
  int word = 0;
  GIVES(cuMemcpyDtoH(&word, second, 4), CUDA_ERROR_INVALID_VALUE);
  unsigned long long flags = 7;
  DRIVER(cuMemGetAccess(&flags, &none.location, second));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
  CUmemGenericAllocationHandle again = 0;
  DRIVER(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(first + 5)));
  EXPECT(again == handle);
  DRIVER(cuMemUnmap(first, kUnit));
  DRIVER(cuMemUnmap(second, kUnit));
  DRIVER(cuMemRelease(handle));
  DRIVER(cuMemRelease(again));
  GIVES(cuMemRelease(handle), CUDA_ERROR_INVALID_VALUE);
}

static size_t ask(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  unsigned long long value = 0;
  CHECK(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

static void checkPools() {
  cudaMemPoolProps kind = {};
  cudaMemPool_t pool = nullptr, ofDevice = nullptr;
  GIVES(cudaMemPoolCreate(&pool, &kind), cudaErrorInvalidValue);
  kind.allocType = cudaMemAllocationTypePinned;
  kind.location.type = cudaMemLocationTypeDevice;
  CHECK(cudaMemPoolCreate(&pool, &kind));
  cudaMemAccessDesc list = {};
  list.location.type = cudaMemLocationTypeDevice;
  list.flags = cudaMemAccessFlagsProtReadWrite;
  CHECK(cudaMemPoolSetAccess(pool, &list, 1));
  list.location.id = 1;
  GIVES(cudaMemPoolSetAccess(pool, &list, 1), cudaErrorInvalidDevice);
  unsigned long long threshold = 1 << 20;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT(ask(pool, cudaMemPoolAttrReleaseThreshold) == threshold);

  int *a = nullptr, *b = nullptr, *c = nullptr;
  CHECK(cudaMallocFromPoolAsync(&a, 1000, pool, nullptr));
  CHECK(cudaMallocAsync(&b, 500, pool, cudaStream_t()));
  CHECK(cudaMallocAsync(&c, 300, nullptr));
  number<<<1, 75>>>(c, 0, 75);
  CHECK(cudaDeviceGetDefaultMemPool(&ofDevice, 0));
  EXPECT(ask(pool, cudaMemPoolAttrUsedMemCurrent) == 1500);
  EXPECT(ask(ofDevice, cudaMemPoolAttrUsedMemCurrent) == 300);
  CHECK(cudaFreeAsync(a, nullptr));
  EXPECT(ask(pool, cudaMemPoolAttrUsedMemCurrent) == 500);
  EXPECT(ask(pool, cudaMemPoolAttrUsedMemHigh) == 1500);
  unsigned long long zero = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  EXPECT(ask(pool, cudaMemPoolAttrUsedMemHigh) == 500);
  CHECK(cudaDeviceSetMemPool(0, pool));
  CHECK(cudaMallocAsync(&a, 64, nullptr));
  EXPECT(ask(pool, cudaMemPoolAttrUsedMemCurrent) == 564);
  CHECK(cudaMemPoolDestroy(pool));
  GIVES(cudaMemPoolTrimTo(pool, 0), cudaErrorInvalidValue);
  for (int* each : {a, b, c}) CHECK(cudaFree(each));  // blocks outlive their pool
  EXPECT(ask(ofDevice, cudaMemPoolAttrUsedMemCurrent) == 0);
  CUdeviceptr last = 0;
  DRIVER(cuMemAllocAsync(&last, 64, nullptr));
  DRIVER(cuMemFreeAsync(last, nullptr));
}

int main() {
  DRIVER(cuInit(0));
  checkGrowth();
  checkTwoPlaces();
  checkPools();
  puts("PASS");
}
