// Comparisons and conversions, and the table of all that is known.
#include <fermata/stimuli/native/operations.h>

#include <unordered_map>

#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/lane_ops.h>

namespace fermata::native {
namespace {

using ptx::Compare;
using ptx::CompareResult;
using ptx::Handler;
using ptx::Instruction;
using ptx::Rounding;
using ptx::Type;

/// Names LLVM's condition for a relation, in the order of Compare.
const char* conditionOf(Compare relation, Type type) {
  constexpr const char* kFloat[] = {"oeq", "one", "olt", "ole", "ogt", "oge", "ueq",
                                    "une", "ult", "ule", "ugt", "uge", "ord", "uno"};
  constexpr const char* kSigned[] = {"eq", "ne", "slt", "sle", "sgt", "sge"};
  constexpr const char* kUnsigned[] = {"eq", "ne", "ult", "ule", "ugt", "uge"};
  const auto at = static_cast<std::size_t>(relation);
  return isFloat(type) ? kFloat[at] : ptx::isSigned(type) ? kSigned[at] : kUnsigned[at];
}

std::string combinedWith(LaneCode& c, const Instruction& i, const std::string& bits) {
  constexpr const char* kNames[] = {"", "and", "or", "xor"};  // order of Combine
  if (i.comparison.combine == ptx::Combine::None) return bits;
  const char* const name = kNames[static_cast<std::size_t>(i.comparison.combine)];
  return c.def("{} i32 {}, {}", name, bits, c.predicate(i.p));
}

std::string numbered(Type type) {
  return fmt::format("v32{}{}", isFloat(type) ? "f" : "i", 8 * ptx::bytesOf(type));
}

std::string toWhole(LaneCode& c, const Known& k, const std::string& a) {
  constexpr const char* kNames[] = {"", "rint", "trunc", "floor", "ceil"};  // order of Rounding
  if (k.rounding == Rounding::None) return a;
  const std::string vector = vectorOf(k.from);
  const char* const name = kNames[static_cast<std::size_t>(k.rounding)];
  return c.call(vector, fmt::format("llvm.{}.{}", name, numbered(k.from)), {{vector, a}});
}

/// Clamps to the range of the integer. What is no number gives 0, or the top bit if a type has 64
/// bits.
std::string toInteger(LaneCode& c, const Known& k, const std::string& a) {
  const std::string vector = vectorOf(k.type), source = vectorOf(k.from);
  const unsigned bits = 8 * ptx::bytesOf(k.type);
  const char* const name = ptx::isSigned(k.type) ? "fptosi" : "fptoui";
  const std::string value =
      c.call(vector, fmt::format("llvm.{}.sat.{}.{}", name, numbered(k.type), numbered(k.from)),
             {{source, a}});
  if (bits != 64 && k.from != Type::F64) return value;
  const std::string top = c.splat(bits, ~std::uint64_t{0} << (bits - 1));
  return c.select(c.compare("uno", source, a, a), vector, top, value);
}

std::string betweenFloats(LaneCode& c, const Instruction& i, const Known& k, std::string a) {
  if (k.type != k.from)
    a = c.cast(k.type == Type::F64 ? "fpext" : "fptrunc", a, vectorOf(k.from), vectorOf(k.type));
  if (k.type == Type::F64) return a;
  if ((i.floatFlags & ptx::kFlushFlag) != 0) a = flushed(c, a);
  if ((i.floatFlags & ptx::kSaturateFlag) != 0) a = saturated(c, a);
  return canonical(c, a);
}

std::string betweenIntegers(LaneCode& c, const Known& k, const std::string& a) {
  const unsigned from = ptx::bytesOf(k.from), to = ptx::bytesOf(k.type);
  if (from == to) return a;
  const char* const name = to < from ? "trunc" : ptx::isSigned(k.from) ? "sext" : "zext";
  return c.cast(name, a, vectorOf(k.from), vectorOf(k.type));
}

void writeConversion(LaneCode& c, const Instruction& i, const Known& k) {
  std::string a = c.value(i.a, k.from);
  if (k.from == Type::F32 && (i.floatFlags & ptx::kFlushFlag) != 0) a = flushed(c, a);
  if (isFloat(k.from)) a = toWhole(c, k, a);
  if (isFloat(k.from) && isFloat(k.type)) return c.set(i.d, k.type, betweenFloats(c, i, k, a));
  if (isFloat(k.from)) return c.set(i.d, k.type, toInteger(c, k, a));
  if (!isFloat(k.type)) return c.set(i.d, k.type, betweenIntegers(c, k, a));
  a = c.cast(ptx::isSigned(k.from) ? "sitofp" : "uitofp", a, vectorOf(k.from), vectorOf(k.type));
  const bool saturates = (i.floatFlags & ptx::kSaturateFlag) != 0 && k.type == Type::F32;
  c.set(i.d, k.type, saturates ? saturated(c, a) : a);
}

void writeComparison(LaneCode& c, const Instruction& i, const Known& k) {
  std::string a = c.value(i.a, k.type), b = c.value(i.b, k.type);
  if ((k.flags & ptx::kFlushFlag) != 0) {
    a = flushed(c, a);
    b = flushed(c, b);
  }
  const std::string holds =
      c.bitsOf(c.compare(conditionOf(k.relation, k.type), vectorOf(k.type), a, b));
  if (k.result == CompareResult::Predicate) {
    const std::string first = combinedWith(c, i, holds);
    const std::string second =
        i.qd == ptx::kSinkPredicate ? "" : combinedWith(c, i, c.def("xor i32 {}, -1", holds));
    c.setPredicate(i.pd, first);
    if (!second.empty()) c.setPredicate(i.qd, second);
    return;
  }
  const std::string lanes = c.def("bitcast i32 {} to <32 x i1>", combinedWith(c, i, holds));
  const std::uint64_t value = k.result == CompareResult::Mask ? ~std::uint64_t{0} : 0x3f800000;
  c.setWord(i.d, false, c.select(lanes, "<32 x i32>", c.splat(32, value), c.splat(32, 0)));
}

/// mov.b64 d, {a, b}; mov.b64 {a, b}, d; cvta.
void writePack(LaneCode& c, const Instruction& i, const Known&) {
  const std::string low = c.cast("zext", c.word(i.vector[0], false), "<32 x i32>", "<32 x i64>");
  const std::string high = c.cast("zext", c.word(i.vector[1], false), "<32 x i32>", "<32 x i64>");
  c.setWord(i.d, true,
            c.op("or", "<32 x i64>", low, c.op("shl", "<32 x i64>", high, c.splat(64, 32))));
}
void writeUnpack(LaneCode& c, const Instruction& i, const Known&) {
  const std::string whole = c.word(i.a, true);
  const std::string high = c.op("lshr", "<32 x i64>", whole, c.splat(64, 32));
  c.setWord(i.vector[0], false, c.cast("trunc", whole, "<32 x i64>", "<32 x i32>"));
  c.setWord(i.vector[1], false, c.cast("trunc", high, "<32 x i64>", "<32 x i32>"));
}
void writeAddOffset(LaneCode& c, const Instruction& i, const Known&) {
  const unsigned bits = i.wideBase ? 64 : 32;
  c.setWord(i.d, i.wideData,
            c.op("add", vectorOfBits(bits), c.word(i.a, i.wideBase),
                 c.splat(bits, static_cast<std::uint64_t>(i.offset))));
}
void writeNothing(LaneCode&, const Instruction&, const Known&) {}

class KnownTable {
 public:
  KnownTable() {
    addForms(integerForms());
    addForms(floatForms());
    addComparisons();
    addConversions();
    add(&ptx::executePack, {&writePack, Type::B64});
    add(&ptx::executeUnpack, {&writeUnpack, Type::B64});
    add(&ptx::executeAddOffset, {&writeAddOffset, Type::B64});
    for (const auto nothing :
         {&ptx::executeNothing, &ptx::executeGridWait, &ptx::executeLaunchDependents})
      add(nothing, {&writeNothing, Type::B32});
  }
  const Known* find(Handler handler) const {
    const auto found = known_.find(handler);
    return found == known_.end() ? nullptr : &found->second;
  }

 private:
  static constexpr unsigned kTypes = static_cast<unsigned>(Type::B128);

  void add(Handler handler, const Known& known) {
    if (handler != nullptr) known_.emplace(handler, known);
  }
  void addForms(const std::vector<KnownForm>& forms) {
    for (const KnownForm& one : forms) {
      for (const ptx::Form* form : ptx::formsOf(one.opcode.substr(0, one.opcode.find('.')))) {
        if (form->opcode != one.opcode) continue;
        for (unsigned type = 0; type < kTypes; ++type) addForm(one, *form, static_cast<Type>(type));
      }
    }
  }
  void addForm(const KnownForm& one, const ptx::Form& form, Type type) {
    if (!ptx::contains(one.types, type)) return;
    for (unsigned flags = 0; flags <= (ptx::kFlushFlag | ptx::kSaturateFlag); ++flags) {
      const auto set = static_cast<std::uint8_t>(flags);
      if ((set & ~form.flags) == 0) add(form.handler(type, set), {one.write, type, set});
    }
  }
  void addComparisons() {
    for (std::size_t relation = 0; relation < ptx::kCompares; ++relation) {
      for (unsigned result = 0; result < 3; ++result) {
        for (unsigned type = 0; type < kTypes; ++type) {
          for (const bool flush : {false, true}) addComparison(relation, result, type, flush);
        }
      }
    }
  }
  void addComparison(std::size_t relation, unsigned result, unsigned type, bool flush) {
    Known known{&writeComparison, static_cast<Type>(type)};
    known.flags = flush ? ptx::kFlushFlag : std::uint8_t{0};
    known.relation = static_cast<Compare>(relation);
    known.result = static_cast<CompareResult>(result);
    add(ptx::laneTable().compare(known.relation, known.result, known.type, flush), known);
  }
  void addConversions() {
    for (unsigned to = 0; to < kTypes; ++to) {
      for (unsigned from = 0; from < kTypes; ++from) {
        for (unsigned rounding = 0; rounding <= static_cast<unsigned>(Rounding::Up); ++rounding) {
          Known known{&writeConversion, static_cast<Type>(to)};
          known.from = static_cast<Type>(from);
          known.rounding = static_cast<Rounding>(rounding);
          if (ptx::isHalf(known.type) || ptx::isHalf(known.from)) continue;
          add(ptx::laneTable().convert(known.type, known.from, known.rounding, false), known);
        }
      }
    }
  }

  std::unordered_map<Handler, Known> known_;
};

}  // namespace

const Known* knownOf(const Instruction& i) {
  static const KnownTable kTable;
  const bool pairs = i.handler == &ptx::executePack || i.handler == &ptx::executeUnpack;
  if (pairs && (i.elements != 2 || i.elementBytes != 4)) return nullptr;
  return kTable.find(i.handler);
}

}  // namespace fermata::native
