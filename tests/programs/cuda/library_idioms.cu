// What libraries of templates for both sides rely on: variadic declarations that detect types,
// swaps of types that only the host copies, conversions of volatile halves, marks in a profiler's
// domain.
#include <cuda_fp16.h>
#include <nvtx3/nvToolsExt.h>

#include <utility>
#include <vector>

#include "check.h"

template <class T>
struct HasSize {
  template <class U>
  static __host__ __device__ char test(decltype(&U::size));
  template <class U>
  static __host__ __device__ long test(...);
  static constexpr bool value = sizeof(test<T>(0)) == sizeof(char);
};
static_assert(HasSize<std::vector<int>>::value && !HasSize<dim3>::value, "");

/// Has no functions of the device.
struct OnHost {
  int word;
  explicit OnHost(int w) : word(w) {}
  OnHost(const OnHost& other) : word(other.word) {}
  OnHost& operator=(const OnHost& other) {
    word = other.word;
    return *this;
  }
};

template <class T>
__host__ __device__ void exchange(T& a, T& b) {
  using std::swap;
  swap(a, b);
}

__global__ void reverse(int* values, __half* halves) {
  exchange(values[threadIdx.x], values[63 - threadIdx.x]);
  const volatile __half& half = halves[threadIdx.x];
  const __half_raw raw = half;
  halves[threadIdx.x] = __half(raw) + __half(1);
}

static void marks() {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("a library");
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered = nvtxDomainRegisterStringA(domain, "a call");
  event.payloadType = NVTX_PAYLOAD_TYPE_INT32;
  event.payload.iValue = 3;
  nvtxDomainRangePushEx(domain, &event);
  nvtxDomainMarkEx(domain, &event);
  nvtxDomainRangePop(domain);
  nvtxDomainDestroy(domain);
}

int main() {
  marks();
  OnHost a(1), b(2);
  exchange(a, b);
  EXPECT(a.word == 2 && b.word == 1);
  int* values;
  __half* halves;
  CHECK(cudaMallocManaged(&values, 64 * sizeof *values));
  CHECK(cudaMallocManaged(&halves, 32 * sizeof *halves));
  for (int k = 0; k < 64; ++k) values[k] = k;
  for (int k = 0; k < 32; ++k) halves[k] = __half(k);
  reverse<<<1, 32>>>(values, halves);
  CHECK(cudaDeviceSynchronize());
  for (int k = 0; k < 64; ++k) EXPECT(values[k] == 63 - k);
  for (int k = 0; k < 32; ++k) EXPECT(float(halves[k]) == k + 1.0f);
  puts("PASS");
}
