#include <fermata/models/memory/dram_channel.h>

#include <algorithm>

namespace fermata {

namespace {

constexpr unsigned lowest(std::uint64_t set) {
  return static_cast<unsigned>(__builtin_ctzll(set));
}

// Of the commands that banks want, that of the least key is given: cycles from now on in the upper
// bits, below them Want::order: a bit for commands of rows, and the age of the access. 2^22 cycles
// are more than the commands of a channel can be apart, 2^41 accesses more than anybody waits for.
constexpr unsigned kTimeShift = 42;
constexpr std::uint64_t kRow = std::uint64_t{1} << 41;

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
  if (urgentFrom_ == kNever) findOldest();
  chosen_ = false;
}

bool DramChannel::run(Cycle to, std::vector<Served>& served) {
  bool any = false;
  for (;;) {
    if (!chosen_) next_ = choose();
    chosen_ = true;
    if (next_.at >= to) break;
    issue(next_, served);
    chosen_ = false;
    any = true;
  }
  now_ = std::max(now_, to);
  return any;
}

Cycle DramChannel::nextServed() const {
  if (next_.at >= urgentFrom_) return next_.at;
  Cycle next = kNever;
  for (std::uint64_t b = busy_; b != 0; b &= b - 1) {
    const Want& want = wants_[lowest(b)];
    next = std::min(next, cycleOf(want, now_) + want.toServed);
  }
  return next;
}

DramChannel::Command DramChannel::choose() const {
  if (busy_ == 0) return {};
  const Command best = chooseOf(busy_, now_);
  return best.at < urgentFrom_ ? best : chooseUrgent(std::max(now_, urgentFrom_));
}

DramChannel::Command DramChannel::chooseOf(std::uint64_t banks, Cycle from) const {
  std::uint64_t least = ~std::uint64_t{0};
  unsigned bank = 0;
  for (std::uint64_t b = banks; b != 0; b &= b - 1) {
    const Want& want = wants_[lowest(b)];
    const std::uint64_t key = (cycleOf(want, from) - from) << kTimeShift | want.order;
    bank = key < least ? lowest(b) : bank;
    least = std::min(least, key);
  }
  return {from + (least >> kTimeShift), bank, false};
}

/// The same when the oldest access cannot wait any more.
DramChannel::Command DramChannel::chooseUrgent(Cycle from) const {
  const Bank& bank = banks_[oldest_];
  const bool opened = bank.hit == bank.first;
  const bool write = entries_[bank.first].access.write;
  const Want want = wantOf(oldest_, opened ? bank.hit : kNone);
  const Command own{cycleOf(want, from), oldest_, true};
  std::uint64_t others = busy_ & ~(std::uint64_t{1} << oldest_);
  for (std::uint64_t b = opened ? others : 0; b != 0; b &= b - 1) {
    const Index hit = banks_[lowest(b)].hit;
    const bool turnsBus = hit != kNone && entries_[hit].access.write != write;
    if (turnsBus) others &= ~(b & (~b + 1));
  }
  if (others == 0) return own;
  const Command other = chooseOf(others, from);
  return own.at <= other.at ? own : other;
}

void DramChannel::findOldest() {
  urgentFrom_ = kNever;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint64_t b = busy_; b != 0; b &= b - 1) {
    const Entry& entry = entries_[banks_[lowest(b)].first];
    if (entry.age >= least) continue;
    least = entry.age;
    oldest_ = lowest(b);
    urgentFrom_ = entry.arrived + parameters_.patience;
  }
}

DramChannel::Want DramChannel::wantOf(unsigned index, Index hit) const {
  const DramTiming& t = parameters_.timing;
  const Bank& bank = banks_[index];
  if (hit != kNone) {
    const Entry& entry = entries_[hit];
    return {bank.columnFrom, entry.age, (entry.access.bursts - 1) * t.ccd,
            gateOf(index, entry.access.write)};
  }
  const std::uint64_t order = kRow | entries_[bank.first].age;
  const unsigned activates = 2 * parameters_.bankGroups;
  if (!bank.open) return {bank.activateFrom, order, t.rcd, activates};
  return {bank.prechargeFrom, order, t.rp + t.rcd, activates + 1};
}

void DramChannel::issue(const Command& command, std::vector<Served>& served) {
  const Bank& bank = banks_[command.bank];
  now_ = command.at + 1;  // the command bus takes one a cycle
  if (command.urgent ? bank.hit == bank.first : bank.hit != kNone) {
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
  const bool oldest = index == oldest_ && bank.hit == bank.first;
  removeHit(bank);
  if (bank.first == kNone) busy_ &= ~(std::uint64_t{1} << index);
  if (oldest) findOldest();
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
  gates_[2 * parameters_.bankGroups] = at + t.rrd;
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
