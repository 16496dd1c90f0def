// Files of findings for the tools that collect them: SARIF and JUnit.
#include <fermata/platforms/program/check/finding.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include <algorithm>
#include <sstream>

#include <fermata/platforms/program/csv_line.h>

namespace fermata::platforms {

namespace {

using Json = nlohmann::ordered_json;
using Verdict = CheckedLine::Verdict;

constexpr const char* kRule = "bank-conflict";

Json sarifResult(const CheckedLine& finding, bool compared) {
  const ConflictLine& line = finding.line;
  Json result{
      {"ruleId", kRule}, {"level", "warning"}, {"message", {{"text", findingMessage(finding)}}}};
  if (!line.file.empty() && line.line != 0) {
    result["locations"] = {
        {{"physicalLocation",
          {{"artifactLocation", {{"uri", line.file}}}, {"region", {{"startLine", line.line}}}}}}};
  } else {
    result["locations"] = {
        {{"logicalLocations", {{{"name", line.kernel}, {"fullyQualifiedName", line.place()}}}}}};
  }
  result["properties"] = {{"workload", line.workload},
                          {"kernel", line.kernel},
                          {"opcode", line.opcode},
                          {"degree", line.degree},
                          {"wavefronts", line.wavefronts},
                          {"wavefronts_ideal", line.ideal},
                          {"wavefronts_excessive", line.excessive()}};
  if (finding.verdict == Verdict::Allowed) result["suppressions"] = {{{"kind", "external"}}};
  if (compared)
    result["baselineState"] = finding.verdict == Verdict::Known ? "unchanged"
                              : finding.isWorse                 ? "updated"
                                                                : "new";
  return result;
}

/// Returns the text as GitHub's commands take it: a line break would end the command, and a colon
/// or a comma the value of a property.
std::string escaped(const std::string& text, bool isProperty) {
  std::string safe;
  for (const char one : text) {
    if (one == '%' || one == '\r' || one == '\n' || (isProperty && (one == ':' || one == ','))) {
      safe += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(one)));
    } else {
      safe += one;
    }
  }
  return safe;
}

std::ptrdiff_t count(const std::vector<CheckedLine>& lines, const std::string& workload,
                     Verdict verdict) {
  return std::count_if(lines.begin(), lines.end(), [&](const CheckedLine& one) {
    return one.line.workload == workload && one.verdict == verdict;
  });
}

}  // namespace

std::string githubAnnotation(const CheckedLine& finding) {
  const ConflictLine& line = finding.line;
  std::string place;
  if (!line.file.empty() && line.line != 0)
    place = fmt::format("file={},line={},", escaped(line.file, true), line.line);
  return fmt::format("::warning {}title=bank conflict::{} [{}]", place,
                     escaped(findingMessage(finding), false), escaped(line.workload, false));
}

std::string sarif(const std::vector<CheckedLine>& lines, const std::string& version,
                  bool compared) {
  Json findings = Json::array();
  for (const CheckedLine& one : lines) {
    if (one.verdict != Verdict::Passed) findings.push_back(sarifResult(one, compared));
  }
  const Json rule{
      {"id", kRule},
      {"shortDescription", {{"text", "Shared memory bank conflict"}}},
      {"fullDescription",
       {{"text",
         "Lanes of a warp ask one bank for several words, which it delivers one after another."}}}};
  const Json log{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool", {{"driver", {{"name", "fermata"}, {"version", version}, {"rules", {rule}}}}}},
         {"results", findings}}}}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string findingsCsv(const std::vector<CheckedLine>& lines) {
  constexpr const char* kVerdicts[] = {"passed", "found", "allowed", "known"};  // as in Verdict
  std::string text =
      "workload,kernel,file,line,opcode,degree,accesses,wavefronts,wavefronts_ideal,"
      "wavefronts_excessive,verdict,why\n";
  for (const CheckedLine& one : lines) {
    const ConflictLine& line = one.line;
    text += csvLine(line.workload, line.kernel, line.file,
                    line.line == 0 ? std::string() : csvText(line.line), line.opcode, line.degree,
                    line.accesses, line.wavefronts, line.ideal, line.excessive(),
                    kVerdicts[static_cast<std::size_t>(one.verdict)], one.why);
  }
  return text;
}

std::string junit(const std::vector<CheckedLine>& lines) {
  pugi::xml_document document;
  pugi::xml_node suites = document.append_child("testsuites");
  pugi::xml_node suite;
  std::string workload;
  for (const CheckedLine& one : lines) {
    if (!suite || one.line.workload != workload) {
      workload = one.line.workload;
      suite = suites.append_child("testsuite");
      suite.append_attribute("name") = workload.c_str();
      suite.append_attribute("tests") =
          std::count_if(lines.begin(), lines.end(),
                        [&](const CheckedLine& each) { return each.line.workload == workload; });
      suite.append_attribute("failures") = count(lines, workload, Verdict::Found);
      suite.append_attribute("skipped") =
          count(lines, workload, Verdict::Allowed) + count(lines, workload, Verdict::Known);
    }
    pugi::xml_node test = suite.append_child("testcase");
    test.append_attribute("classname") = one.line.kernel.c_str();
    test.append_attribute("name") = (one.line.place() + " " + one.line.opcode).c_str();
    if (one.verdict == Verdict::Passed) continue;
    pugi::xml_node node = test.append_child(one.verdict == Verdict::Found ? "failure" : "skipped");
    node.append_attribute("message") = findingMessage(one).c_str();
    if (one.verdict == Verdict::Found) node.text().set(findingText(one).c_str());
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace fermata::platforms
