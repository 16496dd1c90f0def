#include <fermata/models/memory/dram_channel.h>

#include <algorithm>

namespace fermata {

DramChannel::DramChannel(const Parameters& parameters)
    : parameters_(parameters),
      queue_(parameters.queue),
      banks_(parameters.banks),
      bus_(parameters.bankGroups, parameters.banks, parameters.stackIds),
      scheduler_(parameters.banks),
      refreshBanks_(parameters.refreshBanks == 0 ? parameters.banks : parameters.refreshBanks),
      refreshInterval_(std::uint64_t{parameters.timing.refi} * refreshBanks_ / parameters.banks),
      refreshBank_(parameters.banks - refreshBanks_),
      refreshDue_(parameters.timing.refi == 0 ? kNever : parameters.start + refreshInterval_) {}

void DramChannel::add(const DramAccess& access, Cycle at) {
  if (!queue_.add(access, at, banks_[access.bank].holds(access.row))) return;
  updateCandidate(access.bank);
  chosen_ = false;
}

bool DramChannel::run(Cycle to, std::vector<Served>& served) {
  bool any = false;
  for (;;) {
    if (!chosen_) next_ = choose();
    chosen_ = true;
    if (std::min(next_.at, refreshDue_) >= to) break;
    if (refreshDue_ <= next_.at) {
      refresh(to);
    } else {
      issue(next_, served);
    }
    chosen_ = false;
    any = true;
  }
  now_ = std::max(now_, to);
  return any;
}

Cycle DramChannel::nextServed() const {
  if (next_.at < urgentFrom()) return scheduler_.earliestServed(now_);
  // A refresh may close the row of the oldest access, which then holds no other up.
  return empty() ? kNever : std::min(next_.at, refreshDue_);
}

DramIssue DramChannel::choose() const {
  if (queue_.empty()) return {};
  const DramIssue next = scheduler_.first(now_);
  return next.at < urgentFrom() ? next : chooseUrgent(std::max(now_, urgentFrom()));
}

/// Chooses the next command when the oldest access has waited for `patience` cycles.
DramIssue DramChannel::chooseUrgent(Cycle from) const {
  const DramQueue::Waiting& oldest = queue_.oldest();
  const unsigned bank = oldest.access.bank;
  const DramScheduler::Candidate own = candidateFor(oldest);
  std::uint64_t others = queue_.banks() & ~(std::uint64_t{1} << bank);
  if (banks_[bank].holds(oldest.access.row)) {
    const bool write = oldest.access.write;
    others &= ~scheduler_.banksWith(write ? DramCommand::Read : DramCommand::Write);
  }
  const DramIssue next{std::max(own.at, from), bank, own.command};
  if (others == 0) return next;
  const DramIssue other = scheduler_.first(from, others);
  return next.at <= other.at ? next : other;
}

/// Returns the next command of a bank that is to serve `waiting`.
DramScheduler::Candidate DramChannel::candidateFor(const DramQueue::Waiting& waiting) const {
  const DramTiming& t = parameters_.timing;
  const DramAccess& access = waiting.access;
  const DramBank& bank = banks_[access.bank];
  const DramCommand command = bank.next(access.row, access.write);
  const Cycle at = std::max(bank.earliest(command), bus_.earliest(command, access.bank));
  if (command == DramCommand::Precharge) return {command, at, waiting.age, t.rp + t.rcd};
  if (command == DramCommand::Activate) return {command, at, waiting.age, t.rcd};
  return {command, at, waiting.age, (access.bursts - 1) * t.ccd};
}

void DramChannel::updateCandidate(unsigned bank) {
  scheduler_.set(bank, candidateFor(queue_.next(bank)));
}

/// Makes the candidates that are this command wait for the bus.
void DramChannel::delayCandidates(DramCommand command) {
  for (std::uint64_t b = scheduler_.banksWith(command); b != 0; b &= b - 1) {
    const auto bank = static_cast<unsigned>(__builtin_ctzll(b));
    scheduler_.delay(bank, bus_.earliest(command, bank));
  }
}

void DramChannel::issue(const DramIssue& next, std::vector<Served>& served) {
  now_ = next.at + 1;  // the command bus takes one command per cycle
  if (next.command == DramCommand::Precharge) {
    precharge(next.bank, next.at);
  } else if (next.command == DramCommand::Activate) {
    activate(next.bank, next.at);
  } else {
    column(next.bank, next.at, served);
  }
  if (queue_.waits(next.bank)) {
    updateCandidate(next.bank);
  } else {
    scheduler_.remove(next.bank);
  }
}

/// Returns the earliest cycle for the refresh that is due of banks `first` to `end` - 1. Their rows
/// are closed before it, all at once.
Cycle DramChannel::earliestRefresh(unsigned first, unsigned end) const {
  Cycle closed = refreshDue_;
  for (unsigned b = first; b < end; ++b) {
    if (banks_[b].active()) closed = std::max(closed, banks_[b].earliest(DramCommand::Precharge));
  }
  Cycle at = refreshDue_;
  for (unsigned b = first; b < end; ++b) {
    at = std::max(at, banks_[b].earliest(DramCommand::Activate));
    if (banks_[b].active()) at = std::max(at, closed + parameters_.timing.rp);
  }
  return at;
}

/// Does the refresh that is due. If the channel has nothing to do before `to`, skips all whole
/// rounds of refreshes but the last, of which nothing remains to be seen.
void DramChannel::refresh(Cycle to) {
  const unsigned first = refreshBank_;
  const unsigned end = first + refreshBanks_;
  Cycle at = earliestRefresh(first, end);
  if (const Cycle rounds = (to - 1 - refreshDue_) / refreshRound();
      at == refreshDue_ && empty() && rounds > 1) {
    at = refreshDue_ += (rounds - 1) * refreshRound();
  }
  now_ = std::max(now_, refreshDue_);  // what it sets free comes no sooner
  for (unsigned b = first; b < end; ++b) {
    banks_[b].refresh(at, parameters_.timing);
    queue_.closed(b);
    if (queue_.waits(b)) updateCandidate(b);
  }
  refreshBank_ = (first == 0 ? static_cast<unsigned>(banks_.size()) : first) - refreshBanks_;
  refreshDue_ += refreshInterval_;
}

void DramChannel::precharge(unsigned bank, Cycle at) {
  banks_[bank].precharge(at, parameters_.timing);
  queue_.closed(bank);
}

void DramChannel::activate(unsigned bank, Cycle at) {
  banks_[bank].activate(queue_.next(bank).access.row, at, parameters_.timing);
  queue_.opened(bank);
  bus_.activate(at, parameters_.timing);
  delayCandidates(DramCommand::Activate);
}

void DramChannel::column(unsigned bank, Cycle at, std::vector<Served>& served) {
  const DramTiming& t = parameters_.timing;
  DramQueue::Waiting& hit = queue_.next(bank);
  const bool write = hit.access.write;
  banks_[bank].column(write, at, t);
  bus_.column(bank, write, at, t);
  delayCandidates(DramCommand::Read);
  delayCandidates(DramCommand::Write);
  if (--hit.access.bursts != 0) return;
  served.push_back({hit.access, at + leastToEnd(t, write), !hit.activated});
  queue_.removeHit(bank);
}

}  // namespace fermata
