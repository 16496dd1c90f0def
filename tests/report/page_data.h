// Reads the data of a report's page like a browser.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/support/program.h"

namespace fermata::test {

inline nlohmann::json dataOf(const fs::path& page) {
  const std::string html = readFile(page);
  const std::string start = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = html.find(start);
  BOOST_TEST_REQUIRE(begin != std::string::npos);
  const std::size_t end = html.find("</script", begin);
  BOOST_TEST_REQUIRE(end != std::string::npos);
  return nlohmann::json::parse(html.substr(begin + start.size(), end - begin - start.size()));
}

/// Returns a column's value of every row, in either of its two encodings; null if there is no such
/// column.
inline nlohmann::json column(const nlohmann::json& data, const std::string& name) {
  for (const nlohmann::json& one : data.at("columns")) {
    if (one.at("name") != name) continue;
    if (one.contains("values")) return one.at("values");
    nlohmann::json values;
    for (const std::size_t code : one.at("codes")) values.push_back(one.at("levels").at(code));
    return values;
  }
  return nullptr;
}

}  // namespace fermata::test
