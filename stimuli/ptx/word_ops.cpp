// Instructions on 32-bit words that compilers seldom emit: dp2a, bmsk, szext, fns, and the video
// instructions on one word, two halves or four bytes.
#include <algorithm>
#include <limits>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

using Word = std::uint32_t;

template <class F>
void eachLane(Warp& warp, const Instruction& i, LaneMask mask, F f) {
  const Word* a = rowOf<Word>(warp, i.a);
  const Word* b = rowOf<Word>(warp, i.b);
  const Word* c = rowOf<Word>(warp, i.c);
  Word* d = rowOf<Word>(warp, i.d);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = firstLane(rest);
    d[lane] = f(a[lane], b[lane], c[lane]);
  }
}

/// Returns `bits` bits of a word from bit `at` on, extended by their sign or by zeros.
std::int64_t part(Word word, unsigned at, unsigned bits, bool isSigned) {
  const std::uint64_t raw = std::uint64_t{word} >> at << (64 - bits);
  return isSigned ? static_cast<std::int64_t>(raw) >> (64 - bits)
                  : static_cast<std::int64_t>(raw >> (64 - bits));
}

bool compared(std::int64_t a, std::int64_t b, Compare compare) {
  switch (compare) {
    case Compare::Eq:
      return a == b;
    case Compare::Ne:
      return a != b;
    case Compare::Lt:
      return a < b;
    case Compare::Le:
      return a <= b;
    case Compare::Gt:
      return a > b;
    default:
      return a >= b;
  }
}

std::int64_t videoResult(const Instruction& i, std::int64_t a, std::int64_t b) {
  switch (static_cast<Video>(i.mode)) {
    case Video::Add:
      return a + b;
    case Video::Sub:
      return a - b;
    case Video::AbsDiff:
      return a > b ? a - b : b - a;
    case Video::Min:
      return std::min(a, b);
    case Video::Max:
      return std::max(a, b);
    case Video::Average:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case Video::Set:
      return compared(a, b, static_cast<Compare>(i.reconverge)) ? 1 : 0;
  }
  return 0;
}

std::int64_t clamped(std::int64_t value, unsigned bits, bool isSigned) {
  const std::int64_t low = isSigned ? -(std::int64_t{1} << (bits - 1)) : 0;
  const std::int64_t high = (std::int64_t{1} << (bits - (isSigned ? 1 : 0))) - 1;
  return std::clamp(value, low, high);
}

Word video(const Instruction& i, Word a, Word b, Word c) {
  const unsigned bits = 32 / i.elements;
  const bool resultSigned = (i.flags & kVideoSignedResult) != 0;
  const auto second = static_cast<VideoSecond>(i.target);
  Word merged = 0;
  std::int64_t sum = 0;
  for (unsigned at = 0; at < 32; at += bits) {
    std::int64_t value = videoResult(i, part(a, at, bits, (i.flags & kVideoSignedA) != 0),
                                     part(b, at, bits, (i.flags & kVideoSignedB) != 0));
    if ((i.flags & kVideoSaturate) != 0) value = clamped(value, bits, resultSigned);
    const Word kept =
        static_cast<Word>(static_cast<std::uint64_t>(value) << (64 - bits) >> (64 - bits));
    merged |= kept << at;
    sum += part(kept, 0, bits, resultSigned);
  }
  const std::int64_t third = part(c, 0, 32, resultSigned);
  switch (second) {
    case VideoSecond::Add:
      return static_cast<Word>(sum + third);
    case VideoSecond::Min:
      return static_cast<Word>(std::min(sum, third));
    case VideoSecond::Max:
      return static_cast<Word>(std::max(sum, third));
    case VideoSecond::None:
      break;
  }
  return merged;
}

}  // namespace

void executeVideo(Warp& warp, const Instruction& i, LaneMask mask) {
  eachLane(warp, i, mask, [&](Word a, Word b, Word c) { return video(i, a, b, c); });
}

void executeDp2a(Warp& warp, const Instruction& i, LaneMask mask) {
  const unsigned first = i.mode == 1 ? 16 : 0;
  eachLane(warp, i, mask, [&](Word a, Word b, Word c) {
    std::int64_t sum = c;
    for (unsigned k = 0; k < 2; ++k) {
      sum += part(a, 16 * k, 16, (i.flags & kVideoSignedA) != 0) *
             part(b, first + 8 * k, 8, (i.flags & kVideoSignedB) != 0);
    }
    return static_cast<Word>(sum);
  });
}

// Sets bits [a, a + b); both numbers wrap or are clamped (PTX ISA, bmsk).
void executeBitMask(Warp& warp, const Instruction& i, LaneMask mask) {
  const bool clamps = i.mode == 1;
  eachLane(warp, i, mask, [&](Word a, Word b, Word) -> Word {
    if (clamps && a >= 32) return 0;
    const Word first = a & 31U;
    const Word end = first + (b & 31U);
    const Word from = ~Word{0} << first;
    return end >= 32 || (clamps && b >= 32) ? from : from & ~(~Word{0} << end);
  });
}

// Extends the lowest b bits of a (PTX ISA, szext).
void executeExtend(Warp& warp, const Instruction& i, LaneMask mask) {
  const bool clamps = i.mode == 1;
  const bool isSigned = (i.flags & kVideoSignedA) != 0;
  eachLane(warp, i, mask, [&](Word a, Word b, Word) -> Word {
    if (clamps && b >= 32) return a;
    const Word bits = b & 31U;
    return bits == 0 ? 0 : static_cast<Word>(part(a, 0, bits, isSigned));
  });
}

// Finds the c-th set bit of mask a from bit b on; the sign of c gives the direction (PTX ISA, fns).
void executeFindSet(Warp& warp, const Instruction& i, LaneMask mask) {
  eachLane(warp, i, mask, [](Word bits, Word base, Word which) -> Word {
    const auto offset = static_cast<std::int32_t>(which);
    if (offset == 0) return base < 32 && (bits >> base & 1U) != 0 ? base : ~Word{0};
    std::int64_t left = std::abs(std::int64_t{offset});
    const int step = offset > 0 ? 1 : -1;
    for (std::int64_t at = base; at >= 0 && at < 32; at += step) {
      if ((bits >> at & 1U) != 0 && --left == 0) return static_cast<Word>(at);
    }
    return ~Word{0};
  });
}

namespace {

std::uint32_t extremeMagnitude(std::uint32_t a, std::uint32_t b, const Instruction& i) {
  constexpr std::uint32_t kSign = 0x80000000U, kInfinity = 0x7f800000U, kNan = 0x7fffffffU;
  const std::uint32_t sign = (a ^ b) & kSign;
  const auto magnitude = [&](std::uint32_t x) {
    x &= ~kSign;
    return (i.flags & kFlushFlag) != 0 && x < 0x00800000U ? 0 : x;
  };
  a = magnitude(a);
  b = magnitude(b);
  const bool aNan = a > kInfinity, bNan = b > kInfinity;
  if ((aNan && bNan) || ((aNan || bNan) && (i.mode & 2U) != 0)) return kNan;
  const bool takesB = aNan || (!bNan && ((i.mode & 1U) != 0 ? b < a : b > a));
  return (takesB ? b : a) | sign;
}

}  // namespace

void executeXorSignExtreme(Warp& warp, const Instruction& i, LaneMask mask) {
  const std::uint32_t* a = rowOf<std::uint32_t>(warp, i.a);
  const std::uint32_t* b = rowOf<std::uint32_t>(warp, i.b);
  std::uint32_t* d = rowOf<std::uint32_t>(warp, i.d);
  for (; mask != 0; mask &= mask - 1) {
    const unsigned lane = firstLane(mask);
    d[lane] = extremeMagnitude(a[lane], b[lane], i);
  }
}

}  // namespace fermata::ptx
