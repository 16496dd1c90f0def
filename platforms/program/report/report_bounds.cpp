#include <fermata/platforms/program/report/report_bounds.h>

#include <fermata/platforms/program/report/report_columns.h>
#include <fermata/platforms/program/report/report_data.h>
#include <fermata/results/identity.h>

#include <vector>

namespace fermata::platforms {

namespace {

using nlohmann::ordered_json;

constexpr const char* kSlots[] = {"issue",    "scratchpad", "global", "arithmetic",
                                  "barriers", "units",      "no_warp"};

bool hasIdentityOf(const ReportTable& a, std::size_t i, const ReportTable& b, std::size_t j) {
  for (const results::Column& column : results::identityColumns()) {
    if (a.texts(column.name)[i] != b.texts(column.name)[j]) return false;
  }
  return true;
}

ordered_json boundJson(const ReportInput& input, std::size_t row, std::size_t bound) {
  const ReportTable& table = *input.files->bounds;
  const ReportTable& runs = input.points;
  ordered_json slots;
  for (const char* const use : kSlots)
    slots[use] = jsonNumber(table.numbers(std::string("slots_") + use)[bound]);
  return {{"row", row},
          {"run", runLabel(input, row)},
          {"bound", table.texts("bound")[bound]},
          {"text", table.texts("explanation")[bound]},
          {"slots", std::move(slots)},
          {"sms", jsonNumber(table.numbers("sms")[bound])},
          {"cycles", jsonNumber(runs.numbers("cycles")[row])},
          {"instructions", jsonNumber(runs.numbers("warp_instructions")[row])},
          {"wavefronts", jsonNumber(runs.numbers("wavefronts")[row])},
          {"ideal", jsonNumber(runs.numbers("wavefronts_ideal")[row])},
          {"resident", jsonNumber(runs.numbers("active_warps_mean")[row])},
          {"occupancy", jsonNumber(runs.numbers("occupancy")[row])},
          {"limiter", runs.texts("occupancy_limiter")[row]},
          {"least", jsonNumber(table.numbers("cycles_least")[bound])},
          {"most", jsonNumber(table.numbers("speedup_most")[bound])}};
}

}  // namespace

ordered_json boundsJson(const ReportInput& input) {
  if (!input.files || !input.files->bounds) return nullptr;
  const ReportTable& bounds = *input.files->bounds;
  ordered_json all = ordered_json::array();
  std::vector<bool> used(bounds.rows());
  // Launches without time have no row, and runs of equal settings stand in their order.
  for (std::size_t row = 0; row < input.points.rows(); ++row) {
    for (std::size_t bound = 0; bound < bounds.rows(); ++bound) {
      if (used[bound] || !hasIdentityOf(input.points, row, bounds, bound)) continue;
      used[bound] = true;
      all.push_back(boundJson(input, row, bound));
      break;
    }
  }
  return all;
}

}  // namespace fermata::platforms
