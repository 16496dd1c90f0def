#include <fermata/stimuli/software_hash/address_plan.h>

#include <algorithm>

namespace fermata::software_hash {
namespace {

using ptx::Operand;

/// Most computations of one group; each keeps one more register in use.
constexpr std::size_t kMostTogether = 4;

}  // namespace

AddressPlan::AddressPlan(const ptx::Function& function, const SoftwareHash& hash,
                         AddressEmitter& emitter, std::vector<KnownBits> bits,
                         std::vector<std::uint32_t> scopes)
    : hash_(hash),
      emitter_(emitter),
      flow_(function),
      bits_(std::move(bits)),
      scopes_(std::move(scopes)),
      fixed_(function.registers.size(), false),
      definition_(function.registers.size(), 0),
      lastWrite_(function.registers.size(), 0),
      starts_(function.statements.size() + 1, false) {
  for (const ptx::Label& label : function.labels) starts_[label.statement] = true;
  findFixed(function);
}

void AddressPlan::findFixed(const ptx::Function& function) {
  std::vector<std::size_t> writes(fixed_.size(), 0);
  std::vector<std::size_t> last(fixed_.size(), 0);
  for (std::size_t k = 0; k < function.statements.size(); ++k) {
    for (const std::uint32_t reg : writtenRegisters(function.statements[k])) {
      ++writes[reg];
      last[reg] = k;
    }
  }
  for (std::size_t reg = 0; reg < fixed_.size(); ++reg) {
    fixed_[reg] = writes[reg] <= 1;
    if (writes[reg] == 1) definition_[reg] = flow_.block(last[reg]);
  }
  for (std::size_t k = 0; k < function.statements.size(); ++k) {
    for (const Operand& operand : function.statements[k].operands) {
      if (operand.kind != Operand::Kind::Address) continue;
      const Operand& base = operand.elements.front();
      if (base.kind != Operand::Kind::Register || writes[base.index] != 1) continue;
      if (!isBefore(last[base.index], k)) fixed_[base.index] = false;
    }
  }
}

bool AddressPlan::isBefore(std::size_t definition, std::size_t use) const {
  const std::uint32_t a = flow_.block(definition);
  const std::uint32_t b = flow_.block(use);
  return a == b ? definition < use : flow_.dominates(a, b);
}

void AddressPlan::startStatement(std::size_t statement) {
  statement_ = statement;
  if (!starts_[statement]) return;
  for (auto& [key, computations] : known_) {
    if (!fixed_[std::get<0>(key)]) forget(computations);
  }
}

void AddressPlan::written(std::uint32_t reg) {
  lastWrite_[reg] = statement_ + 1;
  if (fixed_[reg]) return;
  const auto first = known_.lower_bound({reg, INT64_MIN, 0});
  const auto behind = known_.upper_bound({reg, INT64_MAX, UINT32_MAX});
  for (auto it = first; it != behind; ++it) forget(it->second);
}

/// Stops offering the computations for reuse; they are still inserted.
void AddressPlan::forget(std::vector<Computation>& computations) {
  for (Computation& each : computations) forgotten_.push_back(std::move(each));
  computations.clear();
}

/// Returns the part of `offset` to add to `base`, if the rest lies in bits that are zero then.
std::int64_t AddressPlan::keptPart(const AddressRegister& base, std::int64_t offset) const {
  const KnownBits own = bits_[base.index];
  const Bits low = own.unknown() == 0 ? 0 : (own.unknown() & (~own.unknown() + 1)) - 1;
  const Bits above = own.certain & low;
  if (above != 0) {  // a field in the middle of a structure: relative to its start
    return offset - static_cast<std::int64_t>((above + static_cast<Bits>(offset)) & low);
  }
  const Bits c = static_cast<Bits>(offset) & INT32_MAX;
  if (offset != static_cast<std::int64_t>(c)) return offset;
  const Bits apart = c & ~own.possible;
  const KnownBits rest = sum(own, KnownBits::of(c & ~apart), base.wide ? 64 : 32);
  return static_cast<std::int64_t>((rest.possible & apart) == 0 ? c & ~apart : c & ~low);
}

std::string AddressPlan::address(const AddressRegister& base, std::int64_t offset) {
  const std::uint64_t unit = hash_.passingUnit();
  const auto passing = [&](std::int64_t part) {
    if (unit >= std::uint64_t{1} << 31) return std::int64_t{0};
    return part - static_cast<std::int64_t>(static_cast<std::uint64_t>(part) & (unit - 1));
  };
  std::int64_t added = passing(offset);
  offset -= added;
  std::int64_t kept = keptPart(base, offset);
  const std::uint32_t flips = hash_.address(static_cast<std::uint32_t>(offset - kept));
  added += passing(kept);
  kept -= passing(kept);
  const KnownBits rest = sum(bits_[base.index], KnownBits::of(static_cast<Bits>(kept)), 32);
  const std::uint32_t set = hash_.possibleBits(static_cast<std::uint32_t>(rest.possible));
  added += flips & ~set;
  const std::string place = require(base, kept, flips & set);
  return added == 0 ? place : place + "+" + std::to_string(added);
}

const AddressPlan::Computation* AddressPlan::known(const Key& key) const {
  const auto found = known_.find(key);
  if (found == known_.end()) return nullptr;
  const std::uint32_t base = std::get<0>(key);
  const std::uint32_t here = flow_.block(statement_);
  for (const Computation& each : found->second) {
    if (!fixed_[base]) return &each;
    const bool before = each.block == here ? !each.behind && each.statement <= statement_
                                           : flow_.dominates(each.block, here);
    if (before) return &each;
  }
  return nullptr;
}

std::string AddressPlan::require(const AddressRegister& base, std::int64_t kept,
                                 std::uint32_t flipped) {
  const Key key{base.index, kept, flipped};
  if (const Computation* found = known(key)) return found->result;
  Computation computation;
  if (flipped == 0) {
    computation.result = emitter_.hashed(base, kept, computation.instructions);
  } else {
    const std::string plain = require(base, kept, 0);
    computation.result = emitter_.flipped(plain, flipped, base.wide, computation.instructions);
    computation.flips = true;
  }
  place(computation, base.index);
  computation.order = count_++;
  auto& list = known_[key];
  list.push_back(std::move(computation));
  return list.back().result;
}

void AddressPlan::place(Computation& computation, std::uint32_t reg) const {
  computation.block = flow_.block(statement_);
  computation.statement = statement_;
  computation.earliest = std::max(flow_.first(computation.block), lastWrite_[reg]);
  if (!fixed_[reg]) return;
  const auto place = flow_.beforeLoops(definition_[reg], computation.block);
  if (!place || scopes_[flow_.last(*place)] != scopes_[statement_]) return;
  computation.block = *place;
  computation.statement = flow_.last(*place);
  computation.behind = true;
}

std::vector<Insertion> AddressPlan::insertions() {
  std::vector<Computation*> all;
  for (auto& [key, computations] : known_) {
    for (Computation& each : computations) all.push_back(&each);
  }
  for (Computation& each : forgotten_) all.push_back(&each);
  std::sort(all.begin(), all.end(), [](const Computation* a, const Computation* b) {
    return std::make_tuple(a->statement, a->behind, a->order) <
           std::make_tuple(b->statement, b->behind, b->order);
  });
  std::vector<Insertion> out;
  while (!all.empty()) groupOf(all, out);
  return out;
}

/// Takes the first waiting computation, and those of its block that could stand at its place too.
void AddressPlan::groupOf(std::vector<Computation*>& waiting, std::vector<Insertion>& out) const {
  const Computation& first = *waiting.front();
  std::vector<Computation*> group;
  std::vector<Computation*> later;
  for (Computation* each : waiting) {
    const bool together = each->behind == first.behind && each->block == first.block &&
                          (first.behind || each->earliest <= first.statement) &&
                          scopes_[each->statement] == scopes_[first.statement];
    const bool fits =
        group.size() < kMostTogether || first.behind || each->statement == first.statement;
    (together && fits ? group : later).push_back(each);
  }
  Insertion insertion{first.statement, first.behind, {}};
  if (first.behind && flow_.endsInBranch(first.block)) insertion.behind = false;
  for (const bool flips : {false, true}) {
    for (std::size_t level = 0, left = 1; left != 0; ++level) {
      left = 0;
      for (Computation* each : group) {
        if (each->flips != flips || level >= each->instructions.size()) continue;
        insertion.instructions.push_back(std::move(each->instructions[level]));
        ++left;
      }
    }
  }
  out.push_back(std::move(insertion));
  waiting = std::move(later);
}

}  // namespace fermata::software_hash
