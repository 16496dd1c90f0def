// Predicates in the place of short branches, as ptxas makes them:
//
//   @%p1 bra L;                          none
//   ld.global.f32 %f1, [%rd1];           @!P1 LDG
//   add.f32 %f2, %f2, %f1;               @!P1 FADD
//   L:
//
// ptxas 13.0 does so for 7.5 to 12.0 with up to 8 instructions between branch and label, up to 20
// with a load from global memory among them, and with up to 7 and 10 of two sides; not with
// atomics, with shuffles and votes, and with what has branches itself. Found by compiling kernels
// of one branch with 1 to 40 instructions of each kind. It stops at 6 where the predicate is
// uniform, which is not modelled.
#pragma once

namespace fermata::ptx {

struct KernelCode;

bool hasShortBranches(const KernelCode& code);
/// Makes the predicates of short branches guards, and drops the branches; findReconvergence() is
/// due then. What computes for the guarded instructions alone goes on without a guard.
void predicateShortBranches(KernelCode& code);

}  // namespace fermata::ptx
