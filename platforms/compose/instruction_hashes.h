// scratchpad.instruction_hashes: which hash the instructions of a kernel carry.
//
// A list separated by blanks; the columns of instructions.csv give the names and numbers:
//
//   KERNEL=N              every instruction of a kernel carries hash N
//   KERNEL:PC=N           one instruction
//   KERNEL:FIRST-LAST=N   a range of PCs, both included
//   FILE@LINE=N           what a source line was compiled to, in every kernel
//   FILE@FIRST-LAST=N     a range of lines
//
// Instructions that are not named carry hash 0. Hash i is the mapping of region i of the indexer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/core/workload.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

class InstructionHashes {
 public:
  /// Throws InputError: `place`, the text, the column in it, what was expected.
  InstructionHashes(const std::string& text, const SourceLocation& place);

  /// Nothing is named: no instruction carries a hash.
  bool empty() const { return entries_.empty(); }
  /// Throws InputError when a hash has no region, or two could reach one word because the indexer
  /// has no regions.
  void check(const indexing::Indexer& indexer) const;
  /// The hash of each instruction of a program. Throws InputError for a PC that the kernel does not
  /// have, and for an instruction named twice with different hashes.
  HashedProgram resolve(const Workload& workload, std::uint32_t program);
  /// Throws InputError when part of the list has named nothing in what was resolved: a typing
  /// error.
  void checkUsed() const;

 private:
  struct Entry {
    std::string text;  ///< as it was given
    std::string name;  ///< of the kernel or the file
    bool lines = false;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint8_t hash = 0;
    bool everything = false;  ///< no range was given
    bool used = false;
  };

  Entry read(const std::string& word, std::size_t column) const;
  bool names(const Entry& entry, const std::string& kernel, const InstructionText& text,
             std::uint32_t pc) const;
  [[noreturn]] void fail(const std::string& what, std::size_t column = 0) const;

  std::string text_;
  SourceLocation place_;
  std::vector<Entry> entries_;
};

}  // namespace fermata::platforms
