// Copies of boxes of tensors (cp.async.bulk.tensor), and changes of their maps (tensormap).
#include <algorithm>
#include <cstring>

#include <fermata/stimuli/ptx/bulk_copies.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/map_fields.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kMapBytes = sizeof(TensorMap::Bytes);
constexpr unsigned kMostOffsets = 3;

/// Type of the elements of a reduction; B8: there is none.
Type reducedType(TensorType type, AtomicOp op) {
  const bool bits = op >= AtomicOp::And;
  constexpr Type kTypes[] = {Type::B8,  Type::B8,  Type::U32, Type::S32,  Type::U64, Type::S64,
                             Type::F16, Type::F32, Type::F64, Type::Bf16, Type::F32, Type::B8,
                             Type::B8,  Type::B8,  Type::B8,  Type::B8};
  const Type held = kTypes[static_cast<unsigned>(type)];
  if (!bits || !isInteger(held)) return held;
  return bytesOf(held) == 8 ? Type::B64 : Type::B32;
}

/// Memory of a tensor map, which any space may hold.
struct MapPlace {
  Window window;
  MemorySpace space = MemorySpace::Global;
  std::uint64_t address = 0;
};

/// Returns the place of the map that a lane's address names. Throws InputError if none can be
/// there.
MapPlace mapPlace(const Warp& warp, const Instruction& i, unsigned lane) {
  WarpInstruction place;
  place.address[lane] =
      laneValue(warp, i.a, i.wideBase, lane) + static_cast<std::uint64_t>(i.offset);
  place.space = spaceOfGeneric(place.address[lane]);
  place.address[lane] -= windowBase(place.space);
  Instruction access = i;
  access.bytesPerLane = 64;  // the alignment that a map needs
  access.operation = MemoryOperation::Load;
  const std::uint64_t address = place.address[lane];
  if (place.space == MemorySpace::Global) {
    const Allocation* part = warp.machine->memory->find(address, kMapBytes);
    if (part != nullptr && address % 64 == 0) return {windowOf(*part), place.space, address};
    failAtAddress(warp, i, lane, FaultKind::Address, address,
                  "no tensor map at address {:#x}; expected 128 bytes at a multiple of 64",
                  address);
  }
  return {laneWindow(warp, access, lane, place), place.space, address};
}

TensorMap::Bytes readMap(const Warp& warp, const MapPlace& place, unsigned lane) {
  TensorMap::Bytes bytes;
  for (unsigned byte = 0; byte < kMapBytes; byte += 16)
    readSeen(warp, place.space, place.window, place.address + byte, lane, 16, bytes.data() + byte);
  return bytes;
}

TensorMap mapAt(const Warp& warp, const Instruction& i, unsigned lane) {
  const MapPlace place = mapPlace(warp, i, lane);
  const auto map = TensorMap::decode(readMap(warp, place, lane));
  if (!map)
    failAt(warp, i, lane,
           "no tensor map at address {:#x}; expected one of cuTensorMapEncodeTiled or of a launch "
           "file",
           place.address);
  return *map;
}

/// Checks the map against the instruction, where a copy begins.
void checkMap(const Warp& warp, const Instruction& i, unsigned lane, const TensorMap& map) {
  const std::string refusal = map.refusal();
  if (!refusal.empty()) failAt(warp, i, lane, "a tensor map with {}", refusal);
  if (map.rank != i.bulk.dimensions)
    failAt(warp, i, lane, "a tensor map of rank {}; expected {}", map.rank,
           unsigned{i.bulk.dimensions});
  if (map.im2col.has_value() != i.bulk.im2col)
    failAt(warp, i, lane, "a tensor map for mode {}; expected mode {}",
           map.im2col ? "im2col" : "tile", i.bulk.im2col ? "im2col" : "tile");
}

TensorBox boxOf(const Warp& warp, const Instruction& i, unsigned lane, const TensorMap& map) {
  const Row* rows = &warp.machine->code->matrixRows[i.bulk.rows];
  TensorBox::Coordinates at{};
  for (unsigned k = 0; k < i.bulk.dimensions; ++k) at[k] = rowOf<std::int32_t>(warp, rows[k])[lane];
  std::array<std::uint16_t, kMostOffsets> offsets{};
  for (unsigned k = 0; i.bulk.im2col && k + 2 < i.bulk.dimensions; ++k)
    offsets[k] = static_cast<std::uint16_t>(
        rowOf<std::uint32_t>(warp, rows[TensorMap::kMostRank + k])[lane]);
  return TensorBox(map, at, offsets);
}

void executeBox(Warp& warp, const Instruction& i, LaneMask mask) {
  const unsigned lane = firstLane(mask);
  const TensorMap map = mapAt(warp, i, lane);
  if (warp.copies.bulkDone == 0) checkMap(warp, i, lane, map);
  const TensorBox box = boxOf(warp, i, lane, map);
  const std::int64_t first =
      rowOf<std::int32_t>(warp, warp.machine->code->matrixRows[i.bulk.rows])[lane];
  if (first % map.coordinateStep() != 0)
    failAt(warp, i, lane, "coordinate {} of {} along dimension 0; expected a multiple of {}", first,
           map.isPacked()                             ? "a packed type"
           : map.interleave != TensorInterleave::None ? "an interleaved tensor"
                                                      : "a box that begins at 16 bytes",
           map.coordinateStep());
  const auto shared =
      static_cast<std::uint32_t>(laneValue(warp, i.b, i.wideData, lane) + i.bulk.sharedOffset);
  if (shared % 128 != 0)
    failAtAddress(warp, i, lane, FaultKind::Misaligned, shared,
                  "a box at address {:#x} of shared memory; expected a multiple of 128", shared);
  BulkShape shape;
  shape.chunks = box.chunks();
  shape.ctas = ctasOf(warp, i, lane);
  shape.fill = map.fill();
  shape.elementBytes = static_cast<std::uint8_t>(map.elementBytes());
  shape.chunkBytes = static_cast<std::uint8_t>(map.chunkBytes());
  shape.rounds = i.space == MemorySpace::Global &&
                 (map.type == TensorType::Tf32 || map.type == TensorType::Tf32Ftz);
  if (i.bulk.reduction != 0)
    shape.combine = combinationOf(
        warp, i, lane, reducedType(map.type, static_cast<AtomicOp>(i.bulk.reduction - 1)));
  TensorBox::Run run;
  std::uint32_t begin = 0;  // of the run
  executePiece(warp, i, mask, shape, [&](std::uint32_t k) {
    if (k - begin >= run.chunks) run = box.run(begin = k);
    TensorBox::Chunk chunk = run.first;
    chunk.address += std::uint64_t{k - begin} * shape.chunkBytes;
    const std::uint32_t to = swizzled(map.swizzle, shared + k * TensorBox::kChunk);
    constexpr std::uint32_t kHalf = TensorBox::kChunk / 2;
    return BulkChunk{chunk, to & ~kHalf, (to & kHalf) != 0};
  });
}

/// Takes .1d to .5d and the mode.
void takeShape(Decoding& d, std::string_view im2col) {
  constexpr std::string_view kDimensions[] = {"1d", "2d", "3d", "4d", "5d"};
  for (unsigned k = 0; k < TensorMap::kMostRank; ++k) {
    if (d.take(kDimensions[k])) d.i.bulk.dimensions = static_cast<std::uint8_t>(k + 1);
  }
  if (d.i.bulk.dimensions == 0) d.unsupported("expected .1d to .5d");
  if (!d.take("tile")) d.i.bulk.im2col = d.take(im2col);
  if (d.i.bulk.im2col && d.i.bulk.dimensions < 3) d.unsupported("mode im2col has .3d to .5d");
}

/// Returns operand k, [map, {coordinates}].
const Operand& tensorOperand(Decoding& d, std::size_t k) {
  const Operand& operand = d.operand(k);
  if (operand.kind != Operand::Kind::Address || operand.elements.size() != 2)
    d.fail(operand.at, "expected [tensor map, {{coordinates}}]");
  return operand;
}

void takeRows(Decoding& d, const Operand& operand, std::size_t count, Type type) {
  const auto elements = Decoding::elementsOf(operand);
  if (elements.size() != count)
    d.fail(operand.at, "{} elements; expected {}", elements.size(), count);
  std::vector<Row>& rows = d.builder().code().matrixRows;
  for (const Operand* const element : elements) rows.push_back(d.source(*element, type));
}

/// Takes the map's address into a, offset and wideBase, a generic one; and the coordinates. With
/// `offsets`, operand `offsets` has the offsets of mode im2col.
void takeTensor(Decoding& d, std::size_t k, std::size_t offsets) {
  const Operand& operand = tensorOperand(d, k);
  const BulkOperands kept = d.i.bulk;
  d.address(operand, MemorySpace::Generic);
  d.i.offset += static_cast<std::int64_t>(windowBase(d.i.space));
  d.i.bulk = kept;
  d.i.bulk.rows = static_cast<std::uint32_t>(d.builder().code().matrixRows.size());
  takeRows(d, operand.elements[1], d.i.bulk.dimensions, Type::S32);
  if (offsets == 0 || !d.i.bulk.im2col) return;
  d.builder().code().matrixRows.resize(d.i.bulk.rows + TensorMap::kMostRank, kUnusedRow);
  takeRows(d, d.operand(offsets), d.i.bulk.dimensions - 2U, Type::B16);
}

/// Decodes [map, {coordinates}], [shared].
void decodeOut(Decoding& d) {
  if (!d.take("global") || !d.take("shared::cta") || !d.take("bulk_group"))
    d.unsupported("expected .global.shared::cta.bulk_group");
  takeShape(d, "im2col_no_offs");
  const std::size_t policies = d.take("L2::cache_hint") ? 1 : 0;
  d.finishModifiers();
  d.expectOperands(2 + policies);
  const BulkOperands kept = d.i.bulk;
  takeSharedEnd(d, 1);
  const std::uint32_t sharedOffset = d.i.bulk.sharedOffset;
  d.i.bulk = kept;
  d.i.bulk.sharedOffset = sharedOffset;
  takeTensor(d, 0, 0);
  if (policies != 0) d.source(2, Type::B64);
  d.i.space = MemorySpace::Shared;
  d.i.copyStep = CopyStep::BulkOut;
  d.i.handler = &executeBox;
  emitBulk(d, 0);
}

/// Decodes [shared], [map, {coordinates}], [mbarrier]{, {offsets}}{, CTAs}.
void decodeIn(Decoding& d) {
  const bool multicasts = d.take("multicast::cluster");
  const bool toShared = d.take("shared::cluster") || d.take("shared::cta");
  if (!toShared || !d.take("global") || !d.take("mbarrier::complete_tx::bytes"))
    d.unsupported("expected .shared::cluster.global .. .mbarrier::complete_tx::bytes");
  takeShape(d, "im2col");
  const bool pairs = d.take("cta_group::2");
  if (!pairs) d.take("cta_group::1");
  const std::size_t policies = d.take("L2::cache_hint") ? 1 : 0;
  const std::size_t own = d.i.bulk.im2col ? 4 : 3, operands = own + (multicasts ? 1 : 0);
  d.finishModifiers();
  d.expectOperands(operands + policies);
  const BulkOperands kept = d.i.bulk;
  takeSharedEnd(d, 0);
  const std::uint32_t sharedOffset = d.i.bulk.sharedOffset;
  d.i.bulk = kept;
  d.i.bulk.sharedOffset = sharedOffset;
  takeTensor(d, 1, d.i.bulk.im2col ? 3 : 0);
  takeCtas(d, own, multicasts);
  if (policies != 0) d.source(operands, Type::B64);
  d.i.space = MemorySpace::Global;
  d.i.copyStep = CopyStep::Bulk;
  d.i.handler = &executeBox;
  emitBulk(d, 2, pairs);
}

// tensormap

/// Writes a map, by the log if there is one.
void writeMap(const Warp& warp, const MapPlace& place, unsigned lane,
              const TensorMap::Bytes& bytes) {
  if (logOf(warp, place.space) == nullptr) {
    for (unsigned byte = 0; byte < kMapBytes; byte += 16)
      writeLane(place.window, place.address + byte, lane, 16, bytes.data() + byte);
    return;
  }
  WarpInstruction out;
  out.bytesPerLane = 16;
  for (unsigned k = 0; k < kWarpLanes; ++k) out.address[k] = place.address + 16 * k;
  StoreLog::Bytes& to = addTo(*warp.machine->log, warp, place.window, 0xff, out);
  std::copy(bytes.begin(), bytes.end(), to.begin());
}

// a: the map's address; c: the value; bulk.dimensions: its dimension; bulk.reduction: the field.
void executeReplace(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const MapPlace place = mapPlace(warp, i, lane);
    if (place.space == MemorySpace::Parameter || place.space == MemorySpace::Local)
      failAt(warp, i, lane, "a tensor map that is in neither global nor shared memory");
    TensorMap map = mapAt(warp, i, lane);
    const std::uint64_t value = laneValue(warp, i.c, i.wideData, lane);
    const auto field = static_cast<MapField>(i.bulk.reduction);
    if (!replaceField(map, field, i.bulk.dimensions, value))
      failAt(warp, i, lane, "{} for field .{} of a tensor map; expected a value in its range",
             value, kMapFields[i.bulk.reduction]);
    writeMap(warp, place, lane, map.encode());
  }
}

// a: the address of the map that is written, c: of the one in shared memory. The lanes agree.
void executePublish(Warp& warp, const Instruction& i, LaneMask mask) {
  const unsigned lane = firstLane(mask);
  Instruction source = i;
  source.a = i.c;
  source.wideBase = i.wideData;
  source.offset = static_cast<std::int64_t>(windowBase(MemorySpace::Shared));
  const TensorMap::Bytes map = readMap(warp, mapPlace(warp, source, lane), lane);
  writeMap(warp, mapPlace(warp, i, lane), lane, map);
}

/// Decodes tensormap.cp_fenceproxy, by which a map that was changed in shared memory takes effect.
void decodePublish(Decoding& d) {
  const bool fits = d.take("global") && d.take("shared::cta") && d.take("tensormap::generic") &&
                    d.take("release") && !d.takeOneOf({"cta", "cluster", "gpu", "sys"}).empty() &&
                    d.take("sync") && d.take("aligned");
  if (!fits)
    d.unsupported(
        "expected .global.shared::cta.tensormap::generic.release, a scope, .sync.aligned");
  d.finishModifiers();
  d.expectOperands(3);
  if (d.immediate(d.operand(2), kMapBytes, "the size") != kMapBytes)
    d.fail(d.operand(2).at, "expected a size of 128");
  d.address(d.addressOperand(1), MemorySpace::Shared);
  if (d.i.offset != 0) d.fail(d.operand(1).at, "expected a register without an offset");
  d.i.c = d.i.a;
  d.i.wideData = d.i.wideBase;
  d.address(d.addressOperand(0), MemorySpace::Global);
  d.i.offset += static_cast<std::int64_t>(windowBase(d.i.space));
  d.i.space = MemorySpace::None;
  d.i.handler = &executePublish;
  d.emit(InstructionClass::Integer);
}

}  // namespace

void decodeTensorCopy(Decoding& d) {
  if (d.has("bulk_group")) return decodeOut(d);
  decodeIn(d);
}

void decodeTensorReduction(Decoding& d) {
  const AtomicOp op = takeReduction(d);
  d.i.bulk.reduction = static_cast<std::uint8_t>(static_cast<unsigned>(op) + 1);
  decodeOut(d);
}

// Prefetches change nothing: caches here take no advice.
void decodeTensorPrefetch(Decoding& d) {
  if (!d.take("L2") || !d.take("global")) d.unsupported("expected .L2.global");
  takeShape(d, "im2col");
  const std::size_t policies = d.take("L2::cache_hint") ? 1 : 0;
  const std::size_t operands = d.i.bulk.im2col ? 2 : 1;
  d.finishModifiers();
  d.expectOperands(operands + policies);
  takeTensor(d, 0, d.i.bulk.im2col ? 1 : 0);
  d.i = Instruction{};
  emitNothing(d);
}

// The map is written without an access of its own: an integer instruction.
void decodeTensorMap(Decoding& d) {
  if (d.take("cp_fenceproxy")) return decodePublish(d);
  if (!d.take("replace") || !d.take("tile"))
    d.unsupported("expected .replace.tile or .cp_fenceproxy");
  std::size_t field = 0;
  while (field < std::size(kMapFields) && !d.take(kMapFields[field])) ++field;
  if (field == std::size(kMapFields)) d.unsupported("expected a field such as .global_address");
  const std::string_view space = d.takeOneOf({"global", "shared::cta"});
  const bool counts = field >= static_cast<std::size_t>(MapField::Box) &&
                      field <= static_cast<std::size_t>(MapField::Step);
  if (!d.take("b1024")) d.unsupported("expected .b1024");
  const Type type = d.takeType();
  if (type != Type::B32 && type != Type::B64) d.unsupported("expected .b32 or .b64");
  d.finishModifiers();
  d.expectOperands(counts ? 3 : 2);
  const MemorySpace named = space.empty()       ? MemorySpace::Generic
                            : space == "global" ? MemorySpace::Global
                                                : MemorySpace::Shared;
  d.address(d.addressOperand(0), named);
  d.i.offset += static_cast<std::int64_t>(windowBase(d.i.space));
  d.i.space = MemorySpace::None;
  if (counts)
    d.i.bulk.dimensions = static_cast<std::uint8_t>(d.immediate(d.operand(1), 4, "the dimension"));
  d.i.c = d.source(counts ? 2 : 1, type);
  d.i.wideData = type == Type::B64;
  d.i.bulk.reduction = static_cast<std::uint8_t>(field);
  d.i.handler = &executeReplace;
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
