// Compiles tensor_sums.inl for each instruction set; rounds sums.
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <fermata/stimuli/ptx/half.h>
#include <fermata/stimuli/ptx/lane_ops.h>
#include <fermata/stimuli/ptx/multiversion.h>
#include <fermata/stimuli/ptx/tensor_product.h>

#define FERMATA_LANE_SOURCE <fermata/stimuli/ptx/tensor_sums.inl>
#include <fermata/stimuli/ptx/each_instruction_set.inl>

namespace fermata::ptx {

AddColumn portableAddColumn() {
  return &portable::addToColumn;
}

AddColumn addColumn() {
#if FERMATA_FAST_LANES
  if (fastLaneTable() != nullptr) return &avx2::addToColumn;
#endif
  return portableAddColumn();
}

double sumOf(TensorSum type, std::uint32_t word) {
  if (type == TensorSum::F32) return static_cast<double>(bitsAs<float>(word));
  if (type == TensorSum::F16) return fromHalf<F16Format>(static_cast<std::uint16_t>(word));
  return static_cast<std::int32_t>(word);
}

std::uint32_t wordOf(TensorSum type, double sum, bool clamps) {
  if (type == TensorSum::F16) return toHalf<F16Format>(sum);
  if (type == TensorSum::F32)
    return sum != sum ? 0x7fffffffU : bitsAs<std::uint32_t>(static_cast<float>(sum));
  if (clamps) sum = std::fmin(std::fmax(sum, INT32_MIN), INT32_MAX);
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(sum));
}

}  // namespace fermata::ptx
