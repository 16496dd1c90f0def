#include <fermata/platforms/cudart/random_lanes.h>

namespace fermata::cudart {
namespace {

constexpr std::uint32_t kStep = 362437;

}  // namespace

std::uint32_t XorwowLane::next() {
  fermata_cuda::shift(shifts.data());
  counter += kStep;
  return shifts[4] + counter;
}

XorwowLanes::XorwowLanes(std::uint64_t seed, std::uint64_t offset) : LanesInTurn(offset) {
  XorwowLane lane;
  lane.counter = fermata_cuda::seedShifts(seed, lane.shifts.data());
  for (XorwowLane& each : lanes_) {
    each = lane;
    fermata_cuda::skipSequences(1, lane.shifts.data());
  }
  for (unsigned k = 0; k < kLanes; ++k) skip(lanes_[k], drawsOf(k, offset));
}

void XorwowLanes::skip(XorwowLane& lane, std::uint64_t words) {
  if (words == 0) return;
  lane.counter += static_cast<std::uint32_t>(words) * kStep;
  if (words != skipped_) power_ = fermata_cuda::power({{2}}, skipped_ = words);
  fermata_cuda::apply(power_, lane.shifts.data());
}

std::uint32_t CombinedLane::next() {
  return fermata_cuda::nextCombined(first.data(), second.data());
}

CombinedLanes::CombinedLanes(std::uint64_t seed, std::uint64_t offset) : LanesInTurn(offset) {
  const auto skip = [](CombinedLane& lane, int first, std::uint64_t count) {
    fermata_cuda::jumpBoth(first, count, lane.first.data(), lane.second.data());
  };
  CombinedLane lane;
  fermata_cuda::seedCombined(seed, lane.first.data(), lane.second.data());
  for (unsigned k = 0; k < kLanes; ++k) {
    lanes_[k] = lane;
    skip(lanes_[k], 0, drawsOf(k, offset));
    skip(lane, fermata_cuda::kCombinedSubsequence, 1);
  }
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
