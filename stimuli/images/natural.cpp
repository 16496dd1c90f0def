#include <fermata/stimuli/images/natural.h>

#include <algorithm>
#include <cstdlib>

#include <fermata/stimuli/images/random.h>

namespace fermata::images {
namespace {

std::int64_t squareRoot(std::uint64_t value) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    if ((root | bit) * (root | bit) <= value) root |= bit;
  }
  return static_cast<std::int64_t>(root);
}

/// An opaque shape around (x, y), and its light.
struct Leaf {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t radius = 1;  ///< radius of a disc; half the longer side of a rectangle
  std::int64_t across = 0;  ///< half the shorter side of a rectangle; 0: a disc
  std::int64_t alongX = 0;  ///< direction of the longer side, of any length ..
  std::int64_t alongY = 0;
  std::int64_t length = 0;  ///< length of that vector
  std::int64_t level = 0;   ///< level in the middle
  std::int64_t slopeX = 0;  ///< change of the level over a radius
  std::int64_t slopeY = 0;

  bool covers(std::int64_t dx, std::int64_t dy) const {
    if (across == 0) return dx * dx + dy * dy <= radius * radius;
    return std::abs(dx * alongX + dy * alongY) <= radius * length &&
           std::abs(dy * alongX - dx * alongY) <= across * length;
  }
  /// Returns a bound, in x and in y, on the covered distance from the middle; at least half a
  /// rectangle's diagonal.
  std::int64_t reach() const { return across == 0 ? radius : radius + across; }
  std::int64_t levelAt(std::int64_t dx, std::int64_t dy) const {
    return level + (slopeX * dx + slopeY * dy) / radius;
  }
};

/// Draws leaves, the foremost first, until the picture is covered.
class Canvas {
 public:
  explicit Canvas(const NaturalRequest& request)
      : width_(request.width),
        height_(request.height),
        levels_(std::int64_t{1} << request.bits),
        noise_(request.noise),
        random_(Random(request.seed).next()),  // neighbouring seeds become unrelated
        isPainted_(static_cast<std::size_t>(width_ * height_)) {
    image_.width = request.width;
    image_.height = request.height;
    image_.largest = static_cast<std::uint32_t>(levels_ - 1);
    image_.pixels.resize(isPainted_.size());
    bare_ = static_cast<std::int64_t>(isPainted_.size());
  }

  Image draw() {
    // Covering the last thousandth would take as many leaves again: one leaf behind all others
    // fills it.
    while (bare_ * 1000 > width_ * height_) paint(leaf());
    paintRest();
    addNoise();
    return std::move(image_);
  }

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  /// Returns a uniform number from -bound to bound.
  std::int64_t around(std::int64_t bound) { return below(2 * bound + 1) - bound; }

  /// Returns a radius of at least kLeast; it exceeds r with the probability (kLeast / r)^2.
  std::int64_t radius() {
    constexpr std::uint64_t kLeast = 4;
    constexpr std::uint64_t kOne = std::uint64_t{1} << 54;
    const auto most = std::max<std::int64_t>(std::min(width_, height_) / 2, kLeast);
    for (;;) {
      const std::int64_t r = squareRoot(kLeast * kLeast * kOne / (random_.below(kOne) + 1));
      if (r <= most) return r;
    }
  }

  Leaf leaf() {
    Leaf leaf;
    leaf.x = below(width_);
    leaf.y = below(height_);
    leaf.radius = radius();
    leaf.level = (below(levels_) + below(levels_)) / 2;
    leaf.slopeX = around(levels_ / 16);
    leaf.slopeY = around(levels_ / 16);
    if (below(2) == 0) return leaf;
    constexpr std::int64_t kFine = 256;  // directions
    while (leaf.length == 0) {
      leaf.alongX = around(kFine);
      leaf.alongY = around(kFine);
      leaf.length = squareRoot(
          static_cast<std::uint64_t>(leaf.alongX * leaf.alongX + leaf.alongY * leaf.alongY));
    }
    leaf.across = 1 + below(leaf.radius);
    return leaf;
  }

  void paint(const Leaf& leaf) {
    const std::int64_t reach = leaf.reach();
    for (std::int64_t dy = -reach; dy <= reach; ++dy) {
      const std::int64_t row = wrapped(leaf.y + dy, height_) * width_;
      std::int64_t x = wrapped(leaf.x - reach, width_);
      for (std::int64_t dx = -reach; dx <= reach; ++dx) {
        if (leaf.covers(dx, dy)) paintPixel(row + x, leaf.levelAt(dx, dy));
        if (++x == width_) x = 0;
      }
    }
  }

  void paintRest() {
    const std::int64_t level = below(levels_);
    for (std::int64_t at = 0; at < width_ * height_; ++at) paintPixel(at, level);
  }

  void paintPixel(std::int64_t at, std::int64_t level) {
    const auto index = static_cast<std::size_t>(at);
    if (isPainted_[index] != 0) return;
    isPainted_[index] = 1;
    image_.pixels[index] = clamped(level);
    --bare_;
  }

  void addNoise() {
    const std::int64_t most = levels_ * noise_ / NaturalRequest::kMostNoise;
    for (std::uint16_t& pixel : image_.pixels)
      pixel = clamped(pixel + below(most + 1) + below(most + 1) - most);
  }

  std::uint16_t clamped(std::int64_t level) const {
    return static_cast<std::uint16_t>(std::clamp<std::int64_t>(level, 0, levels_ - 1));
  }

  static std::int64_t wrapped(std::int64_t at, std::int64_t size) {
    return ((at % size) + size) % size;
  }

  std::int64_t width_;
  std::int64_t height_;
  std::int64_t levels_;
  std::int64_t noise_;
  Random random_;
  std::vector<std::uint8_t> isPainted_;
  std::int64_t bare_ = 0;  ///< pixels not yet painted
  Image image_;
};

}  // namespace

Image naturalImage(const NaturalRequest& request) {
  return Canvas(request).draw();
}

}  // namespace fermata::images
