#include <fermata/stimuli/native/memory_code.h>

#include <optional>
#include <unordered_map>
#include <vector>

#include <fermata/stimuli/native/access_paths.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/lane_ops.h>

namespace fermata::native {
namespace {

using ptx::Handler;
using ptx::Instruction;
using ptx::Type;

constexpr unsigned kTypes = static_cast<unsigned>(Type::B128);

std::unordered_map<Handler, Access> makeTable() {
  using Space = MemorySpace;
  std::unordered_map<Handler, Access> table;
  for (const Space space : {Space::Shared, Space::Global, Space::Constant, Space::Local,
                            Space::Parameter, Space::Generic}) {
    for (unsigned k = 0; k < kTypes; ++k) {
      const auto type = static_cast<Type>(k);
      const Handler load = ptx::laneTable().load(space, type);
      const Handler store = ptx::laneTable().store(space, type);
      const unsigned bytes = ptx::bytesOf(type);
      if (load != nullptr) table[load] = {true, space, bytes, ptx::isSigned(type) && bytes < 8};
      if (store != nullptr) table[store] = {false, space, bytes, false};
    }
  }
  return table;
}

/// Adds the atomics that become code: those of one word or two, except counters that wrap.
void addAtomics(std::unordered_map<Handler, Access>& table) {
  using Op = ptx::AtomicOp;
  for (const Op op : {Op::Add, Op::Min, Op::Max, Op::Exch, Op::Cas, Op::And, Op::Or, Op::Xor}) {
    for (const Type type : {Type::U32, Type::S32, Type::B32, Type::U64, Type::S64, Type::B64}) {
      const Handler handler = ptx::atomicHandler(op, type);
      Access access{false, MemorySpace::None, ptx::bytesOf(type), ptx::isSigned(type)};
      access.isAtomic = true;
      access.op = op;
      if (handler != nullptr) table[handler] = access;
    }
  }
  Access sum{false, MemorySpace::None, 4, false};
  sum.isAtomic = sum.isFloat = true;
  table[ptx::atomicHandler(Op::Add, Type::F32)] = sum;
}

/// Returns what the handler of an instruction tells, or nothing.
std::optional<Access> accessOf(const Instruction& i) {
  static const std::unordered_map<Handler, Access> kTable = [] {
    auto table = makeTable();
    addAtomics(table);
    return table;
  }();
  const auto found = kTable.find(i.handler);
  if (found == kTable.end()) return std::nullopt;
  Access access = found->second;
  if (access.isAtomic) access.space = i.space;  // one handler for all spaces
  const bool known = access.space == MemorySpace::Shared || access.space == MemorySpace::Global ||
                     access.space == MemorySpace::Generic;
  if (access.isAtomic && !known) return std::nullopt;
  return access;
}

/// Writes a load of a parameter whose place is known.
bool writeParameterLoad(LaneCode& c, const Instruction& i, const Access& access) {
  const ptx::ConstantRow* const base = c.constantOf(i.a);
  if (base == nullptr) return false;
  const auto at = static_cast<std::uint32_t>(base->value + static_cast<std::uint64_t>(i.offset));
  if (at % i.bytesPerLane != 0 || std::uint64_t{at} + i.bytesPerLane > c.kernel().parameterBytes)
    return false;
  for (unsigned e = 0; e < i.elements; ++e) {
    const unsigned bits = 8 * access.bytes;
    const std::string value =
        c.def("load i{}, ptr {}, align 1", bits, c.address("%parameters", at + e * access.bytes));
    setElement(c, i, access, e, c.spread(bits, value));
  }
  return true;
}

Place sharedPlace(LaneCode& c, const Instruction& i) {
  std::string base = c.word(i.a, i.wideBase);
  if (i.wideBase) base = c.cast("trunc", base, "<32 x i64>", "<32 x i32>");
  const bool local = i.space == MemorySpace::Local;
  Place place;
  place.bits = 32;
  place.at =
      i.offset == 0
          ? base
          : c.op("add", "<32 x i32>", base,
                 c.splat(32, static_cast<std::uint64_t>(static_cast<std::int32_t>(i.offset))));
  place.base = "0";
  place.bytes = local ? "%localBytes" : "%sharedBytes";
  place.data = local ? "%local" : "%shared";
  return place;
}

/// Finds the allocation that the instruction used last; code goes on only if there is one.
Place globalPlace(LaneCode& c, const Instruction& i, const std::string& slow) {
  Place place;
  place.bits = 64;
  const auto offset = static_cast<std::uint64_t>(i.offset);
  std::string at = c.word(i.a, i.wideBase);
  if (!i.wideBase) {
    if (i.offset != 0)
      at = c.op("add", "<32 x i32>", at,
                c.splat(32, static_cast<std::uint64_t>(static_cast<std::int32_t>(i.offset))));
    at = c.cast("zext", at, "<32 x i32>", "<32 x i64>");
  } else if (i.offset != 0) {
    at = c.op("add", "<32 x i64>", at, c.splat(64, offset));
  }
  if (i.space == MemorySpace::Constant && i.wideBase)
    at = c.op("and", "<32 x i64>", at, c.splat(64, 0xffffffff));
  place.at = at;
  const std::string hint =
      c.def("load ptr, ptr {}, align 8", c.address("%hints", sizeof(void*) * c.pc()));
  const std::string known = c.def("icmp ne ptr {}, null", hint);
  const std::string next = c.newLabel();
  c.fork(known, next, slow, next);
  place.base = c.def("load i64, ptr {}, align 8", c.address(hint, allocationOffsets().base));
  place.bytes = c.def("load i64, ptr {}, align 8", c.address(hint, allocationOffsets().bytes));
  place.data = c.def("load ptr, ptr {}, align 8", c.address(hint, allocationOffsets().data));
  return place;
}

}  // namespace

bool writeAccess(LaneCode& c, const Instruction& i) {
  const std::optional<Access> access = accessOf(i);
  if (!access) return false;
  if (access->space == MemorySpace::Parameter)
    return access->isLoad && writeParameterLoad(c, i, *access);
  const bool local = access->space == MemorySpace::Local;
  if (local && (access->bytes < 4 || i.space != MemorySpace::Local)) return false;
  AccessPaths paths(c, i, *access);
  if (local || access->space == MemorySpace::Shared) {
    paths.write(sharedPlace(c, i));
  } else {
    paths.write(globalPlace(c, i, paths.slow()));
  }
  return true;
}

}  // namespace fermata::native
