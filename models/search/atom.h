// Instructions that make the accesses of a layout, by the names that programmers have for them.
//
// "ld.64" reads 8 bytes in each of 32 lanes: element i of the layout is the address of lane i, and
// element 32 that of lane 0 of the next access. "ldmatrix.x2" takes 16 addresses, one per row of 16
// bytes. "mfma.32x32x8" reads an operand of a matrix instruction: its layout is the operand itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fermata/models/search/layout.h>
#include <fermata/models/search/operand.h>
#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::search {

struct Atom {
  std::string name;
  unsigned lanes = kWarpLanes;  ///< lanes of a warp that have an address
  unsigned bytes = 4;           ///< bytes that each lane's address stands for
  unsigned alignment = 4;       ///< addresses are multiples of so many bytes: a power of two
  MemoryOperation operation = MemoryOperation::Load;
  Operand operand = {};   ///< that the layout is; none: the layout holds the lanes' addresses
  bool matrices = false;  ///< lanes name rows of 8x8 matrices: ldmatrix, stmatrix
};

/// Parses the name of an atom. Throws indexing::IndexingError for any other text.
///
///   ld.8 to ld.128, st.8 to st.128    8, 16, 32, 64, 96 or 128 bits per lane
///   atom.32, atom.64                  an atomic of 32 or 64 bits per lane
///   ldmatrix.x1|x2|x4, stmatrix.*     a row of 16 bytes for each of 8, 16 or 32 lanes
///   cp.async.4|8|16                   the store of an asynchronous copy of so many bytes per lane
///   mfma.MxMxK                        the read of an operand of M x K elements by 64 lanes; M is
///   16
///                                     or 32. Lane l has row l mod M and M * K / 64 neighbours of a
///                                     row from column l / M * (M * K / 64) on (AMD Matrix
///                                     Instruction Calculator)
///   wgmma.m64kK, wgmma.nNkK           the read of a factor of M or N rows and K columns, which
///   have tcgen05.m64kK, .m128kK, .nNkK     32 bytes, in core matrices of 8 rows of 16 bytes (PTX
///   ISA,
///                                     matrix descriptors). With .mn behind it, 16 bytes lie along
///                                     M or N, and 8 columns are a core matrix.
///   tma                               the write of a box by an engine, 16 bytes per lane
///
/// 96 bits are AMD's ds_read_b96 and ds_write_b96, aligned to 16 bytes (LLVM, SIISelLowering).
Atom parseAtom(std::string_view text, std::uint32_t elementBytes);
/// Returns the names that parseAtom takes, for a message.
const char* atomNames();

/// Returns the first memory word that each lane asks for, one entry per access of a warp; the last
/// may have fewer lanes. Each lane asks for `atom.bytes`. Throws indexing::IndexingError that names
/// the element whose address is not aligned, not below the memory or, in an operand, not beside its
/// neighbour.
std::vector<std::vector<std::uint32_t>> layoutWords(const Layout& layout, const Atom& atom,
                                                    std::uint32_t elementBytes,
                                                    std::uint32_t wordBytes, std::uint32_t words);
/// Returns the element of the layout that each address of layoutWords() is, in their order.
std::vector<std::uint64_t> addressElements(const Layout& layout, const Atom& atom);

}  // namespace fermata::search
