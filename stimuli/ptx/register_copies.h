// An instruction that is executed in parts: copies of registers that an earlier part writes and a
// later one reads.
#pragma once

#include <fermata/stimuli/ptx/decoding.h>
#include <fermata/stimuli/ptx/lane_ops.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace fermata::ptx {

/// Copies of registers: a later product reads the copy of a register that an earlier one writes.
class RegisterCopies {
 public:
  /// Emits a move of each register that is in both lists. Call it before the first product.
  void add(Decoding& d, const std::vector<const Operand*>& written,
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
  /// Returns the row of the register's copy or, if it has none, Decoding::source().
  Row source(Decoding& d, const Operand& operand, Type type) const {
    const RegisterPlace* copy = find(operand);
    if (copy == nullptr) return d.source(operand, type);
    d.reads(copy->id);
    return copy->row;
  }

 private:
  static bool isAmong(const Operand& operand, const std::vector<const Operand*>& list) {
    return operand.kind == Operand::Kind::Register &&
           std::any_of(list.begin(), list.end(), [&](const Operand* each) {
             return each->kind == Operand::Kind::Register && each->index == operand.index;
           });
  }
  const RegisterPlace* find(const Operand& operand) const {
    for (const auto& [index, copy] : copies_) {
      if (operand.kind == Operand::Kind::Register && index == operand.index) return &copy;
    }
    return nullptr;
  }

  std::vector<std::pair<std::uint32_t, RegisterPlace>> copies_;  ///< by register of the function
};

}  // namespace fermata::ptx
