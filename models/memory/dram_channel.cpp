#include <fermata/models/memory/dram_channel.h>

#include <algorithm>

namespace fermata {

namespace {

constexpr unsigned lowest(std::uint64_t set) {
  return static_cast<unsigned>(__builtin_ctzll(set));
}

enum Rank : std::uint8_t { kUrgent, kColumn, kRow };

}  // namespace

DramChannel::DramChannel(const Parameters& parameters)
    : parameters_(parameters),
      entries_(parameters.queue),
      banks_(parameters.banks),
      groupFrom_(parameters.bankGroups, 0) {
  for (std::size_t i = entries_.size(); i-- > 0;) {
    entries_[i].next = idle_;
    idle_ = static_cast<Index>(i);
  }
}

void DramChannel::add(const Access& access, Cycle at) {
  const Index added = idle_;
  Entry& entry = entries_[added];
  idle_ = entry.next;
  entry = {access, at, age_++, false, kNone};
  Bank& bank = banks_[access.bank];
  if (bank.hit == kNone && bank.open && bank.row == access.row) {
    bank.hit = added;
    bank.beforeHit = bank.last;
  }
  (bank.last == kNone ? bank.first : entries_[bank.last].next) = added;
  bank.last = added;
  busy_ |= std::uint64_t{1} << access.bank;
  if (access.write) ++writes_;
  chosen_ = false;
}

void DramChannel::run(Cycle to, std::vector<Served>& served) {
  for (;;) {
    if (!chosen_) next_ = choose();
    chosen_ = true;
    if (next_.at >= to) break;
    issue(next_, served);
    chosen_ = false;
  }
  now_ = std::max(now_, to);
}

bool DramChannel::before(const Command& a, const Command& b) {
  if (a.at != b.at) return a.at < b.at;
  if (a.rank != b.rank) return a.rank < b.rank;
  return a.age < b.age;
}

DramChannel::Command DramChannel::choose() const {
  Command best;
  const Entry* oldest = nullptr;
  for (std::uint64_t b = busy_; b != 0; b &= b - 1) {
    const Command command = commandOf(lowest(b), now_);
    if (before(command, best)) best = command;
    const Entry& entry = entries_[banks_[lowest(b)].first];
    if (oldest == nullptr || entry.age < oldest->age) oldest = &entry;
  }
  if (oldest == nullptr) return best;
  const Cycle urgentFrom = oldest->arrived + parameters_.patience;
  if (best.at < urgentFrom) return best;
  return chooseFor(oldest->access.bank, std::max(now_, urgentFrom));
}

/// The same when the oldest access of a bank is the oldest of all and cannot wait any more.
DramChannel::Command DramChannel::chooseFor(unsigned urgentBank, Cycle from) const {
  const Bank& urgent = banks_[urgentBank];
  const bool opened = urgent.hit == urgent.first;
  const bool write = entries_[urgent.first].access.write;
  Command best = opened ? columnOf(urgentBank, urgent.first, from) : rowOf(urgentBank, from);
  best.rank = kUrgent;
  for (std::uint64_t b = busy_ & ~(std::uint64_t{1} << urgentBank); b != 0; b &= b - 1) {
    const Index hit = banks_[lowest(b)].hit;
    if (opened && hit != kNone && entries_[hit].access.write != write) continue;
    const Command command = commandOf(lowest(b), from);
    if (before(command, best)) best = command;
  }
  return best;
}

DramChannel::Command DramChannel::columnOf(unsigned bank, Index entry, Cycle from) const {
  const Entry& hit = entries_[entry];
  const Cycle group = groupFrom_[bank & (parameters_.bankGroups - 1)];
  const Cycle bus = hit.access.write ? writeFrom_ : readFrom_;
  const Cycle at = std::max({from, banks_[bank].columnFrom, group, bus});
  return {at, hit.age, bank, Kind::Column, kColumn};
}

DramChannel::Command DramChannel::rowOf(unsigned bank, Cycle from) const {
  const Bank& b = banks_[bank];
  const std::uint64_t age = entries_[b.first].age;
  if (b.open) return {std::max(from, b.prechargeFrom), age, bank, Kind::Precharge, kRow};
  return {std::max({from, b.activateFrom, activateFrom_}), age, bank, Kind::Activate, kRow};
}

void DramChannel::issue(const Command& command, std::vector<Served>& served) {
  Bank& bank = banks_[command.bank];
  now_ = command.at + 1;  // the command bus takes one a cycle
  switch (command.kind) {
    case Kind::Column:
      return column(bank, command, served);
    case Kind::Activate:
      return activate(bank, command.at);
    case Kind::Precharge:
      bank.open = false;
      bank.hit = kNone;
      bank.activateFrom = std::max(bank.activateFrom, command.at + parameters_.timing.rp);
  }
}

void DramChannel::column(Bank& bank, const Command& command, std::vector<Served>& served) {
  const DramTiming& t = parameters_.timing;
  Entry& entry = entries_[bank.hit];
  const bool write = entry.access.write;
  const Cycle at = command.at;
  readFrom_ = std::max(readFrom_, at + (write ? t.writeToRead() : t.ccd));
  writeFrom_ = std::max(writeFrom_, at + (write ? t.ccd : t.readToWrite()));
  groupFrom_[command.bank & (parameters_.bankGroups - 1)] = at + t.ccdl;
  bank.prechargeFrom = std::max(bank.prechargeFrom, at + (write ? t.writeToPrecharge() : t.rtp));
  if (--entry.access.bursts != 0) return;
  served.push_back({entry.access, at + leastToEnd(t, write), !entry.activated});
  if (write) --writes_;
  removeHit(command.bank);
}

void DramChannel::activate(Bank& bank, Cycle at) {
  const DramTiming& t = parameters_.timing;
  Entry& entry = entries_[bank.first];
  entry.activated = true;
  bank.open = true;
  bank.row = entry.access.row;
  bank.hit = bank.first;
  bank.beforeHit = kNone;
  bank.activateFrom = at + t.rc;
  bank.columnFrom = at + t.rcd;
  bank.prechargeFrom = at + t.ras;
  activateFrom_ = at + t.rrd;
}

void DramChannel::removeHit(unsigned index) {
  Bank& bank = banks_[index];
  const Index gone = bank.hit;
  Entry& entry = entries_[gone];
  (bank.beforeHit == kNone ? bank.first : entries_[bank.beforeHit].next) = entry.next;
  if (bank.last == gone) bank.last = bank.beforeHit;
  if (bank.first == kNone) busy_ &= ~(std::uint64_t{1} << index);
  const Index next = entry.next;
  entry.next = idle_;
  idle_ = gone;
  // Those before the hit do not want the row: it was the oldest that did.
  for (bank.hit = next; bank.hit != kNone; bank.hit = entries_[bank.hit].next) {
    if (entries_[bank.hit].access.row == bank.row) return;
    bank.beforeHit = bank.hit;
  }
}

}  // namespace fermata
