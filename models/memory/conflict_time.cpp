#include <fermata/models/memory/conflict_time.h>

#include <algorithm>

namespace fermata {

namespace {

std::uint64_t restingCycles(std::uint64_t waits, std::uint64_t busy) {
  return static_cast<std::uint64_t>(__builtin_popcountll(waits & ~busy));
}

}  // namespace

void ConflictTime::add(const Try& one) {
  mark(one.first, one.held, &Span::busy);
  if (one.passes > one.freePasses)
    passCycles_ += (one.held - one.first) * (one.passes - one.freePasses) / one.passes;
  if (one.left) return;
  // A try without conflicts may come late by its lane groups alone.
  if (one.since != 0) {
    mark(one.since, one.done, &Span::waits);
  } else if (one.passes > one.freePasses) {
    mark(one.held, one.done, &Span::waits);
  }
}

std::uint64_t ConflictTime::cycles() const {
  std::uint64_t waits = waitCycles_;
  for (const Span& span : spans_) waits += restingCycles(span.waits, span.busy);
  return passCycles_ + waits;
}

void ConflictTime::reset() {
  passCycles_ = waitCycles_ = 0;
  spans_.fill({});
}

void ConflictTime::mark(Cycle from, Cycle to, std::uint64_t Span::*what) {
  while (from < to) {
    const std::uint64_t number = from / 64;
    const Cycle end = std::min<Cycle>(to, (number + 1) * 64);
    const unsigned count = static_cast<unsigned>(end - from);
    const std::uint64_t bits = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    spanOf(number).*what |= bits << (from % 64);
    from = end;
  }
}

ConflictTime::Span& ConflictTime::spanOf(std::uint64_t number) {
  Span& span = spans_[number % kSpans];
  if (span.number == number) return span;
  waitCycles_ += restingCycles(span.waits, span.busy);
  span = {number, 0, 0};
  return span;
}

}  // namespace fermata
