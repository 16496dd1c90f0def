// mov, also of vectors and clocks; cvta isspacep; moves between registers and the parameters
// of functions.
#include <optional>

#include <fermata/stimuli/ptx/bits.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::ptx {
namespace {

/// Sets d of each lane of the mask to value(lane).
template <class Value>
void setLanes(const Warp& warp, const Instruction& i, LaneMask mask, Value value) {
  for (const unsigned lane : lanesIn(mask)) setLane(warp, i.d, i.wideData, lane, value(lane));
}

std::uint64_t lowBytes(std::uint64_t value, unsigned bytes) {
  return extended(value, 8 * bytes, false);
}

/// True if a generic address lies in shared memory: in that of the own CTA or, with `ofCluster`, of
/// any CTA of the cluster.
bool isShared(const Warp& warp, std::uint64_t address, bool ofCluster) {
  if (spaceOfGeneric(address) != MemorySpace::Shared) return false;
  const std::uint64_t within = address - kSharedWindow;
  if (!namesRank(within)) return true;
  const unsigned rank = rankNamed(within);
  return ofCluster ? rank < warp.machine->clusterCtas : rank == warp.cta->rank;
}

void executeIsSpace(Warp& warp, const Instruction& i, LaneMask mask) {
  const LaneMask result = lanesWhere(kAllLanes, [&](unsigned lane) {
    const std::uint64_t address = laneValue(warp, i.a, i.wideBase, lane);
    if (i.asked == MemorySpace::Shared) return isShared(warp, address, i.offset != 0);
    if (i.asked == MemorySpace::Local || i.asked == MemorySpace::Parameter)
      return spaceOfGeneric(address) == i.asked;
    const Allocation* allocation = warp.machine->memory->find(address);
    const bool constant = allocation != nullptr && allocation->name.compare(0, 7, ".const ") == 0;
    return allocation != nullptr && constant == (i.asked == MemorySpace::Constant);
  });
  writePredicate(warp, i.pd, result, mask);
}

bool isClock(const Operand& operand) {
  return operand.kind == Operand::Kind::Special &&
         (operand.name.substr(0, 6) == "%clock" || operand.name.substr(0, 12) == "%globaltimer");
}

void moveClock(Decoding& d, Type type) {
  const std::string_view name = d.operand(1).name;
  const bool is64 = name == "%clock64" || name == "%globaltimer";
  if (isFloat(type) || bytesOf(type) != (is64 ? 8U : 4U))
    d.unsupported("'{}' has {} bits", name, is64 ? "64" : "32");
  d.i.handler = &executeClock;
  d.i.wideData = is64;
  d.i.clock.upperHalf = name == "%clock_hi" || name == "%globaltimer_hi";
  d.i.clock.nanoseconds = name.substr(0, 6) != "%clock";
  d.i.d = d.destination(0, type);
  d.emit(InstructionClass::Integer);
}

Type elementType(Decoding& d, Type whole, std::size_t elements) {
  const std::size_t bytes = elements == 2 || elements == 4 ? bytesOf(whole) / elements : 0;
  if (bytes == 1) return Type::B8;
  if (bytes == 2) return Type::B16;
  if (bytes == 4) return Type::B32;
  d.unsupported("a vector of {} elements", elements);
}

// Decodes mov.b64 {lo, hi}, whole and mov.b64 whole, {lo, hi}.
void moveVector(Decoding& d, Type type) {
  const bool unpack = d.operand(0).kind == Operand::Kind::Vector;
  const auto elements = Decoding::elementsOf(d.operand(unpack ? 0 : 1));
  if (isFloat(type)) d.unsupported();
  const Type element = elementType(d, type, elements.size());
  d.i.elements = static_cast<std::uint8_t>(elements.size());
  d.i.elementBytes = static_cast<std::uint8_t>(bytesOf(element));
  d.i.wideData = bytesOf(type) == 8;
  for (std::size_t e = 0; e < elements.size(); ++e)
    d.i.vector[e] = unpack ? d.destination(*elements[e], element) : d.source(*elements[e], element);
  (unpack ? d.i.a : d.i.d) = unpack ? d.source(1, type) : d.destination(0, type);
  d.i.handler = unpack ? &executeUnpack : &executePack;
  d.emit(InstructionClass::Integer);
}

/// Takes a state space that has addresses in generic addressing.
MemorySpace takeGenericSpace(Decoding& d) {
  if (d.has("param::func")) d.unsupported("expected a state space");
  const MemorySpace space = takeSpace(d);
  if (space == MemorySpace::Generic) d.unsupported("expected a state space");
  return space;
}

}  // namespace

void executeUnpack(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t whole = laneValue(warp, i.a, i.wideData, lane);
    for (unsigned e = 0; e < i.elements; ++e) {
      setLane(warp, i.vector[e], false, lane,
              lowBytes(whole >> (8U * i.elementBytes * e), i.elementBytes));
    }
  }
}

void executeAddOffset(Warp& warp, const Instruction& i, LaneMask mask) {
  setLanes(warp, i, mask, [&](unsigned lane) {
    return laneValue(warp, i.a, i.wideBase, lane) + static_cast<std::uint64_t>(i.offset);
  });
}

void executeClock(Warp& warp, const Instruction& i, LaneMask mask) {
  const Machine& machine = *warp.machine;
  std::uint64_t now = machine.executed;
  if (machine.model != nullptr)
    now = i.clock.nanoseconds ? machine.model->nanoseconds() : machine.model->cycles();
  if (i.clock.upperHalf) now >>= 32;
  setLanes(warp, i, mask, [&](unsigned) { return now; });
}

void executePack(Warp& warp, const Instruction& i, LaneMask mask) {
  setLanes(warp, i, mask, [&](unsigned lane) {
    std::uint64_t whole = 0;
    for (unsigned e = 0; e < i.elements; ++e) {
      whole |= lowBytes(laneValue(warp, i.vector[e], false, lane), i.elementBytes)
               << (8U * i.elementBytes * e);
    }
    return whole;
  });
}

void executeFrameLoad(Warp& warp, const Instruction& i, LaneMask mask) {
  setLanes(warp, i, mask, [&](unsigned lane) {
    std::uint64_t value = rowOf<std::uint32_t>(warp, i.vector[0])[lane];
    if (i.bytesPerLane == 8)
      value |= std::uint64_t{rowOf<std::uint32_t>(warp, i.vector[1])[lane]} << 32;
    return lowBytes(extended(value >> 8 * i.offset, 8U * i.bytesPerLane, i.signExtend),
                    i.registerBytes);
  });
}

void executeFrameStore(Warp& warp, const Instruction& i, LaneMask mask) {
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint64_t value = laneValue(warp, i.a, i.wideData, lane);
    std::uint32_t& low = rowOf<std::uint32_t>(warp, i.vector[0])[lane];
    if (i.bytesPerLane == 8)
      rowOf<std::uint32_t>(warp, i.vector[1])[lane] = static_cast<std::uint32_t>(value >> 32);
    const auto keep =
        static_cast<std::uint32_t>(lowBytes(~std::uint64_t{0}, i.bytesPerLane) << (8 * i.offset));
    low = (low & ~keep) | (static_cast<std::uint32_t>(value << (8 * i.offset)) & keep);
  }
}

void decodeMov(Decoding& d) {
  const Type type = d.takeType();
  d.finishModifiers();
  d.expectOperands(2);
  if (type == Type::Pred && d.operand(1).name == "%is_explicit_cluster")
    return moveExplicitCluster(d);
  if (type == Type::Pred) return decodeRegular(d, type);
  if (isClock(d.operand(1))) return moveClock(d, type);
  if (d.operand(0).kind == Operand::Kind::Vector || d.operand(1).kind == Operand::Kind::Vector)
    return moveVector(d, type);
  if (isHalf(type)) d.unsupported();
  decodeRegular(d, type);
}

// Decodes cvta between a space and generic addressing: adds or subtracts the base of the window.
void decodeCvta(Decoding& d) {
  const bool back = d.take("to");
  const MemorySpace space = takeGenericSpace(d);
  d.take("cta");
  const std::uint64_t base = windowBase(space);
  const Type type = d.takeType();
  if (type != Type::U32 && type != Type::U64) d.unsupported();
  d.i.wideBase = d.i.wideData = type == Type::U64;
  d.i.offset = back ? -static_cast<std::int64_t>(base) : static_cast<std::int64_t>(base);
  d.finish(base == 0 ? regularHandler("mov", type) : &executeAddOffset, {type, type});
}

void decodeIsSpace(Decoding& d) {
  const bool ofCluster = d.has("shared::cluster");
  const MemorySpace space = takeGenericSpace(d);
  d.finishModifiers();
  d.expectOperands(2);
  d.i.handler = &executeIsSpace;
  d.i.asked = space;
  d.i.offset = ofCluster ? 1 : 0;
  d.i.pd = d.predicateDestination(d.operand(0));
  const std::optional<Type> held = d.registerType(d.operand(1));
  d.i.wideBase = held ? bytesOf(*held) == 8 : d.builder().code().addressBits64;
  d.i.a = d.source(1, d.i.wideBase ? Type::B64 : Type::B32);
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
