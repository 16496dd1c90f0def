// Address mapping of a banked memory: word address -> (bank, row). Pure C++, no SystemC.
//
// Mapping texts (numbers are decimal or 0x...; m = log2 of the banks, n = bits of a word address):
//
//   mod B                   word mod B, B a power of two; row = word / B
//   ami M                   word mod M, row = word / M, M of 1 to 4096 [1]; ami.h has its options
//                           form=fast|array|canonical and corner=exact|all-ones
//   seznec N                word mod N; row = (word / 2^k) mod 2^c, N = 2^k * odd [2]
//   perm k=K                address bits K to K+m-1 [3, section 4.1]
//   xor k1=A k2=B mask=C    low m bits of (word >> A) ^ ((word >> B) & C) [3, 4.2]
//   bits 3,4,0,1,2          one address bit per bank bit, bank bit 0 first [3, 4.3]
//   pairs 3,4,0^5,1^6,2^7   one address bit or the XOR of two per bank bit [3, 4.4]
//   matrix 0x21,0x42,...    the XOR of any address bits: one mask per bank bit
//   fixed-xor               low m bits ^ next m bits [4, table I]
//   add                     (low m bits + next m bits) mod 2^m [4, table I]
//                           either with digit=D: each digit of D bits with the one above it
//   xor-ami                 (word ^ word >> 7 ^ word >> 13) mod banks, any number of banks, row =
//                           that / banks; shifts=A,B: other shifts [1, 3]
//   swizzle b=B m=M s=S     byte address ^ ((byte address >> S) & ((2^B - 1) << M)), then word mod
//                           banks: CuTe's Swizzle<B,M,S>; S of B or more, no word is split
//   tma 32|64|128           swizzle b=1|2|3 m=4 s=3: what a TMA mode does
//   pad row=R words=P       P unused words behind each R words: (word + word / R * P) mod banks
//   regions at=B | T0 | T1  another mapping for each region, chosen by the address bits from B
//                           upwards [3, 9.1]; regions.h
//
// A kernel makes swizzle, tma and pad itself, in the indices of its own memory: a scratchpad counts
// their words from the start of each CTA's window (Indexer::countsFromWindow). All others count
// from the start of the scratchpad, and so do these in a region.
//
// [1] Diamond, Fussell, Keckler: Arbitrary Modulus Indexing, MICRO 2014
// [2] Seznec: Bank-interleaved cache or memory indexing does not require euclidean division, 2015
// [3] van den Braak et al.: Configurable XOR Hash Functions for Banked Scratchpads, IEEE TC 2016
// [4] van den Braak et al.: Improvements of Atomic Operations on GPU Scratchpads, ICCD 2013
//
// Every mapping is injective: it takes different words to different places, or it is not built. The
// mappings perm to fixed-xor are linear over GF(2). Their n is the number of bits that the largest
// word needs, at least m. They must name address bits that exist, and their m bank bits must be
// independent. The row is then made of the address bits that elimination from bit 0 upwards leaves
// over, in their order, which makes (bank, row) invertible. No row makes a mapping of dependent
// bank bits: they reach fewer than 2^m banks, which cannot hold 2^n words in rows of n-m bits. The
// error names two words that collide if the row is the address bits from m upwards.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <fermata/models/vocabulary/error.h>
#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata::indexing {

/// Place of a word in the memory.
struct Location {
  std::uint32_t bank = 0;
  std::uint32_t row = 0;
};

/// Size of the memory that is mapped.
struct Shape {
  std::uint32_t banks = 32;     ///< 1 to 4096
  std::uint32_t words = 12288;  ///< addressable words; word addresses are 0 <= w < words
  std::uint32_t wordBytes = 4;  ///< for mappings of byte addresses; a power of two
};

/// An illegal mapping or mapping text. `column` counts from 1 in the text, 0: does not apply.
class IndexingError : public BadInput {
 public:
  explicit IndexingError(const std::string& what, std::size_t column = 0)
      : BadInput(what), column_(column) {}
  std::size_t column() const { return column_; }

 private:
  std::size_t column_;
};

/// Hardware cost of a mapping as the papers state it; a field below zero: not stated.
struct Cost {
  std::string source;    ///< where the figures come from, and what was assumed
  unsigned latency = 0;  ///< extra cycles of a scratchpad access
  int levels = -1;       ///< array-adder rows per digit (Diamond et al., section III.A)
  int width = -1;        ///< digit width of the repeating reciprocal, in bits (same section)
};

/// A mapping, built for one shape: an injection of the words onto (bank, row), checked when it is
/// built.
class Indexer {
 public:
  virtual ~Indexer() = default;

  /// Returns the place of a word. Precondition: word < shape().words.
  virtual Location location(std::uint32_t word) const = 0;
  /// Maps 32 lanes in one call. Lanes outside `active` may hold any word; they get unspecified
  /// values within the memory's banks and rows. The three arrays must not overlap.
  virtual void locate(const std::array<std::uint32_t, kWarpLanes>& word, LaneMask active,
                      std::array<std::uint32_t, kWarpLanes>& bank,
                      std::array<std::uint32_t, kWarpLanes>& row) const = 0;

  /// Returns whether the mapping is a layout that a kernel gives its own memory: pad, swizzle, tma.
  /// It then counts from the start of a CTA's window, see locateIn(). Windows start at multiples of
  /// `unit` words.
  virtual bool countsFromWindow(std::uint32_t /*unit*/) const { return false; }
  /// Maps 32 lanes of a CTA whose window starts at word `window`; `word` counts from the start of
  /// the memory, as for locate(). The banks are those of the offsets in the window, all turned by
  /// one number. Words of windows that do not overlap get different places. Precondition:
  /// countsFromWindow().
  virtual void locateIn(std::uint32_t /*window*/, const std::array<std::uint32_t, kWarpLanes>& word,
                        LaneMask active, std::array<std::uint32_t, kWarpLanes>& bank,
                        std::array<std::uint32_t, kWarpLanes>& row) const {
    locate(word, active, bank, row);
  }

  /// Canonical text form; build(text(), shape()) gives an equal mapping.
  virtual std::string text() const = 0;
  virtual Cost cost() const = 0;
  /// Returns the bank as a C expression of `word`, an operand of type unsigned: "(w % 33)" for "w".
  /// Empty: the family has none.
  virtual std::string bankInC(const std::string& /*word*/) const { return ""; }

  const Shape& shape() const { return shape_; }
  /// Number of rows per bank: location().row < rows(). At least ceil(words / banks).
  std::uint32_t rows() const { return rows_; }

 protected:
  explicit Indexer(const Shape& shape) : shape_(shape) {}
  Shape shape_;
  std::uint32_t rows_ = 0;
};

/// Parses and builds a mapping, for instance "xor k1=0 k2=5 mask=7". Texts with their own bank
/// count (mod, ami, seznec) override shape.banks. Throws IndexingError that says what is wrong and
/// what was expected; for a mapping that is not injective it names the two word addresses that
/// collide.
std::unique_ptr<Indexer> build(std::string_view text, Shape shape);

}  // namespace fermata::indexing
