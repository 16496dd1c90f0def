#include <fermata/platforms/program/timeline/bank_uses.h>

#include <algorithm>
#include <tuple>

namespace fermata::platforms {

const std::vector<BankUses::Use>& BankUses::of(const WarpAccess& access) {
  uses_.clear();
  std::uint32_t pass = 0;
  for (const LaneMask group : groups_.of(access.instruction, access.issuedInstruction))
    pass += addGroup(access, group, pass);
  const std::uint32_t last = std::max(1U, access.passes);
  for (Use& use : uses_) {  // an ideal machine reports fewer passes than its words need
    use.to = std::min(use.to, last);
    use.from = std::min(use.from, use.to - 1);
  }
  return uses_;
}

// Returns the number of passes of the group.
std::uint32_t BankUses::addGroup(const WarpAccess& access, LaneMask lanes, std::uint32_t first) {
  words_.clear();
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (LaneMask m = access.leaders[k] & lanes; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      words_.push_back({access.bank[k][lane], access.row[k][lane] / rowWords_});
    }
  }
  std::sort(words_.begin(), words_.end(), [](const Word& a, const Word& b) {
    return std::tie(a.bank, a.row) < std::tie(b.bank, b.row);
  });
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < words_.size();) {
    const std::uint32_t bank = words_[i].bank;
    std::uint32_t words = 0;
    std::uint32_t rows = 0;
    for (; i < words_.size() && words_[i].bank == bank; ++i, ++words) {
      const bool beside = words != 0 && rowWords_ > 1 && words_[i].row == words_[i - 1].row;
      if (!beside) ++rows;
    }
    const std::uint32_t passes = (rows + ports_ - 1) / ports_;
    uses_.push_back({bank, first, first + passes, words});
    most = std::max(most, passes);
  }
  const bool wide = access.instruction.bytesPerLane == 16;
  return most == 0 || !wide ? most : most + groups_.extraPasses128;
}

}  // namespace fermata::platforms
