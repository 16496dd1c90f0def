// A kernel's trace as it is replayed: each warp's rows apart from those of others, in pieces of
// bytes (row_coding.h), and what is known of the whole.
//
// The compiled form of a trace is a file FILE.compiled beside it: the pieces, then the form, then a
// FormTrailer. It holds numbers in this machine's byte order, and is never the truth: one that does
// not belong to its trace, byte for byte, is made anew.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <fermata/stimuli/traces/content_hash.h>
#include <fermata/stimuli/traces/sass/row_parser.h>

namespace fermata::sass {

/// Counts of what a trace has, and of what it lacks.
struct Tallies {
  std::uint64_t rows = 0;             ///< executed instructions
  std::uint64_t halfCopies = 0;       ///< LDGSTS without its shared addresses
  std::uint64_t unaddressed = 0;      ///< rows that move data, without an address
  std::uint64_t misaligned = 0;       ///< rows with an address that is no multiple of its width
  std::uint64_t split = 0;            ///< generic rows whose lanes access several spaces
  std::uint64_t unknownBarriers = 0;  ///< rows of BAR that wait without a number of threads known
  std::string unaddressedOpcodes;     ///< without modifiers, separated by blanks
  std::string unknownOpcodes;
};

struct KernelForm {
  static constexpr unsigned kBarriers = 16;
  /// Bytes of one warp that lie together.
  struct Piece {
    std::uint64_t place = 0;
    std::uint32_t bytes = 0;
    std::uint32_t warp = 0;  ///< in its block
  };
  struct Block {
    std::uint64_t number = 0;      ///< in the grid, x fastest
    std::uint64_t firstPiece = 0;  ///< pieces up to those of the next block, by warp
  };

  KernelHeader header;
  std::vector<TracedInstruction> instructions;
  std::vector<Block> blocks;  ///< by number
  std::vector<Piece> pieces;
  std::uint64_t sharedEnd = 0;                   ///< end of the highest access to shared memory
  std::uint64_t localFirst = ~std::uint64_t{0};  ///< lowest local address
  std::uint64_t localEnd = 0;                    ///< end of the highest access to local memory
  /// Warps of a block, as bits, that wait or arrive at each barrier.
  std::array<std::uint32_t, kBarriers> barrierWarps{};
  Tallies tallies;

  /// Returns the pieces of a block: their first, and the one behind their last.
  std::pair<std::uint64_t, std::uint64_t> piecesOf(std::uint64_t block) const {
    const bool last = block + 1 == blocks.size();
    return {blocks[block].firstPiece, last ? pieces.size() : blocks[block + 1].firstPiece};
  }
};

/// Returns the bytes of the form without its pieces' bytes.
std::string formBytes(const KernelForm& form);
/// Reads formBytes(). Returns false if they are none. Throws InputError if the table of opcodes
/// lacks an opcode that the settings do not allow.
bool readForm(const std::string& bytes, const OpcodeTable& opcodes, const TraceSettings& settings,
              KernelForm& form);

/// The last bytes of a compiled trace.
struct FormTrailer {
  std::array<char, 16> magic{'f', 'e', 'r', 'm', 'a', 't', 'a', '-',
                             's', 'a', 's', 's', '-', 'f', 'o', 'r'};
  /// Raise it with every change of the form, of the rows, and of what rows of text mean.
  std::uint32_t version = 2;
  std::uint32_t byteOrder = 0x01020304;
  std::uint64_t formPlace = 0;     ///< place of the form, behind the pieces
  std::uint64_t unknownKnown = 0;  ///< 1: unknown opcodes count as integer
  traces::ContentHash trace;       ///< hash of the trace's file
  traces::ContentHash opcodes;     ///< hash of the table of opcodes
  traces::ContentHash own;         ///< hash of all bytes before the trailer
};
static_assert(sizeof(FormTrailer) == 88, "the trailer has no holes");

}  // namespace fermata::sass
