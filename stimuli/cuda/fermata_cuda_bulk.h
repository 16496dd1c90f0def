// Copies of blocks and boxes by an engine (PTX ISA, cp.async.bulk), and the mbarriers that they
// arrive at. Each function is one instruction and is for targets of 9.0. One thread begins a copy.
// Addresses of shared memory are those of fermataShared().
#pragma once

#if __CUDA_ARCH__ >= 900
/// A tensor map, as a launch file gives it: `{ tensor = .. }`.
struct FermataTensorMap {
  __attribute__((aligned(64))) unsigned char bytes[128];
};
/// The address of a kernel's parameter. A C++ parameter whose address is taken would be copied to
/// local memory first. `symbol`: the kernel's name and "_param_0".
#define FERMATA_PARAMETER(symbol)                                                         \
  ([] {                                                                                   \
    uint64_t address;                                                                     \
    asm("{ .reg .b64 a; mov.b64 a, " symbol "; cvta.param.u64 %0, a; }" : "=l"(address)); \
    return address;                                                                       \
  }())

/// Makes an mbarrier for so many arrivals; visible to the engine's copies.
template <unsigned Arrivals = 1>
FERMATA_DEVICE void fermataInitBarrier(unsigned barrier) {
  asm volatile(
      "mbarrier.init.shared.b64 [%0], %1; fence.mbarrier_init.release.cluster;" ::"r"(barrier),
      "n"(Arrivals)
      : "memory");
}
FERMATA_DEVICE void fermataArrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Arrives; the phase then waits for so many bytes.
FERMATA_DEVICE void fermataExpectBytes(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
/// Waits until phases of this parity (0, 1, 0, ..) are over; sleeps meanwhile, 10 ms at a time.
FERMATA_DEVICE void fermataAwaitPhase(unsigned barrier, unsigned parity) {
  asm volatile(
      "{ .reg .pred over;\n"
      "WAIT: mbarrier.try_wait.parity.shared.b64 over, [%0], %1, 10000000;\n"
      "@!over bra WAIT; }" ::"r"(barrier),
      "r"(parity)
      : "memory");
}
/// Returns whether they are over.
FERMATA_DEVICE bool fermataIsOver(unsigned barrier, unsigned parity) {
  unsigned over;
  asm volatile(
      "{ .reg .pred over; mbarrier.try_wait.parity.shared.b64 over, [%1], %2; selp.u32 %0, 1, 0, "
      "over; }"
      : "=r"(over)
      : "r"(barrier), "r"(parity)
      : "memory");
  return over != 0;
}
/// Makes what this thread's CTA stored in shared memory visible to the engine.
FERMATA_DEVICE void fermataFenceEngine() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Copies a block into shared memory; it arrives at the mbarrier by its bytes.
FERMATA_DEVICE void fermataFetchBlock(unsigned shared, const void* global, unsigned bytes,
                                      unsigned barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared),
      "l"(reinterpret_cast<uint64_t>((const __attribute__((address_space(1))) void*)global)),
      "r"(bytes), "r"(barrier)
      : "memory");
}
/// Copies a block as fermataFetchBlock() to each CTA of the cluster whose rank is a bit of `ctas`, at
/// its own `shared` and `barrier`.
FERMATA_DEVICE void fermataShareBlock(unsigned shared, const void* global, unsigned bytes,
                                      unsigned barrier, unsigned ctas) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1], %2, [%3], %4;" ::"r"(shared),
      "l"(reinterpret_cast<uint64_t>((const __attribute__((address_space(1))) void*)global)),
      "r"(bytes), "r"(barrier), "h"(static_cast<unsigned short>(ctas))
      : "memory");
}
/// Copies a block out of shared memory; it belongs to the next group of this thread.
FERMATA_DEVICE void fermataStoreBlock(void* global, unsigned shared, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   reinterpret_cast<uint64_t>((__attribute__((address_space(1))) void*)global)),
               "r"(shared), "r"(bytes)
               : "memory");
}
/// Copies the box at (column, row) of a tensor of two dimensions into shared memory.
FERMATA_DEVICE void fermataFetchBox(unsigned shared, uint64_t map, unsigned column, unsigned row,
                                    unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared),
      "l"(map), "r"(column), "r"(row), "r"(barrier)
      : "memory");
}
/// Copies a box out of shared memory.
FERMATA_DEVICE void fermataStoreBox(uint64_t map, unsigned column, unsigned row, unsigned shared) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
      "r"(column), "r"(row), "r"(shared)
      : "memory");
}
/// Makes a group of this thread's copies out of shared memory since the last commit.
FERMATA_DEVICE void fermataCommitBulk() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Waits until all groups of this thread are in global memory.
FERMATA_DEVICE void fermataAwaitBulk() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
#endif
