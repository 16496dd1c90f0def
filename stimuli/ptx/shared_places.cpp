#include <fermata/stimuli/ptx/shared_places.h>

#include <algorithm>
#include <string_view>

#include <fermata/stimuli/ptx/machine_lowering.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kAllBits = 64;
constexpr unsigned kMostSteps = 16;  ///< of copies and sums that are followed

unsigned zerosOfValue(std::uint64_t value) {
  return value == 0 ? kAllBits : static_cast<unsigned>(__builtin_ctzll(value));
}

bool isIntegerType(std::string_view type) {
  return type.size() == 3 && (type[0] == 'u' || type[0] == 's' || type[0] == 'b');
}

/// Instructions whose low bits follow from those of their sources.
enum class Rule { None, Copy, Sum, ShiftLeft, ShiftRight, Product, MultiplyAdd, And, Or };

Rule ruleOf(std::string_view opcode) {
  struct Named {
    std::string_view name;
    Rule rule;
  };
  constexpr Named kRules[] = {
      {"mov", Rule::Copy},        {"cvta", Rule::Copy},   {"add", Rule::Sum},
      {"sub", Rule::Sum},         {"min", Rule::Sum},     {"max", Rule::Sum},
      {"shl", Rule::ShiftLeft},   {"mul", Rule::Product}, {"and", Rule::And},
      {"mad", Rule::MultiplyAdd}, {"or", Rule::Or},       {"xor", Rule::Or},
      {"shr", Rule::ShiftRight}};
  if (!isIntegerType(opcodeType(opcode)) || opcodeHas(opcode, "hi") || opcodeHas(opcode, "sat"))
    return Rule::None;
  if (opcode == "cvt.u64.u32" || opcode == "cvt.s64.s32" || opcode == "cvt.u32.u64")
    return Rule::Copy;
  for (const Named& each : kRules) {
    if (each.name == opcodeName(opcode)) return each.rule;
  }
  return Rule::None;
}

unsigned sourceCount(Rule rule) {
  return rule == Rule::None ? 0 : rule == Rule::Copy ? 1 : rule == Rule::MultiplyAdd ? 3 : 2;
}

}  // namespace

SharedPlaces::SharedPlaces(const KernelCode& code)
    : code_(code),
      writes_(code.slots.size(), 0),
      writer_(code.slots.size(), 0),
      zeros_(code.slots.size(), kAllBits) {
  for (const ConstantRow& one : code.constants) {
    if (one.kind == ConstantRow::Kind::Value) constants_[one.row] = one.value;
  }
  for (std::uint32_t pc = 0; pc < code.statics.size(); ++pc) {
    const StaticInstruction& known = code.statics[pc];
    for (unsigned k = 0; k < known.writeCount; ++k) {
      writes_[known.writes[k]] = static_cast<std::uint8_t>(writes_[known.writes[k]] == 0 ? 1 : 2);
      writer_[known.writes[k]] = pc;
    }
  }
  for (const auto& [pc, ids] : code.accumulators) {
    for (const RegisterId id : ids) zeros_[id] = 0;
  }
  for (std::size_t id = 0; id < zeros_.size(); ++id) {
    if (writes_[id] == 0) zeros_[id] = 0;
  }
  findZeros();
}

// From "all bits are 0" down to what holds for every writer; loops take a few rounds.
void SharedPlaces::findZeros() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t pc = 0; pc < code_.statics.size(); ++pc) {
      const StaticInstruction& known = code_.statics[pc];
      if (known.writeCount == 0) continue;
      const unsigned made = known.writeCount == 1 ? zerosMade(pc) : 0;
      for (unsigned k = 0; k < known.writeCount; ++k) {
        const RegisterId id = known.writes[k];
        const unsigned kept = writtenOnce(id) || !growsUnevenly(pc, id) ? made : 0;
        if (zeros_[id] <= kept) continue;
        zeros_[id] = static_cast<std::uint8_t>(kept);
        changed = true;
      }
    }
  }
}

// Follows copies back from a register to the first that is none.
RegisterId SharedPlaces::original(RegisterId id) const {
  for (unsigned k = 0; k < kMostSteps && writtenOnce(id); ++k) {
    if (ruleOf(code_.texts[writer_[id]].opcode) != Rule::Copy) break;
    const auto sources = sourcesOf(writer_[id], 1);
    if (!sources || sources->front().constant) break;
    id = sources->front().id;
  }
  return id;
}

// True if the instruction, or the one whose result it copies, adds to the register itself what is
// no constant.
bool SharedPlaces::growsUnevenly(std::uint32_t pc, RegisterId id) const {
  if (ruleOf(code_.texts[pc].opcode) == Rule::Copy) {
    const auto sources = sourcesOf(pc, 1);
    if (!sources || sources->front().constant) return false;
    const RegisterId from = original(sources->front().id);
    if (!writtenOnce(from)) return false;
    pc = writer_[from];
  }
  if (ruleOf(code_.texts[pc].opcode) != Rule::Sum) return false;
  const auto sources = sourcesOf(pc, 2);
  if (!sources) return false;
  const Source &a = sources->front(), &b = sources->back();
  return !a.constant && !b.constant && (original(a.id) == id || original(b.id) == id);
}

// Pairs the rows that the instruction names with the registers that it reads, in their order. Rows
// of special registers have no register, and other constants no value yet: nullopt.
std::optional<SharedPlaces::Sources> SharedPlaces::sourcesOf(std::uint32_t pc,
                                                             unsigned count) const {
  const Instruction& i = code_.instructions[pc];
  const StaticInstruction& known = code_.statics[pc];
  if (i.guard.number != kTruePredicate) return std::nullopt;
  Sources sources(count);
  std::vector<Row> rows;
  const Row named[] = {i.a, i.b, i.c};
  for (unsigned k = 0; k < count; ++k) {
    const Row row = named[k];
    Source& source = sources[k];
    if ((row & kConstantBit) != 0) {
      const auto found = constants_.find(row);
      if (found == constants_.end()) return std::nullopt;
      source.constant = true;
      source.value = found->second;
      continue;
    }
    const auto at = std::find(rows.begin(), rows.end(), row);
    const auto index = static_cast<unsigned>(at - rows.begin());
    if (at == rows.end()) rows.push_back(row);
    if (index >= known.readCount) return std::nullopt;
    source.id = known.reads[index];
  }
  if (rows.size() != known.readCount) return std::nullopt;
  return sources;
}

unsigned SharedPlaces::zerosOf(const Source& source) const {
  return source.constant ? zerosOfValue(source.value) : zeros_[source.id];
}

unsigned SharedPlaces::zerosMade(std::uint32_t pc) const {
  const Rule rule = ruleOf(code_.texts[pc].opcode);
  if (rule == Rule::None || code_.statics[pc].space != MemorySpace::None) return 0;
  const auto sources = sourcesOf(pc, sourceCount(rule));
  if (!sources) return 0;
  const Sources& s = *sources;
  const unsigned a = zerosOf(s[0]);
  const auto cap = [](std::uint64_t zeros) {
    return static_cast<unsigned>(std::min<std::uint64_t>(zeros, kAllBits));
  };
  switch (rule) {
    case Rule::Sum:
    case Rule::Or:
      return std::min(a, zerosOf(s[1]));
    case Rule::ShiftLeft:
      return s[1].constant ? cap(a + s[1].value) : a;
    case Rule::ShiftRight:
      return s[1].constant && s[1].value < a ? cap(a - s[1].value) : 0;
    case Rule::Product:
      return cap(a + zerosOf(s[1]));
    case Rule::MultiplyAdd:
      return std::min(cap(a + zerosOf(s[1])), zerosOf(s[2]));
    case Rule::And:
      return std::max(a, zerosOf(s[1]));
    default:
      return a;
  }
}

// Goes from a register to the one that it is a constant away from. Returns false if there is none.
bool SharedPlaces::step(SharedPlace& place) const {
  const auto id = static_cast<RegisterId>(place.root);
  if (!writtenOnce(id)) return false;
  const std::uint32_t pc = writer_[id];
  const Rule rule = ruleOf(code_.texts[pc].opcode);
  const std::string_view name = opcodeName(code_.texts[pc].opcode);
  const bool sums = rule == Rule::Sum && (name == "add" || name == "sub");
  if ((rule != Rule::Copy && rule != Rule::Or && !sums) ||
      code_.statics[pc].space != MemorySpace::None)
    return false;
  const auto sources = sourcesOf(pc, sourceCount(rule));
  if (!sources) return false;
  Source base = sources->front();
  if (rule != Rule::Copy) {
    Source other = sources->back();
    if (base.constant && name == "add") std::swap(base, other);
    if (!other.constant) return false;
    const unsigned zeros = std::min(zerosOf(base), kAllBits - 1);
    if (rule == Rule::Or && (name != "or" || other.value >> zeros != 0)) return false;
    place.offset += (name == "sub" ? -1 : 1) * std::int64_t{static_cast<std::int32_t>(other.value)};
  }
  if (base.constant) place.offset += static_cast<std::int32_t>(base.value);
  place.root = base.constant ? SharedPlace::kZero : base.id;
  return true;
}

SharedPlace SharedPlaces::of(std::uint32_t pc) const {
  const Instruction& i = code_.instructions[pc];
  SharedPlace place;
  place.offset = i.offset;
  if ((i.a & kConstantBit) != 0) {
    place.offset += static_cast<std::int64_t>(constants_.at(i.a));
    return place;
  }
  place.root = code_.statics[pc].reads[0];
  for (unsigned k = 0; k < kMostSteps && place.root != SharedPlace::kZero && step(place);) ++k;
  if (place.root != SharedPlace::kZero) place.zeros = zeros_[place.root];
  return place;
}

}  // namespace fermata::ptx
