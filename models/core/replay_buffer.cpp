#include <fermata/models/core/replay_buffer.h>

namespace fermata {

void ReplayBuffer::push(WarpAccess& access, Cycle from) {
  auto place = entries_.end();
  if (parameters_.priority == ReplayPriority::Age) {
    place = std::find_if(entries_.begin(), entries_.end(),
                         [&](const Entry& e) { return e.access->sequence > access.sequence; });
  }
  const Cycle notBefore = this->notBefore(access, from);
  entries_.insert(place, {&access, notBefore, schedulers_.of(access.slot)});
  earliest_ = std::min(earliest_, notBefore);
  setWaiting(true);
}

void ReplayBuffer::remove(std::vector<Entry>::iterator entry) {
  entries_.erase(entry);
  earliest_ = kNever;
  for (const Entry& e : entries_) earliest_ = std::min(earliest_, e.from);
  setWaiting(!entries_.empty());
}

void ReplayBuffer::allow(WarpAccess& access, Cycle from) {
  for (Entry& entry : entries_) {
    if (entry.access != &access) continue;
    entry.from = std::min(entry.from, notBefore(access, from));
    earliest_ = std::min(earliest_, entry.from);
  }
}

bool ReplayBuffer::urgent(unsigned scheduler, Cycle now) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) {
    return e.access->issuedInstruction->urgent && mayGo(e, scheduler, now);
  });
}

bool ReplayBuffer::issue(unsigned scheduler, Cycle now, Cycle) {
  if (now < earliest_) return false;
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return mayGo(e, scheduler, now); });
  if (entry == entries_.end()) return false;
  WarpAccess& access = *entry->access;
  remove(entry);
  if (probe_ != nullptr) probe_->retried(access, now);
  sender_.retry(access, now);
  return true;
}

// Names a cause only from the cycle in which a replay makes sense: the replay then waits for the
// port. Before that cycle the warp waits, and the warp is a source of its own.
IssueWait ReplayBuffer::why(unsigned scheduler, Cycle from, Cycle) const {
  IssueWait wait;
  if (earliest_ == kNever) return wait;
  for (const Entry& entry : entries_) {
    if (entry.scheduler != scheduler) continue;
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
  if (earliest_ == kNever) return least;
  for (const Entry& entry : entries_) {
    const Cycle earliest = std::max(from, entry.from);
    if (earliest < least) least = std::min(least, sender_.mayRetry(*entry.access, earliest));
  }
  return least;
}

}  // namespace fermata
