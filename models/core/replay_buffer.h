// Accesses of which lanes were left wait here to be tried again. Each try takes an issue slot of
// the warp's scheduler and the memory port; those of a warp go in its order (Diamond et al.,
// Arbitrary Modulus Indexing, MICRO 2014, section IV: the buffer contends with new instructions for
// issue slots, and the warp's later memory instructions are squashed and reissued).
#pragma once

#include <fermata/models/choice.h>
#include <fermata/models/core/issue_source.h>
#include <fermata/models/core/scheduler_map.h>
#include <fermata/models/transaction/warp_access.h>

#include <algorithm>
#include <vector>

namespace fermata {

/// Who goes first.
enum class ReplayPriority : std::uint8_t {
  Old,  ///< replays before new instructions, in the order in which they came to the buffer
  Age,  ///< replays before new instructions, the access that issued first before others
  New,  ///< new instructions before replays
};

template <>
struct ChoiceTable<ReplayPriority> {
  static const std::vector<NamedChoice<ReplayPriority>>& table() {
    static const std::vector<NamedChoice<ReplayPriority>> choices{
        {ReplayPriority::Old, "old"}, {ReplayPriority::Age, "age"}, {ReplayPriority::New, "new"}};
    return choices;
  }
};

class ReplayBuffer final : public IssueSource {
 public:
  struct Parameters {
    ReplayPriority priority = ReplayPriority::Old;
    /// Accesses that are on their way or left. Each needs an entry from its issue until it is known
    /// that it leaves none: a full buffer holds the issue of memory instructions. 0: no limit.
    unsigned capacity = 0;
    unsigned latency = 0;    ///< cycles from a try to the first in which the next one can issue
    unsigned detection = 0;  ///< cycles from a try until the core knows its outcome
  };
  class Sender {
   public:
    virtual ~Sender() = default;
    /// The first cycle, `from` or later, in which this access may be tried again; kNever: not
    /// before something else happens.
    virtual Cycle mayRetry(const WarpAccess& access, Cycle from) const = 0;
    virtual void retry(WarpAccess& access, Cycle now) = 0;
  };

  /// `probe` may be null.
  ReplayBuffer(const Parameters& parameters, const SchedulerMap& schedulers, Sender& sender,
               Probe* probe)
      : parameters_(parameters), schedulers_(schedulers), sender_(sender), probe_(probe) {}

  const Parameters& parameters() const { return parameters_; }
  /// Another try makes sense from cycle `from` on; kNever: not before allow() says so.
  void push(WarpAccess& access, Cycle from);
  void allow(WarpAccess& access, Cycle from);

  /// An urgent access of this scheduler could be tried again in cycle `now`.
  bool urgent(unsigned scheduler, Cycle now) const;

  bool issue(unsigned scheduler, Cycle now, Cycle lost) override;
  IssueWait why(unsigned scheduler, Cycle from) const override;
  Cycle next(Cycle from) const override;

 private:
  struct Entry {
    WarpAccess* access;
    Cycle from;
  };

  bool mayGo(const Entry& entry, unsigned scheduler, Cycle now) const {
    return schedulers_.of(entry.access->slot) == scheduler && entry.from <= now &&
           sender_.mayRetry(*entry.access, now) == now;
  }
  Cycle notBefore(const WarpAccess& access, Cycle from) const {
    return std::max(from, access.sent + parameters_.latency);
  }

  Parameters parameters_;
  SchedulerMap schedulers_;
  Sender& sender_;
  Probe* probe_;
  std::vector<Entry> entries_;
};

}  // namespace fermata
