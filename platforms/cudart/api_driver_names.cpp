// Names of the driver interface's results.
#include <fermata/stimuli/cuda/include/cuda.h>

#include <algorithm>
#include <iterator>

namespace {

struct Named {
  CUresult code;
  const char* name;
};

const Named kResults[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS"},
#define FERMATA_ERROR(name, driver_name, number, text) FERMATA_DRIVER_ERROR(driver_name, number)
#define FERMATA_RUNTIME_ERROR(name, number, text)
#define FERMATA_DRIVER_ERROR(driver_name, number) \
  {CUDA_ERROR_##driver_name, "CUDA_ERROR_" #driver_name},
#include <fermata/stimuli/cuda/include/parts/error_list.inl>
};

}  // namespace

extern "C" CUresult cuGetErrorName(CUresult error, const char** name) {
  const auto* const found = std::find_if(std::begin(kResults), std::end(kResults),
                                         [&](const Named& one) { return one.code == error; });
  if (name == nullptr || found == std::end(kResults)) return CUDA_ERROR_INVALID_VALUE;
  *name = found->name;
  return CUDA_SUCCESS;
}
