#include <fermata/models/memory/dram_parameters.h>

#include <algorithm>

namespace fermata {

std::optional<DramContradiction> contradiction(const DramParameters& p) {
  using Wrong = DramContradiction;
  if (p.sideBySide > p.banks)
    return Wrong{"side_by_side", {"banks"}, "a power of two from 1 to banks"};
  if (p.bankBytes > p.rowBytes)
    return Wrong{"bank_bytes", {"row_bytes"}, "a power of two, at most row_bytes"};
  if (p.bankGroups > p.banks)
    return Wrong{"bank_groups", {"banks"}, "a power of two from 1 to banks"};
  if (p.burstBytes > std::min(p.channelBytes, p.bankBytes))
    return Wrong{"burst_bytes",
                 {"channel_bytes", "bank_bytes"},
                 "a power of two, at most channel_bytes and bank_bytes"};
  if (p.timing.ccdl < p.timing.ccd) return Wrong{"ccdl", {"ccd"}, "at least ccd"};
  if (p.timing.rc < p.timing.ras) return Wrong{"rc", {"ras"}, "at least ras"};
  return std::nullopt;
}

}  // namespace fermata
