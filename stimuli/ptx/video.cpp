// dp4a dp2a, and the video instructions vadd vsub vabsdiff vmin vmax vavrg vset on one word, two
// halves or four bytes.
#include <algorithm>
#include <array>
#include <limits>

#include <fermata/stimuli/ptx/bits.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

enum class Video : std::uint8_t { Add, Sub, AbsDiff, Min, Max, Average, Set };
enum class VideoSecond : std::uint8_t { None, Add, Min, Max };

namespace {

using Word = std::uint32_t;

/// Returns `bits` bits of a word from bit `at` on, extended by their sign or by zeros.
std::int64_t part(Word word, unsigned at, unsigned bits, bool isSigned) {
  return static_cast<std::int64_t>(extended(word >> at, bits, isSigned));
}

std::int64_t videoResult(const Instruction& i, std::int64_t a, std::int64_t b) {
  switch (i.video.op) {
    case Video::Add:
      return a + b;
    case Video::Sub:
      return a - b;
    case Video::AbsDiff:
      return a > b ? a - b : b - a;
    case Video::Min:
      return std::min(a, b);
    case Video::Max:
      return std::max(a, b);
    case Video::Average:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case Video::Set:
      return related(i.video.relation, a, b) ? 1 : 0;
  }
  return 0;
}

std::int64_t clamped(std::int64_t value, unsigned bits, bool isSigned) {
  const std::int64_t low = isSigned ? -(std::int64_t{1} << (bits - 1)) : 0;
  const std::int64_t high = (std::int64_t{1} << (bits - (isSigned ? 1 : 0))) - 1;
  return std::clamp(value, low, high);
}

Word video(const Instruction& i, Word a, Word b, Word c) {
  const unsigned bits = 32U / i.video.parts;
  const bool resultSigned = i.video.signedResult;
  Word merged = 0;
  std::int64_t sum = 0;
  for (unsigned at = 0; at < 32; at += bits) {
    std::int64_t value =
        videoResult(i, part(a, at, bits, i.video.signedA), part(b, at, bits, i.video.signedB));
    if (i.video.saturates) value = clamped(value, bits, resultSigned);
    const auto kept = static_cast<Word>(extended(static_cast<std::uint64_t>(value), bits, false));
    merged |= kept << at;
    sum += part(kept, 0, bits, resultSigned);
  }
  const std::int64_t third = part(c, 0, 32, resultSigned);
  switch (i.video.second) {
    case VideoSecond::Add:
      return static_cast<Word>(sum + third);
    case VideoSecond::Min:
      return static_cast<Word>(std::min(sum, third));
    case VideoSecond::Max:
      return static_cast<Word>(std::max(sum, third));
    case VideoSecond::None:
      break;
  }
  return merged;
}

void executeVideo(Warp& warp, const Instruction& i, LaneMask mask) {
  const auto row = [&](Row at) { return rowOf<Word>(warp, at); };
  const Word *a = row(i.a), *b = row(i.b), *c = row(i.c);
  for (const unsigned lane : lanesIn(mask)) row(i.d)[lane] = video(i, a[lane], b[lane], c[lane]);
}

/// Takes .u32 or .s32; returns true if signed.
bool takeSign(Decoding& d) {
  const Type type = d.takeType();
  if (type != Type::U32 && type != Type::S32) d.unsupported("expected .u32 or .s32");
  return type == Type::S32;
}

constexpr std::array<std::string_view, 7> kVideo = {"add", "sub",  "absdiff", "min",
                                                    "max", "avrg", "set"};  // order of Video

}  // namespace

// The signs of both factors become a modifier of the form: "dp4a.us".
void decodeDotProduct(Decoding& d) {
  constexpr std::array<std::string_view, 4> kSigns = {"uu", "us", "su", "ss"};
  const unsigned first = takeSign(d) ? 2 : 0;
  d.put(kSigns[first + (takeSign(d) ? 1 : 0)]);
  if (d.mnemonic() == "dp2a" && !d.has("lo") && !d.has("hi")) d.unsupported("expected .lo or .hi");
  decodeRegular(d, Type::B32);
}

void decodeVideo(Decoding& d) {
  std::string_view name = d.mnemonic().substr(1);  // "add4"
  const unsigned parts = name.back() == '2' ? 2 : name.back() == '4' ? 4 : 1;
  if (parts > 1) name.remove_suffix(1);
  const auto op =
      static_cast<Video>(std::find(kVideo.begin(), kVideo.end(), name) - kVideo.begin());
  const bool isSet = op == Video::Set;
  d.i.handler = &executeVideo;
  d.i.video.op = op;
  d.i.video.parts = static_cast<std::uint8_t>(parts);
  d.i.video.signedResult = !isSet && takeSign(d);
  d.i.video.signedA = takeSign(d);
  d.i.video.signedB = takeSign(d);
  if (isSet) {
    const auto relation = d.takeEnum<Compare>({"eq", "ne", "lt", "le", "gt", "ge"});
    if (!relation) d.unsupported("expected a comparison such as .lt");
    d.i.video.relation = *relation;
  }
  d.i.video.saturates = !isSet && d.take("sat");
  auto second = d.takeEnum<VideoSecond>({"add"}, VideoSecond::Add);
  if (!second && parts == 1) second = d.takeEnum<VideoSecond>({"min", "max"}, VideoSecond::Min);
  d.finishModifiers();
  d.i.video.second = second.value_or(VideoSecond::None);
  if (parts == 1 && !second) {
    d.takeOperands({Type::B32, Type::B32, Type::B32});
  } else {
    d.takeOperands({Type::B32, Type::B32, Type::B32, Type::B32});
  }
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
