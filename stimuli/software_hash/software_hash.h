// A bank mapping applied by the kernel itself: van den Braak et al., Configurable XOR Hash
// Functions for Banked Scratchpads, IEEE TC 2016, sections 6 and 7.2.
//
// The kernel accesses another word of its shared window in place of each word w. Two words then
// share a bank of a `mod banks` scratchpad exactly if indexing::build(text) puts them into one
// bank. So every access has the conflicts that it would have unchanged under the mapping in
// hardware. The new word is row * banks + bank of that mapping, or, if that takes fewer
// instructions, a word with banks and rows numbered in another order. The map is linear over GF(2)
// and takes a few terms of the byte address a:
//
//   xor k1=0 k2=5 mask=7, 32 banks:  a ^ ((a >> 5) & 28)                     3 instructions
//   xor k1=1 k2=6 mask=3, 32 banks:  (a & ~132) ^ ((a >> 5) & 28) | ((a << 5) & 128)          7
//
// An access with an offset needs at most one addition more (address_plan.h). The paper's listing
// for the second mapping keeps only the bank and drops bit 0 of the word, so that two words would
// share a place; here that bit goes to the row.
//
// Addresses count from the start of the CTA's window. This is right if the window starts at address
// 0 of the CTA's shared space, as it does in Fermata.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/indexing/lane_kernels.h>

namespace fermata::software_hash {

struct HashRequest {
  std::string text;  ///< a mapping that is linear over GF(2): perm, xor, bits, pairs, matrix ..
  std::uint32_t banks = 32;
  std::uint32_t words = 12288;  ///< bank words that a window may have: address bits of the text
  std::uint32_t bankBytes = 4;  ///< bytes of a word of the text: 4, or 8 where banks are that wide
  /// True: compute a hash where a compiler would, once for equal addresses, before a loop that does
  /// not change it, or from the hash of a neighbour (address_plan.h). False: anew for every access.
  bool reuse = true;
};

class SoftwareHash {
 public:
  /// Builds the hash. Throws InputError "software hash 'TEXT':column: ..." if the text is no
  /// mapping, or the mapping is not injective or not linear.
  explicit SoftwareHash(const HashRequest& request);

  /// Returns the new offset of the byte at this offset of the window.
  std::uint32_t address(std::uint32_t byte) const { return map_.apply(byte); }
  /// Returns the bytes that a window of this size grows to: the end of the last word that any of
  /// its words goes to.
  std::uint64_t windowBytes(std::uint64_t bytes) const;
  std::uint32_t bankBytes() const { return std::uint32_t{1} << byteBits_; }

  /// Returns the bytes that a window may grow to: the words of the request.
  std::uint64_t capacityBytes() const { return capacityBytes_; }

  /// Returns a power of two, up to 2^32: address(a + c) is address(a) + c for each multiple c of
  /// it.
  std::uint64_t passingUnit() const;
  /// Returns every bit that address() may set if its argument has no bits but these.
  std::uint32_t possibleBits(std::uint32_t address) const;

  /// One part of the hashed address: a shift of the address, then an AND. The parts are added.
  struct Term {
    int shift = 0;  ///< > 0: to the right, < 0: to the left
    std::uint32_t mask = 0;
    bool masks = true;  ///< false: the AND would change nothing
  };
  const std::vector<Term>& terms() const { return terms_; }
  /// Returns the number of shifts, ANDs, ORs and XORs for an address in a register.
  unsigned instructions() const;
  bool isIdentity() const;  ///< also true if it only renumbers the banks
  /// Returns the mapping in its canonical form.
  const std::string& text() const { return text_; }

 private:
  indexing::LinearMap map_;  ///< map of byte addresses
  std::vector<Term> terms_;
  std::string text_;
  unsigned byteBits_ = 2;  ///< address bits that select a byte of a word
  std::uint64_t capacityBytes_ = 0;
};

}  // namespace fermata::software_hash
