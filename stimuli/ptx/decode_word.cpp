// Decodes dp4a dp2a, and vadd vsub vabsdiff vmin vmax vavrg vset of one word, two halves, four
// bytes.
#include <algorithm>
#include <array>

#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

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
