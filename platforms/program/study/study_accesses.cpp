#include <fermata/platforms/program/study/study_accesses.h>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/search/residency.h>
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
  return collected.sets.whole(count->mapped(*indexing::build(text, shape)));
}

StudyAccesses studyAccesses(const StudyWorkload& workload, const StudyVariant& variant) {
  Configuration configuration = openPlatform(workload.platform);
  for (const std::string& assignment : variant.sets) configuration.apply(assignment);
  // The searches look for a mapping: replaces the platform's own, which may not suit the banks set.
  const std::uint32_t banks = configuration.parameters().scratchpad.banks;
  configuration.set("scratchpad.indexer", "ami " + std::to_string(banks));
  configuration.check();
  WorkloadParameters parameters = workload.parameters;
  for (const auto& [name, value] : workload.trained) parameters[name] = value;
  for (const auto& [name, value] : variant.parameters) parameters[name] = value;
  OpenWorkload open = openWorkload(workload.name, parameters);
  StudyAccesses accesses;
  collectAccesses(*open.workload, open.name, 1, configuration.parameters(), accesses.collected);
  const ScratchpadParameters& scratchpad = configuration.parameters().scratchpad;
  accesses.shape = {scratchpad.banks, scratchpad.bytes / scratchpad.bankBytes};
  accesses.windowBits = windowBits(
      accesses.collected.grids, occupancyLimits(configuration.parameters()), scratchpad.bankBytes);
  accesses.lockShape = {configuration.parameters().lock.locks, accesses.shape.words};
  accesses.count = std::make_unique<search::ConflictCount>(accesses.collected.sets,
                                                           bitsOf(accesses.shape.words - 1));
  return accesses;
}

}  // namespace fermata::platforms
