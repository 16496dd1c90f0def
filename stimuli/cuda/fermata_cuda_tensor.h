// Moves matrices of halves between the scratchpad (shared memory), registers and tensor units, and
// copies asynchronously from global to shared memory. Each function is one instruction (PTX ISA,
// ldmatrix, stmatrix, mma, cp.async) and is declared only for targets that have it.
//
// A half is an unsigned short that holds its bits. An unsigned holds two halves of neighbouring
// columns, the left one in the lower bits. In one register of an 8x8 matrix, lane 4 r + c holds
// columns 2 c and 2 c + 1 of row r. Addresses of shared memory are those of fermataShared().
#pragma once

/// Returns the address in bytes from the start of shared memory.
FERMATA_DEVICE unsigned fermataShared(const void* shared) {
  return static_cast<unsigned>(
      reinterpret_cast<size_t>((const __attribute__((address_space(3))) void*)shared));
}

#if __CUDA_ARCH__ >= 750
/// Loads one matrix per register. Lanes 8 i to 8 i + 7 give the addresses of the rows of matrix i,
/// 16 bytes each.
#define FERMATA_LDMATRIX(name, count, form, registers, place, ...)                           \
  FERMATA_DEVICE void name(unsigned(&to)[count], unsigned row) {                             \
    asm volatile("ldmatrix.sync.aligned.m8n8" form ".shared.b16 " registers ", [" place "];" \
                 : __VA_ARGS__                                                               \
                 : "r"(row)                                                                  \
                 : "memory");                                                                \
  }
FERMATA_LDMATRIX(fermataLdmatrix, 1, ".x1", "{%0}", "%1", "=r"(to[0]))
FERMATA_LDMATRIX(fermataLdmatrix, 2, ".x2", "{%0, %1}", "%2", "=r"(to[0]), "=r"(to[1]))
FERMATA_LDMATRIX(fermataLdmatrix, 4, ".x4", "{%0, %1, %2, %3}", "%4", "=r"(to[0]), "=r"(to[1]),
                 "=r"(to[2]), "=r"(to[3]))
/// Loads the transposed matrices, otherwise like fermataLdmatrix().
FERMATA_LDMATRIX(fermataLdmatrixTrans, 1, ".x1.trans", "{%0}", "%1", "=r"(to[0]))
FERMATA_LDMATRIX(fermataLdmatrixTrans, 2, ".x2.trans", "{%0, %1}", "%2", "=r"(to[0]), "=r"(to[1]))
FERMATA_LDMATRIX(fermataLdmatrixTrans, 4, ".x4.trans", "{%0, %1, %2, %3}", "%4", "=r"(to[0]),
                 "=r"(to[1]), "=r"(to[2]), "=r"(to[3]))
#undef FERMATA_LDMATRIX
#endif

#if __CUDA_ARCH__ >= 800
/// Returns the two numbers, each rounded to the nearest half.
FERMATA_DEVICE unsigned fermataHalves(float left, float right) {
  unsigned pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(right), "f"(left));
  return pair;
}
/// Adds to c the product a b. Matrix a is 16x16 (registers: upper left, lower left, upper right,
/// lower right 8x8). Matrix b has 16 rows and 8 columns (upper 8x8, lower 8x8); a lane holds rows 2
/// c and 2 c + 1 of its column r, which a transposed load gives. Of the 16x8 sums a lane holds two
/// neighbours in row r, and two in row r + 8.
FERMATA_DEVICE void fermataMma(float (&c)[4], const unsigned (&a)[4], unsigned upper,
                               unsigned lower) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(upper), "r"(lower));
}

/// Copies 16 bytes; both addresses must be aligned to 16.
FERMATA_DEVICE void fermataCopyAsync(unsigned shared, const void* global) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared),
      "l"(reinterpret_cast<uint64_t>((const __attribute__((address_space(1))) void*)global))
      : "memory");
}
/// Makes a group of this thread's copies since the last commit.
FERMATA_DEVICE void fermataCommitCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits until all groups of this thread but the last `Groups` have arrived; copies of other
/// threads need a barrier, too.
template <unsigned Groups>
FERMATA_DEVICE void fermataWaitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Groups) : "memory");
}
#endif

#if __CUDA_ARCH__ >= 900
/// Stores matrices: the inverse of fermataLdmatrix().
FERMATA_DEVICE void fermataStmatrix(unsigned row, const unsigned (&from)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row),
               "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3])
               : "memory");
}
#endif
