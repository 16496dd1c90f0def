#include <fermata/stimuli/patterns/address_pattern.h>

#include <algorithm>
#include <vector>

namespace fermata::patterns {

namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 20;
constexpr std::int64_t kMaxFactor = kMaxElements;
constexpr std::int64_t kMaxWalk = std::int64_t{1} << 27;  ///< elements; of 16 bytes: 2 GiB

/// A pattern that does not change from one iteration or CTA to the next.
class FixedPattern : public AddressPattern {
 public:
  /// `index` holds the element of thread 0, 1, ... of a CTA.
  FixedPattern(const Parameters& from, const std::vector<std::int64_t>& index) {
    const std::int64_t lowest = *std::min_element(index.begin(), index.end());
    const std::int64_t highest = *std::max_element(index.begin(), index.end());
    if (lowest < 0 || highest >= kMaxElements) {
      from.fail("it accesses elements " + std::to_string(lowest) + " to " +
                std::to_string(highest) + "; expected all from 0 to " +
                std::to_string(kMaxElements - 1));
    }
    size_ = static_cast<std::uint32_t>(highest) + 1;
    warps_.resize((index.size() + kWarpLanes - 1) / kWarpLanes);
    for (std::size_t thread = 0; thread < index.size(); ++thread) {
      warps_[thread / kWarpLanes][thread % kWarpLanes] = static_cast<std::uint32_t>(index[thread]);
    }
  }
  void elements(const AccessPoint& at, LaneElements& element) const override {
    element = warps_[at.warp];
  }
  std::uint32_t size() const override { return size_; }

 private:
  std::vector<LaneElements> warps_;
  std::uint32_t size_ = 0;
};

template <typename Index>
std::unique_ptr<AddressPattern> fixed(const Parameters& from, std::uint32_t threads, Index index) {
  std::vector<std::int64_t> elements;
  for (std::int64_t thread = 0; thread < threads; ++thread) elements.push_back(index(thread));
  return std::make_unique<FixedPattern>(from, elements);
}

/// Makes GenIndex of section 2. The loop chases the index through the array. With array[e] = e
/// every step returns to the same element, which keeps the degree constant.
std::unique_ptr<AddressPattern> genIndex(const Parameters& from, std::uint32_t threads) {
  const std::int64_t way = from.number("way", 0, threads);
  const std::int64_t stride = from.number("stride", 0, kMaxFactor);
  return fixed(from, threads,
               [=](std::int64_t thread) { return thread < way ? thread * stride : thread; });
}

/// Makes equation 1; with stride 1, equation 5.
std::unique_ptr<AddressPattern> strided(const Parameters& from, std::uint32_t threads) {
  const std::int64_t stride = from.number("stride", -kMaxFactor, kMaxFactor);
  const std::int64_t offset = from.number("offset", 0, kMaxElements - 1);
  return fixed(from, threads, [=](std::int64_t thread) { return stride * thread + offset; });
}

/// Makes equation 4 with a block `width` threads wide.
std::unique_ptr<AddressPattern> block(const Parameters& from, std::uint32_t threads) {
  const auto factor = [&](const char* name) { return from.number(name, -kMaxFactor, kMaxFactor); };
  const std::int64_t m00 = factor("m00");
  const std::int64_t m01 = factor("m01");
  const std::int64_t m10 = factor("m10");
  const std::int64_t m11 = factor("m11");
  const std::int64_t o0 = factor("o0");
  const std::int64_t o1 = factor("o1");
  const std::int64_t cols = from.number("cols", 1, kMaxFactor);
  const std::int64_t width = from.number("width", 1, 1024);
  return fixed(from, threads, [=](std::int64_t thread) {
    const std::int64_t tx = thread % width;
    const std::int64_t ty = thread / width;
    return (m00 * ty + m01 * tx + o0) * cols + m10 * ty + m11 * tx + o1;
  });
}

/// Puts lanes into groups of `degree`. Each group has its own bank and each lane of it its own row,
/// so the degree under the mapping modulo `banks` is exactly `degree`.
std::unique_ptr<AddressPattern> conflict(const Parameters& from, std::uint32_t threads) {
  const std::int64_t degree = from.number("degree", 1, kWarpLanes);
  const std::int64_t banks = from.number("banks", 1, 4096);
  const std::int64_t groups = (kWarpLanes + degree - 1) / degree;
  if (groups > banks) {
    from.fail("degree=" + std::to_string(degree) + " needs " + std::to_string(groups) +
              " banks; expected banks of at least that");
  }
  return fixed(from, threads, [=](std::int64_t thread) {
    const std::int64_t lane = thread % kWarpLanes;
    return lane % degree * banks + lane / degree;
  });
}

/// Gives `distinct` elements in turn, or each to lanes side by side. Lanes of one element merge in
/// a load, or collide in an atomic.
std::unique_ptr<AddressPattern> broadcast(const Parameters& from, std::uint32_t threads) {
  const std::int64_t distinct = from.number("distinct", 1, kWarpLanes);
  const bool neighbours = from.flag("neighbours");
  return fixed(from, threads, [=](std::int64_t thread) {
    const std::int64_t lane = thread % kWarpLanes;
    return neighbours ? lane * distinct / kWarpLanes : lane % distinct;
  });
}

/// Returns the finaliser of splitmix64: a hash of a counter, so that an access does not depend on
/// earlier accesses.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Uniform over `words` elements, drawn for each lane, iteration, warp and CTA (the random class of
/// section 3.1).
class RandomPattern : public AddressPattern {
 public:
  explicit RandomPattern(const Parameters& from)
      : seed_(mix(static_cast<std::uint64_t>(from.number("seed", 0, INT64_MAX)))),
        words_(static_cast<std::uint32_t>(from.number("words", 1, kMaxElements))) {}

  void elements(const AccessPoint& at, LaneElements& element) const override {
    const std::uint64_t key = mix(mix(seed_ ^ at.cta) ^ (at.iteration << 5 | at.warp));
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      element[lane] = static_cast<std::uint32_t>((mix(key + lane) >> 32) * words_ >> 32);
    }
  }
  std::uint32_t size() const override { return words_; }

 private:
  std::uint64_t seed_;
  std::uint32_t words_;
};

/// Walks: the next access of a warp lies `step` elements further. A CTA's walks turn round at the
/// end of its `words` elements. Example with words=96, step=64, apart=32: warp 0 reads the elements
/// from 0, 64, 32, 0 on, warp 1 those from 32, 0, 64, 32 on.
class WalkPattern : public AddressPattern {
 public:
  WalkPattern(const Parameters& from, const GridShape& grid)
      : words_(elementsOf(from, "words", 1)),
        step_(elementsOf(from, "step", 0)),
        apart_(elementsOf(from, "apart", 0)),
        ctaApart_(elementsOf(from, "cta_apart", 0)),
        offset_(elementsOf(from, "offset", 0)) {
    const std::uint64_t ctas = ctaApart_ == 0 ? 1 : grid.ctas;
    if (ctas > kMaxWalk || (ctas - 1) * ctaApart_ + offset_ + words_ + kWarpLanes > kMaxWalk) {
      from.fail("the walks of " + std::to_string(grid.ctas) + " CTAs end beyond element " +
                std::to_string(kMaxWalk) + "; expected fewer ctas, words, or a smaller cta_apart");
    }
    size_ = static_cast<std::uint32_t>((ctas - 1) * ctaApart_ + offset_ + words_ + kWarpLanes - 1);
  }

  void elements(const AccessPoint& at, LaneElements& element) const override {
    const std::uint64_t walked = at.warp * apart_ + at.iteration % words_ * step_;
    const std::uint64_t first = at.cta * ctaApart_ + offset_ + walked % words_;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      element[lane] = static_cast<std::uint32_t>(first + lane);
    }
  }
  std::uint32_t size() const override { return size_; }

 private:
  static std::uint64_t elementsOf(const Parameters& from, const char* name, std::int64_t least) {
    return static_cast<std::uint64_t>(from.number(name, least, kMaxWalk));
  }

  std::uint64_t words_;
  std::uint64_t step_;
  std::uint64_t apart_;
  std::uint64_t ctaApart_;
  std::uint64_t offset_;
  std::uint32_t size_ = 0;
};

}  // namespace

std::unique_ptr<AddressPattern> makeAddressPattern(const std::string& name, const Parameters& from,
                                                   const GridShape& grid) {
  const std::uint32_t threads = grid.threads;
  if (name == "genindex") return genIndex(from, threads);
  if (name == "pattern-stride") return strided(from, threads);
  if (name == "pattern-block") return block(from, threads);
  if (name == "pattern-conflict") return conflict(from, threads);
  if (name == "pattern-broadcast") return broadcast(from, threads);
  if (name == "pattern-walk") return std::make_unique<WalkPattern>(from, grid);
  return std::make_unique<RandomPattern>(from);
}

}  // namespace fermata::patterns
