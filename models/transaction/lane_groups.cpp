#include <fermata/models/transaction/lane_groups.h>

#include <charconv>

namespace fermata {

namespace {

constexpr LaneMask lanesFrom(unsigned first, unsigned last) {
  return kAllLanes >> (kWarpLanes - 1 - (last - first)) << first;
}

/// Reads groups of lanes; the first thing that is wrong stands in `wrong`.
class GroupReader {
 public:
  explicit GroupReader(std::string_view text) {
    for (const char c : text) {
      if (c != ' ' && c != '\t') text_ += c;
    }
  }

  /// The next group; 0 when it is wrong.
  LaneMask group() {
    LaneMask lanes = 0;
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
  LaneMask seen() const { return seen_; }
  std::string rest() const { return text_.substr(at_, 16); }

  std::string wrong;

 private:
  bool range(LaneMask& lanes) {
    unsigned first = 0;
    if (!lane(first)) return false;
    unsigned last = first;
    if (take('-') && !lane(last)) return false;
    if (last < first) return fail(std::to_string(first) + "-" + std::to_string(last) + " falls");
    const LaneMask named = lanesFrom(first, last);
    if ((seen_ & named) != 0)
      return fail("lane " + std::to_string(__builtin_ctz(seen_ & named)) + " stands in it twice");
    seen_ |= named;
    lanes |= named;
    return true;
  }
  bool lane(unsigned& number) {
    const char* end = text_.data() + text_.size();
    const auto found = std::from_chars(text_.data() + at_, end, number);
    if (found.ec == std::errc::invalid_argument)
      return fail(done() ? "it ends where a lane should stand" : "'" + rest() + "' is no lane");
    if (found.ec != std::errc() || number >= kWarpLanes)
      return fail("'" + rest() + "' is no lane of a warp");
    at_ = static_cast<std::size_t>(found.ptr - text_.data());
    return true;
  }
  bool fail(std::string why) {
    wrong = std::move(why);
    return false;
  }

  std::string text_;
  std::size_t at_ = 0;
  LaneMask seen_ = 0;
};

}  // namespace

LaneGroups::LaneGroups(unsigned together) {
  for (unsigned first = 0; first < kWarpLanes; first += together)
    masks_[count_++] = lanesFrom(first, first + together - 1);
}

std::string LaneGroups::read(std::string_view text, LaneGroups& into) {
  GroupReader reader(text);
  LaneGroups groups;
  groups.count_ = 0;
  do {
    const LaneMask lanes = reader.group();
    if (lanes == 0) return reader.wrong;
    groups.masks_[groups.count_++] = lanes;
  } while (reader.take('|'));
  if (!reader.done()) return "'" + reader.rest() + "' follows a lane";
  if (reader.seen() != kAllLanes)
    return "lane " + std::to_string(__builtin_ctz(~reader.seen())) + " is missing";
  into = groups;
  return "";
}

std::string LaneGroups::text() const {
  std::string out;
  for (const LaneMask group : *this) {
    if (!out.empty()) out += '|';
    for (LaneMask rest = group; rest != 0;) {
      const auto first = static_cast<unsigned>(__builtin_ctz(rest));
      const LaneMask after = ~(rest >> first);  // the lowest bit set ends the range
      const unsigned length = after == 0 ? kWarpLanes : static_cast<unsigned>(__builtin_ctz(after));
      if (rest != group) out += ',';
      out += std::to_string(first);
      if (length > 1) out += "-" + std::to_string(first + length - 1);
      rest &= ~lanesFrom(first, first + length - 1);
    }
  }
  return out;
}

}  // namespace fermata
