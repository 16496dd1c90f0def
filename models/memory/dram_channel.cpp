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
      wants_(parameters.banks),
      gates_(2 * parameters.bankGroups + 2, 0) {
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
  refresh(access.bank);
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

DramChannel::Command DramChannel::choose() {
  Command best;
  nextServed_ = kNever;
  if (busy_ == 0) return best;
  unsigned oldest = lowest(busy_);
  for (std::uint64_t b = busy_; b != 0; b &= b - 1) {
    const Want& want = wants_[lowest(b)];
    const Command command = commandOf(lowest(b), want, now_);
    if (before(command, best)) best = command;
    nextServed_ = std::min(nextServed_, command.at + want.toServed);
    if (want.oldest < wants_[oldest].oldest) oldest = lowest(b);
  }
  const Cycle urgentFrom = entries_[banks_[oldest].first].arrived + parameters_.patience;
  if (best.at < urgentFrom) return best;
  best = chooseFor(oldest, std::max(now_, urgentFrom));
  nextServed_ = best.at;
  return best;
}

/// The same when the oldest access of a bank is the oldest of all and cannot wait any more.
DramChannel::Command DramChannel::chooseFor(unsigned urgentBank, Cycle from) const {
  const Bank& urgent = banks_[urgentBank];
  const bool opened = urgent.hit == urgent.first;
  const bool write = entries_[urgent.first].access.write;
  Command best = commandOf(urgentBank, wantOf(urgentBank, opened ? urgent.hit : kNone), from);
  best.rank = kUrgent;
  for (std::uint64_t b = busy_ & ~(std::uint64_t{1} << urgentBank); b != 0; b &= b - 1) {
    const Index hit = banks_[lowest(b)].hit;
    if (opened && hit != kNone && entries_[hit].access.write != write) continue;
    const Command command = commandOf(lowest(b), wants_[lowest(b)], from);
    if (before(command, best)) best = command;
  }
  return best;
}

DramChannel::Want DramChannel::wantOf(unsigned index, Index hit) const {
  const DramTiming& t = parameters_.timing;
  const Bank& bank = banks_[index];
  const std::uint64_t oldest = entries_[bank.first].age;
  const auto activates = static_cast<std::uint8_t>(gates_.size() - 2);
  if (hit != kNone) {
    const Entry& entry = entries_[hit];
    const auto gate = static_cast<std::uint8_t>(gateOf(index, entry.access.write));
    return {bank.columnFrom, entry.age, oldest, (entry.access.bursts - 1) * t.ccd, gate, kColumn};
  }
  if (!bank.open) return {bank.activateFrom, oldest, oldest, t.rcd, activates, kRow};
  const auto precharges = static_cast<std::uint8_t>(activates + 1);
  return {bank.prechargeFrom, oldest, oldest, t.rp + t.rcd, precharges, kRow};
}

void DramChannel::issue(const Command& command, std::vector<Served>& served) {
  const Bank& bank = banks_[command.bank];
  now_ = command.at + 1;  // the command bus takes one a cycle
  if (command.rank == kColumn || (command.rank == kUrgent && bank.hit == bank.first)) {
    column(command.bank, command.at, served);
  } else if (bank.open) {
    precharge(command.bank, command.at);
  } else {
    activate(command.bank, command.at);
  }
  if (bank.first != kNone) refresh(command.bank);
}

void DramChannel::column(unsigned index, Cycle at, std::vector<Served>& served) {
  const DramTiming& t = parameters_.timing;
  Bank& bank = banks_[index];
  Entry& entry = entries_[bank.hit];
  const bool write = entry.access.write;
  closeGates(index, at, write);
  bank.prechargeFrom = std::max(bank.prechargeFrom, at + (write ? t.writeToPrecharge() : t.rtp));
  if (--entry.access.bursts != 0) return;
  served.push_back({entry.access, at + leastToEnd(t, write), !entry.activated});
  if (write) --writes_;
  removeHit(bank);
  if (bank.first == kNone) busy_ &= ~(std::uint64_t{1} << index);
}

/// What a column leaves to those after it.
void DramChannel::closeGates(unsigned bank, Cycle at, bool write) {
  const DramTiming& t = parameters_.timing;
  const Cycle reads = at + (write ? t.writeToRead() : t.ccd);
  const Cycle writes = at + (write ? t.ccd : t.readToWrite());
  for (unsigned gate = 0; gate < 2 * parameters_.bankGroups; gate += 2) {
    gates_[gate] = std::max(gates_[gate], reads);
    gates_[gate + 1] = std::max(gates_[gate + 1], writes);
  }
  for (const bool kind : {false, true}) {
    Cycle& own = gates_[gateOf(bank, kind)];
    own = std::max(own, at + t.ccdl);
  }
}

void DramChannel::activate(unsigned index, Cycle at) {
  const DramTiming& t = parameters_.timing;
  Bank& bank = banks_[index];
  Entry& entry = entries_[bank.first];
  entry.activated = true;
  bank.open = true;
  bank.row = entry.access.row;
  bank.hit = bank.first;
  bank.beforeHit = kNone;
  bank.activateFrom = at + t.rc;
  bank.columnFrom = at + t.rcd;
  bank.prechargeFrom = at + t.ras;
  gates_[gates_.size() - 2] = at + t.rrd;
}

void DramChannel::precharge(unsigned index, Cycle at) {
  Bank& bank = banks_[index];
  bank.open = false;
  bank.hit = kNone;
  bank.activateFrom = std::max(bank.activateFrom, at + parameters_.timing.rp);
}

void DramChannel::removeHit(Bank& bank) {
  const Index gone = bank.hit;
  Entry& entry = entries_[gone];
  (bank.beforeHit == kNone ? bank.first : entries_[bank.beforeHit].next) = entry.next;
  if (bank.last == gone) bank.last = bank.beforeHit;
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
