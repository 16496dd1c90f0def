#include <fermata/models/probe/pass_histogram.h>

#include <algorithm>
#include <numeric>

#include <fermata/models/probe/figure.h>
#include <fermata/models/transaction/warp_access.h>

namespace fermata {

// Makes room for every number of passes that the model knows, so that counting allocates only the
// first time.
void PassHistogram::grow(unsigned passes) {
  constexpr unsigned kMostPasses = kWarpLanes * WarpAccess::kMaxWordsPerLane;
  accessesOf_.resize(std::max(passes, kMostPasses) + 1);
}

void PassHistogram::add(const PassHistogram& other) {
  const std::size_t size = other.accessesOf_.size();
  if (accessesOf_.size() < size) accessesOf_.resize(size);
  for (std::size_t passes = 0; passes < size; ++passes)
    accessesOf_[passes] += other.accessesOf_[passes];
  conflictFree_ += other.conflictFree_;
}

std::uint64_t PassHistogram::accesses() const {
  return std::accumulate(accessesOf_.begin(), accessesOf_.end(), std::uint64_t{0});
}

std::uint64_t PassHistogram::passes() const {
  std::uint64_t sum = 0;
  for (unsigned passes = 0; passes < accessesOf_.size(); ++passes)
    sum += passes * accessesOf_[passes];
  return sum;
}

unsigned PassHistogram::most() const {
  const auto last = std::find_if(accessesOf_.rbegin(), accessesOf_.rend(),
                                 [](std::uint64_t accesses) { return accesses != 0; });
  return last == accessesOf_.rend() ? 0 : static_cast<unsigned>(accessesOf_.rend() - last - 1);
}

std::optional<double> PassHistogram::mean() const {
  return ratio(passes(), accesses());
}

std::string PassHistogram::text() const {
  std::string out;
  for (unsigned passes = 0; passes < accessesOf_.size(); ++passes) {
    if (accessesOf_[passes] == 0) continue;
    if (!out.empty()) out += ';';
    out += std::to_string(passes) + ':' + std::to_string(accessesOf_[passes]);
  }
  return out;
}

}  // namespace fermata
