// The mapping families by name. addFamily adds further ones.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/indexing/mapping_text.h>

namespace fermata::indexing {

struct Family {
  using Builder = std::unique_ptr<Indexer> (*)(Arguments&, const Shape&);

  std::string name;         ///< the first word of its texts
  std::string syntax;       ///< for instance "xor k1=A k2=B mask=C"
  std::string description;  ///< one line
  Builder builder = nullptr;
};

/// Returns all families in the order of registration, the built-in ones first.
const std::vector<Family>& families();

/// Registers a family: build() knows its name from then on. Call it before another thread builds a
/// mapping. Throws std::invalid_argument if the name is taken or empty, or the builder is missing.
void addFamily(Family family);

// Builders of the built-in families. bit_vector.cpp, bitwise.cpp, fixed_hash.cpp and swizzle.cpp
// hold several related ones; each other family has a file of its name.
std::unique_ptr<Indexer> buildModulo(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildAmi(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildSeznec(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildBitVectorPermutation(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildBitVectorXor(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildBits(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildPairs(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildMatrix(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildFixedXor(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildAdd(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildPadding(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildSwizzle(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildTma(Arguments& arguments, const Shape& shape);
std::unique_ptr<Indexer> buildRegions(Arguments& arguments, const Shape& shape);

}  // namespace fermata::indexing
