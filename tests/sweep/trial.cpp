// sweep_trial PROGRAM POINTS KILLS SEED: measures the cost of a sweep of POINTS points beyond their
// own runs, and the gain from a second core. Checks that the bytes are equal after SIGKILL at KILLS
// random moments. Works in TMPDIR.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <random>
#include <systemc>
#include <thread>

#include <fermata/platforms/program/sweep/sweep_merge.h>
#include <fermata/platforms/program/sweep/sweep_work.h>

#include "tests/support/children.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace fermata;
using namespace fermata::platforms;
using namespace fermata::test;
using Clock = std::chrono::steady_clock;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Wall time, and processor time of all child processes that have ended, in seconds.
struct Time {
  double wall = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  double processor = 0;
  Time() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    processor = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  Time operator-(const Time& before) const {
    Time difference = *this;
    difference.wall -= before.wall;
    difference.processor -= before.processor;
    return difference;
  }
};

/// Returns a study of kernels x mappings x banks x latencies; a point takes a few milliseconds.
std::string studyOf(unsigned long points) {
  constexpr unsigned long kOthers = 2 * 4 * 2;
  if (points < kOthers || points % kOthers != 0)
    throw std::runtime_error("expected a number of points that is a multiple of 16");
  return "[base]\nplatform = 'gtx480'\n[axes]\nworkload = ['transpose', 'stride']\n"
         "mapping = ['xor k1=0 k2=5 mask=15', 'xor k1=0 k2=4 mask=7', 'fixed-xor', 'add']\n"
         "scratchpad.banks = [16, 32]\nscratchpad.latency = { from = 1, to = " +
         std::to_string(points / kOthers) + ", step = 1 }\n";
}

class Trial {
 public:
  explicit Trial(std::string program, unsigned long points) : program_(std::move(program)) {
    folder_.put("s.toml", studyOf(points));
  }

  void plan(const std::string& name) const {
    if (wait(start({"plan", (folder_ / "s.toml").string(), (folder_ / name).string()})) != 0)
      throw std::runtime_error("no plan");
  }
  /// Returns the time of a run of a new sweep, from its plan to its table.
  Time run(const std::string& name, const char* jobs) const {
    plan(name);
    const Time before;
    if (wait(start({"run", (folder_ / name).string(), "-j", jobs})) != 0)
      throw std::runtime_error("a run fails");
    return Time() - before;
  }
  /// Kills a run after `length` seconds; returns whether it was still running.
  bool runAndKill(const std::string& name, double length) const {
    const pid_t process = start({"run", (folder_ / name).string(), "-j", "2"});
    std::this_thread::sleep_for(std::chrono::duration<double>(length));
    ::kill(process, SIGKILL);
    return wait(process) < 0;
  }
  /// Returns the sum of the points' own run times in seconds: each runs alone in a child process,
  /// one after another.
  double ownRuns(const std::string& name) const {
    const SweepStore store(folder_ / name);
    double sum = 0;
    for (const SweepPoint& point : store.plan().points) sum += ownRun(store, point);
    return sum;
  }
  std::string table(const std::string& name) const {
    return bytesOf(folder_ / name / "merged" / "runs.csv");
  }
  std::size_t done(const std::string& name) const {
    return statusOf(SweepStore(folder_ / name)).done;
  }

 private:
  pid_t start(std::vector<std::string> words) const {
    words.insert(words.begin(), {program_, "sweep"});
    return test::startProgram(words);
  }
  /// Returns the exit code; -1 if a signal ended the process.
  static int wait(pid_t process) {
    const int status = test::waitFor(process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  static double ownRun(const SweepStore& store, const SweepPoint& point) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("cannot make a pipe");
    const pid_t process = test::startChild([&] {
      const auto before = Clock::now();
      platforms::runPoint(platforms::runOf(store.plan(), point), nullptr);
      const double length = std::chrono::duration<double>(Clock::now() - before).count();
      return ::write(ends[1], &length, sizeof length) == sizeof length ? 0 : 1;
    });
    double length = 0;
    const bool heard = ::read(ends[0], &length, sizeof length) == sizeof length;
    ::close(ends[0]);
    ::close(ends[1]);
    if (wait(process) != 0 || !heard) throw std::runtime_error("a point fails");
    return length;
  }

  std::string program_;
  TemporaryFolder folder_;
};

/// The least of several times: other work on the machine disturbed it least.
struct Least {
  double wall = HUGE_VAL;
  double processor = HUGE_VAL;
  void take(const Time& time) {
    wall = std::min(wall, time.wall);
    processor = std::min(processor, time.processor);
  }
};

void measure(const Trial& trial, double points, unsigned long repeats) {
  Least one;
  Least two;
  Least loop;
  double own = HUGE_VAL;
  for (unsigned long i = 0; i < repeats; ++i) {
    const std::string number = std::to_string(i);
    one.take(trial.run("one" + number, "1"));
    two.take(trial.run("two" + number, "2"));
    const Time before;
    own = std::min(own, trial.ownRuns("one0"));
    loop.take(Time() - before);
  }
  std::cout << "a point by itself " << 1e3 * own / points << " ms, in a process "
            << 1e3 * loop.wall / points << " ms\n-j 1: " << one.wall << " s, overhead "
            << 1e3 * (one.wall - own) / points << " ms a point, of the processor "
            << 1e3 * (one.processor - loop.processor) / points
            << " ms beyond the process\n-j 2: " << two.wall << " s, speed-up "
            << one.wall / two.wall << std::endl;
}

int kill(const Trial& trial, unsigned long kills, unsigned long seed) {
  const Time whole = trial.run("whole", "2");
  trial.plan("killed");
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  std::uniform_real_distribution<double> moment(0, 1.5 * whole.wall / static_cast<double>(kills));
  unsigned killed = 0;
  for (unsigned long i = 0; i < kills; ++i)
    killed += trial.runAndKill("killed", moment(random)) ? 1 : 0;
  const std::size_t done = trial.done("killed");
  trial.run("killed", "2");
  const bool same = trial.table("whole") == trial.table("killed");
  std::cout << "killed " << killed << " times, " << done << " points done then; "
            << (same ? "the same bytes" : "OTHER BYTES") << std::endl;
  return same ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    if (argc != 6) throw std::runtime_error("expected PROGRAM POINTS REPEATS KILLS SEED");
    const unsigned long points = std::stoul(argv[2]);
    const Trial trial(argv[1], points);
    measure(trial, static_cast<double>(points), std::stoul(argv[3]));
    return kill(trial, std::stoul(argv[4]), std::stoul(argv[5]));
  } catch (const std::exception& error) {
    std::cerr << "sweep_trial: " << error.what() << '\n';
    return 1;
  }
}
