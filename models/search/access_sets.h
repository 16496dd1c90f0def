// Input of a search: the sets of words that the banks are asked for at once.
//
// An access set is the words of one lane group: a warp, or the half or quarter of it that a wide
// access or a narrow memory takes at a time. Lanes on one word count once, since they share its
// delivery, except where each takes its bank for itself (atomics of many machines): then the word
// is in the set once for each lane. Equal sets are stored once, with how often each instruction
// made them.
//
// Memory is bounded. When more distinct sets arrive than the capacity, only the sets whose hash
// falls in one half, then one quarter, ... of the hash's range are kept, with all their counts.
// whole() estimates the sum over the stream from the sum over the kept sets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fermata/models/search/flat_index.h>
#include <fermata/models/search/word_sorter.h>

namespace fermata::search {

/// Words of a set in rising order. Not owned.
struct Words {
  const std::uint32_t* first = nullptr;
  std::uint32_t size = 0;

  const std::uint32_t* begin() const { return first; }
  const std::uint32_t* end() const { return first + size; }
};

/// Instruction that makes accesses. An empty text means unknown.
struct Instruction {
  std::string workload;
  std::string kernel;
  std::uint32_t pc = 0;
  std::string opcode;        ///< for instance "ld.shared.f32"
  std::string file;          ///< source file; empty: unknown
  std::uint32_t line = 0;    ///< 0: unknown
  std::uint64_t weight = 1;  ///< weight of one of its accesses in the sum that a search lowers
  /// Where `line` is unknown: the nearest known line before it; 0: none.
  std::uint32_t nearLine = 0;
};

/// Number of accesses of one instruction that ask for one set.
struct Use {
  std::uint32_t set = 0;
  std::uint32_t instruction = 0;
  std::uint64_t count = 0;
};

class AccessSets {
 public:
  static constexpr std::size_t kDefaultCapacity = std::size_t{1} << 18;
  /// Most words in one set: 32 lanes of 128 bits.
  static constexpr std::uint32_t kMaxWords = 128;

  /// `capacity`: distinct sets kept. Throws std::invalid_argument if it is 0.
  explicit AccessSets(std::size_t capacity = kDefaultCapacity);

  /// Registers an instruction and returns its number, for add().
  std::uint32_t addInstruction(Instruction instruction);
  /// Adds `count` accesses of an instruction. The words, 0 to kMaxWords of them, may repeat and
  /// come in any order. Words that repeat count once, or with `each` every time. Without words, or
  /// with a count of 0, nothing happens. Throws std::invalid_argument for more words, and for an
  /// instruction that was not added.
  void add(std::uint32_t instruction, const std::uint32_t* words, std::uint32_t size,
           std::uint64_t count = 1, bool each = false);

  /// Number of distinct sets.
  std::size_t size() const { return sets_.size(); }
  Words words(std::size_t set) const { return {words_.data() + sets_[set].first, sets_[set].size}; }
  /// Returns the sum over the set's uses of count times the instruction's weight.
  std::uint64_t weight(std::size_t set) const { return sets_[set].weight; }
  const std::vector<Instruction>& instructions() const { return instructions_; }
  /// Returns every use once, sets rising, instructions rising within a set.
  std::vector<Use> uses() const;
  /// One distinct set in sampling() was kept: 1, 2, 4, ...
  std::uint64_t sampling() const { return std::uint64_t{1} << dropBits_; }
  bool sampled() const { return dropBits_ != 0; }
  /// Scales a sum over the kept sets to all accesses offered, both by count and weight. The result
  /// is an estimate if sampled(), otherwise `sum` itself; 0 if no set was kept.
  std::uint64_t whole(std::uint64_t sum) const;
  /// Accesses offered to add(), kept or not.
  std::uint64_t accesses() const { return accesses_; }
  /// Largest word of all sets offered; 0 if there is none.
  std::uint32_t largestWord() const { return largestWord_; }

 private:
  struct Set {
    std::uint64_t hash = 0;
    std::uint64_t weight = 0;
    std::size_t first = 0;  ///< index into words_
    std::uint32_t size = 0;
  };

  /// A recent access and the set and use found for it: kernels repeat themselves.
  struct Recent {
    static constexpr std::uint32_t kMostWords = 32;

    std::uint32_t size = 0;  ///< 0: nothing here
    std::uint32_t instruction = 0;
    bool each = false;
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
  std::uint64_t offered_ = 0;  ///< counts times weights of all sets offered
  std::uint64_t kept_ = 0;     ///< counts times weights of the sets kept
  std::uint32_t largestWord_ = 0;
  std::vector<Instruction> instructions_;
  std::vector<Set> sets_;
  std::vector<std::uint32_t> words_;
  FlatIndex index_;  ///< finds the index of a set in sets_
  std::vector<Use> uses_;
  FlatIndex useIndex_;  ///< finds the index of a use in uses_
  std::vector<Recent> recent_;
  WordSorter sorter_;
};

}  // namespace fermata::search
