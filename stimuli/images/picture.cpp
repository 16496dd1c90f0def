#include <fermata/stimuli/images/picture.h>

#include <algorithm>

#include <fermata/stimuli/images/random.h>

namespace fermata::images {
namespace {

/// Range of a lattice point's value: uniform in [-kRange, kRange).
constexpr std::int64_t kRange = 1 << 15;

std::int64_t latticeValue(std::uint64_t key, unsigned octave, std::uint64_t row,
                          std::uint64_t column) {
  Random random(key ^ (std::uint64_t{octave} << 58 | row << 24 | column));
  return static_cast<std::int64_t>(random.next() >> 48) - kRange;
}

std::uint64_t squareRoot(std::uint64_t value) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    if ((root | bit) * (root | bit) <= value) root |= bit;
  }
  return root;
}

constexpr std::int64_t kOne = 1 << 16;  ///< a gain of 1

/// Returns the gain of each octave, single pixels first: proportional to 2^(number * (slope - 100)
/// / 100), with a mean square of 1.
std::vector<std::int64_t> gains(unsigned octaves, std::uint32_t slope) {
  constexpr std::uint64_t kRoot = 4324841156;  // 2^(1/100), times 2^32
  const bool falling = slope < 100;
  const std::uint32_t steps = falling ? 100 - slope : slope - 100;  // steps per octave
  std::vector<std::uint64_t> raw;
  std::uint64_t gain = kOne;
  std::uint64_t squares = 0;
  for (unsigned number = 0; number < octaves; ++number) {
    raw.push_back(gain);
    squares += gain * gain;
    for (std::uint32_t step = 0; step < steps; ++step) gain = gain * kRoot >> 32;
  }
  if (falling) std::reverse(raw.begin(), raw.end());
  const std::uint64_t mean = squareRoot(squares / octaves);
  std::vector<std::int64_t> result;
  for (const std::uint64_t one : raw)
    result.push_back(static_cast<std::int64_t>(one * kOne / mean));
  return result;
}

/// The noise of one octave, row by row: its variance is (gain * kRange)^2 / 3 at any spacing.
class Octave {
 public:
  Octave(std::uint64_t key, unsigned number, std::int64_t gain, std::uint32_t width)
      : key_(key),
        number_(number),
        gain_(gain),
        spacing_(std::int64_t{1} << number),
        width_(width) {}

  void addRow(std::uint64_t y, std::vector<std::int64_t>& sum) {
    const auto below = static_cast<std::int64_t>(y % static_cast<std::uint64_t>(spacing_));
    if (below == 0) {
      upper_ = lower_.empty() ? lattice(y >> number_) : std::move(lower_);
      lower_ = lattice((y >> number_) + 1);
    }
    // Interpolation between points lowers the variance by the factor ((2 s s + 1) / (3 s s))^2;
    // undo it.
    const std::int64_t scale = 2 * spacing_ * spacing_ + 1;
    for (std::size_t point = 0; point + 1 < upper_.size(); ++point) {
      const std::int64_t left = upper_[point] * (spacing_ - below) + lower_[point] * below;
      const std::int64_t right = upper_[point + 1] * (spacing_ - below) + lower_[point + 1] * below;
      const std::size_t first = point << number_;
      const std::size_t end = std::min<std::size_t>(width_, (point + 1) << number_);
      std::int64_t value = left * spacing_;
      for (std::size_t x = first; x < end; ++x, value += right - left)
        sum[x] += 3 * value / scale * gain_ / kOne;
    }
  }

 private:
  std::vector<std::int64_t> lattice(std::uint64_t row) const {
    std::vector<std::int64_t> values(((width_ - 1) >> number_) + 2);
    for (std::size_t column = 0; column < values.size(); ++column) {
      values[column] = latticeValue(key_, number_, row, column);
    }
    return values;
  }

  std::uint64_t key_;
  unsigned number_;
  std::int64_t gain_;
  std::int64_t spacing_;
  std::uint32_t width_;
  std::vector<std::int64_t> upper_;
  std::vector<std::int64_t> lower_;
};

}  // namespace

std::vector<std::uint8_t> picture(const PictureRequest& request, std::uint64_t pixels) {
  constexpr std::int64_t kMean = 128;
  const std::uint64_t key =
      Random(request.seed).next();  // makes neighbouring seeds give unrelated noise
  unsigned count = 0;
  while (std::uint32_t{2} << count <= request.width) ++count;
  const std::vector<std::int64_t> gain = gains(count, request.slope);
  std::vector<Octave> octaves;
  for (unsigned number = 0; number < count; ++number) {
    octaves.emplace_back(key, number, gain[number], request.width);
  }
  // Take contrast / sqrt(octaves * kRange^2 / 3) as a fraction of 2^31.
  const std::int64_t scale = static_cast<std::int64_t>(
      request.contrast * squareRoot((std::uint64_t{3} << 32) / octaves.size()));
  std::vector<std::uint8_t> out;
  out.reserve(pixels);
  std::vector<std::int64_t> sum(request.width);
  for (std::uint64_t y = 0; out.size() < pixels; ++y) {
    std::fill(sum.begin(), sum.end(), 0);
    for (Octave& octave : octaves) octave.addRow(y, sum);
    for (std::size_t x = 0; x < sum.size() && out.size() < pixels; ++x) {
      const std::int64_t level = kMean + sum[x] * scale / (std::int64_t{1} << 31);
      out.push_back(static_cast<std::uint8_t>(std::clamp<std::int64_t>(level, 0, 255)));
    }
  }
  return out;
}

}  // namespace fermata::images
