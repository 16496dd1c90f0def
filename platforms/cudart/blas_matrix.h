// Matrices of cuBLAS's interface, which lie by columns in the device's memory, as doubles of the
// host and back. A double holds each number of the other types.
#pragma once

#include <fermata/platforms/cudart/copies.h>
#include <fermata/stimuli/cuda/include/library_types.h>

#include <cstdint>
#include <vector>

namespace fermata::cudart {

/// A matrix in the device's memory.
struct BlasMatrix {
  const void* at = nullptr;
  cudaDataType type = CUDA_R_32F;
  std::size_t rows = 0, columns = 0;
  std::size_t lead = 0;  ///< elements from column to column
};

/// Returns the size of a number in bytes; 0: no product has such numbers.
std::size_t blasSize(cudaDataType type);
/// True for the floats of 8 bits, which products of cuBLASLt alone have.
inline bool isFloat8(cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
/// Returns `count` numbers that lie at `bytes`.
std::vector<double> numbersOf(cudaDataType type, const void* bytes, std::size_t count);
/// Writes numbers, each rounded once, to nearest. Those beyond 32 bits wrap.
void writeNumbers(cudaDataType type, const std::vector<double>& numbers, void* bytes);

/// Returns the matrix, column after column. Throws ApiError.
std::vector<double> readMatrix(Session& session, const BlasMatrix& matrix);
void writeMatrix(Session& session, const BlasMatrix& matrix, const std::vector<double>& numbers);

}  // namespace fermata::cudart
