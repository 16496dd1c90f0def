#include <fermata/models/memory/dram_parameters.h>

#include <algorithm>

namespace fermata {

std::optional<DramContradiction> contradiction(const DramParameters& p) {
  using Wrong = DramContradiction;
  if (p.sideBySide > p.banks)
    return Wrong{"dram.side_by_side", {"dram.banks"}, "a power of two from 1 to banks"};
  if (p.bankBytes > p.rowBytes)
    return Wrong{"dram.bank_bytes", {"dram.row_bytes"}, "a power of two, at most row_bytes"};
  if (p.bankGroups > p.banks)
    return Wrong{"dram.bank_groups", {"dram.banks"}, "a power of two from 1 to banks"};
  if (p.stackIds * p.bankGroups > p.banks)
    return Wrong{"dram.stack_ids",
                 {"dram.banks", "dram.bank_groups"},
                 "a power of two, with bank_groups of each at most banks"};
  if (p.burstBytes > std::min(p.channelBytes, p.bankBytes))
    return Wrong{"dram.burst_bytes",
                 {"dram.channel_bytes", "dram.bank_bytes"},
                 "a power of two, at most channel_bytes and bank_bytes"};
  if (p.timing.ccdl < p.timing.ccd) return Wrong{"dram.ccdl", {"dram.ccd"}, "at least ccd"};
  if (p.refreshBanks != 0 && p.banks % p.refreshBanks != 0)
    return Wrong{"dram.refresh_banks", {"dram.banks"}, "0 or a divisor of banks"};
  if (p.timing.refi != 0 && p.timing.refi < p.timing.leastRefi())
    return Wrong{
        "dram.refi", {"dram.rfc"}, "0, or at least rfc and twice the sum of the other times"};
  if (p.timing.rc < p.timing.ras) return Wrong{"dram.rc", {"dram.ras"}, "at least ras"};
  return std::nullopt;
}

}  // namespace fermata
