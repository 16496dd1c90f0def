#include <fermata/platforms/program/sweep/sweep_work.h>

#include <fermata/platforms/program/caught.h>
#include <fermata/platforms/program/run_workloads.h>
#include <fermata/platforms/program/sweep/sweep_traces.h>
#include <fermata/results/files/output_error.h>
#include <fermata/results/writers.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
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

/// Sends a text that does not fit an exit code.
void say(int descriptor, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::write(descriptor, text.data() + sent, text.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    sent += static_cast<std::size_t>(n);
  }
}

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
      say(tell, {kHasRun});
      store.storeFailure(point, message);
      return 0;
    }
    say(tell, {kHasRun});
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

/// Runs each point in a child. Making a result durable takes milliseconds without a core: the next
/// point runs meanwhile.
class Pool {
 public:
  Pool(const SweepStore& store, Connector* connector, std::size_t atOnce)
      : store_(store), connector_(connector), atOnce_(atOnce) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (const Child& child : children_) {
      ::kill(child.process, SIGKILL);
      ::waitpid(child.process, nullptr, 0);
      ::close(child.hears);
    }
  }

  struct Ended {
    std::size_t point;
    bool machine;  ///< stopped by the machine, to be tried again
    std::string why;
  };

  bool empty() const { return children_.empty(); }
  bool hasRoom() const {
    const auto storing =
        static_cast<std::size_t>(std::count_if(children_.begin(), children_.end(), hasRun));
    return children_.size() - storing < atOnce_ && storing < kMostStoring;
  }

  /// `trace`: recorded or replayed by the point; null: neither.
  void start(std::size_t number, traces::MemoryTrace* trace) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
    std::cout.flush();
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0)
      throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    if (process == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(kMachine);  // the parent died before prctl took effect
      ::close(ends[0]);
      ::_exit(runAndStore(store_, store_.plan().points[number], connector_, trace, ends[1]));
    }
    ::close(ends[1]);
    children_.push_back({number, process, ends[0], {}});
  }

  /// Waits up to kListenMilliseconds for a child that reports or ends. Throws TwoResults.
  std::optional<Ended> listen() {
    std::vector<pollfd> waits;
    for (const Child& child : children_) waits.push_back({child.hears, POLLIN, 0});
    if (::poll(waits.data(), waits.size(), kListenMilliseconds) < 0 && errno != EINTR)
      throw std::runtime_error("cannot wait for a process");
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (waits[i].revents != 0 && !hear(children_[i])) return end(i);
    }
    return std::nullopt;
  }

 private:
  struct Child {
    std::size_t point = 0;
    pid_t process = 0;
    int hears = -1;
    std::string said;
  };

  static bool hasRun(const Child& child) { return !child.said.empty(); }

  /// Reads from a child. Returns false at the end of its messages.
  static bool hear(Child& child) {
    std::array<char, 1024> part{};
    const ssize_t n = ::read(child.hears, part.data(), part.size());
    if (n > 0) child.said.append(part.data(), static_cast<std::size_t>(n));
    return n > 0 || (n < 0 && errno == EINTR);
  }

  Ended end(std::size_t i) {
    const Child child = std::move(children_[i]);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
    ::close(child.hears);
    int status = 0;
    while (::waitpid(child.process, &status, 0) < 0) {
      if (errno != EINTR) throw std::runtime_error("cannot wait for a process");
    }
    const std::string text = child.said.substr(!child.said.empty() && child.said[0] == kHasRun);
    if (WIFSIGNALED(status))
      return {child.point, true, fmt::format("ended by signal {}", WTERMSIG(status))};
    if (WEXITSTATUS(status) == kTwoResults) throw TwoResults(text);
    if (WEXITSTATUS(status) != 0)
      return {child.point, true, text.empty() ? "ended without a word" : text};
    return {child.point, false, ""};
  }

  const SweepStore& store_;
  Connector* connector_;
  std::size_t atOnce_;
  std::vector<Child> children_;
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
