#include <fermata/platforms/cudart/random_lanes.h>

namespace fermata::cudart {
namespace {

constexpr std::uint32_t kStep = 362437;

}  // namespace

XorwowLanes::XorwowLanes(std::uint64_t seed, std::uint64_t offset)
    : lanes_(kLanes), next_(static_cast<unsigned>(offset % kLanes)) {
  Lane lane;
  lane.counter = fermata_cuda::seedShifts(seed, lane.shifts.data());
  for (Lane& each : lanes_) {
    each = lane;
    fermata_cuda::skipSequences(1, lane.shifts.data());
  }
  for (unsigned k = 0; k < kLanes; ++k) skip(lanes_[k], offset / kLanes + (k < next_ ? 1 : 0));
}

void XorwowLanes::draw(std::uint32_t* to, unsigned words) {
  next_ = (next_ + 1) % kLanes;
  drawAgain(to, words);
}

void XorwowLanes::drawAgain(std::uint32_t* to, unsigned words) {
  Lane& lane = lanes_[(next_ + kLanes - 1) % kLanes];
  for (unsigned i = 0; i < words; ++i) {
    fermata_cuda::shift(lane.shifts.data());
    lane.counter += kStep;
    to[i] = lane.shifts[4] + lane.counter;
  }
}

void XorwowLanes::skip(Lane& lane, std::uint64_t words) {
  if (words == 0) return;
  lane.counter += static_cast<std::uint32_t>(words) * kStep;
  if (words != skipped_) power_ = fermata_cuda::power({{2}}, skipped_ = words);
  fermata_cuda::apply(power_, lane.shifts.data());
}

CombinedLanes::CombinedLanes(std::uint64_t seed, std::uint64_t offset)
    : lanes_(kLanes), next_(static_cast<unsigned>(offset % kLanes)) {
  const auto skip = [](Lane& lane, int first, std::uint64_t count) {
    fermata_cuda::jumpBoth(first, count, lane.first.data(), lane.second.data());
  };
  Lane lane;
  fermata_cuda::seedCombined(seed, lane.first.data(), lane.second.data());
  for (unsigned k = 0; k < kLanes; ++k) {
    lanes_[k] = lane;
    skip(lanes_[k], 0, offset / kLanes + (k < next_ ? 1 : 0));
    skip(lane, fermata_cuda::kCombinedSubsequence, 1);
  }
}

void CombinedLanes::draw(std::uint32_t* to, unsigned words) {
  next_ = (next_ + 1) % kLanes;
  drawAgain(to, words);
}

void CombinedLanes::drawAgain(std::uint32_t* to, unsigned words) {
  Lane& lane = lanes_[(next_ + kLanes - 1) % kLanes];
  for (unsigned i = 0; i < words; ++i)
    to[i] = fermata_cuda::nextCombined(lane.first.data(), lane.second.data());
}

std::array<std::uint32_t, 4> philoxBlock(std::uint64_t seed, std::uint64_t sequence,
                                         std::uint64_t block) {
  const auto low = [](std::uint64_t x) { return static_cast<unsigned>(x); };
  const uint4 words =
      fermata_cuda::philox({low(block), low(block >> 32), low(sequence), low(sequence >> 32)},
                           {low(seed), low(seed >> 32)});
  return {words.x, words.y, words.z, words.w};
}

}  // namespace fermata::cudart
