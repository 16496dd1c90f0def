#include <fermata/platforms/program/work/keyed_work.h>

#include <fermata/platforms/program/caught.h>
#include <fermata/platforms/program/child_processes.h>
#include <fermata/platforms/program/work/shared_traces.h>
#include <fermata/results/files/output_error.h>

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <map>
#include <optional>
#include <thread>

namespace fermata::platforms {

namespace {

constexpr unsigned kTries = 3;            ///< starts of a piece that the machine stops
constexpr unsigned kMostStopsInRow = 10;  ///< consecutive stops: the machine is at fault
constexpr int kMachine = 75;              ///< exit code of a child that the machine stopped
constexpr int kTwoResults = 76;
constexpr std::size_t kMostStoring = 32;  ///< children that wait for the disk and hold no core
constexpr char kHasRun = 'r';             ///< message of a child before it stores
constexpr int kListenMilliseconds = 200;  ///< interval for updates of the progress line

/// Runs a piece and stores its result or failure. Returns the exit code. Called in the child.
int runAndStore(const ResultStore& store, const KeyedWork& work, std::size_t piece,
                traces::MemoryTrace* trace, int tell) {
  const std::string& key = work.key(piece);
  try {
    std::string result;
    try {
      result = work.run(piece, trace);
    } catch (const files::OutputError&) {
      throw;
    } catch (...) {
      const std::string message = caught().what + '\n';
      sayTo(tell, {kHasRun});
      store.storeFailure(key, message);
      return 0;
    }
    sayTo(tell, {kHasRun});
    store.storeResult(key, result);
    return 0;
  } catch (const TwoResults& two) {
    sayTo(tell, two.what());
    return kTwoResults;
  } catch (...) {
    sayTo(tell, caught().what);
    return kMachine;
  }
}

/// Runs each piece in a child. Making a result durable takes milliseconds without a core: the next
/// piece runs meanwhile.
class Pool {
 public:
  Pool(const ResultStore& store, const KeyedWork& work, std::size_t atOnce)
      : store_(store), work_(work), atOnce_(atOnce) {}

  struct Ended {
    std::size_t piece;
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

  /// `trace`: recorded or replayed by the piece; null: neither.
  void start(std::size_t piece, traces::MemoryTrace* trace) {
    children_.start(piece,
                    [&](int tell) { return runAndStore(store_, work_, piece, trace, tell); });
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

  const ResultStore& store_;
  const KeyedWork& work_;
  std::size_t atOnce_;
  Children children_;
};

std::vector<std::size_t> piecesToDo(const ResultStore& store, const KeyedWork& work,
                                    const std::vector<std::size_t>& numbers, const WorkOrder& order,
                                    WorkTally& tally) {
  std::vector<std::size_t> todo;
  tally.pieces = numbers.size();
  for (const std::size_t piece : numbers) {
    const std::string& key = work.key(piece);
    const ResultStore::State state = store.state(key);
    if (state == ResultStore::State::Failed && order.retryFailed) store.forgetFailure(key);
    if (state == ResultStore::State::Damaged && tally.damaged++ == 0)
      tally.firstDamaged = store.damagedFile(key).string();
    if (state == ResultStore::State::Done) {
      ++tally.done;
    } else if (state == ResultStore::State::Failed && !order.retryFailed) {
      ++tally.failed;
    } else {
      todo.push_back(piece);
    }
  }
  return todo;
}

}  // namespace

WorkTally workOn(const ResultStore& store, const KeyedWork& work,
                 const std::vector<std::size_t>& numbers, const WorkOrder& order,
                 const std::string& what, results::Progress& progress) {
  WorkTally tally;
  std::vector<std::size_t> todo = piecesToDo(store, work, numbers, order, tally);
  const unsigned atOnce =
      order.atOnce == 0 ? std::max(1U, std::thread::hardware_concurrency()) : order.atOnce;
  SharedTraces sharing(
      todo, [&](std::size_t piece) { return work.executes(piece); },
      order.replay ? traceBudget(atOnce) : 0);
  std::reverse(todo.begin(), todo.end());  // taken from the end
  std::map<std::size_t, unsigned> tries;
  unsigned stopsInRow = 0;
  progress.expect(tally.done + tally.failed);
  Pool pool(store, work, atOnce);
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
      const bool again = ++tries[ended->piece] < kTries;
      sharing.ended(ended->piece, again);
      if (again) {
        todo.insert(todo.begin(), ended->piece);  // in front: tried after all others
      } else {
        ++tally.left;
      }
    } else if (ended) {
      stopsInRow = 0;
      sharing.ended(ended->piece, false);
      const bool failed = store.state(work.key(ended->piece)) == ResultStore::State::Failed;
      ++(failed ? tally.failed : tally.done);
    }
    progress.update(tally.done + tally.failed, tally.pieces, what);
  }
  progress.finish();
  tally.left += todo.size();
  tally.replayed = sharing.replays();
  return tally;
}

}  // namespace fermata::platforms
