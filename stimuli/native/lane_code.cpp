#include <fermata/stimuli/native/lane_code.h>

namespace fermata::native {

using ptx::ConstantRow;
using ptx::Row;
using ptx::Type;

std::string vectorOf(Type type) {
  if (type == Type::F32) return "<32 x float>";
  if (type == Type::F64) return "<32 x double>";
  return vectorOfBits(8 * ptx::bytesOf(type));
}

LaneCode::LaneCode(const ptx::KernelCode& kernel, bool whole) : kernel_(kernel), whole_(whole) {
  for (const ConstantRow& row : kernel.constants) constants_[row.row] = &row;
}

void LaneCode::fork(const std::string& condition, const std::string& yes, const std::string& no,
                    const std::string& next) {
  line("br i1 {}, label %{}, label %{}", condition, yes, no);
  label(next);
}

std::string LaneCode::splat(unsigned bits, std::uint64_t value) {
  const std::string key = fmt::format("s{}.{}", bits, value);
  std::string& name = vectors_[key];
  if (!name.empty()) return name;
  name = "%" + key;
  entry_ += fmt::format("  %{0}.i = insertelement <32 x i{1}> poison, i{1} {2}, i32 0\n", key, bits,
                        static_cast<std::int64_t>(value));
  entry_ += fmt::format(
      "  %{0} = shufflevector <32 x i{1}> %{0}.i, <32 x i{1}> poison, <32 x i32> zeroinitializer\n",
      key, bits);
  return name;
}

std::string LaneCode::ramp(unsigned bits, std::uint64_t step, unsigned period) {
  const std::string key = fmt::format("r{}.{}.{}", bits, step, period);
  std::string& name = vectors_[key];
  if (!name.empty()) return name;
  name = "%" + key;
  std::string values;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    values += fmt::format("{}i{} {}", lane == 0 ? "" : ", ", bits, lane % period * step);
  entry_ += fmt::format("  %{0} = add <32 x i{1}> zeroinitializer, <{2}>\n", key, bits, values);
  return name;
}

std::string LaneCode::spread(unsigned bits, const std::string& scalar) {
  const std::string first = def("insertelement <32 x i{0}> poison, i{0} {1}, i32 0", bits, scalar);
  return def("shufflevector <32 x i{0}> {1}, <32 x i{0}> poison, <32 x i32> zeroinitializer", bits,
             first);
}

std::string LaneCode::halves(unsigned bits, const std::string& low, const std::string& high) {
  const std::string first = def("insertelement <32 x i{0}> poison, i{0} {1}, i32 0", bits, low);
  const std::string both = def("insertelement <32 x i{0}> {1}, i{0} {2}, i32 1", bits, first, high);
  std::string order;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    order += fmt::format("{}i32 {}", lane == 0 ? "" : ", ", lane / (kWarpLanes / 2));
  return def("shufflevector <32 x i{0}> {1}, <32 x i{0}> poison, <32 x i32> <{2}>", bits, both,
             order);
}

std::string LaneCode::address(const std::string& pointer, std::uint64_t offset) {
  return offset == 0 ? pointer : def("getelementptr i8, ptr {}, i64 {}", pointer, offset);
}

void LaneCode::beginInstruction(const ptx::Instruction& i, std::uint32_t pc, unsigned behind) {
  pc_ = pc;
  behind_ = behind;
  mask_ = whole_ ? "" : "%active";
  lanes_ = whole_ ? "" : "%lanes";
  if (i.guard.number == ptx::kTruePredicate && i.guard.flip == 0) return;
  const std::string guard = predicate(i.guard);
  mask_ = whole_ ? guard : def("and i32 %active, {}", guard);
  lanes_.clear();
}

std::string LaneCode::lanes() {
  if (lanes_.empty()) lanes_ = def("bitcast i32 {} to <32 x i1>", mask());
  return lanes_;
}

void LaneCode::forget() {
  rows_.clear();
  predicates_.clear();
}

void LaneCode::forget(Row row, bool wide) {
  // Rows share bytes where registers are not live at once.
  const Row end = row + (wide ? ptx::kWideRowBytes : ptx::kRowBytes);
  for (auto known = rows_.begin(); known != rows_.end();) {
    const auto [first, isWide] = known->first;
    const Row behind = first + (isWide ? ptx::kWideRowBytes : ptx::kRowBytes);
    known = first < end && row < behind ? rows_.erase(known) : std::next(known);
  }
}

const ConstantRow* LaneCode::constantOf(Row row) const {
  const auto found = constants_.find(row);
  const bool known = found != constants_.end() && found->second->kind == ConstantRow::Kind::Value;
  return known ? found->second : nullptr;
}

std::string LaneCode::rowAddress(Row row) {
  const bool constant = (row & ptx::kConstantBit) != 0;
  return address(constant ? "%constants" : "%rows", row & ~ptx::kConstantBit);
}

std::string LaneCode::word(Row row, bool wide) {
  const unsigned bits = wide ? 64 : 32;
  if (const ConstantRow* known = constantOf(row); known != nullptr) {
    const std::uint64_t value = wide ? known->value : known->value & 0xffffffffU;
    return splat(bits, wide ? value : static_cast<std::uint64_t>(static_cast<std::int32_t>(value)));
  }
  std::string& name = rows_[{row, wide}];
  if (name.empty()) name = def("load <32 x i{}>, ptr {}, align 64", bits, rowAddress(row));
  return name;
}

std::string LaneCode::value(Row row, Type type) {
  const unsigned bits = 8 * ptx::bytesOf(type);
  const std::string whole = word(row, bits == 64);
  if (bits < 32) return cast("trunc", whole, "<32 x i32>", vectorOf(type));
  if (type == Type::F32 || type == Type::F64)
    return cast("bitcast", whole, vectorOfBits(bits), vectorOf(type));
  return whole;
}

void LaneCode::set(Row row, Type type, const std::string& value) {
  const unsigned bits = 8 * ptx::bytesOf(type);
  std::string whole = value;
  if (bits < 32) whole = cast("zext", value, vectorOf(type), "<32 x i32>");
  if (type == Type::F32 || type == Type::F64)
    whole = cast("bitcast", value, vectorOf(type), vectorOfBits(bits));
  setWord(row, bits == 64, whole);
}

void LaneCode::setWord(Row row, bool wide, const std::string& value) {
  const unsigned bits = wide ? 64 : 32;
  std::string whole = value;
  if (!all()) {
    const std::string before = word(row, wide);
    whole = select(lanes(), vectorOfBits(bits), value, before);
  }
  line("store <32 x i{}> {}, ptr {}, align 64", bits, whole, rowAddress(row));
  know(row, wide, whole);
}

void LaneCode::know(Row row, bool wide, const std::string& value) {
  forget(row, wide);
  rows_[{row, wide}] = value;
}

void LaneCode::setUnlessNan(const ptx::Instruction& i, const std::string& value) {
  std::string bad = compare("uno", "<32 x double>", value, value);
  std::string bits = bitsOf(bad);
  if (!all()) bits = def("and i32 {}, {}", bits, mask());
  const std::string fine = def("icmp eq i32 {}, 0", bits);
  const std::string fast = newLabel(), slow = newLabel(), done = newLabel();
  fork(fine, fast, slow, slow);
  interpret();
  const std::string made = def("load <32 x i64>, ptr {}, align 64", rowAddress(i.d));
  const std::string from = newLabel();
  line("br label %{}", from);
  label(from);
  line("br label %{}", done);
  label(fast);
  set(i.d, ptx::Type::F64, value);
  const std::string set = word(i.d, true);
  line("br label %{}", done);
  label(done);
  know(i.d, true, def("phi <32 x i64> [ {}, %{} ], [ {}, %{} ]", made, from, set, fast));
}

void LaneCode::interpret() {
  const std::string changed = def("call i32 %interpret(ptr %c, i32 {})", pc_);
  const std::string same = def("icmp eq i32 {}, 0", changed);
  const std::string next = newLabel(), leave = newLabel();
  fork(same, next, leave, leave);
  const std::string left = def("load i64, ptr %left");
  line("store i64 {}, ptr %left", def("add i64 {}, {}", left, behind_));
  line("br label %out");
  label(next);
}

std::string LaneCode::predicate(const ptx::PredicateOperand& operand) {
  if (operand.number == ptx::kTruePredicate) return operand.flip != 0 ? "0" : "-1";
  std::string& name = predicates_[operand.number];
  if (name.empty())
    name = def("load i32, ptr {}, align 4", address("%predicates", 4ULL * operand.number));
  return operand.flip != 0 ? def("xor i32 {}, -1", name) : name;
}

void LaneCode::setPredicate(std::uint16_t number, const std::string& bits) {
  std::string whole = bits;
  if (!all()) {
    const std::string before = predicate({number, 0});
    const std::string changed = def("xor i32 {}, {}", before, bits);
    whole = def("xor i32 {}, {}", before, def("and i32 {}, {}", changed, mask()));
  }
  line("store i32 {}, ptr {}, align 4", whole, address("%predicates", 4ULL * number));
  predicates_[number] = whole;
}

std::string LaneCode::compare(const char* relation, const std::string& type, const std::string& a,
                              const std::string& b) {
  const bool isFloat = type == "<32 x float>" || type == "<32 x double>";
  return def("{} {} {} {}, {}", isFloat ? "fcmp" : "icmp", relation, type, a, b);
}

std::string LaneCode::cast(const char* name, const std::string& value, const std::string& from,
                           const std::string& to) {
  return def("{} {} {} to {}", name, from, value, to);
}

namespace {

using Arguments = std::initializer_list<std::pair<std::string, std::string>>;

std::string listed(Arguments arguments, bool withValues) {
  std::string text;
  for (const auto& [type, value] : arguments)
    text += (text.empty() ? "" : ", ") + type + (withValues ? " " + value : "");
  return text;
}

}  // namespace

std::string LaneCode::call(const std::string& result, const std::string& name,
                           Arguments arguments) {
  declarations_.insert(fmt::format("declare {} @{}({})\n", result, name, listed(arguments, false)));
  return def("call {} @{}({})", result, name, listed(arguments, true));
}

void LaneCode::callVoid(const std::string& name, Arguments arguments) {
  declarations_.insert(fmt::format("declare void @{}({})\n", name, listed(arguments, false)));
  line("call void @{}({})", name, listed(arguments, true));
}

std::string LaneCode::allLanes() {
  std::string text;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) text += lane == 0 ? "i1 true" : ", i1 true";
  return "<" + text + ">";
}

}  // namespace fermata::native
