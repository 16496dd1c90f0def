// Errors and versions of the runtime interface.
#include <fermata/platforms/cudart/session.h>

#include <algorithm>

namespace {

struct Named {
  cudaError_t code;
  const char* name;
  const char* text;
};

#define FERMATA_ERROR(code, text) \
  { code, #code, text }
const Named kErrors[] = {
    FERMATA_ERROR(cudaSuccess, "no error"),
    FERMATA_ERROR(cudaErrorInvalidValue, "invalid argument"),
    FERMATA_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    FERMATA_ERROR(cudaErrorInitializationError, "initialization error"),
    FERMATA_ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    FERMATA_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    FERMATA_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    FERMATA_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    FERMATA_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    FERMATA_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    FERMATA_ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    FERMATA_ERROR(cudaErrorInvalidTextureBinding, "texture is not bound to a pointer"),
    FERMATA_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    FERMATA_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    FERMATA_ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    FERMATA_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    FERMATA_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    FERMATA_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    FERMATA_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    FERMATA_ERROR(cudaErrorDeviceUninitialized, "invalid device context"),
    FERMATA_ERROR(cudaErrorNoKernelImageForDevice,
                  "no kernel image is available for execution on the device"),
    FERMATA_ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    FERMATA_ERROR(cudaErrorPeerAccessUnsupported,
                  "peer access is not supported between these two devices"),
    FERMATA_ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    FERMATA_ERROR(cudaErrorUnsupportedPtxVersion,
                  "the provided PTX was compiled with an unsupported toolchain."),
    FERMATA_ERROR(cudaErrorInvalidSource, "device kernel image is invalid"),
    FERMATA_ERROR(cudaErrorFileNotFound, "file not found"),
    FERMATA_ERROR(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    FERMATA_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    FERMATA_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    FERMATA_ERROR(cudaErrorNotReady, "device not ready"),
    FERMATA_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    FERMATA_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    FERMATA_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    FERMATA_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    FERMATA_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    FERMATA_ERROR(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    FERMATA_ERROR(cudaErrorContextIsDestroyed, "context is destroyed"),
    FERMATA_ERROR(cudaErrorAssert, "device-side assert triggered"),
    FERMATA_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                  "part or all of the requested memory range is already mapped"),
    FERMATA_ERROR(cudaErrorHostMemoryNotRegistered,
                  "pointer does not correspond to a registered memory region"),
    FERMATA_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    FERMATA_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    FERMATA_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    FERMATA_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    FERMATA_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    FERMATA_ERROR(cudaErrorNotSupported, "operation not supported"),
    FERMATA_ERROR(cudaErrorStreamCaptureUnsupported,
                  "operation not permitted when stream is capturing"),
    FERMATA_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef FERMATA_ERROR

const Named* find(cudaError_t code) {
  const auto* found = std::find_if(std::begin(kErrors), std::end(kErrors),
                                   [&](const Named& one) { return one.code == code; });
  return found == std::end(kErrors) ? nullptr : found;
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() {
  return std::exchange(fermata::cudart::lastError(), fermata::cudart::lostError());
}
cudaError_t cudaPeekAtLastError() {
  return fermata::cudart::lastError();
}
const char* cudaGetErrorName(cudaError_t error) {
  const Named* const found = find(error);
  return found == nullptr ? "unrecognized error code" : found->name;
}
const char* cudaGetErrorString(cudaError_t error) {
  const Named* const found = find(error);
  return found == nullptr ? "unrecognized error code" : found->text;
}
cudaError_t cudaDriverGetVersion(int* driverVersion) {
  return cudaRuntimeGetVersion(driverVersion);
}
cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  if (runtimeVersion == nullptr) return cudaErrorInvalidValue;
  *runtimeVersion = CUDART_VERSION;
  return cudaSuccess;
}

}  // extern "C"
