// A mapping in the notations that kernel authors use: CuTe, Triton, a TMA descriptor, C.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/program/search/search_job.h>

namespace fermata::platforms {

/// Swizzle<bits, base, shift>: bits base to base+bits-1 of a byte address are XORed with the bits
/// `shift` above them.
struct SwizzleForm {
  unsigned bits = 0;
  unsigned base = 0;
  unsigned shift = 0;
};

/// Parses "swizzle b=B m=M s=S" and "tma N". Returns nothing for other mappings.
std::optional<SwizzleForm> swizzleForm(const std::string& mapping);

/// Elements of a row, and unused ones behind it.
struct PaddingForm {
  std::uint64_t row = 0;
  std::uint64_t more = 0;

  std::string index() const;  ///< in C, of index i
};

/// Parses "pad row=R words=P". Returns nothing for other mappings, for no padding, and for rows
/// that are no whole elements.
std::optional<PaddingForm> paddingForm(const std::string& mapping, const indexing::Shape& shape,
                                       std::uint32_t elementBytes);

/// Name of a notation, and how it writes a mapping. Without a name: a note on the mapping.
struct Notation {
  std::string name;  ///< CuTe, TMA, Triton, C, bank; or empty
  std::string text;
};
using Notations = std::vector<Notation>;

/// Returns lines for a person, "  CuTe    cute::Swizzle<3,3,3>\n".
std::string linesOf(const Notations& notations);

/// Returns nothing for a mapping that a kernel's index cannot compute. Indices and rows are in
/// elements of the request.
Notations kernelWords(const SearchRequest& request, const indexing::Shape& shape,
                      const std::string& mapping);

/// Returns the shortest of them: "leading dimension 72" where the layouts have such rows, otherwise
/// the index, as "i + i / 64 * 8"; empty for a mapping that a kernel's index cannot compute.
std::string indexWords(const SearchRequest& request, const indexing::Shape& shape,
                       const std::string& mapping);

}  // namespace fermata::platforms
