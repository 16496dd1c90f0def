#include <fermata/platforms/program/sweep/sweep_work.h>

#include <fermata/platforms/program/caught.h>
#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/platforms/program/sweep/sweep_traces.h>
#include <fermata/results/files/output_error.h>
#include <fermata/results/writers.h>

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <map>
#include <optional>
#include <thread>

namespace fermata::platforms {

namespace {

constexpr unsigned kTries = 3;            ///< starts of a point that the machine stops
constexpr unsigned kMostStopsInRow = 10;  ///< consecutive stops: the machine is at fault
constexpr int kMachine = 75;              ///< exit code of a child that the machine stopped
constexpr int kTwoResults = 76;
constexpr std::size_t kMostStoring = 32;  ///< children that wait for the disk and hold no core
constexpr char kHasRun = 'r';             ///< message of a child before it stores
constexpr int kListenMilliseconds = 200;  ///< interval for updates of the progress line

/// Runs the point and stores its result or failure. Returns the exit code. Called in the child.
int runAndStore(const SweepStore& store, const SweepPoint& point, Connector* connector,
                traces::MemoryTrace* trace, int tell) {
  try {
    std::string row;
    try {
      row = runPoint(runOf(store.plan(), point), connector, trace);
    } catch (const files::OutputError&) {
      throw;
    } catch (...) {
      const std::string message = caught().what + '\n';
      sayTo(tell, {kHasRun});
      store.storeFailure(point, message);
      return 0;
    }
    sayTo(tell, {kHasRun});
    store.storeResult(point, row);
    return 0;
  } catch (const TwoResults& two) {
    sayTo(tell, two.what());
    return kTwoResults;
  } catch (...) {
    sayTo(tell, caught().what);
    return kMachine;
  }
}

/// Runs each point in a child. Making a result durable takes milliseconds without a core: the next
/// point runs meanwhile.
class Pool {
 public:
  Pool(const SweepStore& store, Connector* connector, std::size_t atOnce)
      : store_(store), connector_(connector), atOnce_(atOnce) {}

  struct Ended {
    std::size_t point;
    bool machine;  ///< stopped by the machine, to be tried again
    std::string why;
  };

  bool empty() const { return children_.running().empty(); }
  bool hasRoom() const {
    const auto& running = children_.running();
    const auto storing =
        static_cast<std::size_t>(std::count_if(running.begin(), running.end(), hasRun));
    return running.size() - storing < atOnce_ && storing < kMostStoring;
  }

  /// `trace`: recorded or replayed by the point; null: neither.
  void start(std::size_t number, traces::MemoryTrace* trace) {
    children_.start(number, [&](int tell) {
      return runAndStore(store_, store_.plan().points[number], connector_, trace, tell);
    });
  }

  /// Waits up to kListenMilliseconds for a child that reports or ends. Throws TwoResults.
  std::optional<Ended> listen() {
    const auto child = children_.listen(kListenMilliseconds);
    if (!child) return std::nullopt;
    const std::string text = child->said.substr(hasRun(*child) && child->said[0] == kHasRun);
    if (WIFSIGNALED(child->status))
      return Ended{child->task, true, fmt::format("ended by signal {}", WTERMSIG(child->status))};
    if (WEXITSTATUS(child->status) == kTwoResults) throw TwoResults(text);
    if (WEXITSTATUS(child->status) != 0)
      return Ended{child->task, true, text.empty() ? "ended without a word" : text};
    return Ended{child->task, false, ""};
  }

 private:
  static bool hasRun(const Children::Child& child) { return !child.said.empty(); }

  const SweepStore& store_;
  Connector* connector_;
  std::size_t atOnce_;
  Children children_;
};

std::vector<std::size_t> pointsToDo(const SweepStore& store, const SweepOrder& order,
                                    SweepTally& tally) {
  std::vector<std::size_t> todo;
  const auto& points = store.plan().points;
  for (std::size_t i = order.shard.number - 1; i < points.size(); i += order.shard.of) {
    ++tally.points;
    const SweepStore::State state = store.state(points[i]);
    if (state == SweepStore::State::Failed && order.retryFailed) store.forgetFailure(points[i]);
    if (state == SweepStore::State::Damaged && tally.damaged++ == 0)
      tally.firstDamaged = store.damagedFile(points[i]).string();
    if (state == SweepStore::State::Done) {
      ++tally.done;
    } else if (state == SweepStore::State::Failed && !order.retryFailed) {
      ++tally.failed;
    } else {
      todo.push_back(i);
    }
  }
  return todo;
}

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

SweepTally workSweep(const SweepStore& store, const SweepOrder& order, Connector* connector,
                     results::Progress& progress) {
  SweepTally tally;
  std::vector<std::size_t> todo = pointsToDo(store, order, tally);
  const unsigned atOnce =
      order.atOnce == 0 ? std::max(1U, std::thread::hardware_concurrency()) : order.atOnce;
  SweepTraces sharing(store.plan(), todo, order.replay ? traceBudget(atOnce) : 0);
  std::reverse(todo.begin(), todo.end());  // taken from the end
  std::map<std::size_t, unsigned> tries;
  unsigned stopsInRow = 0;
  progress.expect(tally.done + tally.failed);
  Pool pool(store, connector, atOnce);
  while (!todo.empty() || !pool.empty()) {
    const bool goesOn = stopsInRow < kMostStopsInRow;
    while (goesOn && !todo.empty() && pool.hasRoom()) {
      traces::MemoryTrace* const trace = sharing.of(todo.back());
      pool.start(todo.back(), tries.count(todo.back()) == 0 ? trace : nullptr);
      todo.pop_back();
    }
    if (pool.empty()) break;
    if (const auto ended = pool.listen(); ended && ended->machine) {
      ++stopsInRow;
      tally.why = ended->why;
      const bool again = ++tries[ended->point] < kTries;
      sharing.ended(ended->point, again);
      if (again) {
        todo.insert(todo.begin(), ended->point);  // in front: tried after all others
      } else {
        ++tally.left;
      }
    } else if (ended) {
      stopsInRow = 0;
      sharing.ended(ended->point, false);
      const bool failed =
          store.state(store.plan().points[ended->point]) == SweepStore::State::Failed;
      ++(failed ? tally.failed : tally.done);
    }
    progress.update(tally.done + tally.failed, tally.points, "points");
  }
  progress.finish();
  tally.left += todo.size();
  tally.replayed = sharing.replays();
  return tally;
}

}  // namespace fermata::platforms
