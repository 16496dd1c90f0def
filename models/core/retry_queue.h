// Accesses of which lanes were left wait here to be tried again. Each try takes an issue slot of
// the warp's scheduler and the memory port; those of a warp go in its order.
#pragma once

#include <fermata/models/core/issue_source.h>
#include <fermata/models/transaction/warp_access.h>

#include <vector>

namespace fermata {

class RetryQueue final : public IssueSource {
 public:
  class Sender {
   public:
    virtual ~Sender() = default;
    /// The first cycle, `from` or later, in which this access may be tried again; kNever: not
    /// before something else happens.
    virtual Cycle mayRetry(const WarpAccess& access, Cycle from) const = 0;
    virtual void retry(WarpAccess& access, Cycle now) = 0;
  };

  /// A warp slot s belongs to scheduler s mod `schedulers`. `probe` may be null.
  RetryQueue(unsigned schedulers, Sender& sender, Probe* probe)
      : schedulers_(schedulers), sender_(sender), probe_(probe) {}

  /// Another try makes sense from cycle `from` on.
  void push(WarpAccess& access, Cycle from) {
    entries_.push_back({&access, from});
    setWaiting(true);
  }

  bool issue(unsigned scheduler, Cycle now, Cycle lost) override;
  IssueWait why(unsigned scheduler, Cycle from) const override;
  Cycle next(Cycle from) const override;

 private:
  struct Entry {
    WarpAccess* access;
    Cycle from;
  };

  unsigned schedulers_;
  Sender& sender_;
  Probe* probe_;
  std::vector<Entry> entries_;
};

}  // namespace fermata
