#include <fermata/models/memory/pass_memo.h>

#include <fermata/models/memory/lane_scan.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

namespace fermata {

PassMemo& PassMemo::ofThread() {
  static thread_local PassMemo memo;
  return memo;
}

std::uint32_t PassMemo::rules(std::uint32_t banks, std::uint32_t ports,
                              const LaneGrouping& groups) {
  static std::mutex one;
  static std::map<std::string, std::uint32_t> numbers;
  std::string text = std::to_string(banks) + ' ' + std::to_string(ports) + ' ' +
                     std::to_string(groups.extraPasses128) +
                     (groups.idleGroupsCount ? " idle " : " ");
  for (const LaneGroups* of : {&groups.bits32, &groups.bits64, &groups.bits128})
    text += of->text() + ' ';
  if (groups.bits128Stores) text += groups.bits128Stores->text();
  text += ' ' + groups.packing64.text() + ' ' + groups.packing128.text();
  const std::lock_guard<std::mutex> lock(one);
  return numbers.try_emplace(text, static_cast<std::uint32_t>(numbers.size())).first->second;
}

bool PassMemo::recall(WarpAccess& access, std::uint32_t rules) {
  asked_ = nullptr;
  if (rest_ != 0) {
    --rest_;
    return false;
  }
  const WarpInstruction& instruction = access.instruction;
  const bool matrices =
      access.issuedInstruction != nullptr && access.issuedInstruction->matrices != 0;
  lanes_ = access.asked | std::uint64_t{instruction.active} << 32;
  kind_ = rules | std::uint64_t{instruction.bytesPerLane} << 32 |
          std::uint64_t{access.wordsPerLane} << 40 |
          static_cast<std::uint64_t>(instruction.operation) << 48 | std::uint64_t{matrices} << 56;
  const auto first = static_cast<unsigned>(__builtin_ctz(access.asked));
  // An odd factor tells instructions apart, and the bank those of one instruction at several
  // places.
  Pattern& pattern = patterns_[(instruction.pc * 5 + access.bank[0][first]) % kPatterns];
  const std::uint32_t base = access.word[0][first];
  if (pattern.lanes == lanes_ && pattern.kind == kind_ &&
      lane_scan::alike(access.word, access.bank, access.wordsPerLane, base, pattern.word,
                       pattern.bank, pattern.mask)) {
    static_cast<PassPlan&>(access) = pattern.plan;
    credit_ = std::min(credit_ + 1, kMostCredit);
    return true;
  }
  asked_ = &pattern;
  if (--credit_ == 0) {
    rest_ = kRest;
    credit_ = kMostCredit / 2;
  }
  return false;
}

void PassMemo::keep(WarpAccess& access) {
  if (asked_ == nullptr) return;
  Pattern& pattern = *asked_;
  pattern.lanes = lanes_;
  pattern.kind = kind_;
  const std::uint32_t base = access.word[0][static_cast<unsigned>(__builtin_ctz(access.asked))];
  for (unsigned i = 0; i < kWarpLanes; ++i) pattern.mask[i] = 0U - (access.asked >> i & 1U);
  for (unsigned k = 0; k < access.wordsPerLane; ++k) {
    for (unsigned i = 0; i < kWarpLanes; ++i) pattern.word[k][i] = access.word[k][i] - base;
    pattern.bank[k] = access.bank[k];
  }
  pattern.wire = 0;
  access.wire = &pattern.wire;
  pattern.plan = access;
}

}  // namespace fermata
