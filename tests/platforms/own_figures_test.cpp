// A user's module counts something that results and platforms do not know; its declaration alone
// brings its figures to the files.
#include <fermata/platforms/compose/run_tables.h>
#include <fermata/results/writers.h>
#include "tests/results/support.h"
#include "tests/support/checked_simulation.h"
#include "tests/support/scripted_workload.h"

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;
using results::test::bytesOf;
using results::test::CsvRows;
using results::test::parseCsv;
using results::test::TemporaryFolder;

namespace {

/// Counts the lanes that issue, in total and by PC.
class LaneCounter : public Probe {
 public:
  struct Counts {
    std::uint64_t lanes = 0;
    std::uint64_t issues = 0;
  };

  static const Figures<Counts>& runFigures() {
    static const Figures<Counts> all{
        {"issued_lanes", "lanes", "lanes that issued, summed", &Counts::lanes},
        {"lane_share", "ratio", "lanes that issued over lanes that could have",
         [](const Counts& c) { return ratio(c.lanes, c.issues * kWarpLanes); }}};
    return all;
  }
  static const Figures<Counts>& instructionFigures() {
    static const Figures<Counts> all{
        {"issued_lanes", "lanes", "lanes that issued it, summed", &Counts::lanes}};
    return all;
  }

  const Counts& totals() const { return totals_; }
  const Counts* at(std::uint32_t pc) const { return pc < byPc_.size() ? &byPc_[pc] : nullptr; }

  void issued(const IssueEvent& event) override {
    const std::uint32_t pc = event.instruction.pc;
    if (byPc_.size() <= pc) byPc_.resize(pc + 1);
    for (Counts* counts : {&totals_, &byPc_[pc]}) {
      counts->lanes += static_cast<unsigned>(__builtin_popcount(event.active));
      ++counts->issues;
    }
  }

 private:
  Counts totals_;
  std::vector<Counts> byPc_;
};

/// A part that the platform does not have.
struct Cache {
  std::uint64_t hits = 0;
  static const Figures<Cache>& figures() {
    static const Figures<Cache> all{
        {"l0_hits", "accesses", "accesses found in the cache", &Cache::hits}};
    return all;
  }
};

/// Returns the fields of each line from the column `first` on.
CsvRows tail(const CsvRows& rows, const std::string& first) {
  const auto at = std::find(rows.at(0).begin(), rows.at(0).end(), first) - rows[0].begin();
  CsvRows out;
  for (const auto& row : rows) out.emplace_back(row.begin() + at, row.end());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(own_figures)

BOOST_AUTO_TEST_CASE(of_a_module_reach_the_files) {
  ScriptedWorkload workload(1, 64);
  workload.add(InstructionClass::Integer, {1});
  workload.add(InstructionClass::Float, {2}, {1}).active = 0xff;
  LaneCounter counter;
  Simulation simulation(gtx480());
  simulation.addProbe(counter);

  RunTables tables;
  tables.runs.add(LaneCounter::runFigures(), [&](const RunOutcome&) { return &counter.totals(); });
  tables.runs.add(Cache::figures(), [](const RunOutcome&) -> const Cache* { return nullptr; });
  tables.instructions.add(LaneCounter::instructionFigures(),
                          [&](const InstructionRow& row) { return counter.at(row.pc); });
  const TemporaryFolder folder;
  results::ResultWriter writer(folder.path(), tables.schema());
  const RunOutcome outcome = simulation.run(workload);
  writer.add(tables.record({"scripted"}, workload, outcome));
  writer.commit();

  const auto file = [&](const char* name) { return parseCsv(bytesOf(folder / name)); };
  const CsvRows runs = {{"issued_lanes", "lane_share", "l0_hits"}, {"80", "0.625", ""}};
  const CsvRows instructions = {{"issued_lanes"}, {"64"}, {"16"}};
  BOOST_TEST((tail(file("runs.csv"), "issued_lanes") == runs));
  BOOST_TEST((tail(file("instructions.csv"), "issued_lanes") == instructions));
  CsvRows schema;
  for (const auto& row : file("schema.csv")) {
    if (row[1] == "issued_lanes" || row[1] == "lane_share" || row[1] == "l0_hits") {
      schema.push_back(row);
    }
  }
  const CsvRows expected = {
      {"runs.csv", "issued_lanes", "integer", "lanes", "lanes that issued, summed"},
      {"runs.csv", "lane_share", "real", "ratio", "lanes that issued over lanes that could have"},
      {"runs.csv", "l0_hits", "integer", "accesses", "accesses found in the cache"},
      {"instructions.csv", "issued_lanes", "integer", "lanes", "lanes that issued it, summed"}};
  BOOST_TEST((schema == expected));
}

BOOST_AUTO_TEST_SUITE_END()
