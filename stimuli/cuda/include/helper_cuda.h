// Checks of calls and the choice of a device, in the interface of the CUDA samples.
#pragma once
#define COMMON_HELPER_CUDA_H_  // programs test whether it was included

#include <stdio.h>
#include <stdlib.h>

#include "cuda_runtime.h"
#include "helper_string.h"

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

static inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

/// Ends the program if the call failed.
template <class T>
inline void check(T result, const char* const call, const char* const file, const int line) {
  if (static_cast<int>(result) == 0) return;
  fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, static_cast<int>(result),
          _cudaGetErrorEnum(static_cast<cudaError_t>(result)), call);
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

namespace fermata_cuda {

/// Prints the last error, and returns whether there was one.
inline bool printsLastError(const char* message, const char* file, const int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return false;
  fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s\n", file, line, message, static_cast<int>(error),
          cudaGetErrorString(error));
  return true;
}

}  // namespace fermata_cuda

inline void __getLastCudaError(const char* message, const char* file, const int line) {
  if (fermata_cuda::printsLastError(message, file, line)) exit(EXIT_FAILURE);
}
inline void __printLastCudaError(const char* message, const char* file, const int line) {
  fermata_cuda::printsLastError(message, file, line);
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

/// Returns the value rounded, halves away from zero.
inline int ftoi(float value) {
  return static_cast<int>(value >= 0.0f ? value + 0.5f : value - 0.5f);
}

/// Returns the single-precision lanes of a multiprocessor.
inline int _ConvertSMVer2Cores(int major, int minor) {
  const int known[][2] = {{20, 32},  {21, 48},  {30, 192}, {32, 192}, {35, 192},
                          {37, 192}, {50, 128}, {52, 128}, {53, 128}, {61, 128},
                          {62, 128}, {86, 128}, {87, 128}, {89, 128}, {90, 128}};
  for (const auto& one : known) {
    if (one[0] == major * 10 + minor) return one[1];
  }
  return 64;
}
inline const char* _ConvertSMVer2ArchName(int major, int minor) {
  const char* const unknown = "Graphics Device";
  const char* const names[] = {"Fermi",  "Kepler", unknown,  "Maxwell",
                               "Pascal", "Volta",  "Ampere", "Hopper"};  // from 2 on
  if (major == 7 && minor >= 5) return "Turing";
  if (major == 8 && minor >= 9) return "Ada";
  return major >= 2 && major <= 9 ? names[major - 2] : unknown;
}

inline int gpuDeviceInit(int device) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (device < 0) device = 0;
  if (device >= count) {
    fprintf(stderr, "CUDA device %d is none of the %d there are\n", device, count);
    return -device;
  }
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  checkCudaErrors(cudaSetDevice(device));
  printf("CUDA device [%d]: %s\n", device, properties.name);
  return device;
}
/// Returns the device with the most lanes.
inline int gpuGetMaxGflopsDeviceId() {
  int count = 0, best = 0;
  double most = -1.0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp p;
    checkCudaErrors(cudaGetDeviceProperties(&p, device));
    const double rate = static_cast<double>(p.multiProcessorCount) *
                        _ConvertSMVer2Cores(p.major, p.minor) * p.clockRate;
    if (rate > most) {
      most = rate;
      best = device;
    }
  }
  return best;
}
/// Returns the device that -device=N names, otherwise the one with the most lanes.
inline int findCudaDevice(int argc, const char** argv) {
  if (checkCmdLineFlag(argc, argv, "device")) {
    const int device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
    if (device < 0) exit(EXIT_FAILURE);
    return device;
  }
  const int device = gpuGetMaxGflopsDeviceId();
  cudaDeviceProp properties;
  checkCudaErrors(cudaSetDevice(device));
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name,
         properties.major, properties.minor);
  return device;
}
inline int findIntegratedGPU() { return -1; }
inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0;
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  if (properties.major > major || (properties.major == major && properties.minor >= minor))
    return true;
  printf("compute capability %d.%d is needed; the device has %d.%d\n", major, minor,
         properties.major, properties.minor);
  return false;
}
