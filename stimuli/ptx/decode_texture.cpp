// Decodes tex tld4 txq suq suld sust.
#include <array>

#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

struct Geometry {
  unsigned dimensions = 0;
  bool layered = false;
  bool cube = false;
  /// Returns how many parts a position has, without a layer: a direction has three.
  unsigned parts() const { return cube ? 3 : dimensions; }
  /// Returns how many elements the vector of coordinates has; 4 are always allowed, too.
  unsigned coordinates() const {
    const unsigned count = parts() + (layered ? 1 : 0);
    return count == 3 ? 4 : count;
  }
};

Geometry takeGeometry(Decoding& d, bool orCube = false) {
  if (orCube) {
    const std::string_view cube = d.takeOneOf({"cube", "acube"});
    if (!cube.empty()) return {2, cube[0] == 'a', true};
  }
  const std::string_view name = d.takeOneOf({"1d", "2d", "3d", "a1d", "a2d"});
  if (name.empty()) d.unsupported("expected .1d, .2d, .3d, .a1d, .a2d, .cube or .acube");
  const bool layered = name[0] == 'a';
  return {static_cast<unsigned>(name[layered ? 1 : 0] - '0'), layered};
}

struct Fetch {
  const Operand* texture = nullptr;
  const Operand* coordinates = nullptr;
};

/// Returns texture and coordinates of operand `k`, which must be [texture, {coordinates}].
Fetch fetchOf(Decoding& d, std::size_t k) {
  const Operand& address = d.operand(k);
  if (address.kind != Operand::Kind::Address || address.elements.size() != 2 ||
      address.offset != 0) {
    d.fail(address.at, "expected [texture, {coordinates}]");
  }
  return {&address.elements[0], &address.elements[1]};
}

/// Takes the rows of x, y and z or the layer into b, c and d; the layer of a cube has a field of
/// its own. A vector of four fits any geometry: the extra elements are ignored (PTX ISA, tex), and
/// the compilers of CUDA 1.x to 4.0 always wrote four.
void takeCoordinates(Decoding& d, const Operand& operand, Geometry geometry, Type type) {
  const auto elements = Decoding::elementsOf(operand);
  const std::size_t count = elements.size();
  const unsigned wanted = geometry.coordinates();
  if (count != 4 && count != wanted) {
    d.fail(operand.at, "{} coordinates; expected {}4", count,
           wanted == 4 ? "" : message("{} or ", wanted));
  }
  std::array<Row, 4> rows{};
  for (std::size_t k = 0; k < count; ++k)
    rows[k] = d.source(*elements[k], geometry.layered && k == 0 ? Type::B32 : type);
  const unsigned first = geometry.layered ? 1 : 0;
  d.i.b = rows[first];
  d.i.c = rows[first + 1];
  d.i.d = geometry.layered && !geometry.cube ? rows[0] : rows[first + 2];
  if (geometry.cube) d.i.texture.layer = rows[0];
}

void takeHandle(Decoding& d, const Operand& operand, bool ofSurface) {
  if (operand.kind == Operand::Kind::Variable && (ofSurface || !operand.variable->isTexture)) {
    d.fail(operand.at, "'{}' is no {}", operand.variable->name,
           ofSurface ? "surface; expected a register with a handle" : ".texref");
  }
  d.i.wideBase = true;
  d.i.a = d.source(operand, Type::B64);
}

/// Takes the results: {r, g, b, a} or, with the residence of the texels, {r, g, b, a}|p.
void takeResults(Decoding& d, Type type) {
  const Operand& first = d.operand(0);
  const bool pair = first.kind == Operand::Kind::Pair;
  const Operand& data = pair ? first.elements[0] : first;
  if (data.kind != Operand::Kind::Vector || data.elements.size() != 4)
    d.fail(data.at, "expected a vector of 4 elements in braces");
  for (unsigned e = 0; e < 4; ++e) d.i.vector[e] = d.destination(data.elements[e], type);
  if (pair) d.i.pd = d.predicateDestination(first.elements[1]);
}

/// Takes the operands that choose a level. They are read but not used, since there is one level.
void takeLevels(Decoding& d, std::string_view choice, Geometry geometry, Type coordinate) {
  if (choice == "level") d.source(2, coordinate);
  if (choice != "grad") return;
  for (std::size_t k = 2; k < 4; ++k) {
    const auto elements = Decoding::elementsOf(d.operand(k));
    const std::size_t wanted = geometry.parts() == 3 ? 4 : geometry.parts();
    if (elements.size() != wanted)
      d.fail(d.operand(k).at, "{} gradients; expected {}", elements.size(), wanted);
    for (const Operand* element : elements) d.source(*element, Type::F32);
  }
}

struct Types {
  Type result = Type::F32, coordinate = Type::F32;
};

Types takeTypes(Decoding& d) {
  if (!d.take("v4")) d.unsupported("expected .v4");
  const Type result = d.takeType();
  const Type coordinate = d.takeType();
  d.finishModifiers();
  if (!(result == Type::F32 || result == Type::U32 || result == Type::S32) ||
      !(coordinate == Type::F32 || coordinate == Type::S32))
    d.unsupported();
  return {result, coordinate};
}

void textureFields(Decoding& d, Geometry geometry, Types types) {
  d.i.space = MemorySpace::Texture;
  d.i.bytesPerLane = 4;
  d.i.texture.dimensions = static_cast<std::uint8_t>(geometry.dimensions);
  d.i.texture.floatCoordinates = types.coordinate == Type::F32;
  d.i.texture.floatResults = types.result == Type::F32;
  d.i.texture.layered = geometry.layered;
  d.i.texture.cube = geometry.cube;
}

}  // namespace

void decodeTexture(Decoding& d) {
  const std::string_view choice = d.takeOneOf({"level", "grad"});
  const Geometry geometry = takeGeometry(d, true);
  const Types types = takeTypes(d);
  if (geometry.cube && types.coordinate != Type::F32) d.unsupported();
  const std::size_t more = choice == "level" ? 1 : choice == "grad" ? 2 : 0;
  // PTX 1.x also writes texture, {coordinates} without the brackets.
  d.expectOperands(2 + more, 3 + more);
  const bool bare = more == 0 && d.operandCount() == 3;
  if (more != 0) d.expectOperands(2 + more);
  const Fetch fetch = bare ? Fetch{&d.operand(1), &d.operand(2)} : fetchOf(d, 1);
  textureFields(d, geometry, types);
  d.i.handler = &executeTexture;
  takeHandle(d, *fetch.texture, false);
  takeCoordinates(d, *fetch.coordinates, geometry, types.coordinate);
  takeLevels(d, choice, geometry, types.coordinate);
  takeResults(d, types.result);
  d.emit(InstructionClass::Memory);
}

void decodeGather(Decoding& d) {
  constexpr std::string_view kChannels = "rgba";
  const std::string_view channel = d.takeOneOf({"r", "g", "b", "a"});
  if (channel.empty() || !d.take("2d")) d.unsupported("expected a channel, and .2d");
  const Geometry geometry{2, false};
  const Types types = takeTypes(d);
  if (types.coordinate != Type::F32) d.unsupported();
  d.expectOperands(2);
  const Fetch fetch = fetchOf(d, 1);
  textureFields(d, geometry, types);
  d.i.handler = &executeGather;
  d.i.texture.channel = static_cast<std::uint8_t>(kChannels.find(channel[0]));
  takeHandle(d, *fetch.texture, false);
  takeCoordinates(d, *fetch.coordinates, geometry, types.coordinate);
  takeResults(d, types.result);
  d.emit(InstructionClass::Memory);
}

void decodeQuery(Decoding& d) {
  const bool ofSurface = d.mnemonic() == "suq";
  const auto query =
      d.takeEnum<ArrayQuery>({"width", "height", "depth", "array_size", "normalized_coords",
                              "num_mipmap_levels", "num_samples"});
  const bool level = d.take("level");
  const bool known =
      query && (!ofSurface || (query != ArrayQuery::Width && query <= ArrayQuery::Layers));
  if (!known || d.takeType() != Type::B32) d.unsupported();
  d.finishModifiers();
  d.expectOperands(level ? 3 : 2);
  const Operand& address = d.operand(1);
  if (address.kind != Operand::Kind::Address || address.elements.size() != 1)
    d.fail(address.at, "expected [handle]");
  d.i.handler = &executeQuery;
  d.i.texture.ofSurface = ofSurface;
  d.i.texture.query = *query;
  takeHandle(d, address.elements[0], ofSurface);
  if (level) d.source(2, Type::B32);
  d.i.d = d.destination(0, Type::B32);
  d.emit(InstructionClass::Integer);
}

void decodeSurface(Decoding& d) {
  const bool isLoad = d.mnemonic() == "suld";
  if (!d.take("b")) d.unsupported("expected .b");
  d.takeOneOf({"ca", "cg", "cs", "cv", "wb", "wt"});
  const Geometry geometry = takeGeometry(d);
  const auto edge = d.takeEnum<SurfaceEdge>({"trap", "clamp", "zero"});
  if (!edge) d.unsupported("expected .trap, .clamp or .zero");
  const unsigned elements = takeElements(d);
  const Type type = d.takeType();
  d.finishModifiers();
  if (!isBits(type) || bytesOf(type) * elements > WarpInstruction::kMaxBytesPerLane)
    d.unsupported();
  d.expectOperands(2);
  const Fetch fetch = fetchOf(d, isLoad ? 1 : 0);
  d.i.handler = &executeSurface;
  d.i.space = MemorySpace::Global;
  d.i.operation = isLoad ? MemoryOperation::Load : MemoryOperation::Store;
  d.i.elements = static_cast<std::uint8_t>(elements);
  d.i.bytesPerLane = static_cast<std::uint8_t>(bytesOf(type) * elements);
  d.i.surface.edge = *edge;
  d.i.surface.axes =
      static_cast<std::uint8_t>(1U | (geometry.dimensions > 1 ? 2U : 0U) |
                                (geometry.dimensions > 2 || geometry.layered ? 4U : 0U));
  takeHandle(d, *fetch.texture, true);
  takeCoordinates(d, *fetch.coordinates, geometry, Type::S32);
  const Operand& operand = d.operand(isLoad ? 0 : 1);
  const auto data = Decoding::elementsOf(operand);
  if (data.size() != elements) d.fail(operand.at, "expected {} elements", elements);
  const Type held = bytesOf(type) == 1 ? Type::B16 : type;
  d.i.wideData = bytesOf(type) == 8;
  d.i.registerBytes = 8;
  for (unsigned e = 0; e < elements; ++e)
    d.i.vector[e] = isLoad ? d.destination(*data[e], held) : d.source(*data[e], held);
  d.emit(InstructionClass::Memory);
}

}  // namespace fermata::ptx
