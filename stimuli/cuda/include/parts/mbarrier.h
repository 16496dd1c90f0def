// Barriers in words of the scratchpad: mbarrier from sm_80 on, an equivalent by atomics before
// that. A phase waits for its pending arrivals; the last one begins the next phase. A phase is
// known by its parity.
#pragma once

#include "device_words.h"

typedef uint64_t __mbarrier_t;

namespace fermata_mbarrier {

typedef __mbarrier_t Word;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

FERMATA_DEVICE unsigned addressOf(const void* barrier) {
  return static_cast<unsigned>(__nv_cvta_generic_to_shared_impl(barrier));
}
/// Begins phases of `arrivals` arrivals: 1 to 1048575.
FERMATA_DEVICE void initialise(Word* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addressOf(barrier)), "r"(arrivals)
               : "memory");
}
FERMATA_DEVICE void invalidate(Word* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(addressOf(barrier)) : "memory");
}
/// Arrives and returns the token to wait for. Several arrivals at once are one instruction from
/// sm_90 on.
FERMATA_DEVICE Word arrive(Word* barrier, unsigned arrivals = 1) {
  Word token;
  if (arrivals > 1) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;"
                 : "=l"(token)
                 : "r"(addressOf(barrier)), "r"(arrivals)
                 : "memory");
    return token;
#else
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                 : "=l"(token)
                 : "r"(addressOf(barrier)), "r"(arrivals - 1)
                 : "memory");
#endif
  }
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(addressOf(barrier))
               : "memory");
  return token;
}
/// Arrives; later phases expect one arrival fewer.
FERMATA_DEVICE Word arriveAndDrop(Word* barrier) {
  Word token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(addressOf(barrier))
               : "memory");
  return token;
}
/// Makes the phase wait for this thread's copies so far (cp.async): the barrier expects one more
/// arrival, which follows the copies.
FERMATA_DEVICE void arriveBehindCopies(Word* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(addressOf(barrier)) : "memory");
}

// Test whether the phase of a token, or of a parity, is over; from sm_90 on they may wait a while.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define FERMATA_TRY "mbarrier.try_wait"
#else
#define FERMATA_TRY "mbarrier.test_wait"
#endif
#define FERMATA_TEST(name, instruction, Operand, constraint)              \
  FERMATA_DEVICE bool name(const Word* barrier, Operand phase) {          \
    unsigned over;                                                        \
    asm volatile("{ .reg .pred over; " instruction                        \
                 ".shared.b64 over, [%1], %2; selp.u32 %0, 1, 0, over; }" \
                 : "=r"(over)                                             \
                 : "r"(addressOf(barrier)), constraint(phase)             \
                 : "memory");                                             \
    return over != 0;                                                     \
  }
FERMATA_TEST(isOver, "mbarrier.test_wait", Word, "l")
FERMATA_TEST(isOverSoon, FERMATA_TRY, Word, "l")
FERMATA_TEST(isParityOver, "mbarrier.test_wait.parity", unsigned, "r")
FERMATA_TEST(isParityOverSoon, FERMATA_TRY ".parity", unsigned, "r")
#undef FERMATA_TEST
#undef FERMATA_TRY

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
FERMATA_DEVICE void expect(Word* barrier, unsigned bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(addressOf(barrier)),
               "r"(bytes)
               : "memory");
}
FERMATA_DEVICE Word arriveExpecting(Word* barrier, unsigned bytes) {
  Word token;
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
               : "=l"(token)
               : "r"(addressOf(barrier)), "r"(bytes)
               : "memory");
  return token;
}
/// Copies a multiple of 16 bytes from global to shared memory; completes at the barrier.
FERMATA_DEVICE void copyBlock(void* to, const void* from, unsigned bytes, Word* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(addressOf(to)),
      "l"(__nv_cvta_generic_to_global_impl(from)), "r"(bytes), "r"(addressOf(barrier))
      : "memory");
}
#endif

FERMATA_DEVICE unsigned pendingCount(Word token) {
  unsigned count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

#else

// Bit 63 is the parity. Bits from 32 on hold the arrivals that a phase expects, the bits below them
// the pending arrivals.

FERMATA_DEVICE void initialise(Word* barrier, unsigned arrivals) {
  *static_cast<volatile Word*>(barrier) = static_cast<Word>(arrivals) << 32 | arrivals;
}
FERMATA_DEVICE void invalidate(Word* barrier) { *static_cast<volatile Word*>(barrier) = 0; }
FERMATA_DEVICE Word change(Word* barrier, Word less) {
  __nvvm_membar_cta();
  auto* const word = reinterpret_cast<unsigned long long*>(barrier);
  const Word before = atomicAdd(word, 0 - less), after = before - less;
  if (static_cast<unsigned>(after) == 0)
    atomicAdd(word, (Word{1} << 63) + (after >> 32 & 0x7fffffff));
  return before;
}
FERMATA_DEVICE Word arrive(Word* barrier, unsigned arrivals = 1) {
  return change(barrier, arrivals);
}
FERMATA_DEVICE Word arriveAndDrop(Word* barrier) { return change(barrier, (Word{1} << 32) + 1); }
FERMATA_DEVICE void arriveBehindCopies(Word*) {}  // empty: copies are done at once
FERMATA_DEVICE bool isOver(const Word* barrier, Word token) {
  const bool over = (*static_cast<const volatile Word*>(barrier) ^ token) >> 63 != 0;
  __nvvm_membar_cta();
  return over;
}
FERMATA_DEVICE bool isOverSoon(const Word* barrier, Word token) { return isOver(barrier, token); }
FERMATA_DEVICE bool isParityOver(const Word* barrier, unsigned parity) {
  return isOver(barrier, static_cast<Word>(parity) << 63);
}
FERMATA_DEVICE bool isParityOverSoon(const Word* barrier, unsigned parity) {
  return isParityOver(barrier, parity);
}
FERMATA_DEVICE unsigned pendingCount(Word token) { return static_cast<unsigned>(token); }

#endif

FERMATA_DEVICE void wait(const Word* barrier, Word token) {
  while (!isOverSoon(barrier, token)) {
  }
}
FERMATA_DEVICE void waitParity(const Word* barrier, unsigned parity) {
  while (!isParityOverSoon(barrier, parity)) {
  }
}

}  // namespace fermata_mbarrier
