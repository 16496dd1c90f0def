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

// Ends the span that has the place of span `number`, and begins that one.
ConflictTime::Span& ConflictTime::begin(Span& span, std::uint64_t number) {
  waitCycles_ += restingCycles(span.waits, span.busy);
  span = {number, 0, 0};
  return span;
}

}  // namespace fermata
