// tex.
#include <array>

#include <fermata/stimuli/ptx/decoding.h>

namespace fermata::ptx {
namespace {

struct Fetch {
  const Operand* texture = nullptr;
  const Operand* coordinates = nullptr;
};

/// [texture, {coordinates}]; PTX 1.x also without the brackets.
Fetch takeFetch(Decoding& d) {
  d.expectOperands(2, 3);
  const Operand& address = d.operand(1);
  if (d.operandCount() == 3) return {&address, &d.operand(2)};
  if (address.kind != Operand::Kind::Address || address.elements.size() != 2 ||
      address.offset != 0) {
    d.fail(address.at, "expected [texture, {coordinates}]");
  }
  return {&address.elements[0], &address.elements[1]};
}

/// Rows of the coordinates. A vector of four goes with any geometry: the extra elements are ignored
/// (PTX ISA, tex), and the compilers of CUDA 1.x to 4.0 always wrote four.
std::array<Row, 4> takeCoordinates(Decoding& d, const Operand& operand, unsigned dimensions,
                                   Type type) {
  const bool isVector = operand.kind == Operand::Kind::Vector;
  const std::size_t count = isVector ? operand.elements.size() : 1;
  if (count != 4 && (count != dimensions || dimensions == 3)) {
    d.fail(operand.at, std::to_string(count) + " coordinates; expected " +
                           (dimensions == 3 ? "" : std::to_string(dimensions) + " or ") + "4");
  }
  std::array<Row, 4> rows{};
  for (std::size_t k = 0; k < count; ++k)
    rows[k] = d.source(isVector ? operand.elements[k] : operand, type);
  return rows;
}

void decodeTexture(Decoding& d) {
  const std::string_view geometry = d.takeOneOf({"1d", "2d", "3d"});
  if (geometry.empty()) d.unsupported("only .1d, .2d and .3d textures");
  if (!d.take("v4")) d.unsupported("expected .v4");
  const Type result = d.takeType();
  const Type coordinate = d.takeType();
  d.finishModifiers();
  if (!(result == Type::F32 || result == Type::U32 || result == Type::S32) ||
      !(coordinate == Type::F32 || coordinate == Type::S32))
    d.unsupported();
  const Fetch fetch = takeFetch(d);
  const Operand& texture = *fetch.texture;
  if (texture.kind == Operand::Kind::Variable && !texture.variable->isTexture)
    d.fail(texture.at, "'" + texture.variable->name + "' is no .texref");
  const auto dimensions = static_cast<unsigned>(geometry[0] - '0');
  d.i.handler = &executeTexture;
  d.i.space = MemorySpace::Texture;
  d.i.bytesPerLane = 4;
  d.i.mode = static_cast<std::uint8_t>(dimensions);
  d.i.flags =
      static_cast<std::uint8_t>((coordinate == Type::F32 ? 1 : 0) | (result == Type::F32 ? 2 : 0));
  d.i.wideBase = true;
  d.i.a = d.source(texture, Type::B64);
  const auto rows = takeCoordinates(d, *fetch.coordinates, dimensions, coordinate);
  d.i.b = rows[0];
  d.i.c = rows[1];
  d.i.target = rows[2];
  const Operand& data = d.operand(0);
  if (data.kind != Operand::Kind::Vector || data.elements.size() != 4)
    d.fail(data.at, "expected a vector of 4 elements in braces");
  for (unsigned e = 0; e < 4; ++e) d.i.vector[e] = d.destination(data.elements[e], result);
  d.emit(InstructionClass::Memory);
}

}  // namespace

FamilyDecoder textureDecoder(std::string_view mnemonic) {
  return mnemonic == "tex" ? &decodeTexture : nullptr;
}

}  // namespace fermata::ptx
