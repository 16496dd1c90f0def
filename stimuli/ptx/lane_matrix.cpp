// Compiles lane_matrix.inl and the two files over it for each instruction set.
#include <cstdint>
#include <type_traits>

#include <fermata/stimuli/ptx/factor_tile.h>
#include <fermata/stimuli/ptx/float8.h>
#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/lane_ops.h>
#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/multiversion.h>
#include <fermata/stimuli/ptx/warp.h>

#if FERMATA_FAST_LANES
#include <immintrin.h>
#endif

#define FERMATA_LANE_SOURCE <fermata/stimuli/ptx/lane_matrix_group.inl>
#include <fermata/stimuli/ptx/each_instruction_set.inl>

namespace fermata::ptx {

Handler portableMatrixHandler(const MatrixForm& form) {
  return portable::productHandler(form);
}

Handler groupProductHandler(const MatrixForm& form, bool sparse) {
#if FERMATA_FAST_LANES
  if (fastLaneTable() != nullptr) return avx2::groupHandler(form, sparse);
#endif
  return portable::groupHandler(form, sparse);
}

Handler sparseMatrixHandler(const MatrixForm& form) {
#if FERMATA_FAST_LANES
  if (fastLaneTable() != nullptr) return avx2::sparseHandler(form);
#endif
  return portable::sparseHandler(form);
}

Handler matrixHandler(const MatrixForm& form) {
#if FERMATA_FAST_LANES
  if (fastLaneTable() != nullptr) return avx2::productHandler(form);
#endif
  return portableMatrixHandler(form);
}

}  // namespace fermata::ptx
