// Matrices of halves between shared memory, registers and tensor units, and copies from global to
// shared memory that are waited for later; each is one instruction (PTX ISA, ldmatrix, stmatrix,
// mma, cp.async). Before the target that has an instruction its function is not declared.
//
// A half is its bits, an unsigned short; two of neighbouring columns are an unsigned, the left one
// below. Of an 8x8 matrix, lane 4 r + c holds columns 2 c and 2 c + 1 of row r in one register.
// Addresses of shared memory are those of fermataShared().
#pragma once

/// Bytes from the start of shared memory.
FERMATA_DEVICE unsigned fermataShared(const void* shared) {
  return static_cast<unsigned>(
      reinterpret_cast<size_t>((const __attribute__((address_space(3))) void*)shared));
}

#if __CUDA_ARCH__ >= 750
/// A matrix a register; lanes 8 i to 8 i + 7 give the addresses of the rows, 16 bytes each, of
/// matrix i.
FERMATA_DEVICE void fermataLdmatrix(unsigned (&to)[1], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(to[0])
               : "r"(row)
               : "memory");
}
FERMATA_DEVICE void fermataLdmatrix(unsigned (&to)[2], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(to[0]), "=r"(to[1])
               : "r"(row)
               : "memory");
}
FERMATA_DEVICE void fermataLdmatrix(unsigned (&to)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(row)
               : "memory");
}
/// The same of the transposed matrices.
FERMATA_DEVICE void fermataLdmatrixTrans(unsigned (&to)[1], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(to[0])
               : "r"(row)
               : "memory");
}
FERMATA_DEVICE void fermataLdmatrixTrans(unsigned (&to)[2], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(to[0]), "=r"(to[1])
               : "r"(row)
               : "memory");
}
FERMATA_DEVICE void fermataLdmatrixTrans(unsigned (&to)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(row)
               : "memory");
}
#endif

#if __CUDA_ARCH__ >= 800
/// The two numbers, each rounded to the nearest half.
FERMATA_DEVICE unsigned fermataHalves(float left, float right) {
  unsigned pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
  return pair;
}
/// c += a b of a 16x16 matrix (upper left, lower left, upper right, lower right 8x8) and one of 16
/// rows and 8 columns (upper 8x8, lower), of which a lane holds rows 2 c and 2 c + 1 of column r:
/// what is loaded transposed. Of the 16x8 sums, it holds two neighbours of row r, and of r + 8.
FERMATA_DEVICE void fermataMma(float (&c)[4], const unsigned (&a)[4], unsigned upper,
                               unsigned lower) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(upper), "r"(lower));
}

/// 16 bytes, to which both are aligned.
FERMATA_DEVICE void fermataCopyAsync(unsigned shared, const void* global) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared),
      "l"(reinterpret_cast<uint64_t>((const __attribute__((address_space(1))) void*)global))
      : "memory");
}
/// Copies of this thread since the last commit become a group.
FERMATA_DEVICE void fermataCommitCopies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Until all groups of this thread but the last `Groups` are there; others' need a barrier, too.
template <unsigned Groups>
FERMATA_DEVICE void fermataWaitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
}
#endif

#if __CUDA_ARCH__ >= 900
/// What fermataLdmatrix() undoes.
FERMATA_DEVICE void fermataStmatrix(unsigned row, const unsigned (&from)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row),
               "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3])
               : "memory");
}
#endif
