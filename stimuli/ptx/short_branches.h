// Predicates in the place of short branches, as ptxas makes them:
//
//   @%p1 bra L;                          none
//   ld.global.f32 %f1, [%rd1];           @!P1 LDG
//   add.f32 %f2, %f2, %f1;               @!P1 FADD
//   L:
//
// ptxas 13.0 does so for 7.5 to 12.0 with up to 8 instructions between branch and label, with up to
// 20 if one of them loads from global memory, and with up to 7 and 10 of two sides. It does not do
// so with atomics, with shuffles and votes, and with what has branches itself. Kernels of one
// branch with 1 to 40 instructions of each kind were compiled to find this. Where the predicate is
// uniform, ptxas stops at 6; that is not modelled.
#pragma once

namespace fermata::ptx {

struct KernelCode;

bool hasShortBranches(const KernelCode& code);
/// Guards what short branches go around, and drops the branches. Instructions that compute for the
/// guarded ones alone need no guard. Call findReconvergence() afterwards.
void predicateShortBranches(KernelCode& code);

}  // namespace fermata::ptx
