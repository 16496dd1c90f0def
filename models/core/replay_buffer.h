// Holds accesses with lanes left until they are tried again. Each replay takes an issue slot of the
// warp's scheduler and the memory port; the replays of a warp go in program order (Diamond et al.,
// Arbitrary Modulus Indexing, MICRO 2014, section IV: the buffer contends with new instructions for
// issue slots, and the warp's later memory instructions are squashed and reissued).
#pragma once

#include <fermata/models/core/issue_source.h>
#include <fermata/models/core/load_store_parameters.h>
#include <fermata/models/core/scheduler_map.h>
#include <fermata/models/transaction/warp_access.h>

#include <algorithm>
#include <vector>

namespace fermata {

class ReplayBuffer final : public IssueSource {
 public:
  using Parameters = ReplayParameters;
  class Sender {
   public:
    virtual ~Sender() = default;
    /// Returns the first cycle, `from` or later, in which the access may be tried again; kNever:
    /// not before another event.
    virtual Cycle mayRetry(const WarpAccess& access, Cycle from) const = 0;
    virtual void retry(WarpAccess& access, Cycle now) = 0;
  };

  /// `probe` may be null.
  ReplayBuffer(const Parameters& parameters, const SchedulerMap& schedulers, Sender& sender,
               Probe* probe)
      : parameters_(parameters), schedulers_(schedulers), sender_(sender), probe_(probe) {}

  const Parameters& parameters() const { return parameters_; }
  /// Adds an access. Its replay makes sense from cycle `from` on; kNever: not before allow().
  void push(WarpAccess& access, Cycle from);
  void allow(WarpAccess& access, Cycle from);

  /// Returns a cycle before which no access is tried again; kNever: none waits.
  Cycle earliest() const { return earliest_; }
  /// True if an urgent access of this scheduler can be tried again in cycle `now`.
  bool urgent(unsigned scheduler, Cycle now) const;

  bool issue(unsigned scheduler, Cycle now, Cycle lost) override;
  IssueWait why(unsigned scheduler, Cycle from, Cycle to) const override;
  Cycle next(Cycle from) const override;

 private:
  struct Entry {
    WarpAccess* access;
    Cycle from;
    unsigned scheduler;
  };

  bool mayGo(const Entry& entry, unsigned scheduler, Cycle now) const {
    return entry.from <= now && entry.scheduler == scheduler &&
           sender_.mayRetry(*entry.access, now) == now;
  }
  void remove(std::vector<Entry>::iterator entry);
  Cycle notBefore(const WarpAccess& access, Cycle from) const {
    return std::max(from, access.sent + parameters_.latency);
  }

  Parameters parameters_;
  SchedulerMap schedulers_;
  Sender& sender_;
  Probe* probe_;
  std::vector<Entry> entries_;
  Cycle earliest_ = kNever;  ///< least `from` of the entries
};

}  // namespace fermata
