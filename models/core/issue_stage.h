// The issue slots of an SM: which source takes each slot, and why a slot stays empty. By
// construction, for any set of sources,
//
//   slots taken + slots empty, by cause = cycles x schedulers x width
//
// Skipped cycles are accounted for in one step, at the next event: nothing changes while the core
// sleeps.
#pragma once

#include <fermata/models/core/issue_source.h>

#include <vector>

namespace fermata {

class IssueStage {
 public:
  /// `width`: slots per scheduler and cycle. `probe` may be null.
  IssueStage(unsigned schedulers, unsigned width, Probe* probe)
      : schedulers_(schedulers), width_(width), lost_(schedulers, 0), probe_(probe) {}

  /// Adds a source. The source added first has the first choice.
  void add(IssueSource& source) {
    source.join(waiting_, 1U << sources_.size());
    sources_.push_back(&source);
  }
  /// Begins the account at cycle `now`.
  void start(Cycle now);
  /// Offers the slots of cycle `now` to the sources. Scheduler `first` has the first turn; the
  /// others follow in rising order, around the end. Precondition: settle(now) was called.
  void cycle(Cycle now, unsigned first);
  /// Accounts for the cycles before `now` that are not accounted for yet, in which nothing issued.
  /// Must be called before any change of what a source's why() answers from.
  void settle(Cycle now);
  /// Returns the first cycle, `from` or later, in which some source could take a slot.
  Cycle next(Cycle from) const;

 private:
  void turn(unsigned scheduler, Cycle now);
  bool issue(unsigned scheduler, Cycle now);
  IssueWait why(unsigned scheduler, Cycle from, Cycle to) const;
  Cycle accountCause(unsigned scheduler, Cycle from, Cycle to, std::uint64_t slots);
  void account(unsigned scheduler, Cycle from, Cycle to, std::uint64_t slots);

  static unsigned lowest(unsigned bits) { return static_cast<unsigned>(__builtin_ctz(bits)); }

  std::vector<IssueSource*> sources_;
  unsigned waiting_ = 0;  ///< bit i: sources_[i] is waiting()
  unsigned schedulers_;
  unsigned width_;
  std::vector<Cycle> lost_;  ///< by scheduler: empty slots since the last one taken
  Probe* probe_;
  Cycle settled_ = 0;
};

}  // namespace fermata
