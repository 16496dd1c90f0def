#include <fermata/platforms/program/search/l1_search.h>

#include <algorithm>
#include <string>

#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/search/hit_collection.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::platforms {

void checkL1Search(const SearchRequest& request, const Configuration& configuration) {
  const PlatformParameters& p = configuration.parameters();
  if (!hasL1(p.globalMemory))
    refuse(configuration.place("global.memory"),
           "--l1: {} has no L1, for global.memory is {}; expected --set global.memory=l1 or caches",
           p.name, choiceName(p.globalMemory));
  if (request.workloads.empty() || !request.accessFiles.empty() || !request.accessTexts.empty() ||
      !request.layouts.empty())
    refuse("--l1: a run places the lines of the L1; expected workloads alone");
  if (request.keepOccupancy || request.words)
    refuse("--l1 with {}: the memory is the L1's data array; expected neither",
           request.words ? "--words" : "--keep-occupancy");
}

std::vector<SearchPair> ofHardware(std::vector<SearchPair> pairs) {
  const auto ofKernel = [](const SearchPair& pair) {
    return pair.mappingClass == search::MappingClass::Padding ||
           pair.mappingClass == search::MappingClass::Swizzle ||
           pair.mappingClass == search::MappingClass::Tma;
  };
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(), ofKernel), pairs.end());
  if (pairs.empty())
    refuse(
        "--class: padding, swizzle and tma change a kernel's shared array; expected another "
        "class for --l1");
  return pairs;
}

void collectHits(const SearchRequest& request, const OpenWorkload& open, std::uint64_t weight,
                 const std::function<void()>& check, SearchReport& report) {
  const auto run = [&] {
    Connector plain;
    std::string hits = hitsOf(*open.workload, report.configuration,
                              request.connector == nullptr ? plain : *request.connector);
    check();
    return hits;
  };
  LaneGrouping groups = report.configuration.parameters().crossbar.groups;
  groups.packing64 = groups.packing128 = LanePacking();  // shared loads alone pack
  addHits(runInChildren({run}).front(), open.name, weight, groups, report.collected);
}

}  // namespace fermata::platforms
