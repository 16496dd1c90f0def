// Layout of the 64 bits of an mbarrier in shared memory (PTX ISA, mbarrier): arrivals pending in
// the phase, arrivals that each phase expects, bytes of transactions not yet completed, and the
// phase. Programs cannot see the layout; it is ours.
#pragma once

#include <cstdint>

namespace fermata::ptx {

class MBarrier {
 public:
  static constexpr std::uint32_t kMostArrivals = (1U << 20) - 1;
  static constexpr std::int32_t kMostBytes = (1 << 20) - 1;

  /// Returns a barrier of `count` arrivals. Precondition: 1 <= count <= kMostArrivals.
  static MBarrier initialised(std::uint32_t count) { return MBarrier(count, count, 0, false); }
  explicit MBarrier(std::uint64_t word)
      : pending_(word & kMostArrivals),
        expected_(word >> 20 & kMostArrivals),
        bytes_(static_cast<std::int32_t>(word >> 40 & kBytesMask) - kBias),
        phase_(word >> 63 != 0),
        valid_((word >> 40 & kBytesMask) != 0) {}

  std::uint64_t word() const {
    return std::uint64_t{pending_} | std::uint64_t{expected_} << 20 |
           static_cast<std::uint64_t>(bytes_ + kBias) << 40 | std::uint64_t{phase_} << 63;
  }
  /// False if no sequence of operations after initialised() gives this word.
  bool valid() const { return valid_; }
  std::uint32_t pending() const { return pending_; }
  bool phase() const { return phase_; }

  // Operations. Each returns false, and changes nothing, if a count would leave its range.

  /// Counts `count` arrivals; with `drops`, later phases expect as many fewer.
  bool arrive(std::uint32_t count, bool drops) {
    if (count == 0 || count > pending_ || (drops && count > expected_)) return false;
    pending_ -= count;
    if (drops) expected_ -= count;
    turn();
    return true;
  }
  /// Adds one pending arrival to this phase.
  bool increment() {
    if (pending_ == kMostArrivals) return false;
    ++pending_;
    return true;
  }
  bool expect(std::uint32_t bytes) {
    if (bytes > static_cast<std::uint32_t>(kMostBytes) ||
        bytes_ + static_cast<std::int32_t>(bytes) > kMostBytes)
      return false;
    bytes_ += static_cast<std::int32_t>(bytes);
    turn();
    return true;
  }
  bool complete(std::uint32_t bytes) {
    if (bytes > static_cast<std::uint32_t>(kMostBytes) ||
        bytes_ - static_cast<std::int32_t>(bytes) < -kMostBytes)
      return false;
    bytes_ -= static_cast<std::int32_t>(bytes);
    turn();
    return true;
  }

 private:
  static constexpr std::int32_t kBias = 1 << 20;  ///< keeps the field of a valid word from being 0
  static constexpr std::uint64_t kBytesMask = (1U << 21) - 1;

  MBarrier(std::uint32_t pending, std::uint32_t expected, std::int32_t bytes, bool phase)
      : pending_(pending), expected_(expected), bytes_(bytes), phase_(phase) {}
  void turn() {
    if (pending_ != 0 || bytes_ != 0) return;
    phase_ = !phase_;
    pending_ = expected_;
  }

  std::uint32_t pending_, expected_;
  std::int32_t bytes_;
  bool phase_;
  bool valid_ = true;
};

}  // namespace fermata::ptx
