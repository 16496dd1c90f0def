// Sums of tcgen05.mma. tensor_sums.cpp compiles this file for each instruction set.

namespace fermata::ptx::FERMATA_LANES {
namespace {

void addToColumn(const double* a, const double* b, unsigned steps, unsigned rows, double* sums) {
  for (unsigned step = 0; step < steps; ++step, a += TensorProduct::kMostRows) {
    const double factor = b[step];
    FERMATA_INDEPENDENT_LANES
    for (unsigned row = 0; row < rows; ++row) sums[row] += a[row] * factor;
  }
}

}  // namespace
}  // namespace fermata::ptx::FERMATA_LANES
