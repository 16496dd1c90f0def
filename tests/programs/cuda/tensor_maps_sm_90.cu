// Tensor maps on the host: the driver's functions by name, and what they refuse.
#include <cuda.h>
#include <cudaTypedefs.h>

#include <cstring>

#include "check.h"

/// Arguments of cuTensorMapEncodeTiled for a matrix of 64 x 32 floats.
struct Arguments {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  cuuint32_t rank = 2;
  cuuint64_t dims[5] = {32, 64, 1, 1, 1}, strides[4] = {128, 0, 0, 0};
  cuuint32_t box[5] = {32, 8, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

  CUresult encode(PFN_cuTensorMapEncodeTiled encoder, CUtensorMap* map, void* address) const {
    return encoder(map, type, rank, address, dims, strides, box, steps, interleave, swizzle,
                   CU_TENSOR_MAP_L2_PROMOTION_L2_128B, fill);
  }
};

static void refuses(float* memory) {
  CUtensorMap map;
  Arguments a;
  GIVES(a.encode(cuTensorMapEncodeTiled, &map, memory + 1), CUDA_ERROR_INVALID_VALUE);
  GIVES(a.encode(cuTensorMapEncodeTiled, nullptr, memory), CUDA_ERROR_INVALID_VALUE);
  a.rank = 6;
  GIVES(a.encode(cuTensorMapEncodeTiled, &map, memory), CUDA_ERROR_INVALID_VALUE);
  a = Arguments();
  a.strides[0] = 132;
  GIVES(a.encode(cuTensorMapEncodeTiled, &map, memory), CUDA_ERROR_INVALID_VALUE);
  a = Arguments();
  a.swizzle = CU_TENSOR_MAP_SWIZZLE_64B;  // rows of 128 bytes
  GIVES(a.encode(cuTensorMapEncodeTiled, &map, memory), CUDA_ERROR_INVALID_VALUE);
  a.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B;  // Blackwell's
  GIVES(a.encode(cuTensorMapEncodeTiled, &map, memory), CUDA_ERROR_INVALID_VALUE);
  std::memset(&map, 0, sizeof map);
  GIVES(cuTensorMapReplaceAddress(&map, memory), CUDA_ERROR_INVALID_VALUE);
}

int main() {
  float* const memory = newOnDevice<float>(64 * 32 + 4);
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  CHECK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &status));
  EXPECT(status == cudaDriverEntryPointSuccess);
  CUtensorMap map, moved;
  GIVES(Arguments().encode(reinterpret_cast<PFN_cuTensorMapEncodeTiled>(found), &map, memory),
        CUDA_SUCCESS);
  GIVES(Arguments().encode(cuTensorMapEncodeTiled, &moved, memory + 4), CUDA_SUCCESS);
  EXPECT(std::memcmp(&map, &moved, sizeof map) != 0);
  GIVES(cuTensorMapReplaceAddress(&moved, memory), CUDA_SUCCESS);
  EXPECT(std::memcmp(&map, &moved, sizeof map) == 0);

  void* again = nullptr;
  CUdriverProcAddressQueryResult result;
  GIVES(cuGetProcAddress("cuTensorMapEncodeTiled", &again, 12000, CU_GET_PROC_ADDRESS_DEFAULT,
                         &result),
        CUDA_SUCCESS);
  EXPECT(again == found && result == CU_GET_PROC_ADDRESS_SUCCESS);
  GIVES(cuGetProcAddress("cuNoSuchFunction", &again, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &result),
        CUDA_ERROR_NOT_FOUND);
  CHECK(cudaGetDriverEntryPoint("cuNoSuchFunction", &again, cudaEnableDefault, &status));
  EXPECT(again == nullptr && status == cudaDriverEntryPointSymbolNotFound);

  refuses(memory);
  std::puts("PASS");
}
