// What a search looks at: the sets of words that the banks are asked for at once.
//
// An access set is the distinct words of the lanes that are served together (a warp, or the half or
// quarter of it that a wide access or a narrow memory takes at a time). Lanes on one word count
// once: they share its delivery. Equal sets are stored once; which instruction made them how often
// stays.
//
// Memory is bounded: when more distinct sets arrive than the capacity, only those whose hash falls
// in one half, then one quarter, ... of the hash's range are kept, with all their counts. whole()
// makes an estimate of the stream's sum of a sum over those.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/search/flat_index.h>
#include <fermata/models/search/word_sorter.h>

namespace fermata::search {

/// Distinct words, rising.
struct Words {
  const std::uint32_t* first = nullptr;
  std::uint32_t size = 0;

  const std::uint32_t* begin() const { return first; }
  const std::uint32_t* end() const { return first + size; }
};

/// Who made an access. The texts may be empty: nobody knows.
struct Instruction {
  std::string workload;
  std::string kernel;
  std::uint32_t pc = 0;
  std::string opcode;        ///< for instance "ld.shared.f32"
  std::string file;          ///< source file; empty: unknown
  std::uint32_t line = 0;    ///< 0: unknown
  std::uint64_t weight = 1;  ///< what one of its accesses counts in the sum that a search lowers
  /// Where `line` is unknown: the nearest one before it that is known; 0: none.
  std::uint32_t nearLine = 0;
};

/// Accesses of one instruction that ask for one set.
struct Use {
  std::uint32_t set = 0;
  std::uint32_t instruction = 0;
  std::uint64_t count = 0;
};

class AccessSets {
 public:
  static constexpr std::size_t kDefaultCapacity = std::size_t{1} << 18;
  /// Words of one set at most: 32 lanes of 128 bits.
  static constexpr std::uint32_t kMaxWords = 128;

  /// `capacity`: distinct sets kept, 1 or more (std::invalid_argument).
  explicit AccessSets(std::size_t capacity = kDefaultCapacity);

  /// Returns its number, for add().
  std::uint32_t addInstruction(Instruction instruction);
  /// `count` accesses of an instruction. The words may repeat and come in any order; 0 to kMaxWords
  /// of them (none, or a count of 0: nothing happens). Throws std::invalid_argument beyond that,
  /// and for an instruction that was not added.
  void add(std::uint32_t instruction, const std::uint32_t* words, std::uint32_t size,
           std::uint64_t count = 1);

  /// Number of distinct sets.
  std::size_t size() const { return sets_.size(); }
  Words words(std::size_t set) const { return {words_.data() + sets_[set].first, sets_[set].size}; }
  /// Sum over its uses of count times the instruction's weight.
  std::uint64_t weight(std::size_t set) const { return sets_[set].weight; }
  const std::vector<Instruction>& instructions() const { return instructions_; }
  /// Every use once, sets rising, instructions rising within a set.
  std::vector<Use> uses() const;
  /// One distinct set in so many was kept: 1, 2, 4, ...
  std::uint64_t sampling() const { return std::uint64_t{1} << dropBits_; }
  bool sampled() const { return dropBits_ != 0; }
  /// A sum over the sets that were kept, scaled as their accesses are to those offered (both by
  /// count and weight): an estimate when sampled(), else the sum itself. 0 when none was kept.
  std::uint64_t whole(std::uint64_t sum) const;
  /// Accesses offered to add(), kept or not.
  std::uint64_t accesses() const { return accesses_; }
  /// Largest word of all sets offered; 0 when there is none.
  std::uint32_t largestWord() const { return largestWord_; }

 private:
  struct Set {
    std::uint64_t hash = 0;
    std::uint64_t weight = 0;
    std::size_t first = 0;  ///< index into words_
    std::uint32_t size = 0;
  };

  /// An access as it came, and what it was found to be: kernels repeat themselves.
  struct Recent {
    static constexpr std::uint32_t kMostWords = 32;

    std::uint32_t size = 0;  ///< 0: nothing here
    std::uint32_t instruction = 0;
    std::uint32_t set = 0;
    std::uint32_t use = 0;
    std::array<std::uint32_t, kMostWords> words{};
  };

  Recent* recent(std::uint32_t instruction, const std::uint32_t* words, std::uint32_t size);
  void count(std::uint32_t set, std::uint32_t use, std::uint64_t count);
  std::uint32_t find(std::uint64_t hash, const std::uint32_t* words, std::uint32_t size);
  std::uint32_t findUse(std::uint32_t set, std::uint32_t instruction);
  void thin();

  std::size_t capacity_;
  unsigned dropBits_ = 0;
  std::uint64_t accesses_ = 0;
  std::uint64_t offered_ = 0;  ///< counts times weights
  std::uint64_t kept_ = 0;     ///< the same of the sets kept
  std::uint32_t largestWord_ = 0;
  std::vector<Instruction> instructions_;
  std::vector<Set> sets_;
  std::vector<std::uint32_t> words_;
  FlatIndex index_;  ///< of sets_
  std::vector<Use> uses_;
  FlatIndex useIndex_;  ///< of uses_
  std::vector<Recent> recent_;
  WordSorter sorter_;
};

}  // namespace fermata::search
