// Barriers that are words of shared memory: mbarrier from sm_80 on, before that the same by
// atomics. Arrivals pend in a phase, whose number is its parity; the last of them begins the next
// phase.
#pragma once

#include "device_words.h"

typedef uint64_t __mbarrier_t;

namespace fermata_mbarrier {

typedef __mbarrier_t Word;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

FERMATA_DEVICE unsigned addressOf(const void* barrier) {
  return static_cast<unsigned>(__nv_cvta_generic_to_shared_impl(barrier));
}
/// 1 to 1048575 arrivals.
FERMATA_DEVICE void initialise(Word* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addressOf(barrier)), "r"(arrivals)
               : "memory");
}
FERMATA_DEVICE void invalidate(Word* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(addressOf(barrier)) : "memory");
}
/// What wait's test takes. Several at once are one instruction from sm_90 on.
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
/// Phases that follow expect one fewer.
FERMATA_DEVICE Word arriveAndDrop(Word* barrier) {
  Word token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(addressOf(barrier))
               : "memory");
  return token;
}
/// This thread's copies so far (cp.async) hold the phase up: the barrier expects one arrival more,
/// which comes behind them.
FERMATA_DEVICE void arriveBehindCopies(Word* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(addressOf(barrier)) : "memory");
}

// Whether the phase of the token, or of the parity, is over; from sm_90 on it may wait a while.
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
/// Global to shared, a multiple of 16 bytes, which complete at the barrier.
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

// The parity is bit 63; from bit 32 on stands how many arrivals a phase expects, below how many
// pend.

FERMATA_DEVICE void initialise(Word* barrier, unsigned arrivals) {
  *static_cast<volatile Word*>(barrier) = static_cast<Word>(arrivals) << 32 | arrivals;
}
FERMATA_DEVICE void invalidate(Word* barrier) {
  *static_cast<volatile Word*>(barrier) = 0;
}
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
FERMATA_DEVICE Word arriveAndDrop(Word* barrier) {
  return change(barrier, (Word{1} << 32) + 1);
}
FERMATA_DEVICE void arriveBehindCopies(Word*) {}  // there are none: they are done at once
FERMATA_DEVICE bool isOver(const Word* barrier, Word token) {
  const bool over = (*static_cast<const volatile Word*>(barrier) ^ token) >> 63 != 0;
  __nvvm_membar_cta();
  return over;
}
FERMATA_DEVICE bool isOverSoon(const Word* barrier, Word token) {
  return isOver(barrier, token);
}
FERMATA_DEVICE bool isParityOver(const Word* barrier, unsigned parity) {
  return isOver(barrier, static_cast<Word>(parity) << 63);
}
FERMATA_DEVICE bool isParityOverSoon(const Word* barrier, unsigned parity) {
  return isParityOver(barrier, parity);
}
FERMATA_DEVICE unsigned pendingCount(Word token) {
  return static_cast<unsigned>(token);
}

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
