#include <fermata/stimuli/ptx/register_copies.h>

#include <algorithm>

namespace fermata::ptx {
namespace {

bool isAmong(const Operand& operand, const std::vector<const Operand*>& list) {
  return operand.kind == Operand::Kind::Register &&
         std::any_of(list.begin(), list.end(), [&](const Operand* each) {
           return each->kind == Operand::Kind::Register && each->index == operand.index;
         });
}

}  // namespace

void RegisterCopies::add(Decoding& d, const std::vector<const Operand*>& written,
                         const std::vector<const Operand*>& read, Type type) {
  const bool wide = bytesOf(type) == 8;
  for (const Operand* one : read) {
    if (!isAmong(*one, written) || find(*one) != nullptr) continue;
    const RegisterPlace copy = d.builder().temporary(wide, d.statement().at);
    d.i.handler = regularHandler("mov", wide ? Type::U64 : Type::U32);
    d.i.a = d.source(*one, type);
    d.i.d = copy.row;
    d.writes(copy.id);
    d.emit(InstructionClass::Integer);
    copies_.emplace_back(one->index, copy);
  }
}

Row RegisterCopies::source(Decoding& d, const Operand& operand, Type type) const {
  const RegisterPlace* copy = find(operand);
  if (copy == nullptr) return d.source(operand, type);
  d.reads(copy->id);
  return copy->row;
}

const RegisterPlace* RegisterCopies::find(const Operand& operand) const {
  const auto found = std::find_if(copies_.begin(), copies_.end(), [&](const auto& each) {
    return operand.kind == Operand::Kind::Register && each.first == operand.index;
  });
  return found == copies_.end() ? nullptr : &found->second;
}

}  // namespace fermata::ptx
