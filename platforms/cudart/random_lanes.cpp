#include <fermata/platforms/cudart/random_lanes.h>

#include <fermata/stimuli/cuda/include/parts/random_words.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fermata::cudart {
namespace {

class Xorwow : public RandomLanes {
 public:
  explicit Xorwow(std::uint64_t seed) : lanes_(4096) {
    Lane lane;
    lane.counter = fermata_cuda::seedShifts(seed, lane.shifts.data());
    for (Lane& each : lanes_) {
      each = lane;
      fermata_cuda::skipSequences(1, lane.shifts.data());
    }
  }
  unsigned count() const override { return static_cast<unsigned>(lanes_.size()); }
  unsigned wordsPerDraw() const override { return 1; }
  void take(unsigned lane, std::uint32_t* to, unsigned words) override {
    Lane& from = lanes_[lane];
    for (unsigned i = 0; i < words; ++i) {
      fermata_cuda::shift(from.shifts.data());
      from.counter += kStep;
      to[i] = from.shifts[4] + from.counter;
    }
  }
  void skip(unsigned lane, std::uint64_t words) override {
    Lane& from = lanes_[lane];
    from.counter += static_cast<std::uint32_t>(words) * kStep;
    if (words != skipped_) power_ = fermata_cuda::power({{2}}, skipped_ = words);
    fermata_cuda::apply(power_, from.shifts.data());
  }

 private:
  static constexpr std::uint32_t kStep = 362437;
  struct Lane {
    std::array<unsigned, 5> shifts = {};
    std::uint32_t counter = 0;
  };
  std::vector<Lane> lanes_;
  std::uint64_t skipped_ = 0;  ///< `power_` skips so many words
  fermata_cuda::Shifts power_ = {{1}};
};

class Philox : public RandomLanes {
 public:
  explicit Philox(std::uint64_t seed)
      : key_{static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)}, next_(65536) {}
  unsigned count() const override { return static_cast<unsigned>(next_.size()); }
  unsigned wordsPerDraw() const override { return kBlock; }
  void take(unsigned lane, std::uint32_t* to, unsigned words) override {
    std::uint64_t& next = next_[lane];
    while (words != 0) {
      const std::uint64_t block = next / kBlock;
      const uint4 four = fermata_cuda::philox(
          {static_cast<unsigned>(block), static_cast<unsigned>(block >> 32), lane, 0}, key_);
      const std::array<std::uint32_t, kBlock> all = {four.x, four.y, four.z, four.w};
      const auto first = static_cast<unsigned>(next % kBlock);
      const unsigned taken = std::min(words, kBlock - first);
      to = std::copy_n(all.begin() + first, taken, to);
      next += taken;
      words -= taken;
    }
  }
  void skip(unsigned lane, std::uint64_t words) override { next_[lane] += words; }

 private:
  static constexpr unsigned kBlock = 4;
  uint2 key_;
  std::vector<std::uint64_t> next_;  ///< by lane: words taken
};

}  // namespace

std::unique_ptr<RandomLanes> makeXorwow(std::uint64_t seed) {
  return std::make_unique<Xorwow>(seed);
}
std::unique_ptr<RandomLanes> makePhilox(std::uint64_t seed) {
  return std::make_unique<Philox>(seed);
}

}  // namespace fermata::cudart
