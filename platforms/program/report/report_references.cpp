#include <fermata/platforms/program/report/report_references.h>

#include <fermata/models/vocabulary/error.h>
#include <fermata/platforms/compose/configuration.h>
#include <fermata/platforms/compose/parameters.h>

#include <map>
#include <string>

namespace fermata::platforms {

namespace {

using nlohmann::ordered_json;

/// Mappings in the files of platforms; empty: the file is not there.
class OwnMappings {
 public:
  const std::string& of(const std::string& platform) {
    const auto [known, isNew] = known_.try_emplace(platform);
    if (!isNew) return known->second;
    try {
      known->second = openPlatform(platform).parameters().scratchpad.indexer;
    } catch (const BadInput&) {  // the points are shown without reference
    }
    return known->second;
  }

 private:
  std::map<std::string, std::string> known_;
};

bool isMapping(const std::string& axis) {
  return axis == "mapping" || axis == "scratchpad.indexer";
}

std::string settingsWithoutMapping(const ReportInput& input, std::size_t row) {
  std::string key;
  for (const AxisColumn& axis : input.axes) {
    if (!isMapping(axis.name)) key += axis.values[row] + '\n';
  }
  return key;
}

}  // namespace

ordered_json referencesJson(const ReportInput& input) {
  if (!input.sweep) return nullptr;
  OwnMappings own;
  std::map<std::string, std::size_t> references;
  const std::vector<std::string>& indexers = input.points.texts("indexer");
  for (std::size_t row = 0; row < input.points.rows(); ++row) {
    if (indexers[row] == own.of(input.runs[row].platform))
      references.try_emplace(settingsWithoutMapping(input, row), row);
  }
  if (references.empty()) return nullptr;
  ordered_json all = ordered_json::array();
  for (std::size_t row = 0; row < input.points.rows(); ++row) {
    const auto found = references.find(settingsWithoutMapping(input, row));
    all.push_back(found == references.end() ? ordered_json() : ordered_json(found->second));
  }
  return all;
}

}  // namespace fermata::platforms
