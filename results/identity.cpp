#include <fermata/results/identity.h>

namespace fermata::results {
namespace {

void appendEscaped(std::string& out, const std::string& part) {
  for (const char c : part) {
    if (c == ';' || c == '\\') out += '\\';
    out += c;
  }
}

}  // namespace

std::string text(const Settings& settings) {
  std::string out;
  for (const Setting& setting : settings) {
    if (!out.empty()) out += ';';
    appendEscaped(out, setting.name);
    out += '=';
    appendEscaped(out, setting.value);
  }
  return out;
}

const std::vector<Column>& identityColumns() {
  static const std::vector<Column> all{
      {"workload", ColumnType::Text, "", "kernel, launch file, trace or pattern that ran"},
      {"parameters", ColumnType::Text, "",
       "parameters of the workload, name=value, separated by semicolons"},
      {"platform", ColumnType::Text, "", "platform that it ran on"},
      {"changes", ColumnType::Text, "",
       "platform parameters that differ from the platform file, name=value, separated by "
       "semicolons"}};
  return all;
}

std::vector<std::string> identityFields(const RunIdentity& run) {
  return {run.workload, text(run.parameters), run.platform, text(run.changes)};
}

}  // namespace fermata::results
