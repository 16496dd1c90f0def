// scratchpad.instruction_hashes: the hash that each instruction of a kernel carries, as an
// InstructionList of numbers. Hash i is the mapping of region i of the indexer.
#pragma once

#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/platforms/compose/instruction_list.h>

namespace fermata::platforms {

class InstructionHashes : public InstructionList {
 public:
  InstructionHashes(const std::string& text, const SourceLocation& place)
      : InstructionList("scratchpad.instruction_hashes", Marks::Numbers, text, place) {}

  /// Throws InputError if a hash has no region, or if the indexer has no regions and two hashes
  /// could reach one word.
  void check(const indexing::Indexer& indexer) const;
};

}  // namespace fermata::platforms
