#include <fermata/platforms/program/report/report_gates.h>

#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/program/cost/mapping_costs.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace fermata::platforms {

namespace {

/// Rows of one text: a block that gives both, or one of the bank and one of the row, of the fewest
/// address bits.
double gatesOfText(const PricedText& priced) {
  const auto narrowest = [&](const std::string& gives) -> std::optional<double> {
    const BlockCost* least = nullptr;
    for (const BlockCost& row : priced.rows) {
      if (row.gives != gives || row.lanes != 1) continue;
      if (least == nullptr || row.addressBits < least->addressBits) least = &row;
    }
    return least == nullptr ? std::nullopt : std::optional(least->gates);
  };
  if (const auto both = narrowest("bank and row")) return *both;
  return narrowest("bank").value_or(std::numeric_limits<double>::quiet_NaN()) +
         narrowest("row").value_or(0);
}

/// Words of a point's scratchpad.
class Memories {
 public:
  std::uint32_t words(const SweepRun& run) {
    auto platform = platforms_.find(run.platform);
    if (platform == platforms_.end())
      platform = platforms_.emplace(run.platform, openPlatform(run.platform)).first;
    std::vector<std::string> sets;  // of which the size can follow
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
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, double> known;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    double gates = std::numeric_limits<double>::quiet_NaN();
    try {
      const std::uint32_t words = memories.words(runs[i]);
      const auto count = static_cast<std::uint32_t>(banks[i]);
      const auto [at, isNew] = known.try_emplace({mappings[i], count, words}, gates);
      if (isNew) at->second = gatesOfText(priced(table, mappings[i], {count, words}));
      gates = at->second;
    } catch (const BadInput& error) {
      if (std::find(all.unknown.begin(), all.unknown.end(), error.what()) == all.unknown.end())
        all.unknown.emplace_back(error.what());
    }
    all.gates.push_back(gates);
  }
  return all;
}

}  // namespace fermata::platforms
