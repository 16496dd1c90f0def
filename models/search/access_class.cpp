#include <fermata/models/search/access_class.h>

#include <optional>
#include <vector>

namespace fermata::search {
namespace {

struct Lane {
  std::int64_t lane;
  std::int64_t word;
};

/// Returns the words between neighbouring lanes, if equal for all lanes.
std::optional<std::int64_t> commonStride(const std::vector<Lane>& lanes) {
  const Lane& first = lanes.front();
  const std::int64_t gap = lanes[1].lane - first.lane;
  if ((lanes[1].word - first.word) % gap != 0) return std::nullopt;
  const std::int64_t stride = (lanes[1].word - first.word) / gap;
  for (const Lane& lane : lanes) {
    if (lane.word != first.word + stride * (lane.lane - first.lane)) return std::nullopt;
  }
  return stride;
}

/// Returns Eq. 7 with lane = ty * width + tx, if two strides explain all lanes.
std::optional<AccessClass> blockOf(const std::vector<Lane>& lanes, std::int64_t width) {
  const Lane& first = lanes.front();
  std::optional<std::int64_t> inner;
  for (std::size_t i = 1; i < lanes.size() && !inner; ++i) {
    const Lane& a = lanes[i - 1];
    const Lane& b = lanes[i];
    if (a.lane / width != b.lane / width) continue;
    if ((b.word - a.word) % (b.lane - a.lane) != 0) return std::nullopt;
    inner = (b.word - a.word) / (b.lane - a.lane);
  }
  if (!inner) return std::nullopt;
  std::optional<std::int64_t> outer;
  for (const Lane& lane : lanes) {
    const std::int64_t rows = lane.lane / width - first.lane / width;
    const std::int64_t columns = lane.lane % width - first.lane % width;
    const std::int64_t left = lane.word - first.word - columns * *inner;
    if (rows == 0) {
      if (left != 0) return std::nullopt;
      continue;
    }
    if (!outer) {
      if (left % rows != 0) return std::nullopt;
      outer = left / rows;
    }
    if (left != rows * *outer) return std::nullopt;
  }
  if (!outer) return std::nullopt;
  return AccessClass{AccessKind::Block, *inner, *outer, static_cast<unsigned>(width)};
}

}  // namespace

const char* name(AccessKind kind) {
  static constexpr const char* kNames[] = {"broadcast", "linear", "stride", "block", "random"};
  return kNames[static_cast<unsigned>(kind)];
}

std::string AccessClass::text() const {
  switch (kind) {
    case AccessKind::Stride:
      return "stride " + std::to_string(stride);
    case AccessKind::Block:
      return "block " + std::to_string(width) + " x " + std::to_string(stride) + ", " +
             std::to_string((kWarpLanes + width - 1) / width) + " x " + std::to_string(outer);
    default:
      return name(kind);
  }
}

bool AccessClass::operator==(const AccessClass& other) const {
  return kind == other.kind && stride == other.stride && outer == other.outer &&
         width == other.width;
}

AccessClass classify(const std::array<std::uint32_t, kWarpLanes>& word, LaneMask active) {
  // A base and two strides explain any three lanes: a block needs more.
  constexpr std::size_t kLeastLanesOfBlock = 4;
  std::vector<Lane> lanes;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((active >> lane & 1U) != 0) lanes.push_back({lane, word[lane]});
  }
  if (lanes.empty()) return {};
  if (lanes.size() == 1) return {AccessKind::Linear, 1, 0, 0};
  if (const std::optional<std::int64_t> stride = commonStride(lanes)) {
    const AccessKind kind = *stride == 0   ? AccessKind::Broadcast
                            : *stride == 1 ? AccessKind::Linear
                                           : AccessKind::Stride;
    return {kind, *stride, 0, 0};
  }
  if (lanes.size() >= kLeastLanesOfBlock) {
    for (std::int64_t width = 2; width <= kWarpLanes / 2; ++width) {
      if (const std::optional<AccessClass> block = blockOf(lanes, width)) return *block;
    }
  }
  return {};
}

}  // namespace fermata::search
