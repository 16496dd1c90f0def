// Decodes dp2a bmsk szext fns, and vadd vsub vabsdiff vmin vmax vavrg vset of one word, two halves,
// four bytes.
#include <array>

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {
namespace {

void words(Decoding& d, std::size_t count) {
  d.expectOperands(count);
  d.i.d = d.destination(0, Type::B32);
  d.i.a = d.source(1, Type::B32);
  d.i.b = count > 2 ? d.source(2, Type::B32) : d.i.a;
  d.i.c = count > 3 ? d.source(3, Type::B32) : d.i.a;
  d.emit(InstructionClass::Integer);
}

/// Takes .u32 or .s32; returns true if signed.
bool takeSign(Decoding& d) {
  const Type type = d.takeType();
  if (type != Type::U32 && type != Type::S32) d.unsupported("expected .u32 or .s32");
  return type == Type::S32;
}

void decodeDp2a(Decoding& d) {
  const std::string_view half = d.takeOneOf({"lo", "hi"});
  if (half.empty()) d.unsupported("expected .lo or .hi");
  d.i.handler = &executeDp2a;
  d.i.mode = half == "hi" ? 1 : 0;
  if (takeSign(d)) d.i.flags |= kVideoSignedA;
  if (takeSign(d)) d.i.flags |= kVideoSignedB;
  d.finishModifiers();
  words(d, 4);
}

void takeMode(Decoding& d) {
  const std::string_view mode = d.takeOneOf({"clamp", "wrap"});
  if (mode.empty()) d.unsupported("expected .clamp or .wrap");
  d.i.mode = mode == "clamp" ? 1 : 0;
}

void decodeBitMask(Decoding& d) {
  takeMode(d);
  if (d.takeType() != Type::B32) d.unsupported();
  d.finishModifiers();
  d.i.handler = &executeBitMask;
  words(d, 3);
}

void decodeExtend(Decoding& d) {
  takeMode(d);
  if (takeSign(d)) d.i.flags |= kVideoSignedA;
  d.finishModifiers();
  d.i.handler = &executeExtend;
  words(d, 3);
}

void decodeFindSet(Decoding& d) {
  if (d.takeType() != Type::B32) d.unsupported();
  d.finishModifiers();
  d.i.handler = &executeFindSet;
  words(d, 4);
}

struct VideoForm {
  std::string_view stem;
  Video op;
};
constexpr std::array<VideoForm, 7> kVideo = {{{"vadd", Video::Add},
                                              {"vsub", Video::Sub},
                                              {"vabsdiff", Video::AbsDiff},
                                              {"vmin", Video::Min},
                                              {"vmax", Video::Max},
                                              {"vavrg", Video::Average},
                                              {"vset", Video::Set}}};

/// Returns how many parts of a word "vadd4" works on; 0 if the name is not of this stem.
unsigned partsOf(std::string_view mnemonic, const VideoForm& form) {
  if (mnemonic.substr(0, form.stem.size()) != form.stem) return 0;
  const std::string_view rest = mnemonic.substr(form.stem.size());
  if (rest.empty()) return form.op == Video::Average ? 0 : 1;
  return rest == "2" ? 2 : rest == "4" ? 4 : 0;
}

const VideoForm* videoForm(std::string_view mnemonic) {
  for (const VideoForm& form : kVideo) {
    if (partsOf(mnemonic, form) != 0) return &form;
  }
  return nullptr;
}

void takeVideoComparison(Decoding& d) {
  constexpr std::array<std::string_view, 6> kNames = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (std::size_t k = 0; k < kNames.size(); ++k) {
    if (!d.take(kNames[k])) continue;
    d.i.reconverge = static_cast<std::uint32_t>(k);  // order of Compare
    return;
  }
  d.unsupported("expected a comparison such as .lt");
}

void decodeVideo(Decoding& d) {
  const VideoForm& form = *videoForm(d.mnemonic());
  const unsigned parts = partsOf(d.mnemonic(), form);
  const bool isSet = form.op == Video::Set;
  d.i.handler = &executeVideo;
  d.i.mode = static_cast<std::uint8_t>(form.op);
  d.i.elements = static_cast<std::uint8_t>(parts);
  if (!isSet && takeSign(d)) d.i.flags |= kVideoSignedResult;
  if (takeSign(d)) d.i.flags |= kVideoSignedA;
  if (takeSign(d)) d.i.flags |= kVideoSignedB;
  if (isSet) takeVideoComparison(d);
  if (!isSet && d.take("sat")) d.i.flags |= kVideoSaturate;
  const std::string_view second =
      parts == 1 ? d.takeOneOf({"add", "min", "max"}) : d.takeOneOf({"add"});
  d.finishModifiers();
  d.i.target = static_cast<std::uint32_t>(second == "add"   ? VideoSecond::Add
                                          : second == "min" ? VideoSecond::Min
                                          : second == "max" ? VideoSecond::Max
                                                            : VideoSecond::None);
  words(d, parts == 1 && second.empty() ? 3 : 4);
}

}  // namespace

FamilyDecoder wordDecoder(std::string_view mnemonic) {
  if (mnemonic == "dp2a") return &decodeDp2a;
  if (mnemonic == "bmsk") return &decodeBitMask;
  if (mnemonic == "szext") return &decodeExtend;
  if (mnemonic == "fns") return &decodeFindSet;
  return videoForm(mnemonic) != nullptr ? &decodeVideo : nullptr;
}

}  // namespace fermata::ptx
