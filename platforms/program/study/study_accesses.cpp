#include <fermata/platforms/program/study/study_accesses.h>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/program/workloads.h>

namespace fermata::platforms {

namespace {

unsigned bitsOf(std::uint32_t largest) {
  unsigned bits = 0;
  while (bits < 32 && largest >> bits != 0) ++bits;
  return bits;
}

}  // namespace

std::uint64_t StudyAccesses::conflicts(const std::string& mapping) const {
  const std::string text = mapping.empty() ? "mod " + std::to_string(shape.banks) : mapping;
  return count->mapped(*indexing::build(text, shape));
}

StudyAccesses studyAccesses(const StudyWorkload& workload) {
  Configuration configuration = openPlatform(workload.platform);
  configuration.check();
  WorkloadParameters parameters = workload.parameters;
  for (const auto& [name, value] : workload.trained) parameters[name] = value;
  OpenWorkload open = openWorkload(workload.name, parameters);
  StudyAccesses accesses;
  collectAccesses(*open.workload, open.name, 1, configuration.parameters(), accesses.collected);
  const ScratchpadParameters& scratchpad = configuration.parameters().scratchpad;
  accesses.shape = {scratchpad.banks, scratchpad.bytes / scratchpad.bankBytes};
  accesses.count = std::make_unique<search::ConflictCount>(accesses.collected.sets,
                                                           bitsOf(accesses.shape.words - 1));
  return accesses;
}

}  // namespace fermata::platforms
