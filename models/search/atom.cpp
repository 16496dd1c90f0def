#include <fermata/models/search/atom.h>

#include <algorithm>

#include <fermata/models/indexing/indexer.h>

namespace fermata::search {
namespace {

using indexing::IndexingError;

constexpr unsigned kRowBytes = 16;  ///< a row of ldmatrix

/// An address of a lane: the element of the layout, and its offset.
class Addresses {
 public:
  Addresses(const Layout& layout, const Atom& atom) : layout_(layout), atom_(atom) {
    const Operand& operand = atom.operand;
    if (layout.size() % operand.size() != 0) {
      throw IndexingError(std::to_string(layout.size()) + " elements; " + atom.name +
                          " takes operands of " + std::to_string(operand.size()));
    }
    count_ = layout.size() / operand.size() * operand.addresses();
  }

  std::uint64_t size() const { return count_; }
  std::uint64_t element(std::uint64_t address) const {
    const Operand& operand = atom_.operand;
    return address / operand.addresses() * operand.size() +
           operand.element(address % operand.addresses());
  }
  /// Throws if a lane's elements do not lie side by side.
  void checkNeighbours(std::uint64_t element) const {
    for (unsigned k = 1; k < atom_.operand.chunk; ++k) {
      const std::uint64_t other = element + std::uint64_t{k} * atom_.operand.step();
      if (layout_.offset(other) == layout_.offset(element) + k) continue;
      throw IndexingError("element " + std::to_string(other) + " does not lie " +
                          std::to_string(k) + " behind element " + std::to_string(element) + "; " +
                          atom_.name + " moves " + std::to_string(atom_.operand.chunk) +
                          " neighbours at once");
    }
  }

 private:
  const Layout& layout_;
  const Atom& atom_;
  std::uint64_t count_ = 0;
};

}  // namespace

const char* atomNames() {
  return "ld.8, .16, .32, .64, .96 or .128, st. of them, atom.32 or .64, ldmatrix.x1, .x2 or .x4, "
         "stmatrix.x1, .x2 or .x4, cp.async.4, .8 or .16, mfma.MxMxK such as mfma.32x32x8, "
         "wgmma.m64kK or .nNkK such as wgmma.n128k16, tcgen05 likewise, perhaps with .mn, or tma";
}

Atom parseAtom(std::string_view text, std::uint32_t elementBytes) {
  for (const auto operation : {MemoryOperation::Load, MemoryOperation::Store}) {
    const std::string prefix = operation == MemoryOperation::Load ? "ld" : "st";
    for (const unsigned matrices : {1U, 2U, 4U}) {
      const std::string name = prefix + "matrix.x" + std::to_string(matrices);
      if (text == name) return {name, 8 * matrices, kRowBytes, kRowBytes, operation, {}, true};
    }
    for (const unsigned bytes : {1U, 2U, 4U, 8U, 12U, 16U}) {
      const std::string name = prefix + "." + std::to_string(8 * bytes);
      if (text == name) return {name, kWarpLanes, bytes, bytes == 12 ? 16 : bytes, operation};
    }
  }
  for (const unsigned bytes : {4U, 8U, 16U}) {
    const std::string copy = "cp.async." + std::to_string(bytes);
    if (text == copy) return {copy, kWarpLanes, bytes, bytes, MemoryOperation::Store};
    const std::string atomic = "atom." + std::to_string(8 * bytes);
    if (bytes <= 8 && text == atomic)
      return {atomic, kWarpLanes, bytes, bytes, MemoryOperation::Atomic};
  }
  if (const auto operand = parseOperand(std::string(text), elementBytes)) {
    const bool wave = operand->order == Operand::Order::Wave;
    const bool writes = operand->order == Operand::Order::Chunks;
    const unsigned bytes = operand->chunk * elementBytes;
    return {std::string(text),
            wave ? 2 * kWarpLanes : kWarpLanes,
            bytes,
            bytes,
            writes ? MemoryOperation::Store : MemoryOperation::Load,
            *operand};
  }
  throw IndexingError("unknown atom '" + std::string(text) + "'; expected " + atomNames());
}

std::vector<std::vector<std::uint32_t>> layoutWords(const Layout& layout, const Atom& atom,
                                                    std::uint32_t elementBytes,
                                                    std::uint32_t wordBytes, std::uint32_t words) {
  std::vector<std::vector<std::uint32_t>> accesses;
  const std::uint64_t memory = std::uint64_t{words} * wordBytes;
  const Addresses addresses(layout, atom);
  const std::uint64_t lanes = std::min(atom.lanes, kWarpLanes);
  for (std::uint64_t i = 0; i < addresses.size(); ++i) {
    const std::uint64_t element = addresses.element(i);
    const std::uint64_t address = layout.offset(element) * elementBytes;
    const auto fail = [&](const std::string& what) {
      throw IndexingError("element " + std::to_string(element) + " lies at byte " +
                          std::to_string(address) + what);
    };
    if (address % atom.alignment != 0) {
      fail("; " + atom.name + " takes multiples of " + std::to_string(atom.alignment) + " bytes");
    }
    if (address + atom.bytes > memory) {
      fail("; expected all " + std::to_string(atom.bytes) + " bytes below " +
           std::to_string(memory));
    }
    addresses.checkNeighbours(element);
    if (i % lanes == 0) accesses.emplace_back();
    accesses.back().push_back(static_cast<std::uint32_t>(address / wordBytes));
  }
  return accesses;
}

std::vector<std::uint64_t> addressElements(const Layout& layout, const Atom& atom) {
  const Addresses addresses(layout, atom);
  std::vector<std::uint64_t> elements;
  for (std::uint64_t i = 0; i < addresses.size(); ++i) elements.push_back(addresses.element(i));
  return elements;
}

}  // namespace fermata::search
