// Copies by tensor maps: a transpose of tiles in each swizzle, boxes at the edges, blocks out of
// shared memory.
#include <cuda.h>
#include <cuda/barrier>

#include <cmath>
#include <utility>

#include "check.h"

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

static CUtensorMap mapOf(float* matrix, unsigned rows, unsigned columns, unsigned box,
                         CUtensorMapSwizzle swizzle, bool nan = false) {
  CUtensorMap map;
  const cuuint64_t dims[] = {columns, rows}, strides[] = {columns * sizeof(float)};
  const cuuint32_t boxes[] = {box, box}, steps[] = {1, 1};
  GIVES(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix, dims, strides,
                               boxes, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE,
                               nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                                   : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
        CUDA_SUCCESS);
  return map;
}

/// Returns where element (row, column) of a box of kBox x kBox floats lies.
template <int kBox, unsigned kMask>
__device__ unsigned placeOf(unsigned row, unsigned column) {
  const unsigned at = (row * kBox + column) * 4;
  return (at ^ (at >> 3 & kMask)) / 4;
}

/// Each CTA transposes a tile of kBox x kBox floats. kMask: bits of the address that the swizzle
/// changes.
template <int kBox, unsigned kMask>
__global__ void transpose(const __grid_constant__ CUtensorMap from,
                          const __grid_constant__ CUtensorMap to) {
  __shared__ alignas(1024) float in[kBox * kBox];
  __shared__ alignas(1024) float out[kBox * kBox];
  __shared__ barrier ready;
  const int column = blockIdx.x * kBox, row = blockIdx.y * kBox;
  if (threadIdx.x == 0) {
    init(&ready, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(in, &from, column, row, ready);
    token = cuda::device::barrier_arrive_tx(ready, 1, sizeof in);
  } else {
    token = ready.arrive();
  }
  ready.wait(std::move(token));
  for (unsigned k = threadIdx.x; k < kBox * kBox; k += blockDim.x)
    out[placeOf<kBox, kMask>(k / kBox, k % kBox)] = in[placeOf<kBox, kMask>(k % kBox, k / kBox)];
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&to, row, column, out);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

template <int kBox, unsigned kMask>
static void transposes(const char* what, CUtensorMapSwizzle swizzle) {
  const unsigned rows = 72, columns = 104;  // tiles reach beyond both edges
  std::vector<float> matrix(rows * columns), expected(rows * columns);
  for (unsigned k = 0; k < matrix.size(); ++k) {
    matrix[k] = static_cast<float>(k + 1);
    expected[k % columns * rows + k / columns] = matrix[k];
  }
  float* const from = toDevice(matrix);
  float* const to = newOnDevice<float>(matrix.size());
  const dim3 grid((columns + kBox - 1) / kBox, (rows + kBox - 1) / kBox);
  transpose<kBox, kMask><<<grid, 64>>>(mapOf(from, rows, columns, kBox, swizzle),
                                       mapOf(to, columns, rows, kBox, swizzle));
  expectSame(what, toHost(to, matrix.size()), expected);
}

/// Copies a box and its elements outside of the tensor.
__global__ void edge(const __grid_constant__ CUtensorMap map, float* out, int column, int row) {
  __shared__ alignas(128) float box[64];
  __shared__ barrier ready;
  if (threadIdx.x == 0) {
    init(&ready, 1);
    cde::cp_async_bulk_tensor_2d_global_to_shared(box, &map, column, row, ready);
    ready.wait(cuda::device::barrier_arrive_tx(ready, 1, sizeof box));
    cde::cp_async_bulk_shared_to_global(out, box, sizeof box);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group<0>();
  }
}

static void edges() {
  std::vector<float> matrix(64);
  for (unsigned k = 0; k < matrix.size(); ++k) matrix[k] = static_cast<float>(k + 1);
  float* const from = toDevice(matrix);
  float* const out = newOnDevice<float>(64);
  for (const bool nan : {false, true}) {
    edge<<<1, 32>>>(mapOf(from, 8, 8, 8, CU_TENSOR_MAP_SWIZZLE_NONE, nan), out, -4, 5);
    const std::vector<float> got = toHost(out, 64);
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column) {
        const float value = got[row * 8 + column];
        const bool inside = row < 3 && column >= 4;
        const bool filled = nan ? std::isnan(value) : value == 0;
        EXPECT(inside ? value == matrix[(row + 5) * 8 + column - 4] : filled);
      }
  }
}

/// Copies all slices of a tensor of 20 channels, as they lie.
__global__ void slices(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ alignas(128) float box[5 * 6 * 4];
  __shared__ barrier ready;
  if (threadIdx.x == 0) {
    init(&ready, 1);
    cde::cp_async_bulk_tensor_3d_global_to_shared(box, &map, 0, 0, 0, ready);
    ready.wait(cuda::device::barrier_arrive_tx(ready, 1, sizeof box));
    cde::cp_async_bulk_shared_to_global(out, box, sizeof box);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group<0>();
  }
}

static void interleaved() {
  std::vector<float> tensor(5 * 6 * 4);  // [n = 1][slice][x][channel of the slice]
  for (unsigned k = 0; k < tensor.size(); ++k) tensor[k] = static_cast<float>(k + 1);
  float* const from = toDevice(tensor);
  float* const out = newOnDevice<float>(tensor.size());
  CUtensorMap map;
  const cuuint64_t dims[] = {20, 6, 1}, strides[] = {16, 480};
  const cuuint32_t box[] = {20, 6, 1}, steps[] = {1, 1, 1};
  GIVES(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, from, dims, strides, box,
                               steps, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_SWIZZLE_NONE,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
        CUDA_SUCCESS);
  slices<<<1, 32>>>(map, out);
  expectSame("slices of channels", toHost(out, tensor.size()), tensor);
}

int main() {
  transposes<32, 0x00>("no swizzle", CU_TENSOR_MAP_SWIZZLE_NONE);
  transposes<32, 0x70>("swizzle of 128 bytes", CU_TENSOR_MAP_SWIZZLE_128B);
  transposes<16, 0x30>("swizzle of 64 bytes", CU_TENSOR_MAP_SWIZZLE_64B);
  transposes<8, 0x10>("swizzle of 32 bytes", CU_TENSOR_MAP_SWIZZLE_32B);
  edges();
  interleaved();
  std::puts("PASS");
}
