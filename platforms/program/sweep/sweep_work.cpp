#include <fermata/platforms/program/sweep/sweep_work.h>

#include <fermata/results/writers.h>

#include <algorithm>

namespace fermata::platforms {

namespace {

/// The points of a plan as pieces of work.
class Points : public KeyedWork {
 public:
  Points(const SweepPlan& plan, Connector* connector) : plan_(plan), connector_(connector) {}

  const std::string& key(std::size_t piece) const override { return plan_.points[piece].key; }
  std::string executes(std::size_t piece) const override {
    SweepRun run = runOf(plan_, plan_.points[piece]);
    std::sort(run.parameters.begin(), run.parameters.end());
    std::string text = run.workload;
    for (const std::string& parameter : run.parameters) text += '\n' + parameter;
    return text;
  }
  std::string run(std::size_t piece, traces::MemoryTrace* trace) const override {
    return runPoint(runOf(plan_, plan_.points[piece]), connector_, trace);
  }

 private:
  const SweepPlan& plan_;
  Connector* connector_;
};

}  // namespace

RunRequest requestOf(const SweepRun& run, Connector* connector) {
  RunRequest request;
  static_cast<Measurement&>(request) = run;
  request.jobs = {{run.workload, run.parameters}};
  request.connector = connector;
  request.window = 0;
  request.energy = energyOf(request);
  return request;
}

std::string runPoint(const SweepRun& run, Connector* connector, traces::MemoryTrace* trace) {
  RunRequest request = requestOf(run, connector);
  request.memory = trace;
  const RunTables tables(false, request.energy.has_value());
  const results::Schema schema = tables.schema();
  std::string row;
  runQuietly(
      request, configure(request), tables,
      [&](const results::RunRecord& record, const RunOutcome& outcome, const OpenWorkload& open) {
        if (request.energy) requirePrices(request.energy->prices, *outcome.energy, open.name);
        results::ResultTexts texts(schema);
        texts.add(record);
        row = texts.runs;
      });
  return row;
}

WorkTally workSweep(const SweepStore& store, const SweepShard& shard, const WorkOrder& order,
                    Connector* connector, results::Progress& progress) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = shard.number - 1; i < store.plan().points.size(); i += shard.of)
    numbers.push_back(i);
  return workOn(store, Points(store.plan(), connector), numbers, order, "points", progress);
}

}  // namespace fermata::platforms
