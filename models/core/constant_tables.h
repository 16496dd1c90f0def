// The lines of constants that an SM has: absent until an instruction first reads them, as in
// GPGPU-Sim's cache of constants. A line under way holds an MSHR. The MSHR takes a limited number
// of readers, and lines no longer leave once they are here: the cache's capacity is not modelled.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace fermata {

class ConstantTables {
 public:
  enum class Answer : std::uint8_t {
    Here,
    Coming,  ///< the reader waits for it
    Asked,   ///< as Coming, and the caller must fetch it
    Full,    ///< no MSHR takes the reader now
  };

  ConstantTables(unsigned mshrs, unsigned readers) : mshrs_(mshrs), readers_(readers) {}

  bool exist() const { return mshrs_ != 0; }
  void clear() {
    here_.clear();
    coming_.clear();
  }
  bool has(std::uint64_t line) const { return here_.count(line) != 0; }
  Answer ask(std::uint64_t line) {
    if (has(line)) return Answer::Here;
    if (const auto found = coming_.find(line); found != coming_.end()) {
      if (found->second == readers_) return Answer::Full;
      ++found->second;
      return Answer::Coming;
    }
    if (coming_.size() == mshrs_) return Answer::Full;
    coming_.emplace(line, 1);
    return Answer::Asked;
  }
  /// Takes a line that has come. False: it is none of these.
  bool arrive(std::uint64_t line) {
    if (coming_.erase(line) == 0) return false;
    here_.insert(line);
    return true;
  }

 private:
  unsigned mshrs_;
  unsigned readers_;
  std::unordered_set<std::uint64_t> here_;
  std::unordered_map<std::uint64_t, unsigned> coming_;  ///< readers, by line
};

}  // namespace fermata
