#include <fermata/stimuli/software_hash/shared_layout.h>

#include <algorithm>

#include <fermata/stimuli/ptx/kernel_builder.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::software_hash {
namespace {

using ptx::Function;
using ptx::Variable;

/// Rounds to settle the growth: a variable at the end of one window may stand inside another, where
/// its growth moves other variables. A few rounds suffice.
constexpr unsigned kMaxRounds = 32;
/// Largest number of elements of a vector: .v4.
constexpr unsigned kMaxVector = 4;

void collectCalls(const ptx::Operand& operand, std::vector<const Function*>& called) {
  if (operand.function != nullptr) called.push_back(operand.function);
  for (const ptx::Operand& element : operand.elements) collectCalls(element, called);
}

}  // namespace

SharedLayout::SharedLayout(ptx::Ast& ast, const SoftwareHash& hash) : ast_(ast), hash_(hash) {
  layOut();
  for (const Window& window : windows_) before_[window.entry] = window.staticBytes;
  for (unsigned round = 0; grow(); ++round) {
    if (round == kMaxRounds)
      refuse({ast_.fileName},
             "the entries share variables such that no size suits the hash of each; expected "
             "shared variables inside the entries");
    layOut();
  }
  findCallees();
}

void SharedLayout::layOut() {
  windows_.clear();
  for (const auto& function : ast_.functions) {
    if (!function->isEntry || !function->isDefined) continue;
    ptx::KernelBuilder builder(ast_, *function);
    builder.layOutShared();
    Window window;
    window.entry = function.get();
    window.staticBytes = builder.code().staticSharedBytes;
    window.dynamic = builder.code().usesDynamicShared;
    window.offsets = builder.sharedOffsets();
    for (const auto& [variable, offset] : window.offsets) {
      const auto found = grown_.find(variable);
      const std::uint64_t bytes = found == grown_.end() ? variable->bytes : found->second;
      window.usedBytes = std::max(window.usedBytes, offset + bytes);
    }
    windows_.push_back(std::move(window));
  }
}

/// Enlarges at most one variable, so that the next round sees the new windows.
bool SharedLayout::grow() {
  for (const Window& window : windows_) {
    const std::uint64_t needed = hash_.windowBytes(window.usedBytes);
    if (window.dynamic || needed <= window.staticBytes) continue;
    if (needed > hash_.capacityBytes()) {
      const ptx::Position& at = window.entry->at;
      refuse(
          {ast_.fileName, at.line, at.column},
          "the hash '{}' spreads the {} bytes of shared memory of '{}' over {}; expected at most "
          "the {} of the scratchpad (scratchpad.bytes, or --words of softhash)",
          hash_.text(), window.usedBytes, window.entry->name, needed, hash_.capacityBytes());
    }
    const auto last =
        std::max_element(window.offsets.begin(), window.offsets.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    auto& variable = const_cast<Variable&>(*last->first);  // this ast's, ours to change
    const std::uint64_t unit = std::uint64_t{kMaxVector} * ptx::bytesOf(variable.type);
    grown_.emplace(&variable, variable.bytes);
    const std::uint64_t wanted = variable.bytes + needed - window.staticBytes;
    variable.bytes = (wanted + unit - 1) / unit * unit;
    return true;
  }
  return false;
}

void SharedLayout::findCallees() {
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    std::vector<const Function*> waiting = {windows_[w].entry};
    while (!waiting.empty()) {
      const Function* next = waiting.back();
      waiting.pop_back();
      if (!reachedBy_[next].insert(w).second) continue;
      for (const ptx::Statement& statement : next->statements) {
        for (const ptx::Operand& operand : statement.operands) collectCalls(operand, waiting);
      }
    }
  }
}

std::optional<std::uint32_t> SharedLayout::offset(const Function& function,
                                                  const Variable& variable) const {
  const auto reached = reachedBy_.find(&function);
  if (reached == reachedBy_.end()) return std::nullopt;
  std::optional<std::uint32_t> offset;
  for (const std::size_t w : reached->second) {
    const std::uint32_t here = windows_[w].offsets.at(&variable);
    if (offset && *offset != here) return std::nullopt;
    offset = here;
  }
  return offset;
}

}  // namespace fermata::software_hash
