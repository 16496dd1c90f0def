// The issue slots of an SM: who takes them, and why those that stay empty do. By construction
//
//   slots taken + slots empty, by cause = cycles x schedulers x width
//
// whatever sources there are. Cycles that are skipped are accounted for in one step, when the next
// thing happens: nothing changes while the core sleeps.
#pragma once

#include <fermata/models/core/issue_source.h>

#include <utility>
#include <vector>

namespace fermata {

class IssueStage {
 public:
  /// `width`: slots of a scheduler a cycle. `probe` may be null.
  IssueStage(unsigned schedulers, unsigned width, Probe* probe)
      : schedulers_(schedulers), width_(width), lost_(schedulers, 0), probe_(probe) {}

  /// In the order of `add`, the first has the first choice.
  void add(IssueSource& source) {
    source.join(waiting_, 1U << sources_.size());
    sources_.push_back(&source);
  }
  /// Everything before `now` is accounted for.
  void start(Cycle now);
  /// The slots of cycle `now`. Scheduler `first` has the first turn, those behind it follow, around
  /// the end. Precondition: settle(now) was called.
  void cycle(Cycle now, unsigned first);
  /// Accounts for the cycles since the last one up to `now`, in which nothing was issued. To be
  /// called before anything changes that a source answers from.
  void settle(Cycle now);
  /// The first cycle, `from` or later, in which some source could take a slot.
  Cycle next(Cycle from) const;

 private:
  void turn(unsigned scheduler, Cycle now);
  bool issue(unsigned scheduler, Cycle now);
  IssueWait why(unsigned scheduler, Cycle from) const;
  void account(unsigned scheduler, Cycle from, Cycle to, std::uint64_t slots);

  static unsigned lowest(unsigned bits) { return static_cast<unsigned>(__builtin_ctz(bits)); }

  std::vector<IssueSource*> sources_;
  unsigned waiting_ = 0;  ///< bit i: sources_[i] is
  unsigned schedulers_;
  unsigned width_;
  std::vector<Cycle> lost_;  ///< by scheduler: empty slots since the last one taken
  Probe* probe_;
  Cycle settled_ = 0;
};

}  // namespace fermata
