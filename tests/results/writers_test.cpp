#include <fermata/results/writers.h>

#include "tests/results/support.h"

namespace fermata::results::test {
namespace {

Columns columns(std::vector<Column> all) {
  return std::make_shared<std::vector<Column>>(std::move(all));
}

const Schema kSchema{
    columns({{"indexer", ColumnType::Text, "", "bank mapping"},
             {"cycles", ColumnType::Integer, "cycles", "how long, from first to last"},
             {"ipc", ColumnType::Real, "warp instructions/cycle", "a \"speed\""}}),
    columns({{"kernel", ColumnType::Text, "", "entry of the program"},
             {"pc", ColumnType::Integer, "", "index of the instruction"}}),
    columns({{"bank", ColumnType::Integer, "", "number of the bank"},
             {"reads", ColumnType::Integer, "words", "words read"}})};

RunRecord example() {
  const auto instruction = [](std::uint64_t pc) {
    return Row(kSchema.instructions, {std::string("stride"), pc});
  };
  const auto bank = [](std::uint64_t number, std::uint64_t reads) {
    return Row(kSchema.banks, {number, reads});
  };
  return {{"stride",
           {{"stride", "32"}, {"blocks", "12"}},
           "gtx480",
           {{"scratchpad.indexer", "bits 3,4,0,1,2"}}},
          Row(kSchema.runs, {std::string("bits 3,4,0,1,2"), std::uint64_t{1200}, 0.25}),
          {instruction(17), instruction(18)},
          {bank(0, 10), bank(1, 0)}};
}

/// A folder, and results that are written to it.
struct Written {
  const TemporaryFolder folder;
  void writeExample(const fs::path& directory) const {
    ResultWriter writer(directory, kSchema);
    writer.add(example());
    writer.commit();
  }
};

constexpr const char* kFiles[] = {"runs.csv", "instructions.csv", "banks.csv"};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(writers, Written)

BOOST_AUTO_TEST_CASE(tables_are_these_bytes) {
  writeExample(folder.path());
  const std::string names = "workload,parameters,platform,changes,";
  const std::string run =
      "stride,stride=32;blocks=12,gtx480,\"scratchpad.indexer=bits 3,4,0,1,2\",";
  BOOST_TEST(bytesOf(folder / "runs.csv") ==
             names + "indexer,cycles,ipc\n" + run + "\"bits 3,4,0,1,2\",1200,0.25\n");
  BOOST_TEST(bytesOf(folder / "instructions.csv") ==
             names + "kernel,pc\n" + run + "stride,17\n" + run + "stride,18\n");
  BOOST_TEST(bytesOf(folder / "banks.csv") ==
             names + "bank,reads\n" + run + "0,10\n" + run + "1,0\n");
}

BOOST_AUTO_TEST_CASE(the_schema_names_every_column_in_order) {
  writeExample(folder.path());
  const CsvRows schema = parseCsv(bytesOf(folder / "schema.csv"));
  BOOST_TEST(
      schema.at(0) == (std::vector<std::string>{"file", "column", "type", "unit", "description"}),
      tt::per_element());
  std::size_t next = 1;
  for (const char* file : kFiles) {
    const CsvRows rows = parseCsv(bytesOf(folder / file));
    for (const std::string& column : rows.at(0)) {
      BOOST_REQUIRE(next < schema.size());
      BOOST_TEST(schema[next].at(0) == file);
      BOOST_TEST(schema[next].at(1) == column);
      ++next;
    }
  }
  BOOST_TEST(next + 1 == schema.size());  // the last row is of the schema itself
}

BOOST_AUTO_TEST_CASE(the_schema_says_type_unit_and_meaning) {
  const CsvRows schema = parseCsv(schemaText(kSchema));
  const auto line = [](std::vector<std::string> fields) { return fields; };
  BOOST_TEST(schema.at(1) == line({"runs.csv", "workload", "text", "",
                                   "kernel, launch file, trace or pattern that ran"}),
             tt::per_element());
  BOOST_TEST(schema.at(6) ==
                 line({"runs.csv", "cycles", "integer", "cycles", "how long, from first to last"}),
             tt::per_element());
  BOOST_TEST(
      schema.at(7) == line({"runs.csv", "ipc", "real", "warp instructions/cycle", "a \"speed\""}),
      tt::per_element());
}

BOOST_AUTO_TEST_CASE(the_same_runs_give_the_same_bytes) {
  writeExample(folder / "a");
  writeExample(folder / "b");
  for (const char* file : {"runs.csv", "instructions.csv", "banks.csv", "schema.csv"})
    BOOST_TEST(bytesOf(folder / "a" / file) == bytesOf(folder / "b" / file));
  for (const char* name : {"a", "b"})
    BOOST_TEST(std::distance(fs::directory_iterator(folder / name), {}) == 4);
}

BOOST_AUTO_TEST_CASE(nothing_appears_without_commit) {
  {
    ResultWriter writer(folder.path(), kSchema);
    writer.add(example());
  }
  BOOST_TEST(folder.entries() == 0U);
}

BOOST_AUTO_TEST_CASE(undefined_figures_are_empty_cells) {
  ResultWriter writer(folder.path(), kSchema);
  writer.add({{}, Row(kSchema.runs, {Cell(), std::uint64_t{0}, Cell()}), {}, {}});
  writer.commit();
  BOOST_TEST(bytesOf(folder / "runs.csv") ==
             "workload,parameters,platform,changes,indexer,cycles,ipc\n,,,,,0,\n");
}

// Equal names are not enough: the values would stand under a schema that is not theirs.
BOOST_AUTO_TEST_CASE(a_row_of_other_columns_is_refused) {
  ResultWriter writer(folder.path(), kSchema);
  RunRecord record = example();
  record.banks.emplace_back(columns(*kSchema.banks), std::vector<Cell>(2));
  BOOST_CHECK_THROW(writer.add(record), std::logic_error);
}

BOOST_AUTO_TEST_CASE(the_directory_is_created) {
  writeExample(folder / "out/demo");
  BOOST_TEST(fs::exists(folder / "out/demo/banks.csv"));
}

BOOST_AUTO_TEST_CASE(a_directory_that_cannot_be_is_refused) {
  std::ofstream(folder / "out") << "a file";
  BOOST_CHECK_THROW(ResultWriter(folder / "out", kSchema), files::OutputRefused);
  BOOST_TEST(bytesOf(folder / "out") == "a file");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::results::test
