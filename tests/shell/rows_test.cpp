// --csv and --json print the same rows, for every command that prints a table.
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

using namespace fermata::test;

namespace {

/// A command, and a column of its rows with the number, if it is one, of the first row.
struct Printed {
  const char* arguments;
  const char* column;
  bool isNumber;
};
std::ostream& operator<<(std::ostream& out, const Printed& one) {
  return out << one.arguments;
}
const Printed kPrinted[] = {
    {"platforms", "description", false},
    {"workloads", "workload", false},
    {"workloads transpose", "default", true},
    {"studies", "study", false},
    {"prices", "table", false},
    {"prices fermi-40nm gtx480", "nominal", true},
    {"prices fermi-40nm --platform sm_80", "nominal", true},
    {"run stride --platform gtx480", "cycles", true},
    {"run stride --platform gtx480 --power fermi-40nm", "energy_nj", true},
    {"check stride --platform gtx480", "wavefronts", true},
    {"explain --platform gtx480 stride", "conflict_cycles", true},
    {"search --platform gtx480 stride --class xor", "conflicts_before", true},
    {"map", "text", false},
    {"map 'ami 6' --words 24", "bank", true},
    {"map 'ami 6' --words 96 --warp 'stride 2'", "lane", true},
    {"cost", "lanes", true},
    {"cost 'ami 33'", "gate_equivalents", true},
    {"study xor-examples", "ours", false},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(rows)

BOOST_DATA_TEST_CASE(csv_and_json_have_the_same_rows, bdata::make(kPrinted), one) {
  const Folder folder;
  const auto output = [&](const char* format) {
    const Outcome outcome =
        runProgram(std::string(one.arguments) + format + " 2>/dev/null", folder.path);
    BOOST_TEST_REQUIRE((outcome.code == 0 || outcome.code == 1), outcome.text);
    return outcome.text;
  };
  const std::vector<std::string> lines = linesOf(output(" --csv"));
  const nlohmann::json rows = nlohmann::json::parse(output(" --json"));
  BOOST_TEST_REQUIRE(lines.size() > 1U);
  BOOST_TEST(rows.size() == lines.size() - 1);
  BOOST_TEST(has("," + lines[0] + ",", "," + std::string(one.column) + ","), lines[0]);
  BOOST_TEST_REQUIRE(rows[0].contains(one.column));
  BOOST_TEST(rows[0][one.column].is_number() == one.isNumber);
}

BOOST_AUTO_TEST_CASE(numbers_are_plain_and_a_command_has_one_format) {
  const nlohmann::json rows = nlohmann::json::parse(
      runProgram("run transpose --platform gtx480 --param tile=32 --json 2>/dev/null").ok().text);
  BOOST_TEST(rows[0]["cycles"] == 24763);
  BOOST_TEST(rows[0]["workload"] == "transpose");
  runProgram("platforms --csv --json").refused("--csv");
}

BOOST_AUTO_TEST_SUITE_END()
