// Accesses described by a layout, CuTe's shape:stride (NVIDIA CUTLASS documentation, CuTe layouts),
// and the instruction that makes them.
//
// "(8,4):(16,128)" has 32 elements; the first mode is the fastest: element i lies at (i mod 8) * 16
// + (i div 8) * 128. Modes nest: "((2,4),8):((1,64),8)". An element is the address of one lane's
// piece of a vector, lane 0 of the first warp first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::search {

class Layout {
 public:
  static constexpr std::uint64_t kMostElements = std::uint64_t{1} << 20;

  /// Throws indexing::IndexingError with the column of the error.
  static Layout parse(std::string_view text);

  /// 1 to kMostElements.
  std::uint64_t size() const { return size_; }
  /// Offset of an element, in elements.
  std::uint64_t offset(std::uint64_t element) const;

 private:
  struct Mode {
    std::uint64_t shape = 1;
    std::uint64_t stride = 0;
  };
  std::vector<Mode> modes_;
  std::uint64_t size_ = 1;
};

/// Access that a warp makes with the addresses of a layout.
struct Atom {
  std::string name;
  unsigned lanes = kWarpLanes;  ///< lanes that have an address
  unsigned bytes = 4;           ///< bytes that each lane's address stands for
  MemoryOperation operation = MemoryOperation::Load;
};

/// Parses "ldmatrix.x1|x2|x4", "stmatrix.x1|x2|x4" (one row of 16 bytes per lane: 8, 16, 32 lanes),
/// "ld.32", "ld.64", "ld.128", "st.32", "st.64", "st.128" (bits per lane, 32 lanes). Throws
/// indexing::IndexingError for any other name.
Atom parseAtom(std::string_view text);

/// Returns the first memory word that each lane asks for, one entry per access of the atom; the
/// last may have fewer lanes. Each lane asks for `atom.bytes`. Throws indexing::IndexingError that
/// names the element whose address is no multiple of `atom.bytes` or not below the memory.
std::vector<std::vector<std::uint32_t>> layoutWords(const Layout& layout, const Atom& atom,
                                                    std::uint32_t elementBytes,
                                                    std::uint32_t wordBytes, std::uint32_t words);

}  // namespace fermata::search
