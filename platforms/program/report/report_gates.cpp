#include <fermata/platforms/program/report/report_gates.h>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/platforms/program/cost/mapping_costs.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace fermata::platforms {

namespace {

/// Number of words of a point's scratchpad.
class Memories {
 public:
  std::uint32_t words(const SweepRun& run) {
    auto platform = platforms_.find(run.platform);
    if (platform == platforms_.end())
      platform = platforms_.emplace(run.platform, openPlatform(run.platform)).first;
    std::vector<std::string> sets;  // settings that can change the size
    for (const std::string& set : run.sets) {
      for (const char* const part : {"scratchpad.bytes=", "scratchpad.bank_bytes=", "l1.split="}) {
        if (set.rfind(part, 0) == 0) sets.push_back(set);
      }
    }
    const auto [known, isNew] = words_.try_emplace({run.platform, sets});
    if (isNew) {
      Configuration changed = platform->second;
      changed.applyAll(sets);
      changed.check();
      const auto& scratchpad = changed.parameters().scratchpad;
      known->second = scratchpad.bytes / scratchpad.bankBytes;
    }
    return known->second;
  }

 private:
  std::map<std::string, Configuration> platforms_;
  std::map<std::pair<std::string, std::vector<std::string>>, std::uint32_t> words_;
};

}  // namespace

MappingGates gatesOf(const CostTable& table, const std::vector<SweepRun>& runs,
                     const std::vector<std::string>& mappings, const std::vector<double>& banks) {
  MappingGates all;
  Memories memories;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, MappingPrice> known;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto count = static_cast<std::uint32_t>(banks[i]);
    MappingPrice price;
    try {
      const std::uint32_t words = memories.words(runs[i]);
      const auto [at, isNew] = known.try_emplace({mappings[i], count, words});
      if (isNew) at->second = priceOf(table, mappings[i], {count, words});
      price = at->second;
    } catch (const BadInput& error) {
      price.why = error.what();
    }
    const bool isKnown = price.gates || std::find(all.unknown.begin(), all.unknown.end(),
                                                  price.why) != all.unknown.end();
    if (!isKnown) all.unknown.push_back(price.why);
    all.gates.push_back(price.gates.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return all;
}

}  // namespace fermata::platforms
