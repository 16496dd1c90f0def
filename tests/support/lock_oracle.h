// Locked atomics of one warp as their paper describes them (van den Braak et al., ICCD 2013,
// sections II to IV), lane by lane and round by round. Uses nothing of the model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fermata::test {

/// Table I of the paper, in bits of the byte address.
struct TableI {
  std::string hash;  ///< baseline, xor or add

  static std::uint32_t field(std::uint32_t byte, unsigned high, unsigned low) {
    return byte >> low & ((1U << (high - low + 1)) - 1);
  }
  std::uint32_t together(std::uint32_t a, std::uint32_t b) const {
    if (hash == "xor") return a ^ b;
    return hash == "add" ? (a + b) % 32 : a;
  }
  std::uint32_t bank(std::uint32_t byte) const {
    return together(field(byte, 6, 2), field(byte, 11, 7));
  }
  /// Returns the lock of a word, one of the 32 of its bank.
  std::uint32_t lockInBank(std::uint32_t byte) const {
    return together(field(byte, 11, 7), field(byte, 15, 12));
  }
};

/// Course of an atomic of one warp.
struct LockRounds {
  struct Round {
    std::uint32_t asked = 0;  ///< lanes that read
    std::uint32_t got = 0;    ///< lanes of `asked` that got their lock
    unsigned readLevel = 0;   ///< bank conflict level
    unsigned writeLevel = 0;
  };
  std::vector<Round> rounds;
  std::uint64_t tries = 0, position = 0, alias = 0;
  unsigned cycles = 0;  ///< cycles from the first read to the instruction behind the loop
};

/// Latencies of the loop's steps in core cycles: half of the shader cycles in the paper (32, 18,
/// 36, 32).
inline constexpr unsigned kRead = 32 / 2, kUpdate = 18 / 2, kWrite = 36 / 2, kBranch = 32 / 2;

class LockOracle {
 public:
  /// Lane i accesses `bytes` (4 or 8) at byte[i], if it is in `active`.
  LockOracle(TableI table, std::vector<std::uint32_t> byte, unsigned bytes = 4,
             std::uint32_t active = 0xffffffffU, bool highest = false)
      : table_(std::move(table)), byte_(std::move(byte)), bytes_(bytes), active_(active) {
    for (unsigned lane = 0; lane < 32; ++lane) order_.push_back(highest ? 31 - lane : lane);
  }

  LockRounds run() {
    LockRounds all;
    for (std::uint32_t left = active_; left != 0; left &= ~all.rounds.back().got) {
      all.rounds.push_back(round(left, all));
      const LockRounds::Round& done = all.rounds.back();
      all.cycles += kRead * done.readLevel + kUpdate + kWrite * done.writeLevel + kBranch;
    }
    return all;
  }

 private:
  using Lock = std::pair<std::uint32_t, std::uint32_t>;  ///< bank, lock of the bank

  std::vector<std::uint32_t> wordsOf(unsigned lane) const {
    std::vector<std::uint32_t> bytes;
    for (unsigned b = 0; b < bytes_; b += 4) bytes.push_back(byte_[lane] + b);
    return bytes;
  }
  LockRounds::Round round(std::uint32_t left, LockRounds& all) {
    LockRounds::Round round;
    round.asked = left;
    std::map<Lock, std::uint32_t> taken;  // lock -> word that took it
    for (const unsigned lane : order_) {
      if ((left >> lane & 1) == 0) continue;
      ++all.tries;
      const std::uint32_t* in = nullptr;
      std::uint32_t mine = 0;
      for (const std::uint32_t byte : wordsOf(lane)) {
        const auto found = taken.find({table_.bank(byte), table_.lockInBank(byte)});
        if (found == taken.end() || in != nullptr) continue;
        in = &found->second;
        mine = byte;
      }
      if (in != nullptr) {
        ++(*in == mine ? all.position : all.alias);
        continue;
      }
      round.got |= 1U << lane;
      for (const std::uint32_t byte : wordsOf(lane))
        taken[{table_.bank(byte), table_.lockInBank(byte)}] = byte;
    }
    round.readLevel = level(left);
    round.writeLevel = level(round.got);
    return round;
  }
  /// Returns the degree: distinct words in the fullest bank. 64-bit lanes go by halves of the warp;
  /// their degrees are added.
  unsigned level(std::uint32_t lanes) const {
    unsigned sum = 0;
    const unsigned group = bytes_ == 8 ? 16 : 32;
    for (unsigned first = 0; first < 32; first += group) {
      std::map<std::uint32_t, std::set<std::uint32_t>> banks;
      for (unsigned lane = first; lane < first + group; ++lane) {
        if ((lanes >> lane & 1) == 0) continue;
        for (const std::uint32_t byte : wordsOf(lane)) banks[table_.bank(byte)].insert(byte);
      }
      std::size_t most = 0;
      for (const auto& [bank, words] : banks) most = std::max(most, words.size());
      sum += static_cast<unsigned>(most);
    }
    return sum;
  }

  TableI table_;
  std::vector<std::uint32_t> byte_;
  unsigned bytes_;
  std::uint32_t active_;
  std::vector<unsigned> order_;
};

}  // namespace fermata::test
