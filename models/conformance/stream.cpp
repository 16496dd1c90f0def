#include <fermata/models/conformance/stream.h>

#include <random>

namespace fermata::conformance {

namespace {

/// Size of the range of an access whose addresses are its own.
constexpr std::uint64_t kOwnBytes = 8192;
constexpr std::uint64_t kSpreadBytes = 2048;  ///< range over which its lanes lie, so that some meet

class Maker {
 public:
  explicit Maker(const Options& options) : options_(options), random_(options.seed) {}

  Access next() {
    Access access;
    time_ += gap();
    access.at = time_;
    access.lead = quarters(below(256));
    access.operation = below(3) == 0 ? MemoryOperation::Store : MemoryOperation::Load;
    return access;
  }
  void addLanes(Access& access, unsigned index) {
    access.bytes = options_.widths[below(static_cast<unsigned>(options_.widths.size()))];
    access.lanes = someLanes();
    const bool shared = options_.space == MemorySpace::Shared;
    const std::uint64_t base = shared ? 0 : index * kOwnBytes;
    const std::uint64_t spread = shared ? options_.bytes : kSpreadBytes;
    for (std::uint64_t& address : access.address) {
      const std::uint64_t offset = random_() % (spread - WarpInstruction::kMaxBytesPerLane + 1);
      address = base + offset / access.bytes * access.bytes;
    }
  }
  void addLine(Access& access, unsigned index) const {
    access.bytes = options_.lineBytes;
    access.address[0] = index * std::uint64_t{options_.lineBytes} % options_.bytes;
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  sc_core::sc_time quarters(unsigned count) const {
    return sc_core::sc_time::from_value(options_.period.value() * count / 4);
  }
  sc_core::sc_time gap() {
    switch (below(8)) {
      case 0:
        return quarters(4 * 2000 + below(400));
      case 1:
        return quarters(below(200));
      case 2:
        return sc_core::SC_ZERO_TIME;
      case 3:
        return quarters(below(12));  // within a cycle
      default:
        return quarters(4 * below(4));
    }
  }
  LaneMask someLanes() {
    switch (below(4)) {
      case 0:
        return LaneMask{1} << below(kWarpLanes);
      case 1:
        return static_cast<LaneMask>(random_()) | 1;
      default:
        return kAllLanes;
    }
  }

  const Options& options_;
  std::mt19937 random_;
  sc_core::sc_time time_;
};

template <class Add>
Stream stream(const Options& options, Add add) {
  Maker maker(options);
  Stream stream;
  for (unsigned i = 0; i < options.accesses; ++i) {
    stream.push_back(maker.next());
    add(maker, stream.back(), i);
  }
  return stream;
}

}  // namespace

Stream warpStream(const Options& options) {
  return stream(options,
                [](Maker& maker, Access& access, unsigned i) { maker.addLanes(access, i); });
}

Stream lineStream(const Options& options) {
  return stream(options,
                [](Maker& maker, Access& access, unsigned i) { maker.addLine(access, i); });
}

std::uint64_t mix(std::uint64_t seed, std::uint64_t value) {
  std::uint64_t x = value + (seed + 1) * 0x9e3779b97f4a7c15U;  // splitmix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace fermata::conformance
