#include <fermata/models/core/gpcs.h>

#include <algorithm>

namespace fermata {

namespace {

/// Gives a GPC the next numbers, those of a TPC or of what is left of one. Returns how many.
unsigned numberTpc(std::vector<unsigned>& numbers, unsigned next, unsigned left) {
  const unsigned count = std::min(left, Gpcs::kTpcSms);
  for (unsigned i = 0; i < count; ++i) numbers.push_back(next + i);
  return count;
}

void cut(const std::vector<unsigned>& sms, unsigned ctas,
         std::vector<std::vector<unsigned>>& groups) {
  for (std::size_t first = 0; first + ctas <= sms.size(); first += ctas) {
    const auto begin = sms.begin() + static_cast<std::ptrdiff_t>(first);
    groups.emplace_back(begin, begin + ctas);
  }
}

}  // namespace

Gpcs::Gpcs(const std::vector<Size>& sizes) : turns_(sizes.size()) {
  unsigned number = 0;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      const auto has = static_cast<unsigned>(turns_[g].size());
      if (has == sizes[g].sms) continue;
      number += numberTpc(turns_[g], number, sizes[g].sms - has);
      more = true;
    }
  }
  gpcOf_.resize(number);
  for (unsigned g = 0; g < sizes.size(); ++g) {
    for (const unsigned sm : turns_[g]) gpcOf_[sm] = g;
  }
  for (unsigned g = 0; g < sizes.size(); ++g) gpcOf_.insert(gpcOf_.end(), sizes[g].lone, g);
  const bool known = std::any_of(sizes.begin(), sizes.end(),
                                 [](const Size& size) { return size.part.has_value(); });
  for (std::size_t i = 0; known && i < gpcOf_.size(); ++i)
    partOf_.push_back(sizes[gpcOf_[i]].part.value_or(0));
  std::vector<unsigned> lone;
  for (; number < sms(); ++number) lone.push_back(number);
  turns_.erase(std::remove_if(turns_.begin(), turns_.end(),
                              [](const std::vector<unsigned>& turn) { return turn.empty(); }),
               turns_.end());
  lone_ = !lone.empty();
  if (lone_) turns_.push_back(std::move(lone));
}

std::vector<std::vector<unsigned>> Gpcs::clusters(unsigned ctas) const {
  std::vector<std::vector<unsigned>> groups;
  if (lone_ && ctas <= kTpcSms) cut(turns_.back(), ctas, groups);
  for (std::size_t i = 0; i + (lone_ ? 1 : 0) < turns_.size(); ++i) cut(turns_[i], ctas, groups);
  return groups;
}

unsigned Gpcs::largest() const {
  std::size_t most = lone_ ? kTpcSms : 0;
  for (std::size_t i = 0; i + (lone_ ? 1 : 0) < turns_.size(); ++i)
    most = std::max(most, turns_[i].size());
  return static_cast<unsigned>(most);
}

const std::vector<unsigned>& GpcTurns::next() {
  const std::vector<std::vector<unsigned>>& turns = gpcs_->turns();
  const std::size_t gpcs = turns.size() - (gpcs_->hasLone() ? 1 : 0);
  if (gpcs_->hasLone() && (between_ == 0 || gpcs == 0)) {
    between_ = first_ ? kAtFirst : kLater;
    first_ = false;
    return turns.back();
  }
  --between_;
  const std::vector<unsigned>& turn = turns[gpc_];
  gpc_ = (gpc_ + 1) % gpcs;
  return turn;
}

unsigned mostOfOneSm(const Gpcs& gpcs, std::uint64_t ctas, unsigned most) {
  GpcTurns turns(gpcs);
  std::vector<unsigned> given(gpcs.sms());
  unsigned found = 0;
  for (std::uint64_t dealt = 0; dealt < ctas && found < most;) {
    const std::vector<unsigned>& turn = turns.next();
    for (const unsigned sm : turn) found = std::max(found, ++given[sm]);
    dealt += turn.size();
  }
  return found;
}

}  // namespace fermata
