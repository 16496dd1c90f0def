#include <fermata/models/probe/pass_histogram.h>

#include <algorithm>
#include <numeric>

#include <fermata/models/probe/figure.h>
#include <fermata/models/transaction/warp_access.h>

namespace fermata {

// Makes room for every number of passes that the model knows, so that counting allocates only the
// first time.
void PassHistogram::makeRoom(std::size_t size) {
  constexpr std::size_t kMostPasses = kWarpLanes * WarpAccess::kMaxWordsPerLane;
  if (accessesOf_.size() < size) accessesOf_.resize(std::max(size, kMostPasses + 1));
}

// Counts the latest accesses. The next ones take `next` passes.
void PassHistogram::count(unsigned next) {
  makeRoom(std::size_t{latest_} + 1);
  accessesOf_[latest_] += alike_;
  alike_ = 0;
  latest_ = next;
}

std::vector<std::uint64_t> PassHistogram::byPasses() const {
  PassHistogram all = *this;
  all.count(latest_);
  return all.accessesOf_;
}

void PassHistogram::add(const PassHistogram& other) {
  if (other.alike_ == 0 && other.accessesOf_.empty()) return;
  const std::vector<std::uint64_t> more = other.byPasses();
  makeRoom(more.size());
  for (std::size_t passes = 0; passes < more.size(); ++passes) accessesOf_[passes] += more[passes];
  conflictFree_ += other.conflictFree_;
}

std::uint64_t PassHistogram::accesses() const {
  return std::accumulate(accessesOf_.begin(), accessesOf_.end(), alike_);
}

std::uint64_t PassHistogram::passes() const {
  std::uint64_t sum = latest_ * alike_;
  for (unsigned passes = 0; passes < accessesOf_.size(); ++passes)
    sum += passes * accessesOf_[passes];
  return sum;
}

unsigned PassHistogram::most() const {
  std::size_t most = accessesOf_.size();
  while (most != 0 && accessesOf_[most - 1] == 0) --most;
  const unsigned counted = most == 0 ? 0 : static_cast<unsigned>(most - 1);
  return alike_ == 0 ? counted : std::max(counted, latest_);
}

std::optional<double> PassHistogram::mean() const {
  return ratio(passes(), accesses());
}

std::string PassHistogram::text() const {
  std::string out;
  const std::vector<std::uint64_t> accesses = byPasses();
  for (unsigned passes = 0; passes < accesses.size(); ++passes) {
    if (accesses[passes] == 0) continue;
    if (!out.empty()) out += ';';
    out += std::to_string(passes) + ':' + std::to_string(accesses[passes]);
  }
  return out;
}

}  // namespace fermata
