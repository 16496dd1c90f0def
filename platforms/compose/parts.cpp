#include <fermata/platforms/compose/parts.h>

namespace fermata::platforms {

std::optional<MissingPart> missingPart(const PlatformParameters& p, const std::string& path) {
  const std::string group = path.substr(0, path.find('.'));
  const bool caches = p.globalMemory == GlobalMemory::Caches;
  const bool ofCaches =
      group == "l1" || group == "l2" || group == "interconnect" || group == "dram";
  if (ofCaches && !caches)
    return MissingPart{"global.memory", "global.memory is flat", "global.memory = \"caches\""};
  const bool ofFlat = group == "global" && path != "global.memory";
  if (ofFlat && caches)
    return MissingPart{"global.memory", "global.memory is caches", "global.memory = \"flat\""};
  const bool ofFetch = group == "instruction" && path != "instruction.bytes";
  if (ofFetch && p.core.issue.instructions.bytes == 0)
    return MissingPart{"instruction.bytes", "instruction.bytes is 0", "an instruction cache"};
  if (group == "lock" && p.crossbar.atomics != &makeAtomicLocked)
    return MissingPart{"scratchpad.atomics", "scratchpad.atomics is not locked",
                       "scratchpad.atomics = \"locked\""};
  return std::nullopt;
}

}  // namespace fermata::platforms
