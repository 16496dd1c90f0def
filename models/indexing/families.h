// The mapping families by name. A family is a file that ends with its Family, and a name in the
// table of families.cpp. addFamily adds further ones.
#pragma once

#include <memory>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/indexing/mapping_text.h>

namespace fermata::indexing {

struct Family {
  using Builder = std::unique_ptr<Indexer> (*)(Arguments&, const Shape&);

  const char* name;         ///< the first word of its texts
  const char* syntax;       ///< for instance "xor k1=A k2=B mask=C"
  const char* example;      ///< a text for 32 banks; the tests prove that it is one to one
  const char* description;  ///< one line
  Builder builder = nullptr;
};

/// Returns all families in the order of registration, the built-in ones first.
const std::vector<Family>& families();

/// Registers a family: build() knows its name from then on. Call it before another thread builds a
/// mapping. Throws std::invalid_argument if the name is taken or empty, or the builder is missing.
void addFamily(Family family);

}  // namespace fermata::indexing
