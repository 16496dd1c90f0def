// Decodes ld ldu st atom red prefetch membar fence.
#include <algorithm>
#include <array>
#include <optional>

#include <fermata/stimuli/ptx/address_space.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/memory_decoding.h>

namespace fermata::ptx {
namespace {

MemorySpace spaceOf(const Variable& variable) {
  switch (variable.space) {
    case VariableSpace::Global:
      return MemorySpace::Global;
    case VariableSpace::Constant:
      return MemorySpace::Constant;
    case VariableSpace::Shared:
      return MemorySpace::Shared;
    case VariableSpace::Local:
      return MemorySpace::Local;
    case VariableSpace::Parameter:
      break;
  }
  return MemorySpace::Parameter;
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
  unsigned policies = 0;  ///< operands after the others: 1 with .L2::cache_hint
};

/// Makes the instruction wait for the register of its cache policy. The policy changes nothing.
void takePolicy(Decoding& d, const Access& access, std::size_t k) {
  if (access.policies != 0) d.source(k, Type::B64);
}

/// Returns the type under which to take a data register. ld and st allow registers wider than the
/// type.
Type dataType(Decoding& d, const Operand& operand, Type type) {
  const std::optional<Type> held = d.registerType(operand);
  const bool wider = held && *held != Type::Pred && bytesOf(*held) > bytesOf(type);
  if (wider && !isFloat(type) && !isFloat(*held)) return *held;
  return bytesOf(type) < 2 ? Type::B16 : type;
}

Access takeAccess(Decoding& d) {
  Access access;
  takeQualifiers(d);
  access.space = takeSpace(d);
  const std::string_view vector = d.takeOneOf({"v2", "v4"});
  access.elements = vector.empty() ? 1 : vector == "v2" ? 2 : 4;
  access.policies = d.take("L2::cache_hint") ? 1 : 0;
  access.type = d.takeType();
  d.finishModifiers();
  if (access.type == Type::Pred || access.type == Type::F32x2 || isHalf(access.type))
    d.unsupported();
  if (bytesOf(access.type) * access.elements > WarpInstruction::kMaxBytesPerLane)
    d.unsupported("an access of more than 16 bytes");
  return access;
}

std::vector<const Operand*> dataOperands(Decoding& d, std::size_t k, unsigned elements) {
  const Operand& operand = d.operand(k);
  std::vector<const Operand*> list;
  if (elements == 1 && operand.kind != Operand::Kind::Vector) return {&operand};
  if (operand.kind != Operand::Kind::Vector)
    d.fail(operand.at, "expected a vector of {} elements in braces", elements);
  if (operand.elements.size() != elements) {
    d.fail(operand.at, "a vector of {} elements; expected {}", operand.elements.size(), elements);
  }
  for (const Operand& element : operand.elements) list.push_back(&element);
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
    const Type held = dataType(d, *data[e], access.type);
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

std::optional<AtomicOp> takeAtomicOp(Decoding& d) {
  constexpr std::array<std::string_view, 10> kNames = {"add",  "min", "max", "inc", "dec",
                                                       "exch", "cas", "and", "or",  "xor"};
  for (std::size_t k = 0; k < kNames.size(); ++k) {
    if (d.take(kNames[k])) return static_cast<AtomicOp>(k);
  }
  return std::nullopt;
}

/// Takes a proxy and ignores it: one SM, whose accesses act in the order of their execution, needs
/// no proxy fence.
void takeProxy(Decoding& d) {
  if (d.take("alias")) return;
  if (!d.take("async")) d.unsupported("expected .alias or .async");
  d.takeOneOf({"global", "shared::cta", "shared::cluster"});
}

}  // namespace

void takeQualifiers(Decoding& d) {
  for (const std::string_view name : {"volatile", "relaxed", "acquire", "mmio"})
    d.i.observes = d.i.observes || d.has(name);
  for (const std::string_view name : {"volatile",
                                      "relaxed",
                                      "acquire",
                                      "release",
                                      "acq_rel",
                                      "weak",
                                      "mmio",
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
                                      "L2::256B"}) {
    d.take(name);
  }
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

const Operand& addressOperand(Decoding& d, std::size_t k) {
  const Operand& operand = d.operand(k);
  if (operand.kind != Operand::Kind::Address)
    d.fail(operand.at, "expected an address such as [%rd1+4]");
  if (operand.elements.size() != 1)
    d.fail(operand.at, "an address with coordinates; expected [base+offset]");
  return operand;
}

void decodeLoad(Decoding& d) {
  const Access access = takeAccess(d);
  d.expectOperands(2 + access.policies);
  takePolicy(d, access, 2);
  const Operand& address = addressOperand(d, 1);
  const auto data = dataOperands(d, 0, access.elements);
  const Variable* frame = frameVariable(d, address);
  if (frame != nullptr && access.space == MemorySpace::Parameter)
    return frameAccess(d, access, address, *frame, data, true);
  memoryFields(d, access, MemoryOperation::Load);
  d.address(address, access.space);
  const unsigned width = registerBytes(d, *data[0], access.type);
  for (unsigned e = 0; e < access.elements; ++e) {
    if (data[e]->kind != Operand::Kind::Sink && registerBytes(d, *data[e], access.type) != width &&
        data[0]->kind != Operand::Kind::Sink) {
      d.fail(data[e]->at, "registers of different widths in one vector");
    }
    d.i.vector[e] = d.destination(*data[e], dataType(d, *data[e], access.type));
  }
  d.i.registerBytes = static_cast<std::uint8_t>(width);
  d.i.wideData = width == 8;
  d.i.signExtend = isSigned(access.type) && width > bytesOf(access.type);
  const bool plainWord = access.type == Type::S32 && !d.i.wideData;
  d.i.handler = d.require(laneTable().load(d.i.space, plainWord ? Type::U32 : access.type));
  d.emit(InstructionClass::Memory);
}

void decodeStore(Decoding& d) {
  const Access access = takeAccess(d);
  d.expectOperands(2 + access.policies);
  takePolicy(d, access, 2);
  const Operand& address = addressOperand(d, 0);
  const auto data = dataOperands(d, 1, access.elements);
  const Variable* frame = frameVariable(d, address);
  if (frame != nullptr && access.space == MemorySpace::Parameter)
    return frameAccess(d, access, address, *frame, data, false);
  if (access.space == MemorySpace::Constant || access.space == MemorySpace::Parameter)
    d.unsupported("this space is read-only");
  memoryFields(d, access, MemoryOperation::Store);
  d.address(address, access.space);
  for (unsigned e = 0; e < access.elements; ++e) {
    const Type held = dataType(d, *data[e], access.type);
    if (e > 0 && (bytesOf(held) == 8) != d.i.wideData)
      d.fail(data[e]->at, "registers of different widths in one vector");
    d.i.wideData = bytesOf(held) == 8;
    d.i.vector[e] = d.source(*data[e], held);
  }
  d.i.handler = d.require(laneTable().store(d.i.space, access.type));
  d.emit(InstructionClass::Memory);
}

void decodeAtomic(Decoding& d) {
  const bool isRed = d.mnemonic() == "red";
  Access access;
  access.space = takeAtomicSpace(d);
  const std::optional<AtomicOp> op = takeAtomicOp(d);
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
  d.expectOperands(first + (cas ? 3 : 2) + access.policies);
  takePolicy(d, access, d.operandCount() - 1);
  d.address(addressOperand(d, first), access.space);
  d.i.vector[0] = d.source(first + 1, access.type);
  if (cas) d.i.vector[1] = d.source(first + 2, access.type);
  if (!isRed) {
    d.i.d = d.destination(0, access.type);
    d.i.writesResult = true;
  }
  d.emit(InstructionClass::Memory);
}

void decodePrefetch(Decoding& d) {
  takeQualifiers(d);
  takeSpace(d);
  for (const std::string_view level : {"L1", "L2", "L2::evict_last", "L2::evict_normal"})
    d.take(level);
  d.finishModifiers();
  d.expectOperands(1);
  addressOperand(d, 0);
  emitNothing(d);
}

/// Decodes discard and applypriority, which advise about a cache line.
void decodeAdvice(Decoding& d) {
  d.take("global");
  const bool priority = d.mnemonic() == "applypriority";
  if (!d.take(priority ? "L2::evict_normal" : "L2")) d.unsupported();
  d.finishModifiers();
  d.expectOperands(2);
  addressOperand(d, 0);
  if (d.immediate(d.operand(1), 128, "the size") != 128)
    d.fail(d.operand(1).at, "expected a size of 128");
  emitNothing(d);
}

void decodeFence(Decoding& d) {
  if (d.take("proxy")) {
    takeProxy(d);
  } else {
    d.take("mbarrier_init");
    if (d.takeOneOf({"cta", "gl", "sys", "gpu", "cluster"}).empty())
      d.unsupported("expected a scope such as .cta");
  }
  d.takeOneOf({"sc", "acq_rel", "acquire", "release"});
  d.finishModifiers();
  d.expectOperands(0);
  d.i.fence = true;
  emitNothing(d);
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
