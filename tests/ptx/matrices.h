// Plain matrices for the tests of matrix products: elements of every type as bits, fragments in
// registers, and a run of one instruction on fragments.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace fermata::ptx::test {

using Word = std::uint64_t;
using Words = std::vector<Word>;

struct Place {
  unsigned row, column;
};

/// Elements by row, as bits.
struct Matrix {
  Matrix(unsigned rows, unsigned across) : columns(across), bits(rows * across) {}
  Word& at(Place p) { return bits[p.row * columns + p.column]; }
  Word at(Place p) const { return bits[p.row * columns + p.column]; }
  unsigned columns;
  Words bits;
};

/// Returns the bits of an element: 16 of "bf16", 32 of "tf32", 8 of "e4m3" and "u8", 1 of "b1" ...
unsigned elementBits(const std::string& type);
/// Returns the number that an element stands for.
double numberOf(const std::string& type, Word bits);
/// Returns the nearest element; integers wrap at 32 bits, a NaN is the one that PTX prescribes.
Word elementOf(const std::string& type, double value);

/// Draws elements: moderate numbers, zeros and subnormals, and infinities and NaNs if `special`.
class Numbers {
 public:
  explicit Numbers(bool special = false) : special_(special) {}
  Word of(const std::string& type);
  void fill(Matrix& matrix, const std::string& type) {
    for (Word& bits : matrix.bits) bits = of(type);
  }

 private:
  Word half(Word bits, unsigned infinity, unsigned fraction, unsigned middle) const;
  bool special_;
  std::mt19937_64 random_{7};
};

/// A fragment: for each register a word per lane.
using Fragment = std::vector<Words>;

/// Packs elements of `bits` bits, `count` per lane; at(lane, i) is element i of a lane.
Fragment pack(unsigned bits, unsigned count, const std::function<Word(unsigned, unsigned)>& at,
              unsigned lanes = 32);

/// Returns `count` registers in braces: "{%r10, %r11}" for the prefix "r" and `first` 10.
std::string braced(const std::string& prefix, unsigned first, std::size_t count);

/// An instruction on fragments. The sources are in registers from %r10 (%rd10) on.
struct Product {
  std::string opcode;
  std::vector<Fragment> sources;
  std::size_t results;        ///< registers
  unsigned firstResult;       ///< number of the first one
  bool wide = false;          ///< registers have 64 bits
  std::string selector = {};  ///< if any, the last source is metadata: without braces, before it
};
constexpr unsigned kFirstSource = 10, kApart = 50;  // register numbers

/// Runs the instruction in one warp and returns its results.
Fragment run(const Product& product);

}  // namespace fermata::ptx::test
