#include <fermata/models/core/issue_stage.h>

#include <algorithm>

namespace fermata {

void IssueStage::start(Cycle now) {
  settled_ = now;
  std::fill(lost_.begin(), lost_.end(), 0);
}

void IssueStage::cycle(Cycle now, unsigned first) {
  for (unsigned s = first; s < schedulers_; ++s) turn(s, now);
  for (unsigned s = 0; s < first; ++s) turn(s, now);
  settled_ = now + 1;
}

inline void IssueStage::turn(unsigned scheduler, Cycle now) {
  unsigned taken = 0;
  while (taken < width_ && issue(scheduler, now)) ++taken;
  if (taken < width_) account(scheduler, now, now + 1, width_ - taken);
}

inline bool IssueStage::issue(unsigned scheduler, Cycle now) {
  for (unsigned m = waiting_; m != 0; m &= m - 1) {
    if (!sources_[lowest(m)]->issue(scheduler, now, lost_[scheduler])) continue;
    lost_[scheduler] = 0;
    return true;
  }
  return false;
}

void IssueStage::settle(Cycle now) {
  if (now <= settled_) return;
  for (unsigned s = 0; s < schedulers_; ++s) account(s, settled_, now, width_);
  settled_ = now;
}

IssueWait IssueStage::why(unsigned scheduler, Cycle from) const {
  IssueWait all;
  for (unsigned m = waiting_; m != 0; m &= m - 1) {
    const IssueWait one = sources_[lowest(m)]->why(scheduler, from);
    all.cause = stronger(all.cause, one.cause);
    all.until = std::min(all.until, one.until);
  }
  return all;
}

void IssueStage::account(unsigned scheduler, Cycle from, Cycle to, std::uint64_t slots) {
  while (from < to) {
    const IssueWait wait = why(scheduler, from);
    const Cycle until = std::min(wait.until, to);
    const std::uint64_t empty = (until - from) * slots;
    if (wait.cause != StallCause::Idle) lost_[scheduler] += empty;  // Idle: no instruction waited
    if (probe_ != nullptr) probe_->stalled(wait.cause, from, until - from, empty);
    from = until;
  }
}

Cycle IssueStage::next(Cycle from) const {
  Cycle least = kNever;
  for (unsigned m = waiting_; m != 0; m &= m - 1)
    least = std::min(least, sources_[lowest(m)]->next(from));
  return least;
}

}  // namespace fermata
