#include <fermata/models/core/issue_stage.h>

#include <algorithm>

namespace fermata {

void IssueStage::start(Cycle now) {
  settled_ = now;
  std::fill(lost_.begin(), lost_.end(), 0);
}

inline IssueWait IssueStage::why(unsigned scheduler, Cycle from, Cycle to) const {
  if (waiting_ != 0 && (waiting_ & (waiting_ - 1)) == 0)
    return sources_[lowest(waiting_)]->why(scheduler, from, to);
  IssueWait all;
  for (unsigned m = waiting_; m != 0; m &= m - 1) {
    const IssueWait one = sources_[lowest(m)]->why(scheduler, from, to);
    all.cause = stronger(all.cause, one.cause);
    all.until = std::min(all.until, one.until);
  }
  return all;
}

// Accounts for the cycles from `from` on that have one cause. Returns the cycle behind them, `to`
// at most.
inline Cycle IssueStage::accountCause(unsigned scheduler, Cycle from, Cycle to,
                                      std::uint64_t slots) {
  const IssueWait wait = why(scheduler, from, to);
  const Cycle until = std::min(wait.until, to);
  const std::uint64_t empty = (until - from) * slots;
  if (wait.cause != StallCause::Idle) lost_[scheduler] += empty;  // Idle: no instruction waited
  if (probe_ != nullptr) probe_->stalled(wait.cause, from, until - from, empty);
  return until;
}

void IssueStage::cycle(Cycle now, unsigned first) {
  for (unsigned s = first; s < schedulers_; ++s) turn(s, now);
  for (unsigned s = 0; s < first; ++s) turn(s, now);
  settled_ = now + 1;
}

inline void IssueStage::turn(unsigned scheduler, Cycle now) {
  unsigned taken = 0;
  while (taken < width_ && issue(scheduler, now)) ++taken;
  if (taken < width_) accountCause(scheduler, now, now + 1, width_ - taken);
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

void IssueStage::account(unsigned scheduler, Cycle from, Cycle to, std::uint64_t slots) {
  while (from < to) from = accountCause(scheduler, from, to, slots);
}

Cycle IssueStage::next(Cycle from) const {
  Cycle least = kNever;
  for (unsigned m = waiting_; m != 0; m &= m - 1)
    least = std::min(least, sources_[lowest(m)]->next(from));
  return least;
}

}  // namespace fermata
