#include <fermata/models/memory/dram_queue.h>

namespace fermata {

DramQueue::DramQueue(unsigned places) : waiting_(places) {
  for (std::size_t i = places; i-- > 0;) {
    waiting_[i].next = unused_;
    unused_ = static_cast<Index>(i);
  }
}

bool DramQueue::add(const DramAccess& access, Cycle at, bool hits) {
  const Index added = unused_;
  if (empty()) {
    age_ = 0;
    oldest_ = added;
  }
  unused_ = waiting_[added].next;
  waiting_[added] = {access, at, age_++, false, kNone};
  if (access.write) ++writes_;
  banks_ |= std::uint64_t{1} << access.bank;

  List& list = lists_[access.bank];
  const bool first = list.first == kNone;
  const bool firstHit = hits && list.hit == kNone;
  if (firstHit) {
    list.hit = added;
    list.beforeHit = list.last;
  }
  (first ? list.first : waiting_[list.last].next) = added;
  list.last = added;
  return first || firstHit;
}

void DramQueue::opened(unsigned bank) {
  List& list = lists_[bank];
  list.hit = list.first;
  list.beforeHit = kNone;
  waiting_[list.hit].activated = true;
}

void DramQueue::removeHit(unsigned bank) {
  List& list = lists_[bank];
  const Index gone = list.hit;
  Waiting& served = waiting_[gone];
  (list.beforeHit == kNone ? list.first : waiting_[list.beforeHit].next) = served.next;
  if (list.last == gone) list.last = list.beforeHit;
  // The next hit is younger: the one gone was the oldest.
  for (list.hit = served.next; list.hit != kNone; list.hit = waiting_[list.hit].next) {
    if (waiting_[list.hit].access.row == served.access.row) break;
    list.beforeHit = list.hit;
  }
  served.next = unused_;
  unused_ = gone;
  if (served.access.write) --writes_;
  if (list.first == kNone) banks_ &= ~(std::uint64_t{1} << bank);
  if (gone == oldest_) findOldest();
}

void DramQueue::findOldest() {
  oldest_ = kNone;
  for (std::uint64_t b = banks_; b != 0; b &= b - 1) {
    const Index first = lists_[__builtin_ctzll(b)].first;
    if (oldest_ == kNone || waiting_[first].age < waiting_[oldest_].age) oldest_ = first;
  }
}

}  // namespace fermata
