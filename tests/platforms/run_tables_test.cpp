// The tables of a run, from the events that the modules report to the bytes of the files.
#include <fermata/platforms/compose/run_tables.h>

#include <fermata/models/transaction/warp_access.h>
#include <fermata/results/writers.h>
#include "tests/results/support.h"
#include "tests/support/says.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;
using results::test::bytesOf;
using results::test::CsvRows;
using results::test::parseCsv;
using results::test::TemporaryFolder;

namespace {

struct Stride : ScriptedWorkload {
  Stride() : ScriptedWorkload(12, 160) {
    grid.kernel = "stride";
    grid.instructionCount = 19;
  }
  InstructionText instructionText(unsigned, std::uint32_t pc) const override {
    if (pc == 17) return {"ld.shared.f32", "some/folder/stride.cu", 30};
    return {"exit", "", 0};
  }
};

/// Results of a run, with numbers that tell the columns apart.
struct Example {
  Stride workload;
  std::shared_ptr<const indexing::Indexer> indexer = indexing::build("bits 3,4,0,1,2", {32, 12288});
  Counters counters;
  PcProfile profile;
  BankHistogram banks{2};
  ReplayCounters replays;
  CacheCounters caches;
  WireCounter wire;
  LockCounters locks;
  ForecastCounters forecasts;

  Example() {
    start();
    for (unsigned i = 0; i < 300; ++i) issue(i);
    for (unsigned i = 0; i < 120; ++i) access(i);
    for (unsigned segments : {2U, 1U, 1U, 1U, 1U}) {
      WarpAccess access;
      access.allSegments = segments;
      counters.globalAccess(access);
    }
    for (unsigned cause = 0; cause < kStallCauses; ++cause) {
      counters.stalled(static_cast<StallCause>(cause), 0, 1, cause + 1);
    }
    forecasts.foretold({0, 17, true, 3, 3});
    forecasts.foretold({0, 17, true, 3, 4});
    forecasts.foretold({0, 17, false, 0, 4});
    forecasts.foretold({0, 18, false, 0, 0});
    forecasts.foretold({0, 17, true, 4, 4});
  }

  RunOutcome outcome() const {
    return {*indexer,
            counters.totals(),
            profile,
            banks,
            1200,
            {8, OccupancyLimiter::Warps},
            48,
            48,
            /*compared=*/1,
            0.125,
            &replays,
            &caches,
            &caches,
            &caches,
            &wire,
            &locks,
            /*staged=*/true,
            &forecasts};
  }

  const results::RunIdentity identity{"stride",
                                      {{"stride", "32"}, {"blocks", "12"}},
                                      "gtx480",
                                      {{"scratchpad.indexer", "bits 3,4,0,1,2"}}};

 private:
  void start() {
    counters.gridStarted(workload.grid, 0);
    profile.gridStarted(workload.grid, 0);
    replays.gridStarted(workload.grid, 0);
    caches.gridStarted(workload.grid, 0);
    wire.gridStarted(workload.grid, 0);
    locks.gridStarted(workload.grid, 0);
    locks.locked({0, 17, 40, 7, 3, 5});
    locks.locked({0, 17, 10, 1, 0, 2});
    cache();
    for (unsigned cta = 0; cta < 12; ++cta) {
      counters.ctaStarted(cta, 5, 0);
      counters.ctaEnded(cta, 5, 950);
    }
  }
  /// Issues 120 loads and 96 exits; the profile sees no program for the rest.
  void issue(unsigned i) {
    StaticInstruction instruction;
    instruction.pc = i < 120 ? 17 : 18;
    instruction.instructionClass = i < 120 ? InstructionClass::Memory : InstructionClass::Exit;
    const IssueEvent event{i, 0, workload.grid, instruction, kAllLanes, i == 5 ? 77U : 0U};
    counters.issued(event);
    if (i < 216) profile.issued(event);
    replays.issued(event);
  }
  /// Books 110 loads, 9 stores and an atomic; 20 of them take 32 passes. A few are counted by bank.
  void access(unsigned i) {
    WarpAccess access;
    access.instruction.pc = 17;
    access.instruction.operation = i < 110   ? MemoryOperation::Load
                                   : i < 119 ? MemoryOperation::Store
                                             : MemoryOperation::Atomic;
    access.allPasses = i < 100 ? 1 : 32;
    access.allFreePasses = 1;
    access.bank[0].fill(0);
    access.leaders[0] = i < 10 || (i >= 110 && i < 112) || i == 119 ? 1U : 0U;
    counters.sharedAccess(access);
    profile.sharedAccess(access);
    banks.sharedTry(access);
    if (i < 15) retry(access, i);
  }
  /// Books the load's lines; lane 0 uses a word of bank 4: a pitch on the column, five on the row.
  void cache() {
    const std::pair<CacheEvent::What, std::uint64_t> counts[] = {
        {CacheEvent::L1Hit, 8},          {CacheEvent::L1Miss, 3},    {CacheEvent::L1SetConflict, 2},
        {CacheEvent::L1BankConflict, 6}, {CacheEvent::L2Hit, 1},     {CacheEvent::L2Miss, 2},
        {CacheEvent::DramRead, 4},       {CacheEvent::DramWrite, 5}, {CacheEvent::DramRowHit, 7}};
    for (const auto& [what, count] : counts) caches.cached({what, 0, 17, count});
    WarpAccess access;
    access.instruction.pc = 17;
    access.asked = 1;
    access.passes = 1;
    access.word[0][0] = 9;
    access.bank[0][0] = 4;
    wire.l1Try(access);
  }
  /// Books 15 tries left: five by order, four by a bank, three by tags, two by lines, one by a set.
  void retry(WarpAccess& access, unsigned i) {
    static constexpr LeftCause causes[] = {LeftCause::Order, LeftCause::Bank, LeftCause::Tag,
                                           LeftCause::Absent, LeftCause::Set};
    unsigned cause = 0;
    for (unsigned most = 5; i >= most; --most, ++cause) i -= most;
    access.outcome.leave(1, LeftCause::Absent);
    access.outcome.leave(2, causes[cause]);
    replays.retried(access, 0);
  }
};

void writeExample(const fs::path& directory, bool timing = false) {
  const Example e;
  const RunTables tables(timing);
  results::ResultWriter writer(directory, tables.schema());
  writer.add(tables.record(e.identity, e.workload, e.outcome()));
  writer.commit();
}

/// The files of the example.
struct Tables {
  Tables() { writeExample(folder.path()); }
  const TemporaryFolder folder;
};

// Returns column name -> cell of the first row.
std::map<std::string, std::string> firstRow(const fs::path& file) {
  const CsvRows rows = parseCsv(bytesOf(file));
  std::map<std::string, std::string> cells;
  for (std::size_t c = 0; c < rows.at(0).size(); ++c) cells[rows[0][c]] = rows.at(1).at(c);
  return cells;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(run_tables, Tables)

BOOST_AUTO_TEST_CASE(columns_of_caches_are_empty_without_caches) {
  const Example e;
  RunOutcome outcome = e.outcome();
  outcome.l1 = outcome.l2 = nullptr;
  const TemporaryFolder uncached;
  const RunTables tables(false);
  results::ResultWriter writer(uncached.path(), tables.schema());
  writer.add(tables.record(e.identity, e.workload, outcome));
  writer.commit();
  for (const char* file : {"runs.csv", "instructions.csv"}) {
    std::map<std::string, std::string> row = firstRow(uncached / file);
    for (const char* column : {"l1_accesses", "l1_hits", "l1_misses", "l1_bank_conflict_cycles",
                               "l1_set_conflicts", "l2_accesses", "l2_hits"})
      BOOST_TEST(row.at(column) == "");
    BOOST_TEST(row.at("dram_reads") == "4");
    BOOST_TEST(row.at("dram_row_hits") == "7");
  }
}

BOOST_AUTO_TEST_CASE(runs_are_these_bytes) {
  BOOST_TEST(
      bytesOf(folder / "runs.csv") ==
      "workload,parameters,platform,changes,indexer,banks,launches,ctas,warp_instructions,"
      "thread_instructions,cycles,ipc,shared_accesses,shared_loads,shared_stores,shared_atomics,"
      "wavefronts,wavefronts_ideal,wavefronts_excessive,mean_passes,max_passes,global_accesses,"
      "global_segments,stall_scoreboard,stall_barrier,stall_memory_port,stall_pipeline,"
      "stall_idle,active_warps_mean,occupancy,occupancy_limiter,verified,replays,replays_bank,"
      "replays_tag,replays_divergence,replays_set,squashes,issued_instructions,l1_accesses,l1_hits,"
      "l1_misses,l1_bank_conflict_cycles,l1_set_conflicts,l2_accesses,l2_hits,dram_reads,"
      "dram_writes,dram_row_hits,crossbar_wire,lock_tries,lock_failures_position,"
      "lock_failures_alias,lock_failures_other_warp,atomic_rounds,stall_bank_conflict,"
      "stall_schedule_fail,stall_writeback,history_hits,history_misses,history_wrong\n"
      "stride,stride=32;blocks=12,gtx480,\"scratchpad.indexer=bits 3,4,0,1,2\","
      "\"bits "
      "3,4,0,1,2\",32,1,12,300,9600,1200,0.25,120,110,9,1,740,120,620,6.166666666666667,32,5,6,"
      "1,2,3,4,5,47.5,1,warps,true,10,4,3,2,1,5,315,11,8,3,6,2,3,1,4,5,7,6,50,8,3,"
      "7,2,6,11,7,3,2,2\n");
}

// A change of the columns in these cases raises the version, and CHANGELOG.md tells of it.
BOOST_AUTO_TEST_CASE(the_schema_says_its_version) {
  const std::string schema = bytesOf(folder / "schema.csv");
  BOOST_TEST(has(schema, "\nschema.csv,version,text,,2: CHANGELOG.md says what changed\n"));
}

// A reader sees one row, without its neighbours.
BOOST_AUTO_TEST_CASE(each_row_of_the_schema_stands_alone) {
  const std::string schema = bytesOf(folder / "schema.csv");
  for (const char* const words :
       {"of these", "of both", ",the same", ",\"the same", "the others", "the next "})
    BOOST_TEST(!has(schema, words), words);
}

BOOST_AUTO_TEST_CASE(instructions_are_these_bytes) {
  BOOST_TEST(
      bytesOf(folder / "instructions.csv") ==
      "workload,parameters,platform,changes,kernel,pc,source_file,line,opcode,class,executions,"
      "thread_executions,passes_histogram,mean_passes,max_passes,wavefronts,"
      "wavefronts_ideal,wavefronts_excessive,stall_cycles,replays,replays_bank,replays_tag,"
      "replays_divergence,replays_set,squashes,issued_instructions,l1_accesses,l1_hits,l1_misses,"
      "l1_bank_conflict_cycles,l1_set_conflicts,l2_accesses,l2_hits,dram_reads,dram_writes,"
      "dram_row_hits,crossbar_wire,lock_tries,lock_failures_position,lock_failures_alias,"
      "lock_failures_other_warp,atomic_rounds\n"
      "stride,stride=32;blocks=12,gtx480,\"scratchpad.indexer=bits 3,4,0,1,2\",stride,17,"
      "stride.cu,30,ld.shared.f32,memory,120,3840,1:100;32:20,6.166666666666667,32,740,120,620,"
      "77,10,4,3,2,1,5,135,11,8,3,6,2,3,1,4,5,7,6,50,8,3,7,2\n"
      "stride,stride=32;blocks=12,gtx480,\"scratchpad.indexer=bits 3,4,0,1,2\",stride,18,"
      ",,exit,exit,96,3072,,,0,0,0,0,0,0,0,0,0,0,0,180,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n");
}

// 2400 words at 3 fJ in 1200 cycles of 2 ns, in which a lamp of 1 W takes 2.4 uJ.
BOOST_AUTO_TEST_CASE(energy_stands_behind_the_other_columns) {
  Example e;
  EnergyPrices prices;
  prices.actions[static_cast<unsigned>(EnergyAction::L1Write)] = Energy{1, 3, 10};
  prices.standing.push_back({"lamp", {0, 1000000000, 2000000000}, {}});
  const Clock clock(sc_core::sc_time(2, sc_core::SC_NS));
  EnergyAccount account(clock, prices, 0);
  account.gridStarted(e.workload.grid, 0);
  account.effort({EffortEvent::L1Write, 0, 17, 2400, 0});
  account.end(1200);
  RunOutcome outcome = e.outcome();
  outcome.energy = &account;
  const auto record = RunTables(false, true).record(e.identity, e.workload, outcome);
  BOOST_TEST(record.run.real("energy_nj").value() == 2400.0072);
  BOOST_TEST(record.run.real("energy_low_nj").value() == 0.0024);
  BOOST_TEST(record.run.real("energy_high_nj").value() == 4800.024, tt::tolerance(1e-12));
  BOOST_TEST(!record.run.real("energy_per_warp_instruction_pj").has_value());  // saw no instruction
  BOOST_TEST(record.run.real("average_power_mw").value() == 1000.003, tt::tolerance(1e-12));
  BOOST_TEST(record.run.real("energy_delay_nj_us").value() == 5760.01728, tt::tolerance(1e-12));
  BOOST_TEST(record.run.real("replay_energy_nj").value() == 0.0);
  BOOST_TEST(record.instructions.at(0).integer("energy_low_fj").value() == 2400U);
  BOOST_TEST(record.instructions.at(0).integer("energy_nominal_fj").value() == 7200U);
  BOOST_TEST(record.instructions.at(1).integer("energy_high_fj").value() == 0U);
  account.effort({EffortEvent::L2Read, 0, 18, 1, 0});
  const auto unpriced = RunTables(false, true).record(e.identity, e.workload, outcome);
  for (const char* column : {"energy_nj", "average_power_mw", "replay_energy_nj"})
    BOOST_TEST(!unpriced.run.real(column).has_value(), column);
  BOOST_TEST(unpriced.instructions.at(0).integer("energy_low_fj").value() == 2400U);
  BOOST_TEST(!unpriced.instructions.at(1).integer("energy_low_fj").has_value());
}

BOOST_AUTO_TEST_CASE(banks_are_these_bytes) {
  BOOST_TEST(bytesOf(folder / "banks.csv") ==
             "workload,parameters,platform,changes,bank,reads,writes,atomics,accesses\n"
             "stride,stride=32;blocks=12,gtx480,\"scratchpad.indexer=bits 3,4,0,1,2\",0,10,2,1,13\n"
             "stride,stride=32;blocks=12,gtx480,\"scratchpad.indexer=bits 3,4,0,1,2\",1,0,0,0,0\n");
}

BOOST_AUTO_TEST_CASE(the_schema_says_type_unit_and_meaning) {
  const CsvRows schema = parseCsv(results::schemaText(RunTables(true).schema()));
  const std::set<std::string> unitless = {"pc", "line", "bank"};  // names, not amounts
  BOOST_TEST(schema.size() == 1U + 62 + 42 + 9 + 1);
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
  writeExample(folder.path(), true);
  const CsvRows schema = parseCsv(bytesOf(folder / "schema.csv"));
  for (std::size_t r = 1; r + 1 < schema.size(); ++r) {  // the last row is of the schema itself
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
  BOOST_TEST(firstRow(folder / "runs.csv").count("wall_seconds") == 0U);
  writeExample(folder.path(), true);
  BOOST_TEST(firstRow(folder / "runs.csv").at("wall_seconds") == "0.125");
}

// Degree is a number of words; columns that hold passes are named so.
BOOST_AUTO_TEST_CASE(no_column_of_passes_is_named_degree) {
  for (const auto& row : parseCsv(results::schemaText(RunTables().schema())))
    BOOST_TEST(!has(row.at(1), "degree"), row[0] << " " << row[1]);
}

BOOST_AUTO_TEST_CASE(figures_of_nothing_are_not_defined) {
  const Example example;
  const Counters counters;
  const PcProfile profile;
  const BankHistogram banks(1);
  const auto run =
      RunTables()
          .record({}, example.workload, {*example.indexer, counters.totals(), profile, banks})
          .run;
  BOOST_TEST(!run.real("ipc").has_value());
  BOOST_TEST(!run.real("mean_passes").has_value());
  BOOST_TEST(!run.real("occupancy").has_value());
  BOOST_TEST(run.integer("max_passes").value() == 0U);
  BOOST_TEST(run.real("active_warps_mean").value() == 0.0);
  BOOST_TEST(run.text("verified").value() == "off");
}

BOOST_AUTO_TEST_CASE(figures_that_disagree_are_refused) {
  Example e;
  WarpAccess access;
  access.allPasses = access.allFreePasses = 2;
  e.counters.sharedAccess(access);
  BOOST_CHECK_EXCEPTION(
      RunTables().record(e.identity, e.workload, e.outcome()), std::logic_error,
      saysOnly("run of stride: 121 shared accesses in 742 passes all in all but 120 in 740 by "
               "instruction"));
}

BOOST_AUTO_TEST_CASE(a_table_has_one_column_of_a_name) {
  const auto zero = [](const RunOutcome&) { return 0.0; };
  const Figures<RunOutcome> known{{"new", "", "not there yet", zero}, {"ipc", "", "there", zero}};
  const Figures<RunOutcome> identity{{"platform", "", "there", zero}};
  RunTables tables;
  const auto before = tables.runs.columns();
  BOOST_CHECK_EXCEPTION(tables.runs.add(known), std::logic_error, saysOnly("two columns 'ipc'"));
  BOOST_CHECK_EXCEPTION(tables.runs.add(identity), std::logic_error,
                        saysOnly("two columns 'platform'"));
  const Example e;
  BOOST_TEST((tables.record(e.identity, e.workload, e.outcome()).run.columns() == before));
}

BOOST_AUTO_TEST_SUITE_END()
