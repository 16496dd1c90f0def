#include <fermata/results/writers.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "tests/results/support.h"

namespace fermata::results::test {
namespace {

struct Example {
  RunRecord run;
  std::vector<InstructionRecord> instructions;
  std::vector<BankRecord> banks;
};

Example example() {
  Example e;
  e.run.identity = {"stride",
                    {{"stride", "32"}, {"blocks", "12"}},
                    "gtx480",
                    {{"scratchpad.indexer", "bits 3,4,0,1,2"}}};
  e.run.indexer = "bits 3,4,0,1,2";
  e.run.banks = 32;
  e.run.launches = 1;
  e.run.ctas = 12;
  e.run.warpInstructions = 300;
  e.run.threadInstructions = 9600;
  e.run.cycles = 1200;
  e.run.sharedLoads = 110;
  e.run.sharedStores = 9;
  e.run.sharedAtomics = 1;
  e.run.degrees.add(1, 100);
  e.run.degrees.add(32, 20);
  e.run.globalAccesses = 5;
  e.run.globalSegments = 6;
  e.run.stalls = {1, 2, 3, 4, 5};
  e.run.activeWarpsMean = 47.5;
  e.run.occupancy = 1;
  e.run.occupancyLimiter = "warps";
  e.run.verification = Verification::Passed;
  e.run.wallSeconds = 0.125;
  InstructionRecord load;
  load.kernel = "stride";
  load.pc = 17;
  load.sourceFile = "some/folder/stride.cu";
  load.line = 30;
  load.opcode = "ld.shared.f32";
  load.opcodeClass = "memory";
  load.executions = 120;
  load.threadExecutions = 3840;
  load.degrees = e.run.degrees;
  load.stallCycles = 77;
  InstructionRecord exit;
  exit.kernel = "stride";
  exit.pc = 18;
  exit.opcode = "exit";
  exit.opcodeClass = "exit";
  exit.executions = 96;
  exit.threadExecutions = 3072;
  e.instructions = {load, exit};
  e.banks = {{0, 10, 2, 1}, {1, 0, 0, 0}};
  return e;
}

void writeExample(const std::filesystem::path& directory, const WriterOptions& options = {}) {
  const Example e = example();
  ResultWriter writer(directory, options);
  writer.add(e.run, e.instructions, e.banks);
  writer.commit();
}

constexpr const char* kFiles[] = {"runs.csv", "instructions.csv", "banks.csv"};

// Column name -> cell of the first row.
std::map<std::string, std::string> firstRow(const std::filesystem::path& file) {
  const CsvRows rows = parseCsv(bytesOf(file));
  std::map<std::string, std::string> cells;
  for (std::size_t c = 0; c < rows.at(0).size(); ++c) cells[rows[0][c]] = rows.at(1).at(c);
  return cells;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(writers)

BOOST_AUTO_TEST_CASE(runs_are_these_bytes) {
  const TemporaryFolder folder;
  writeExample(folder.path());
  BOOST_TEST(
      bytesOf(folder / "runs.csv") ==
      "workload,parameters,platform,changes,indexer,banks,launches,ctas,warp_instructions,"
      "thread_instructions,cycles,ipc,shared_accesses,shared_loads,shared_stores,shared_atomics,"
      "conflict_passes,bank_conflict_cycles,mean_degree,max_degree,global_accesses,"
      "global_segments,stall_scoreboard,stall_barrier,stall_memory_port,stall_pipeline,"
      "stall_idle,active_warps_mean,occupancy,occupancy_limiter,verified\n"
      "stride,stride=32;blocks=12,gtx480,\"scratchpad.indexer=bits 3,4,0,1,2\","
      "\"bits 3,4,0,1,2\",32,1,12,300,9600,1200,0.25,120,110,9,1,740,620,6.166666666666667,32,5,6,"
      "1,2,3,4,5,47.5,1,warps,true\n");
}

BOOST_AUTO_TEST_CASE(instructions_are_these_bytes) {
  const TemporaryFolder folder;
  writeExample(folder.path());
  BOOST_TEST(
      bytesOf(folder / "instructions.csv") ==
      "workload,parameters,platform,changes,kernel,pc,source_file,line,opcode,class,executions,"
      "thread_executions,degree_histogram,mean_degree,max_degree,conflict_cycles,stall_cycles\n"
      "stride,stride=32;blocks=12,gtx480,\"scratchpad.indexer=bits 3,4,0,1,2\",stride,17,"
      "stride.cu,30,ld.shared.f32,memory,120,3840,1:100;32:20,6.166666666666667,32,620,77\n"
      "stride,stride=32;blocks=12,gtx480,\"scratchpad.indexer=bits 3,4,0,1,2\",stride,18,"
      ",,exit,exit,96,3072,,,0,0,0\n");
}

BOOST_AUTO_TEST_CASE(banks_are_these_bytes) {
  const TemporaryFolder folder;
  writeExample(folder.path());
  BOOST_TEST(bytesOf(folder / "banks.csv") ==
             "workload,parameters,platform,changes,bank,reads,writes,atomics,accesses\n"
             "stride,stride=32;blocks=12,gtx480,\"scratchpad.indexer=bits 3,4,0,1,2\",0,10,2,1,13\n"
             "stride,stride=32;blocks=12,gtx480,\"scratchpad.indexer=bits 3,4,0,1,2\",1,0,0,0,0\n");
}

BOOST_AUTO_TEST_CASE(the_schema_names_every_column_in_order) {
  for (const bool timing : {false, true}) {
    const TemporaryFolder folder;
    writeExample(folder.path(), {timing});
    const CsvRows schema = parseCsv(bytesOf(folder / "schema.csv"));
    BOOST_TEST(
        schema.at(0) == (std::vector<std::string>{"file", "column", "type", "unit", "description"}),
        boost::test_tools::per_element());
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
    BOOST_TEST(next == schema.size());
  }
}

BOOST_AUTO_TEST_CASE(the_schema_says_type_unit_and_meaning) {
  const CsvRows schema = parseCsv(schemaText());
  const std::set<std::string> unitless = {"pc", "line", "bank"};  // they are names, not amounts
  for (std::size_t r = 1; r < schema.size(); ++r) {
    const auto& row = schema[r];
    BOOST_TEST_CONTEXT(row.at(0) << " " << row.at(1)) {
      BOOST_TEST((row.at(2) == "text" || row.at(2) == "integer" || row.at(2) == "real"));
      BOOST_TEST(row.at(3).empty() == (row.at(2) == "text" || unitless.count(row.at(1)) == 1));
      BOOST_TEST(row.at(4).size() > 10U);
    }
  }
}

BOOST_AUTO_TEST_CASE(cells_are_of_their_column_type) {
  const TemporaryFolder folder;
  writeExample(folder.path(), {true});
  const CsvRows schema = parseCsv(bytesOf(folder / "schema.csv"));
  for (std::size_t r = 1; r < schema.size(); ++r) {
    const std::string cell = firstRow(folder / schema[r][0].c_str()).at(schema[r][1]);
    BOOST_TEST_CONTEXT(schema[r][1] << " = " << cell) {
      const bool digits =
          !cell.empty() && cell.find_first_not_of("0123456789") == std::string::npos;
      char* end = nullptr;
      std::strtod(cell.c_str(), &end);
      if (schema[r][2] == "integer") BOOST_TEST(digits);
      if (schema[r][2] == "real") BOOST_TEST((end != cell.c_str() && *end == '\0'));
    }
  }
}

BOOST_AUTO_TEST_CASE(wall_seconds_only_when_asked_for) {
  const TemporaryFolder folder;
  writeExample(folder.path());
  BOOST_TEST(firstRow(folder / "runs.csv").count("wall_seconds") == 0U);
  writeExample(folder.path(), {true});
  BOOST_TEST(firstRow(folder / "runs.csv").at("wall_seconds") == "0.125");
}

BOOST_AUTO_TEST_CASE(the_same_runs_give_the_same_bytes) {
  const TemporaryFolder a;
  const TemporaryFolder b;
  writeExample(a.path());
  writeExample(b.path());
  for (const char* file : {"runs.csv", "instructions.csv", "banks.csv", "schema.csv"}) {
    BOOST_TEST(bytesOf(a / file) == bytesOf(b / file));
  }
  BOOST_TEST(a.entries() == 4U);
}

BOOST_AUTO_TEST_CASE(nothing_appears_without_commit) {
  const TemporaryFolder folder;
  {
    const Example e = example();
    ResultWriter writer(folder.path());
    writer.add(e.run, e.instructions, e.banks);
  }
  BOOST_TEST(folder.entries() == 0U);
}

BOOST_AUTO_TEST_CASE(undefined_figures_are_empty_cells) {
  const TemporaryFolder folder;
  ResultWriter writer(folder.path());
  writer.add(RunRecord{}, {}, {});
  writer.commit();
  const auto row = firstRow(folder / "runs.csv");
  BOOST_TEST(row.at("ipc").empty());
  BOOST_TEST(row.at("mean_degree").empty());
  BOOST_TEST(row.at("max_degree") == "0");
  BOOST_TEST(row.at("verified") == "off");
}

BOOST_AUTO_TEST_CASE(a_failed_verification_is_said) {
  const TemporaryFolder folder;
  ResultWriter writer(folder.path());
  RunRecord run;
  run.verification = Verification::Failed;
  writer.add(run, {}, {});
  writer.commit();
  BOOST_TEST(firstRow(folder / "runs.csv").at("verified") == "false");
}

BOOST_AUTO_TEST_CASE(figures_that_disagree_are_refused) {
  const TemporaryFolder folder;
  Example e = example();
  ++e.run.sharedLoads;
  ResultWriter writer(folder.path());
  BOOST_CHECK_EXCEPTION(writer.add(e.run, {}, {}), std::logic_error,
                        [](const std::logic_error& error) {
                          return std::string(error.what()) ==
                                 "run of stride: 121 shared accesses by kind but 120 by degree";
                        });
}

BOOST_AUTO_TEST_CASE(the_directory_is_created) {
  const TemporaryFolder folder;
  writeExample(folder / "out/demo");
  BOOST_TEST(std::filesystem::exists(folder / "out/demo/banks.csv"));
}

BOOST_AUTO_TEST_CASE(a_directory_that_cannot_be_is_an_output_error) {
  const TemporaryFolder folder;
  std::ofstream(folder / "out") << "a file";
  BOOST_CHECK_THROW(ResultWriter(folder / "out"), OutputError);
  BOOST_TEST(bytesOf(folder / "out") == "a file");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::results::test
