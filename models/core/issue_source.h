// What may use an issue slot of a scheduler: the warps with their next instructions, accesses that
// are tried again, the steps of a locked atomic. The issue stage knows no more of them than this.
#pragma once

#include <fermata/models/probe/probe.h>
#include <fermata/models/timing/cycle.h>

namespace fermata {

/// Why a source leaves an issue slot of a scheduler empty, and how long for.
struct IssueWait {
  StallCause cause = StallCause::Idle;
  Cycle until = kNever;  ///< first cycle in which the cause may be another
};

class IssueSource {
 public:
  IssueSource() = default;
  IssueSource(const IssueSource&) = delete;
  IssueSource& operator=(const IssueSource&) = delete;
  virtual ~IssueSource() = default;

  /// Takes one issue slot of `scheduler` in cycle `now`; false: it has nothing that can issue.
  /// `lost`: slots of this scheduler that stayed empty since the last one that was taken.
  virtual bool issue(unsigned scheduler, Cycle now, Cycle lost) = 0;
  /// For a scheduler that issues nothing in cycle `from`. StallCause::Idle: nothing of this source
  /// waits. What it answers holds as long as the core sleeps: nothing changes meanwhile.
  virtual IssueWait why(unsigned scheduler, Cycle from) const = 0;
  /// The first cycle, `from` or later, in which it could take a slot; kNever: not before something
  /// else happens.
  virtual Cycle next(Cycle from) const = 0;

  /// It has something for some scheduler. A source without is not asked.
  bool waiting() const { return (*waitingOnes_ & bit_) != 0; }
  /// It is one of several, of which those that wait are bits of `waitingOnes`.
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
