// Decodes ld ldu st atom red.
#include <algorithm>
#include <optional>

#include <fermata/stimuli/ptx/address_space.h>
#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

MemorySpace spaceOf(const Variable& variable) {
  constexpr MemorySpace kSpaces[] = {MemorySpace::Global, MemorySpace::Constant,
                                     MemorySpace::Shared, MemorySpace::Local,
                                     MemorySpace::Parameter};
  return kSpaces[static_cast<std::size_t>(variable.space)];  // order of VariableSpace
}

/// Returns the .param variable of a function (not of the entry) that an address names, or nullptr.
const Variable* frameVariable(Decoding& d, const Operand& address) {
  const Operand& base = address.elements[0];
  if (base.kind != Operand::Kind::Variable || base.variable->space != VariableSpace::Parameter ||
      d.frame().locals.count(base.variable) != 0)
    return nullptr;
  const auto& formals = d.builder().entry().parameters;
  const bool ofEntry = std::any_of(formals.begin(), formals.end(),
                                   [&](const Formal& f) { return f.variable == base.variable; });
  return ofEntry ? nullptr : base.variable;
}

unsigned registerBytes(Decoding& d, const Operand& operand, Type type) {
  const std::optional<Type> held = d.registerType(operand);
  return held && *held != Type::Pred ? bytesOf(*held) : std::max(bytesOf(type), 2U);
}

struct Access {
  Type type = Type::B32;
  MemorySpace space = MemorySpace::Generic;
  unsigned elements = 1;
  unsigned parts = 1;     ///< accesses of 16 bytes that it takes
  unsigned policies = 0;  ///< operands after the others: 1 with .L2::cache_hint
};

/// Makes the instruction wait for the register of its cache policy. The policy changes nothing.
void takePolicy(Decoding& d, const Access& access, std::size_t k) {
  if (access.policies != 0) d.source(k, Type::B64);
}

Access takeAccess(Decoding& d) {
  Access access;
  takeQualifiers(d);
  access.space = takeSpace(d);
  const bool eight = d.take("v8");
  access.elements = eight ? 8 : takeElements(d);
  access.policies = d.take("L2::cache_hint") ? 1 : 0;
  access.type = d.takeType();
  d.finishModifiers();
  const unsigned bytes = bytesOf(access.type) * access.elements;
  const bool wide = bytes == 2 * WarpInstruction::kMaxBytesPerLane;
  if (wide && access.space == MemorySpace::Global) access.parts = 2;
  if (access.type == Type::Pred || access.type == Type::F32x2 || isHalf(access.type))
    d.unsupported();
  if (bytes > WarpInstruction::kMaxBytesPerLane * access.parts || (eight && access.parts != 2))
    d.unsupported("an access of more than 16 bytes, or 32 in global memory");
  return access;
}

std::vector<const Operand*> dataOperands(Decoding& d, std::size_t k, unsigned elements) {
  const Operand& operand = d.operand(k);
  if (elements != 1 && operand.kind != Operand::Kind::Vector)
    d.fail(operand.at, "expected a vector of {} elements in braces", elements);
  auto list = Decoding::elementsOf(operand);
  if (list.size() != elements)
    d.fail(operand.at, "a vector of {} elements; expected {}", list.size(), elements);
  return list;
}

// Emits one instruction per element; the variable lies in rows of words.
void frameAccess(Decoding& d, const Access& access, const Operand& address,
                 const Variable& variable, const std::vector<const Operand*>& data, bool isLoad) {
  const unsigned bytes = bytesOf(access.type);
  for (unsigned e = 0; e < access.elements; ++e) {
    const std::int64_t offset = address.offset + static_cast<std::int64_t>(e) * bytes;
    if (offset < 0 || offset + bytes > static_cast<std::int64_t>(variable.bytes) ||
        offset % bytes != 0) {
      d.fail(address.at, "offset {} is outside '{}' or misaligned", offset, variable.name);
    }
    FramePlace& place = d.builder().parameterPlace(d.frame(), variable, address.at);
    const auto word = static_cast<std::size_t>(offset / 4);
    const Type held = heldType(d, *data[e], access.type, Type::B16);
    d.i.vector[0] = place.words[word];
    if (bytes == 8) d.i.vector[1] = place.words[word + 1];
    d.i.offset = offset % 4;
    d.i.bytesPerLane = static_cast<std::uint8_t>(bytes);
    d.i.wideData = bytesOf(held) == 8;
    d.i.registerBytes = static_cast<std::uint8_t>(registerBytes(d, *data[e], access.type));
    d.i.signExtend = isSigned(access.type);
    for (unsigned k = 0; k < (bytes + 3) / 4; ++k) {
      isLoad ? d.reads(place.ids[word + k]) : d.writes(place.ids[word + k]);
      if (!isLoad && bytes < 4) d.reads(place.ids[word]);
    }
    if (isLoad) {
      d.i.handler = &executeFrameLoad;
      d.i.d = d.destination(*data[e], held);
    } else {
      d.i.handler = &executeFrameStore;
      d.i.a = d.source(*data[e], held);
    }
    d.emit(InstructionClass::Integer);
  }
}

void memoryFields(Decoding& d, const Access& access, MemoryOperation operation) {
  d.i.operation = operation;
  d.i.elements = static_cast<std::uint8_t>(access.elements);
  d.i.bytesPerLane = static_cast<std::uint8_t>(bytesOf(access.type) * access.elements);
}

}  // namespace

void takeQualifiers(Decoding& d) {
  constexpr std::string_view kObserving[] = {"volatile", "relaxed", "acquire", "mmio"};
  constexpr std::string_view kNames[] = {"release",
                                         "acq_rel",
                                         "weak",
                                         "cta",
                                         "gpu",
                                         "sys",
                                         "cluster",
                                         "ca",
                                         "cg",
                                         "cs",
                                         "lu",
                                         "cv",
                                         "wb",
                                         "wt",
                                         "nc",
                                         "noftz",
                                         "L1::evict_normal",
                                         "L1::evict_unchanged",
                                         "L1::evict_first",
                                         "L1::evict_last",
                                         "L1::no_allocate",
                                         "L2::evict_normal",
                                         "L2::evict_first",
                                         "L2::evict_last",
                                         "L2::64B",
                                         "L2::128B",
                                         "L2::256B"};
  for (const std::string_view name : kObserving) d.i.observes = d.take(name) || d.i.observes;
  for (const std::string_view name : kNames) d.take(name);
}

MemorySpace takeSpace(Decoding& d) {
  const std::string_view name =
      d.takeOneOf({"global", "shared", "shared::cta", "shared::cluster", "local", "const", "param",
                   "param::entry", "param::func"});
  if (name == "global") return MemorySpace::Global;
  if (name.substr(0, 6) == "shared") return MemorySpace::Shared;
  if (name == "local") return MemorySpace::Local;
  if (name == "const") return MemorySpace::Constant;
  return name.empty() ? MemorySpace::Generic : MemorySpace::Parameter;
}

MemorySpace takeAtomicSpace(Decoding& d) {
  const MemorySpace space = takeSpace(d);
  if (space != MemorySpace::Generic && space != MemorySpace::Shared && space != MemorySpace::Global)
    d.unsupported("atomics are on shared or global memory");
  return space;
}

unsigned takeElements(Decoding& d) {
  return d.take("v2") ? 2 : d.take("v4") ? 4 : 1;
}

namespace {

void emitAccess(Decoding& d, const Access& access, const Operand& address,
                const std::vector<const Operand*>& data, bool isLoad, unsigned offset) {
  memoryFields(d, access, isLoad ? MemoryOperation::Load : MemoryOperation::Store);
  d.address(address, access.space);
  d.i.offset += offset;
  // A load fills registers of one width; `_` takes any.
  const auto widthOf = [&](const Operand& operand) {
    return isLoad ? registerBytes(d, operand, access.type)
           : bytesOf(heldType(d, operand, access.type, Type::B16)) == 8 ? 8U
                                                                        : 4U;
  };
  const unsigned width = widthOf(*data[0]);
  const bool any = data[0]->kind == Operand::Kind::Sink;
  for (unsigned e = 0; e < access.elements; ++e) {
    if (!any && data[e]->kind != Operand::Kind::Sink && widthOf(*data[e]) != width)
      d.fail(data[e]->at, "registers of different widths in one vector");
    const Type held = heldType(d, *data[e], access.type, Type::B16);
    d.i.vector[e] = isLoad ? d.destination(*data[e], held) : d.source(*data[e], held);
  }
  d.i.wideData = width == 8;
  if (isLoad) {
    d.i.registerBytes = static_cast<std::uint8_t>(width);
    d.i.signExtend = isSigned(access.type) && width > bytesOf(access.type);
    const bool plainWord = access.type == Type::S32 && !d.i.wideData;
    d.i.handler = d.require(laneTable().load(d.i.space, plainWord ? Type::U32 : access.type));
  } else {
    d.i.handler = d.require(laneTable().store(d.i.space, access.type));
  }
  d.emit(InstructionClass::Memory);
}

/// Emits the two accesses of 16 bytes that one of 32 takes. One that loads the register of the
/// address comes last.
void emitParts(Decoding& d, Access access, const Operand& address,
               const std::vector<const Operand*>& data, bool isLoad) {
  access.elements /= access.parts;
  const auto middle = data.begin() + access.elements;
  const auto isBase = [&](const Operand* one) {
    return one->kind == Operand::Kind::Register && address.elements[0].kind == one->kind &&
           address.elements[0].index == one->index;
  };
  const bool turned = isLoad && std::any_of(data.begin(), middle, isBase);
  for (const bool second : {turned, !turned}) {
    const std::vector<const Operand*> part(second ? middle : data.begin(),
                                           second ? data.end() : middle);
    takePolicy(d, access, 2);
    emitAccess(d, access, address, part, isLoad, second ? WarpInstruction::kMaxBytesPerLane : 0);
  }
}

void decodeAccess(Decoding& d, bool isLoad) {
  const Access access = takeAccess(d);
  d.expectOperands(2 + access.policies);
  const Operand& address = d.addressOperand(isLoad ? 1 : 0);
  const auto data = dataOperands(d, isLoad ? 0 : 1, access.elements);
  if (access.parts != 1) return emitParts(d, access, address, data, isLoad);
  takePolicy(d, access, 2);
  const Variable* frame = frameVariable(d, address);
  if (frame != nullptr && access.space == MemorySpace::Parameter)
    return frameAccess(d, access, address, *frame, data, isLoad);
  if (!isLoad && (access.space == MemorySpace::Constant || access.space == MemorySpace::Parameter))
    d.unsupported("this space is read-only");
  emitAccess(d, access, address, data, isLoad, 0);
}
}  // namespace

void decodeLoad(Decoding& d) {
  decodeAccess(d, true);
}
void decodeStore(Decoding& d) {
  decodeAccess(d, false);
}
void decodeMulticastAccess(Decoding& d) {
  d.unsupported("its addresses stand for memory of several GPUs; the model has one");
}

namespace {

/// Returns the form of an operation. An addition of the constant 1 counts if nothing reads its
/// result (atomic_forms.cpp). ptxas counts in unsigned integers only.
AtomicForm formOf(AtomicOp op, Type type, const Operand& operand) {
  if (op == AtomicOp::Cas) return AtomicForm::Swap;
  if (op == AtomicOp::Exch) return AtomicForm::Plain;
  if (type == Type::F32) return AtomicForm::Float;
  if (type == Type::F64) return AtomicForm::Double;
  if (isFloat(type) || isHalf(type)) return AtomicForm::Half;
  if (bytesOf(type) == 8) return AtomicForm::Wide;
  const bool counts = op == AtomicOp::Add && type == Type::U32 &&
                      operand.kind == Operand::Kind::Integer && operand.integer == 1;
  return counts ? AtomicForm::Count : AtomicForm::Plain;
}

unsigned decodeAtomicAnd(Decoding& d, std::size_t further) {
  const bool isRed = d.mnemonic() == "red";
  Access access;
  access.space = takeAtomicSpace(d);
  const auto op =
      d.takeEnum<AtomicOp>({"add", "min", "max", "inc", "dec", "exch", "cas", "and", "or", "xor"});
  takeQualifiers(d);
  access.policies = d.take("L2::cache_hint") ? 1 : 0;
  access.type = d.takeType();
  d.finishModifiers();
  if (!op) d.unsupported("expected an operation such as .add");
  const bool cas = *op == AtomicOp::Cas;
  if (isRed && (cas || *op == AtomicOp::Exch)) d.unsupported();
  d.i.handler = d.require(atomicHandler(*op, access.type));
  memoryFields(d, access, MemoryOperation::Atomic);
  const std::size_t first = isRed ? 0 : 1;
  d.expectOperands(first + (cas ? 3 : 2) + access.policies + further);
  takePolicy(d, access, d.operandCount() - 1 - further);
  d.address(d.addressOperand(first), access.space);
  d.form = formOf(*op, access.type, d.operand(first + 1));
  d.i.vector[0] = d.source(first + 1, access.type);
  if (cas) d.i.vector[1] = d.source(first + 2, access.type);
  if (!isRed) {
    d.i.d = d.destination(0, access.type);
    d.i.writesResult = true;
  }
  d.emit(InstructionClass::Memory);
  return bytesOf(access.type);
}

}  // namespace

unsigned decodeReductionAnd(Decoding& d, std::size_t further) {
  return decodeAtomicAnd(d, further);
}

void decodeAtomic(Decoding& d) {
  decodeAtomicAnd(d, 0);
}

void Decoding::address(const Operand& operand, MemorySpace space) {
  i.space = space;
  i.offset = operand.offset;
  const Operand& base = operand.elements[0];
  i.wideBase = true;
  switch (base.kind) {
    case Operand::Kind::Register: {
      const Type held = registerOf(base).type;
      if (isFloat(held) || bytesOf(held) < 4)
        fail(base.at, "register '{}' of type .{} as an address; expected 32 or 64 bits",
             registerOf(base).name, nameOf(held));
      i.wideBase = bytesOf(held) == 8;
      addressRead = addressRead || reads_.empty();
      i.a = source(base, held);
      // A parameter of a .func lies in local memory if its address is in a register.
      if (space == MemorySpace::Parameter && !frame_.isEntry &&
          statement_.opcode.find("::entry") == std::string_view::npos)
        i.space = MemorySpace::Local;
      return;
    }
    case Operand::Kind::Integer:
      i.a = builder_.constant(base.integer, true);
      return;
    case Operand::Kind::Variable: {
      const bool onStack = frame_.locals.count(base.variable) != 0;
      const MemorySpace held = onStack ? MemorySpace::Local : spaceOf(*base.variable);
      if (onStack && space == MemorySpace::Parameter) space = i.space = held;
      if (space == MemorySpace::Generic) {
        i.space = held;
      } else if (space != held) {
        fail(base.at, "'{}' is not in the state space of '{}'", base.variable->name,
             statement_.opcode);
      }
      if (const auto local = builder_.localBase(frame_, *base.variable, true); local) {
        i.a = local->row;
        i.offset += builder_.localOffset(frame_, *base.variable);
        reads(local->id);
        return;
      }
      i.a = variableAddress(base, Type::B64);
      return;
    }
    default:
      fail(base.at, "expected a register, a variable or a constant as base of the address");
  }
}

}  // namespace fermata::ptx
