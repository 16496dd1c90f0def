// Atomics: lanes act one after another, in rising order. While several threads run CTAs, an atomic
// on global memory is one of the host.
#include <fermata/stimuli/native/access_paths.h>

namespace fermata::native {
namespace {

using ptx::AtomicOp;

/// Names the operation of LLVM; null: a comparison chooses the value.
const char* nameOf(AtomicOp op, bool isFloat) {
  switch (op) {
    case AtomicOp::Add:
      return isFloat ? "fadd" : "add";
    case AtomicOp::And:
      return "and";
    case AtomicOp::Or:
      return "or";
    case AtomicOp::Xor:
      return "xor";
    default:
      return nullptr;
  }
}

}  // namespace

/// Returns the value of a lane's operand, from its row.
std::string AccessPaths::operandOf(unsigned which, const std::string& lane) {
  const ptx::Row row = i_.vector[which];
  const bool constant = (row & ptx::kConstantBit) != 0;
  const std::string first = c_.address(constant ? "%constants" : "%rows", row & ~ptx::kConstantBit);
  const std::string at = c_.def("getelementptr i{}, ptr {}, i64 {}", bits(), first, lane);
  return c_.def("load i{}, ptr {}", bits(), at);
}

/// Returns what a lane leaves in memory.
std::string AccessPaths::updated(const std::string& old, const std::string& lane) {
  const std::string type = fmt::format("i{}", bits());
  const std::string operand = operandOf(0, lane);
  const auto choose = [&](const char* relation) {
    const std::string first = c_.def("icmp {} {} {}, {}", relation, type, operand, old);
    return c_.def("select i1 {}, {} {}, {} {}", first, type, operand, type, old);
  };
  if (access_.isFloat) {
    const std::string a = c_.def("bitcast i32 {} to float", old);
    const std::string sum =
        c_.def("fadd float {}, {}", a, c_.def("bitcast i32 {} to float", operand));
    const std::string none = c_.def("fcmp uno float {}, {}", sum, sum);
    return c_.def("select i1 {}, i32 2147483647, i32 {}", none,
                  c_.def("bitcast float {} to i32", sum));
  }
  switch (access_.op) {
    case AtomicOp::Min:
      return choose(access_.isSigned ? "slt" : "ult");
    case AtomicOp::Max:
      return choose(access_.isSigned ? "sgt" : "ugt");
    case AtomicOp::Exch:
      return operand;
    case AtomicOp::Cas: {
      const std::string equal = c_.def("icmp eq {} {}, {}", type, old, operand);
      return c_.def("select i1 {}, {} {}, {} {}", equal, type, operandOf(1, lane), type, old);
    }
    default:
      return c_.def("{} {} {}, {}", nameOf(access_.op, false), type, old, operand);
  }
}

/// Replaces a lane's word at once, whatever other threads do. Returns the word before.
std::string AccessPaths::replaced(const std::string& pointer, const std::string& lane) {
  const std::string type = fmt::format("i{}", bits());
  const std::string operand = operandOf(0, lane);
  const bool sign = access_.isSigned;
  const char* name = nameOf(access_.op, false);
  if (access_.op == AtomicOp::Cas) {
    const std::string pair = c_.def("cmpxchg ptr {}, {} {}, {} {} seq_cst seq_cst", pointer, type,
                                    operand, type, operandOf(1, lane));
    return c_.def("extractvalue {{ {}, i1 }} {}, 0", type, pair);
  }
  if (access_.op == AtomicOp::Min) name = sign ? "min" : "umin";
  if (access_.op == AtomicOp::Max) name = sign ? "max" : "umax";
  if (access_.op == AtomicOp::Exch) name = "xchg";
  return c_.def("atomicrmw {} ptr {}, {} {} seq_cst", name, pointer, type, operand);
}

/// Writes a loop over the lanes. `atOnce`: other threads may change the words, too.
void AccessPaths::writeLanes(const std::string& data, bool atOnce) {
  const std::string before = label_, loop = c_.newLabel();
  c_.line("br label %{}", loop);
  c_.label(loop);
  const std::string rest = c_.newLabel(), next = c_.newLabel();
  c_.line("%{} = phi i32 [ {}, %{} ], [ %{}, %{} ]", rest, c_.mask(), before, next, loop);
  const std::string number = c_.call("i32", "llvm.cttz.i32", {{"i32", "%" + rest}, {"i1", "true"}});
  const std::string lane = c_.def("zext i32 {} to i64", number);
  const std::string place = c_.def("getelementptr i32, ptr %scratch, i64 {}", lane);
  const std::string offset = c_.def("load i32, ptr {}", place);
  const std::string pointer = c_.def("getelementptr i8, ptr {}, i32 {}", data, offset);
  std::string old;
  if (atOnce) {
    old = replaced(pointer, lane);
  } else {
    old = c_.def("load i{}, ptr {}", bits(), pointer);
    c_.line("store i{} {}, ptr {}", bits(), updated(old, lane), pointer);
  }
  if (i_.writesResult) {
    const std::string row = c_.address("%rows", i_.d);
    c_.line("store i{} {}, ptr {}", bits(), old,
            c_.def("getelementptr i{}, ptr {}, i64 {}", bits(), row, lane));
  }
  c_.line("%{} = and i32 %{}, {}", next, rest, c_.def("sub i32 %{}, 1", rest));
  const std::string behind = c_.newLabel();
  c_.fork(c_.def("icmp eq i32 %{}, 0", next), behind, loop, behind);
  label_ = behind;
}

/// Updates memory at offsets of their own.
void AccessPaths::writeUpdates(const std::string& data, const std::string& offsets) {
  c_.line("store <32 x i32> {}, ptr %scratch, align 64", offsets);
  if (access_.space == MemorySpace::Shared) return writeLanes(data, false);
  const std::string alone = c_.newLabel(), crowd = c_.newLabel();
  c_.line("br i1 %alone, label %{}, label %{}", alone, access_.isFloat ? slow_ : crowd);
  if (!access_.isFloat) {
    c_.label(crowd);
    label_ = crowd;
    writeLanes(data, true);
    end();
  }
  c_.label(alone);
  label_ = alone;
  writeLanes(data, false);
}

}  // namespace fermata::native
