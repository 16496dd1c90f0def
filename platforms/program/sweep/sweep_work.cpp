#include <fermata/platforms/program/sweep/sweep_work.h>

#include <fermata/files/output_error.h>
#include <fermata/platforms/program/caught.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/platforms/program/sweep/sweep_traces.h>
#include <fermata/results/writers.h>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <thread>

namespace fermata::platforms {

namespace {

constexpr unsigned kTries = 3;            ///< of a point that the machine stops
constexpr unsigned kMostStopsInRow = 10;  ///< then something is wrong with the machine
constexpr int kMachine = 75;              ///< exit code of a child whose machine would not let it
constexpr int kTwoResults = 76;

/// What a child could not say in an exit code.
void say(int descriptor, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::write(descriptor, text.data() + sent, text.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    sent += static_cast<std::size_t>(n);
  }
}

/// In the child: runs the point and stores what became of it; its exit code.
int runAndStore(const SweepStore& store, const SweepPoint& point, Connector* connector,
                traces::MemoryTrace* trace, int tell) {
  try {
    std::string row;
    try {
      row = runPoint(runOf(store.plan(), point), connector, trace);
    } catch (const files::OutputError&) {
      throw;
    } catch (...) {
      store.storeFailure(point, caught().what + '\n');
      return 0;
    }
    store.storeResult(point, row);
    return 0;
  } catch (const TwoResults& two) {
    say(tell, two.what());
    return kTwoResults;
  } catch (...) {
    say(tell, caught().what);
    return kMachine;
  }
}

class Pool {
 public:
  Pool(const SweepStore& store, Connector* connector) : store_(store), connector_(connector) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (const auto& [process, child] : running_) {
      ::kill(process, SIGKILL);
      ::waitpid(process, nullptr, 0);
      ::close(child.hears);
    }
  }

  struct Ended {
    std::size_t point;
    bool machine;  ///< it is to be tried again
    std::string why;
  };

  std::size_t running() const { return running_.size(); }

  /// `trace`: what it records or replays; null: nothing.
  void start(std::size_t number, traces::MemoryTrace* trace) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("cannot make a pipe");
    std::cout.flush();
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0)
      throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    if (process == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(kMachine);  // it died before it could be watched
      ::close(ends[0]);
      ::_exit(runAndStore(store_, store_.plan().points[number], connector_, trace, ends[1]));
    }
    ::close(ends[1]);
    running_[process] = {number, ends[0]};
  }

  /// Waits for the next that ends. Throws TwoResults.
  Ended wait() {
    int status = 0;
    pid_t process = 0;
    do {
      process = ::waitpid(-1, &status, 0);
    } while (process < 0 ? errno == EINTR : running_.count(process) == 0);
    if (process < 0) throw std::runtime_error("cannot wait for a process");
    const Child child = running_.at(process);
    running_.erase(process);
    std::string text;
    std::array<char, 1024> part{};
    for (ssize_t n = 0; (n = ::read(child.hears, part.data(), part.size())) > 0;)
      text.append(part.data(), static_cast<std::size_t>(n));
    ::close(child.hears);
    if (WIFSIGNALED(status))
      return {child.point, true, fmt::format("ended by signal {}", WTERMSIG(status))};
    if (WEXITSTATUS(status) == kTwoResults) throw TwoResults(text);
    if (WEXITSTATUS(status) != 0)
      return {child.point, true, text.empty() ? "ended without a word" : text};
    return {child.point, false, ""};
  }

 private:
  struct Child {
    std::size_t point = 0;
    int hears = -1;
  };

  const SweepStore& store_;
  Connector* connector_;
  std::map<pid_t, Child> running_;
};

std::vector<std::size_t> pointsToDo(const SweepStore& store, const SweepOrder& order,
                                    SweepTally& tally) {
  std::vector<std::size_t> todo;
  const auto& points = store.plan().points;
  for (std::size_t i = order.shard.number - 1; i < points.size(); i += order.shard.of) {
    ++tally.points;
    const SweepStore::State state = store.state(points[i]);
    if (state == SweepStore::State::Failed && order.retryFailed) store.forgetFailure(points[i]);
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

std::string runPoint(const SweepRun& run, Connector* connector, traces::MemoryTrace* trace) {
  RunRequest request;
  request.platform = run.platform;
  request.sets = run.sets;
  request.jobs = {{run.workload, run.parameters}};
  request.connector = connector;
  request.memory = trace;
  std::ostringstream nowhere;
  results::Progress quiet(nowhere, false);
  const RunTables tables;
  const results::Schema schema = tables.schema();
  std::string row;
  runWorkloads(request, configure(request), tables, quiet,
               [&](const results::RunRecord& record, const RunOutcome&, const OpenWorkload&) {
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
  SweepTraces sharing(store.plan(), todo, order.replay ? traceBudget() : 0);
  std::reverse(todo.begin(), todo.end());  // the next is the last
  const unsigned atOnce =
      order.atOnce == 0 ? std::max(1U, std::thread::hardware_concurrency()) : order.atOnce;
  std::map<std::size_t, unsigned> tries;
  unsigned stopsInRow = 0;
  Pool pool(store, connector);
  while (!todo.empty() || pool.running() != 0) {
    const bool goesOn = stopsInRow < kMostStopsInRow;
    while (goesOn && !todo.empty() && pool.running() < atOnce) {
      traces::MemoryTrace* const trace = sharing.of(todo.back());
      pool.start(todo.back(), tries.count(todo.back()) == 0 ? trace : nullptr);
      todo.pop_back();
    }
    if (pool.running() == 0) break;
    const Pool::Ended ended = pool.wait();
    if (ended.machine) {
      ++stopsInRow;
      tally.why = ended.why;
      const bool again = ++tries[ended.point] < kTries;
      sharing.ended(ended.point, again);
      if (again) {
        todo.insert(todo.begin(), ended.point);  // after all others
      } else {
        ++tally.left;
      }
    } else {
      stopsInRow = 0;
      sharing.ended(ended.point, false);
      const bool failed =
          store.state(store.plan().points[ended.point]) == SweepStore::State::Failed;
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
