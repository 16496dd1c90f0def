// Pages of handmade sweeps contain what the tables say.
#include <fermata/platforms/program/cost/cost_table.h>

#include "tests/report/page_data.h"
#include "tests/report/sweep_folder.h"

using namespace fermata::test;
using nlohmann::json;

namespace {

struct Reported : SweepFolder {
  json page(const std::string& arguments = "s --closer 0") const {
    put();
    const Outcome outcome = report(arguments).ok();
    BOOST_TEST(outcome.text == "Report: s/report.html\n");
    return dataOf(path / "s" / "report.html");
  }
};

/// Checks a number up to what the page rounds.
void checkNear(const json& number, double expected) {
  BOOST_TEST(number.get<double>() == expected, tt::tolerance(1e-6));
}

json named(const json& list, const std::string& name) {
  for (const json& one : list) {
    if (one.at("name") == name) return one;
  }
  return nullptr;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(report_page, Reported)

BOOST_AUTO_TEST_CASE(has_the_points_as_the_table_has_them) {
  const json data = page();
  BOOST_TEST(data.at("name") == "s");
  BOOST_TEST(data.at("kind") == "sweep");
  BOOST_TEST(data.at("description") == "made by hand");
  BOOST_TEST(data.at("points") == 8);
  BOOST_TEST(column(data, "cycles") == json({400, 440, 100, 110, 1000, 1100, 1000, 1100}));
  BOOST_TEST(column(data, "energy_nj") == json({8, 9, 4, 5, 20, 22, 30, 33}));
  BOOST_TEST(column(data, "scratchpad.latency") == json({20, 24, 20, 24, 20, 24, 20, 24}));
  BOOST_TEST(column(data, "mapping").at(2) == "ami 33");
  BOOST_TEST(column(data, "platform").is_null());
  BOOST_TEST(data.at("same").dump() == R"([{"title":"platform","value":"gtx480"}])");
  const json cycles = named(data.at("columns"), "cycles");
  BOOST_TEST(cycles.at("unit") == "cycles");
  BOOST_TEST(cycles.at("description") == "SM cycles, from first to last");
}

// The platform's own mapping is mod 32: points under ami 33 refer to those before them.
BOOST_AUTO_TEST_CASE(points_have_the_platform_s_mapping_as_reference) {
  BOOST_TEST(page().at("references").dump() == "[0,1,0,1,4,5,4,5]");
  points = {{"a", "ami 33", "20", 100, 0, "4"}, {"a", "ami 65", "20", 100, 0, "4"}};
  BOOST_TEST(page().at("references").is_null());
}

BOOST_AUTO_TEST_CASE(has_the_gates_of_each_mapping) {
  const json gates = column(page(), "gates");
  double ami = -1;  // the narrowest block with the 14 address bits of 12,288 words
  for (const auto& row :
       fermata::platforms::CostTable::ours().of("ami", "modulus=33 form=fast corner=exact")) {
    if (row.gives == "bank and row" && row.addressBits == 14) ami = row.gates;
  }
  BOOST_TEST(ami > 0);
  BOOST_TEST(gates.at(0) == 0);
  checkNear(gates.at(2), ami);
}

BOOST_AUTO_TEST_CASE(has_best_and_worst_of_each_axis) {
  const json axes = page().at("axes");
  // Kernel a takes 4 times as long with mod 32 as with ami 33, kernel b as long.
  const json mapping = named(axes.at("cycles"), "mapping");
  checkNear(mapping.at("range"), 2);
  BOOST_TEST(mapping.at("values").at(0).at("value") == "mod 32");
  checkNear(mapping.at("values").at(0).at("mean"), 2);
  BOOST_TEST(mapping.at("values").at(0).at("most") == 4);
  BOOST_TEST(mapping.at("values").at(0).at("least") == 1);
  BOOST_TEST(mapping.at("values").at(0).at("best") == 2);
  BOOST_TEST(mapping.at("values").at(1).at("best") == 4);
  checkNear(named(axes.at("cycles"), "scratchpad.latency").at("range"), 1.1);
  BOOST_TEST(axes.at("cycles").at(0).at("name") == "mapping");
  BOOST_TEST(named(axes.at("cycles"), "workload").is_null());
  BOOST_TEST(named(axes.at("cycles"), "platform").is_null());
  BOOST_TEST(!named(axes.at("energy"), "mapping").is_null());
}

BOOST_AUTO_TEST_CASE(has_the_fronts_of_each_kernel_and_of_all) {
  const json data = page();
  const json& fronts = data.at("fronts");
  BOOST_TEST_REQUIRE(fronts.size() == 3U);
  // For a, mod 32 has no gates, and ami 33 the fewest cycles and the least energy. For b, mod 32 is
  // best in everything. Latency 24 is worse throughout.
  BOOST_TEST(named(fronts, "a").at("front") == json({0, 2}));
  BOOST_TEST(named(fronts, "b").at("front") == json({0}));
  const json all = named(fronts, "all kernels");
  BOOST_TEST(all.at("relative") == true);
  BOOST_TEST(all.at("rows") == json({0, 1, 2, 3}));
  checkNear(all.at("cycles").at(0), 2);
  checkNear(all.at("energy").at(2), std::sqrt(1.5));
  BOOST_TEST(all.at("front") == json({0, 2}));
  BOOST_TEST(data.at("works").at("names") == json({"a", "b"}));
  BOOST_TEST(data.at("works").at("codes") == json({0, 0, 0, 0, 1, 1, 1, 1}));
}

BOOST_AUTO_TEST_CASE(has_conflicts_by_kernel_and_mapping) {
  const json conflicts = page().at("conflicts");
  BOOST_TEST(conflicts.at("kernels") == json({"a", "b"}));
  BOOST_TEST(conflicts.at("mappings") == json({"mod 32", "ami 33"}));
  BOOST_TEST(conflicts.at("percent").at(0) == json({75, 0}));  // 300 of 400 wavefronts
  checkNear(conflicts.at("percent").at(1).at(1), 100 * 50.0 / 150);
  BOOST_TEST(conflicts.at("cycles") == json({{300, 0}, {0, 50}}));
}

BOOST_AUTO_TEST_CASE(says_what_is_missing_and_why) {
  for (auto& point : points) point.energy = "";
  points[0].mapping = points[1].mapping = "pad row=32 words=1";
  const json data = page();
  BOOST_TEST(has(data.at("missing").at("energy").get<std::string>(), "no prices"));
  BOOST_TEST(has(data.at("missing").at("gates").get<std::string>(), "a layout in software"));
  BOOST_TEST(column(data, "gates").at(0).is_null());
  BOOST_TEST(column(data, "gates").at(4) == 0);
  BOOST_TEST(column(data, "energy_nj").is_null());
  BOOST_TEST(!data.at("axes").contains("energy"));
}

// No text of a user is read as HTML or script.
BOOST_AUTO_TEST_CASE(texts_of_a_user_stay_texts) {
  const std::string evil = "</script><script>alert(1)</script><!--, \"k\" & 'k' @data@";
  for (std::size_t i = 0; i < 4; ++i) points[i].workload = evil;
  const json data = page();
  BOOST_TEST(data.at("works").at("names").at(0) == evil);
  const std::string html = readFile(path / "s" / "report.html");
  BOOST_TEST(!has(html, "<script>alert"));
  const std::size_t begin = html.find("id=\"data\">");
  BOOST_TEST(html.find('<', begin + 1) == html.find("</script", begin));
}

BOOST_AUTO_TEST_CASE(the_same_folder_gives_the_same_bytes) {
  page();
  const std::string first = readFile(path / "s" / "report.html");
  const Outcome again = report("s --closer 0 -o other.html").ok();
  BOOST_TEST(again.text == "Report: other.html\n");
  BOOST_TEST((readFile(path / "other.html") == first));
}

BOOST_AUTO_TEST_CASE(everything_is_in_it_with_its_licences) {
  page();
  const std::string html = readFile(path / "s" / "report.html");
  for (const char* const part : {"vegaEmbed", "vega-lite", "Redistribution and use in source",
                                 "Content-Security-Policy", "default-src 'none'"})
    BOOST_TEST(has(html, part), part);
  for (const char* const part : {"<script src", "<link rel=\"stylesheet", "@import"})
    BOOST_TEST(!has(html, part), part);
}

// 6,400 points need less than 2 MB of data.
BOOST_AUTO_TEST_CASE(a_large_sweep_is_a_small_page) {
  points.clear();
  unsigned state = 1;
  for (unsigned i = 0; i < 6400; ++i) {
    state = state * 1664525 + 1013904223;
    points.push_back({"kernel" + std::to_string(i / 800), "ami " + std::to_string(31 + i % 8),
                      std::to_string(10 + i / 8 % 100), 10000 + state % 100000, state % 5000,
                      std::to_string(state % 1000003) + ".125"});
  }
  const json data = page();
  BOOST_TEST(data.at("points") == 6400);
  BOOST_TEST(data.dump().size() < 2'000'000U);
}

BOOST_AUTO_TEST_CASE(points_that_failed_are_shown_with_their_messages) {
  put();
  write("s/merged/failed.csv",
        "point,platform,workload,mapping,scratchpad.latency,message\n"
        "3,gtx480,a,ami 33,24,\"k.cu:3: out of bounds; expected <64\"\n");
  report("s --closer 0").ok();
  const json failed = dataOf(path / "s" / "report.html").at("failed");
  BOOST_TEST(failed.at("rows") == 1);
  const json message = failed.at("columns").at(5);
  const json& texts = message.contains("values") ? message.at("values") : message.at("levels");
  BOOST_TEST(texts.at(0) == "k.cu:3: out of bounds; expected <64");
}

BOOST_AUTO_TEST_SUITE_END()
