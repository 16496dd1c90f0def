#include <fermata/models/search/atom.h>

#include <algorithm>
#include <cstdio>

#include <fermata/models/indexing/indexer.h>

namespace fermata::search {
namespace {

using indexing::IndexingError;

constexpr unsigned kRowBytes = 16;   ///< a row of ldmatrix
constexpr unsigned kWaveLanes = 64;  ///< of a matrix instruction of CDNA
constexpr unsigned kMostBytes = 16;  ///< of a lane

/// Returns the elements of an operand that a lane reads at once: neighbours of a row.
unsigned chunkOf(const Atom& atom) {
  return atom.rows * atom.depth / kWaveLanes;
}

/// Reads the operand of a matrix instruction; leaves `atom` as it is for another text.
bool parseOperand(const std::string& text, std::uint32_t elementBytes, Atom& atom) {
  unsigned m = 0;
  unsigned n = 0;
  unsigned k = 0;
  if (std::sscanf(text.c_str(), "mfma.%2ux%2ux%3u", &m, &n, &k) != 3) return false;
  const auto number = [](unsigned value) { return std::to_string(value); };
  if (text != "mfma." + number(m) + "x" + number(n) + "x" + number(k)) return false;
  const bool square = m == n && (m == 16 || m == 32);
  const std::uint64_t bytes = std::uint64_t{m} * k * elementBytes / kWaveLanes;
  const bool whole = std::uint64_t{m} * k % kWaveLanes == 0;
  if (!square || !whole || bytes == 0 || bytes > kMostBytes || (bytes & (bytes - 1)) != 0) {
    throw IndexingError("'" + text + "' of elements of " + std::to_string(elementBytes) +
                        " bytes; expected 16x16xK or 32x32xK of which each of 64 lanes reads 1, 2, "
                        "4, 8 or 16 bytes");
  }
  const auto lane = static_cast<unsigned>(bytes);
  atom = {text, kWaveLanes, lane, lane, MemoryOperation::Load, m, k};
  return true;
}

/// An address of a lane: the element of the layout, and its offset.
class Addresses {
 public:
  Addresses(const Layout& layout, const Atom& atom) : layout_(layout), atom_(atom) {
    const std::uint64_t operand = std::uint64_t{atom.rows} * atom.depth;
    if (operand != 0 && layout.size() % operand != 0) {
      throw IndexingError(std::to_string(layout.size()) + " elements; " + atom.name +
                          " takes operands of " + std::to_string(operand));
    }
    count_ = operand == 0 ? layout.size() : layout.size() / operand * kWaveLanes;
  }

  std::uint64_t size() const { return count_; }
  std::uint64_t element(std::uint64_t address) const {
    if (atom_.rows == 0) return address;
    const std::uint64_t lane = address % kWaveLanes;
    return address / kWaveLanes * atom_.rows * atom_.depth + lane % atom_.rows +
           lane / atom_.rows * chunkOf(atom_) * atom_.rows;
  }
  /// Throws if a lane's elements do not lie side by side.
  void checkNeighbours(std::uint64_t element) const {
    for (unsigned k = 1; atom_.rows != 0 && k < chunkOf(atom_); ++k) {
      const std::uint64_t other = element + std::uint64_t{k} * atom_.rows;
      if (layout_.offset(other) == layout_.offset(element) + k) continue;
      throw IndexingError("element " + std::to_string(other) + " does not lie " +
                          std::to_string(k) + " behind element " + std::to_string(element) + "; " +
                          atom_.name + " reads " + std::to_string(chunkOf(atom_)) +
                          " neighbours of a row at once");
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
         "stmatrix.x1, .x2 or .x4, cp.async.4, .8 or .16, or mfma.MxMxK such as mfma.32x32x8";
}

Atom parseAtom(std::string_view text, std::uint32_t elementBytes) {
  for (const auto operation : {MemoryOperation::Load, MemoryOperation::Store}) {
    const std::string prefix = operation == MemoryOperation::Load ? "ld" : "st";
    for (const unsigned matrices : {1U, 2U, 4U}) {
      const std::string name = prefix + "matrix.x" + std::to_string(matrices);
      if (text == name) return {name, 8 * matrices, kRowBytes, kRowBytes, operation, 0, 0, true};
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
  Atom operand;
  if (parseOperand(std::string(text), elementBytes, operand)) return operand;
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
