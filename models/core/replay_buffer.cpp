#include <fermata/models/core/replay_buffer.h>

namespace fermata {

void ReplayBuffer::push(WarpAccess& access, Cycle from) {
  auto place = entries_.end();
  if (parameters_.priority == ReplayPriority::Age) {
    place = std::find_if(entries_.begin(), entries_.end(),
                         [&](const Entry& e) { return e.access->sequence > access.sequence; });
  }
  entries_.insert(place, {&access, notBefore(access, from)});
  setWaiting(true);
}

void ReplayBuffer::allow(WarpAccess& access, Cycle from) {
  for (Entry& entry : entries_) {
    if (entry.access == &access) entry.from = std::min(entry.from, notBefore(access, from));
  }
}

bool ReplayBuffer::urgent(unsigned scheduler, Cycle now) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) {
    return e.access->issuedInstruction->urgent && mayGo(e, scheduler, now);
  });
}

bool ReplayBuffer::issue(unsigned scheduler, Cycle now, Cycle) {
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return mayGo(e, scheduler, now); });
  if (entry == entries_.end()) return false;
  WarpAccess& access = *entry->access;
  entries_.erase(entry);
  setWaiting(!entries_.empty());
  if (probe_ != nullptr) probe_->retried(access, now);
  sender_.retry(access, now);
  return true;
}

// Names a cause only from the cycle in which a replay makes sense: the replay then waits for the
// port. Before that cycle the warp waits, and the warp is a source of its own.
IssueWait ReplayBuffer::why(unsigned scheduler, Cycle from) const {
  IssueWait wait;
  for (const Entry& entry : entries_) {
    if (schedulers_.of(entry.access->slot) != scheduler) continue;
    if (entry.from <= from) {
      wait.cause = StallCause::MemoryPort;
    } else {
      wait.until = std::min(wait.until, entry.from);
    }
  }
  return wait;
}

Cycle ReplayBuffer::next(Cycle from) const {
  Cycle least = kNever;
  for (const Entry& entry : entries_) {
    if (entry.from == kNever) continue;  // adding cycles to kNever would overflow
    least = std::min(least, sender_.mayRetry(*entry.access, std::max(from, entry.from)));
  }
  return least;
}

}  // namespace fermata
