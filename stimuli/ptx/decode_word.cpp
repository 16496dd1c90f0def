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

void takeVideoComparison(Decoding& d) {
  constexpr std::array<std::string_view, 6> kNames = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (std::size_t k = 0; k < kNames.size(); ++k) {
    if (!d.take(kNames[k])) continue;
    d.i.video.relation = static_cast<Compare>(k);  // order of Compare
    return;
  }
  d.unsupported("expected a comparison such as .lt");
}

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
  if (isSet) takeVideoComparison(d);
  d.i.video.saturates = !isSet && d.take("sat");
  const std::string_view second =
      parts == 1 ? d.takeOneOf({"add", "min", "max"}) : d.takeOneOf({"add"});
  d.finishModifiers();
  d.i.video.second = second == "add"   ? VideoSecond::Add
                     : second == "min" ? VideoSecond::Min
                     : second == "max" ? VideoSecond::Max
                                       : VideoSecond::None;
  const bool two = parts == 1 && second.empty();
  d.expectOperands(two ? 3 : 4);
  d.i.d = d.destination(0, Type::B32);
  d.i.a = d.source(1, Type::B32);
  d.i.b = d.source(2, Type::B32);
  d.i.c = two ? d.i.a : d.source(3, Type::B32);
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
