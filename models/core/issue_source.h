// The interface of anything that uses issue slots of a scheduler: warps with their next
// instructions, and accesses that are tried again. The issue stage knows no more of them.
#pragma once

#include <fermata/models/probe/probe.h>
#include <fermata/models/vocabulary/cycle.h>

namespace fermata {

/// The reason why a source leaves an issue slot of a scheduler empty, and for how long.
struct IssueWait {
  StallCause cause = StallCause::Idle;
  Cycle until = kNever;  ///< first cycle in which the cause may be a different one
};

class IssueSource {
 public:
  IssueSource() = default;
  IssueSource(const IssueSource&) = delete;
  IssueSource& operator=(const IssueSource&) = delete;
  virtual ~IssueSource() = default;

  /// Takes one issue slot of `scheduler` in cycle `now`. Returns false if nothing can issue.
  /// `lost`: slots of this scheduler that stayed empty since the last slot taken.
  virtual bool issue(unsigned scheduler, Cycle now, Cycle lost) = 0;
  /// Returns why this source leaves slots of `scheduler` empty; StallCause::Idle: nothing of this
  /// source waits. Precondition: the scheduler has an empty slot in cycle `from`. The answer holds
  /// while the core sleeps, since nothing changes meanwhile. Nobody asks for cycle `to` or later,
  /// so that IssueWait::until may be any cycle from `to` on if the cause is the same until there.
  virtual IssueWait why(unsigned scheduler, Cycle from, Cycle to) const = 0;
  /// Returns the first cycle, `from` or later, in which this source could take a slot; kNever: not
  /// before another event.
  virtual Cycle next(Cycle from) const = 0;

  /// True while the source has something to issue for some scheduler. Other sources are not asked.
  bool waiting() const { return (*waitingOnes_ & bit_) != 0; }
  /// Registers the source. Bit `bit` of `waitingOnes` is set while it has something to issue. `bit`
  /// is a mask; `waitingOnes` is not owned.
  void join(unsigned& waitingOnes, unsigned bit) {
    const bool was = waiting();
    waitingOnes_ = &waitingOnes;
    bit_ = bit;
    setWaiting(was);
  }

 protected:
  void setWaiting(bool waiting) {
    *waitingOnes_ = waiting ? *waitingOnes_ | bit_ : *waitingOnes_ & ~bit_;
  }

 private:
  unsigned alone_ = 0;
  unsigned* waitingOnes_ = &alone_;
  unsigned bit_ = 1;
};

}  // namespace fermata
