// The bytes of a row in the compiled form of a trace.
//
//   head      4 bytes: index of the instruction in bits 0 to 19, then by bit
//     20      the mask follows (4 bytes); without it: all 32 lanes
//     21-23   shape of the addresses: Shape
//     24-25   space of a generic access: 0 none, 1 shared, 2 global, 3 local
//     26      a copy's store follows: a head with mask and shape alone, its mask and addresses
//     27      a barrier follows: threads (2 bytes), number, waits (1 byte each)
//   Run       base (8 bytes), stride (4 bytes): lane l has base + stride * (l - first lane)
//   Near16    lowest address (8 bytes), then the distance of each active lane in 2 bytes
//   Near32    likewise in 4 bytes
//   Near40    likewise in 5 bytes: 1 TiB, more than a device has
//   Far       each active lane's address in 8 bytes
#pragma once

#include <cstring>

#include <fermata/stimuli/traces/sass/row_addresses.h>

namespace fermata::sass {

enum class Shape : std::uint8_t { None, Run, Near16, Near32, Near40, Far };

inline constexpr std::uint32_t kIndexMask = 0xfffff;
inline constexpr std::uint32_t kMasked = 1U << 20;
inline constexpr unsigned kShapeBit = 21;
inline constexpr unsigned kSpaceBit = 24;
inline constexpr std::uint32_t kTarget = 1U << 26;
inline constexpr std::uint32_t kBarrier = 1U << 27;
/// Most bytes of a row.
inline constexpr std::size_t kMostRow = 640;

template <class Value>
char* putValue(char* to, const Value& value) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}
template <class Value>
Value takeValue(const char*& from) {
  Value value;
  std::memcpy(&value, from, sizeof value);
  from += sizeof value;
  return value;
}

template <class Distance>
char* putDistances(char* to, const RowAddresses& row, std::uint64_t base, unsigned count) {
  to = putValue(to, base);
  for (unsigned k = 0; k < count; ++k) to = putValue(to, static_cast<Distance>(row.each[k] - base));
  return to;
}

inline constexpr unsigned kBytes40 = 5;
inline constexpr std::uint64_t kMost40 = (std::uint64_t{1} << 40) - 1;

/// Writes distances of 40 bits. 3 bytes behind the last are written, too.
inline char* putDistances40(char* to, const RowAddresses& row, std::uint64_t base, unsigned count) {
  to = putValue(to, base);
  for (unsigned k = 0; k < count; ++k, to += kBytes40) putValue(to, row.each[k] - base);
  return to;
}

/// Writes addresses that are no run. `lowest` and `highest` bound them.
inline char* putEach(char* to, const RowAddresses& row, std::uint64_t lowest, std::uint64_t highest,
                     Shape& shape) {
  const unsigned count = row.count();
  if (highest - lowest <= 0xffffU) {
    shape = Shape::Near16;
    return putDistances<std::uint16_t>(to, row, lowest, count);
  }
  if (highest - lowest <= 0xffffffffU) {
    shape = Shape::Near32;
    return putDistances<std::uint32_t>(to, row, lowest, count);
  }
  if (highest - lowest <= kMost40) {
    shape = Shape::Near40;
    return putDistances40(to, row, lowest, count);
  }
  shape = Shape::Far;
  std::memcpy(to, row.each.data(), count * sizeof row.each[0]);
  return to + count * sizeof row.each[0];
}

using LaneAddressArray = std::array<std::uint64_t, kWarpLanes>;

template <class Distance>
const char* takeDistances(const char* from, LaneMask lanes, LaneAddressArray& to) {
  const auto base = takeValue<std::uint64_t>(from);
  if (lanes == kAllLanes) {
    std::array<Distance, kWarpLanes> distances;
    std::memcpy(distances.data(), from, sizeof distances);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) to[lane] = base + distances[lane];
    return from + sizeof distances;
  }
  for (; lanes != 0; lanes &= lanes - 1)
    to[static_cast<unsigned>(__builtin_ctz(lanes))] = base + takeValue<Distance>(from);
  return from;
}

/// Needs 3 readable bytes behind the row.
inline const char* takeDistances40(const char* from, LaneMask lanes, LaneAddressArray& to) {
  const auto base = takeValue<std::uint64_t>(from);
  const auto take = [&](unsigned lane) {
    const char* at = from;
    to[lane] = base + (takeValue<std::uint64_t>(at) & kMost40);
    from += kBytes40;
  };
  if (lanes == kAllLanes) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) take(lane);
    return from;
  }
  for (; lanes != 0; lanes &= lanes - 1) take(static_cast<unsigned>(__builtin_ctz(lanes)));
  return from;
}

/// Reads addresses into the active lanes; others get any value.
inline const char* takeAddresses(const char* from, Shape shape, LaneMask lanes,
                                 LaneAddressArray& to) {
  switch (shape) {
    case Shape::None:
      return from;
    case Shape::Run: {
      auto base = takeValue<std::uint64_t>(from);
      const auto stride = static_cast<std::uint64_t>(std::int64_t{takeValue<std::int32_t>(from)});
      base -= static_cast<unsigned>(__builtin_ctz(lanes | 1U << 31)) * stride;
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) to[lane] = base + lane * stride;
      return from;
    }
    case Shape::Near16:
      return takeDistances<std::uint16_t>(from, lanes, to);
    case Shape::Near32:
      return takeDistances<std::uint32_t>(from, lanes, to);
    case Shape::Near40:
      return takeDistances40(from, lanes, to);
    case Shape::Far:
      break;
  }
  for (; lanes != 0; lanes &= lanes - 1)
    to[static_cast<unsigned>(__builtin_ctz(lanes))] = takeValue<std::uint64_t>(from);
  return from;
}

}  // namespace fermata::sass
