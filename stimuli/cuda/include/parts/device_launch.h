// Launches that kernels make (dynamic parallelism). `cc` writes a launch in device code as
// `fermata_launch::Launch<decltype(kernel), kernel>(grid, block ...)(arguments)`.
#pragma once

extern "C" {
// Functions of CUDA's device runtime, which the executor carries out.
__device__ void* cudaGetParameterBufferV2(void* kernel, dim3 grid, dim3 block, unsigned int shared);
__device__ cudaError_t cudaLaunchDeviceV2(void* buffer, cudaStream_t stream);
__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t stream);
}

// Programmatic dependent launches, which machines before sm_90 do not have: grids follow each
// other.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ inline void cudaGridDependencySynchronize() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
__device__ inline void cudaTriggerProgrammaticLaunchCompletion() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
#else
__device__ inline void cudaGridDependencySynchronize() { asm volatile("" ::: "memory"); }
__device__ inline void cudaTriggerProgrammaticLaunchCompletion() { asm volatile("" ::: "memory"); }
#endif

namespace fermata_launch {

/// Holds the address of a kernel. Outside of functions its name is no call, which clang would
/// refuse, and makes an instance of a template.
template <class Kernel, Kernel* kKernel>
__device__ void (*const address)() = reinterpret_cast<void (*)()>(kKernel);

/// Writes values to a kernel's parameters, each at its alignment.
__device__ inline void put(char*, size_t) {}
template <class First, class... Rest>
__device__ void put(char* to, size_t at, const First& first, const Rest&... rest) {
  at = (at + alignof(First) - 1) / alignof(First) * alignof(First);
  __builtin_memcpy(to + at, __builtin_addressof(first), sizeof(First));
  put(to, at + sizeof(First), rest...);
}

template <class Kernel, Kernel* kKernel>
class Launch;

template <class... Parameters, void (*kKernel)(Parameters...)>
class Launch<void(Parameters...), kKernel> {
 public:
  __device__ Launch(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr)
      : grid_(grid), block_(block), shared_(shared), stream_(stream) {}

  __device__ void operator()(Parameters... values) const {
    void* const kernel = reinterpret_cast<void*>(address<void(Parameters...), kKernel>);
    char* const buffer = static_cast<char*>(
        cudaGetParameterBufferV2(kernel, grid_, block_, static_cast<unsigned int>(shared_)));
    if (buffer == nullptr) return;
    put(buffer, 0, values...);
    (void)cudaLaunchDeviceV2(buffer, stream_);
  }

 private:
  dim3 grid_, block_;
  size_t shared_;
  cudaStream_t stream_;
};

}  // namespace fermata_launch
