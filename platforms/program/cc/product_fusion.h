// Fused multiply-adds as nvcc's assembler makes them. Clang leaves products that it does not fuse
// itself without a rounding (mul.f32, not mul.rn.f32), as nvcc's compiler does.
#pragma once

#include <string>

namespace fermata::platforms {

/// Returns the PTX with additions and subtractions of products made fma.rn: of a product all of
/// whose uses are additions and subtractions in its own basic block. Of two such products the first
/// operand is fused. Measured: ptxas 13.0 does so.
///   mul.f32 %f3, %f1, %f2;  sub.f32 %f5, %f3, %f4;  ->  neg.f32 %n0, %f4;
///                                                       fma.rn.f32 %f5, %f1, %f2, %n0;
std::string withFusedProducts(const std::string& ptx);

}  // namespace fermata::platforms
