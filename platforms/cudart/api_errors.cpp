// Errors and versions of the runtime interface.
#include <fermata/platforms/cudart/session.h>

#include <algorithm>

namespace {

struct Named {
  cudaError_t code;
  const char* name;
  const char* text;
};

const Named kErrors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
#define FERMATA_ERROR(name, driver_name, number, text) FERMATA_RUNTIME_ERROR(name, number, text)
#define FERMATA_RUNTIME_ERROR(name, number, text) {cudaError##name, "cudaError" #name, text},
#define FERMATA_DRIVER_ERROR(driver_name, number)
#include <fermata/stimuli/cuda/include/parts/error_list.inl>
};

const Named* find(cudaError_t code) {
  const auto* found = std::find_if(std::begin(kErrors), std::end(kErrors),
                                   [&](const Named& one) { return one.code == code; });
  return found == std::end(kErrors) || found->text == nullptr ? nullptr : found;
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() {
  return std::exchange(fermata::cudart::lastError(), fermata::cudart::lostError());
}
cudaError_t cudaPeekAtLastError() { return fermata::cudart::lastError(); }
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
