// The mapping families by name. A family of one's own joins them with addFamily.
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

/// In the order in which they were added, our own first.
const std::vector<Family>& families();

/// From then on build() knows the name. Call it before anything builds on another thread. Throws
/// std::invalid_argument when the name is taken or empty, or the builder missing.
void addFamily(Family family);

// Builders of our own families. Those of a kind share a file: bit_vector.cpp, bitwise.cpp,
// fixed_hash.cpp, swizzle.cpp; each other has one of its name.
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
