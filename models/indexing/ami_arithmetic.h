// Arbitrary modulus indexing: address DIV M and address MOD M as an array of narrow additions
// (Diamond, Fussell, Keckler: Arbitrary Modulus Indexing, MICRO 2014, section III.A).
//
// M = 2^m * R with R odd. The low m address bits are the low bits of MOD; the other bits, X, are
// divided by R. 1/R repeats in binary with period p = order of 2 modulo R; its repetend is Q = (2^p
// - 1) / R. Q is written with digits -1, 0, 1: in non-adjacent form if that has fewer nonzero
// digits than Q has ones, otherwise in binary. Each of the w nonzero digits is a row that every
// p-bit digit of X puts into the array. A row is a p-bit fraction, which stands for the digit
// repeated for ever, and an integer part. A -1 digit contributes the complement of both. The carry
// out of the fraction goes into DIV and wraps around as the carry into the next row; the carry of
// the last row is added at the end. The fraction is then s, and MOD = R * s / (2^p - 1).
#pragma once

#include <cstdint>
#include <vector>

namespace fermata::indexing {

/// Treatment of a remainder of zero. The repeating fraction has two forms of it: 0.000... and, with
/// DIV one lower, 0.111...
enum class AmiCorner {
  Exact,    ///< starts with a carry of 1, which turns 0.111... into 0.000...: DIV and MOD are exact
  AllOnes,  ///< no correction: see AmiArithmetic::array
};

struct AmiResult {
  std::uint32_t div = 0;
  std::uint32_t mod = 0;
};

class AmiArithmetic {
 public:
  static constexpr std::uint32_t kMaxModulus = 4096;

  /// Throws std::invalid_argument unless modulus is 1 to 4096.
  explicit AmiArithmetic(std::uint32_t modulus);

  std::uint32_t modulus() const { return modulus_; }
  unsigned lowBits() const { return lowBits_; }  ///< m
  std::uint32_t odd() const { return odd_; }     ///< R
  unsigned width() const { return width_; }      ///< p; 1 for a power of two, which has no array
  unsigned ones() const { return ones_; }        ///< one bits of Q
  unsigned levels() const { return static_cast<unsigned>(rows_.size()); }  ///< w
  bool hasNegativeRows() const { return negative_; }
  bool isPowerOfTwo() const { return odd_ == 1; }
  /// Returns the one-bit full adders of the fraction for addresses of `addressBits` bits. The first
  /// row needs none.
  unsigned fullAdders(unsigned addressBits) const;

  /// Computes both with the processor's division.
  AmiResult canonical(std::uint32_t address) const {
    return {address / modulus_, address % modulus_};
  }
  /// Computes both with the array, row by row, bit for bit; DIV has 32 bits. Under AllOnes, an
  /// address that M divides after its low m bits are cleared gives {DIV-1, M + low bits}. Addresses
  /// below 2^m do so only if the array has negative rows (DIV is then 2^32 - 1); otherwise they
  /// give {0, low bits}.
  AmiResult array(std::uint32_t address, AmiCorner corner) const;
  /// Returns the results of array(), computed from canonical() without the array.
  AmiResult expected(std::uint32_t address, AmiCorner corner) const;

 private:
  struct Row {
    unsigned position;
    bool negative;
  };
  /// Fractions of up to this many bits are added in one machine word: R * (s + 1) fits in 64 bits.
  static constexpr unsigned kNarrow = 51;

  void findRows();
  static std::vector<Row> nonAdjacentForm(const std::vector<bool>& bits);
  AmiResult arrayNarrow(std::uint32_t x, AmiCorner corner) const;
  AmiResult arrayWide(std::uint32_t x, AmiCorner corner) const;
  std::uint32_t integerPart(std::uint64_t digit, unsigned index, const Row& row) const;

  std::uint32_t modulus_;
  unsigned lowBits_ = 0;
  std::uint32_t odd_;
  unsigned width_ = 1;
  unsigned ones_ = 0;
  bool negative_ = false;
  std::vector<Row> rows_;
};

}  // namespace fermata::indexing
