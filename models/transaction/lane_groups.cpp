#include <fermata/models/transaction/lane_groups.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace fermata {

namespace {

using Lanes = std::uint64_t;  ///< bit i stands for lane i of a wave64

constexpr unsigned kMostLanes = LaneGroups::kWavefrontLanes;

constexpr Lanes lanesFrom(unsigned first, unsigned last) {
  return ~Lanes{0} >> (kMostLanes - 1 - (last - first)) << first;
}

constexpr LaneMask lower(Lanes lanes) {
  return static_cast<LaneMask>(lanes);
}
constexpr LaneMask upper(Lanes lanes) {
  return static_cast<LaneMask>(lanes >> kWarpLanes);
}

/// Reads groups of lanes. `wrong` holds the first error.
class GroupReader {
 public:
  explicit GroupReader(std::string_view text) {
    for (const char c : text) {
      if (c != ' ' && c != '\t') text_ += c;
    }
  }

  /// Returns the next group; 0 on an error.
  Lanes group() {
    Lanes lanes = 0;
    do {
      if (!range(lanes)) return 0;
    } while (take(','));
    return lanes;
  }
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool done() const { return at_ == text_.size(); }
  Lanes seen() const { return seen_; }
  std::string rest() const { return text_.substr(at_, 16); }

  std::string wrong;

 private:
  bool range(Lanes& lanes) {
    unsigned first = 0;
    if (!lane(first)) return false;
    unsigned last = first;
    if (take('-') && !lane(last)) return false;
    if (last < first) return fail(std::to_string(first) + "-" + std::to_string(last) + " falls");
    const Lanes named = lanesFrom(first, last);
    if ((seen_ & named) != 0)
      return fail("lane " + std::to_string(__builtin_ctzll(seen_ & named)) + " stands in it twice");
    seen_ |= named;
    lanes |= named;
    return true;
  }
  bool lane(unsigned& number) {
    const char* end = text_.data() + text_.size();
    const auto found = std::from_chars(text_.data() + at_, end, number);
    if (found.ec == std::errc::invalid_argument)
      return fail(done() ? "it ends where a lane should stand" : "'" + rest() + "' is no lane");
    if (found.ec != std::errc() || number >= kMostLanes)
      return fail("'" + rest() + "' is no lane of a warp or wavefront");
    at_ = static_cast<std::size_t>(found.ptr - text_.data());
    return true;
  }
  bool fail(std::string why) {
    wrong = std::move(why);
    return false;
  }

  std::string text_;
  std::size_t at_ = 0;
  Lanes seen_ = 0;
};

/// Returns the groups of the lower half, if the upper half is grouped alike: either every group
/// lies in one half, or every group takes the same lanes of both (`joins`). Returns an empty vector
/// if the halves differ.
std::vector<LaneMask> halved(const std::vector<Lanes>& groups, bool& joins) {
  joins = lower(groups.front()) != 0 && upper(groups.front()) != 0;
  std::vector<LaneMask> masks;
  for (const Lanes group : groups) {
    if (joins ? lower(group) != upper(group) : lower(group) != 0 && upper(group) != 0) return {};
    if (lower(group) != 0) masks.push_back(lower(group));
  }
  const auto beside = [&](Lanes group) {
    return std::count(masks.begin(), masks.end(), upper(group)) != 0;
  };
  for (const Lanes group : groups) {
    if (upper(group) != 0 && !beside(group)) return {};
  }
  return masks;
}

void write(Lanes group, std::string& out) {
  if (!out.empty()) out += '|';
  for (Lanes rest = group; rest != 0;) {
    const auto first = static_cast<unsigned>(__builtin_ctzll(rest));
    const Lanes after = ~(rest >> first);  // the lowest bit set ends the range
    const unsigned length = after == 0 ? kMostLanes : static_cast<unsigned>(__builtin_ctzll(after));
    if (rest != group) out += ',';
    out += std::to_string(first);
    if (length > 1) out += "-" + std::to_string(first + length - 1);
    rest &= ~lanesFrom(first, first + length - 1);
  }
}

}  // namespace

LaneGroups::LaneGroups(unsigned together) {
  for (unsigned first = 0; first < kWarpLanes; first += together)
    masks_[count_++] = lower(lanesFrom(first, first + together - 1));
}

std::string LaneGroups::read(std::string_view text, LaneGroups& into) {
  GroupReader reader(text);
  std::vector<Lanes> read;
  do {
    const Lanes lanes = reader.group();
    if (lanes == 0) return reader.wrong;
    read.push_back(lanes);
  } while (reader.take('|'));
  if (!reader.done()) return "'" + reader.rest() + "' follows a lane";
  LaneGroups groups;
  groups.wavefront_ = upper(reader.seen()) != 0;
  const Lanes missing = (groups.wavefront_ ? ~Lanes{0} : Lanes{kAllLanes}) & ~reader.seen();
  if (missing != 0) return "lane " + std::to_string(__builtin_ctzll(missing)) + " is missing";
  const std::vector<LaneMask> masks = groups.wavefront_
                                          ? halved(read, groups.joins_)
                                          : std::vector<LaneMask>(read.begin(), read.end());
  if (masks.empty()) return "lanes 32 to 63 are not grouped as lanes 0 to 31 are";
  groups.count_ = static_cast<unsigned>(masks.size());
  std::copy(masks.begin(), masks.end(), groups.masks_.begin());
  into = groups;
  return "";
}

LaneGroups LaneGroups::paired() const {
  LaneGroups pairs = *this;
  pairs.count_ = (count_ + 1) / 2;
  for (unsigned i = 0; i < pairs.count_; ++i)
    pairs.masks_[i] = masks_[2 * i] | (2 * i + 1 < count_ ? masks_[2 * i + 1] : 0);
  return pairs;
}

std::string LanePacking::read(std::string_view text, LanePacking& into) {
  LanePacking packing;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    unsigned distance = 0;
    const auto found = std::from_chars(word.data(), word.data() + word.size(), distance);
    const bool isDistance = found.ec == std::errc() && found.ptr == word.data() + word.size() &&
                            distance < kWarpLanes && (distance & (distance - 1)) == 0 &&
                            distance != 0;
    if (!isDistance || word.size() + 1 == rest.size())
      return "'" + std::string(rest.substr(0, 16)) + "' is no distance of lanes";
    packing.distances_ |= LaneMask{1} << distance;
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  into = packing;
  return "";
}

std::string LanePacking::text() const {
  std::string out;
  for (LaneMask rest = distances_; rest != 0; rest &= rest - 1)
    out += (out.empty() ? "" : ",") + std::to_string(__builtin_ctz(rest));
  return out;
}

bool LanePacking::packs(const std::uint64_t* address, LaneMask active) const {
  for (LaneMask rest = distances_; rest != 0; rest &= rest - 1) {
    const auto apart = static_cast<unsigned>(__builtin_ctz(rest));
    bool same = true;
    // The lower lane of each two: its number has no bit of `apart`.
    for (unsigned lane = 0; lane < kWarpLanes && same; lane = ((lane | apart) + 1) & ~apart) {
      const bool both = (active >> lane & active >> (lane + apart) & 1U) != 0;
      same = !both || address[lane] == address[lane + apart];
    }
    if (same) return true;
  }
  return false;
}

const LaneGroups& LaneGrouping::ofWideLoad(const WarpInstruction& access) const {
  const bool is64 = access.bytesPerLane == 8;
  const LanePacking& packing = is64 ? packing64 : packing128;
  if (!packing.packs(access.address.data(), access.active))
    return of(access.operation, access.bytesPerLane);
  packed_ = (is64 ? bits64 : bits128).paired();
  return packed_;
}

std::string LaneGroups::text() const {
  std::string out;
  for (const LaneMask group : *this) {
    const Lanes above = Lanes{group} << kWarpLanes;
    write(joins_ ? group | above : group, out);
    if (wavefront_ && !joins_) write(above, out);
  }
  return out;
}

}  // namespace fermata
