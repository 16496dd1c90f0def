#include <fermata/models/conformance/bench.h>
#include <fermata/models/timing/has_process.h>

#include <algorithm>
#include <exception>

namespace fermata::conformance {

namespace {

/// Turns reported errors into findings as long as it lives.
class Reports {
 public:
  explicit Reports(Log& log) : before_(sc_core::sc_report_handler::get_handler()) {
    log_ = &log;
    sc_core::sc_report_handler::set_handler(take);
  }
  Reports(const Reports&) = delete;
  Reports& operator=(const Reports&) = delete;
  ~Reports() {
    sc_core::sc_report_handler::set_handler(before_);
    log_ = nullptr;
  }

 private:
  static void take(const sc_core::sc_report& report, const sc_core::sc_actions&) {
    if (report.get_severity() == sc_core::SC_FATAL) throw report;
    if (report.get_severity() == sc_core::SC_ERROR) log_->add(withoutBench(report.get_msg()));
  }
  /// Drops the bench's name: a checker's message begins with the names of the bench and of the
  /// edge.
  static std::string withoutBench(const std::string& text) {
    const std::string bench = "conformance";
    const std::size_t dot = text.find('.');
    return text.compare(0, bench.size(), bench) == 0 && dot != std::string::npos
               ? text.substr(dot + 1)
               : text;
  }

  static Log* log_;
  sc_core::sc_report_handler_proc before_;
};
Log* Reports::log_ = nullptr;

/// Gives the kernel something to do in every cycle, when told to.
class Heartbeat : public sc_core::sc_module {
 public:
  FERMATA_HAS_PROCESS(Heartbeat);
  Heartbeat(const sc_core::sc_module_name& name, const sc_core::sc_time& period)
      : sc_module(name), period_(period) {
    SC_METHOD(beat);
    sensitive << next_;
    dont_initialize();
  }
  void run(bool on) {
    on_ = on;
    beat();
  }

 private:
  void beat() {
    if (on_) next_.notify(period_);
  }
  sc_core::sc_time period_;
  sc_core::sc_event next_;
  bool on_ = false;
};

const char* nameOf(Ending ending) {
  static const char* const names[] = {"response completed", "END_RESP returned", "END_RESP later"};
  return names[static_cast<unsigned>(ending)];
}

constexpr Ending kEndings[] = {Ending::Completed, Ending::Updated, Ending::Later};

template <class Above, class Below>
class Suite {
 public:
  using Made = typename Bench<Above, Below>::Made;

  Suite(const Make<Made>& make, const Options& options, Stream stream)
      : make_(make),
        options_(options),
        stream_(std::move(stream)),
        heartbeat_("conformance_heartbeat", options.period) {}

  Findings run() {
    const Reports reports(log_);
    log_.scenario("elaboration");
    try {
      for (const Way way : ways()) add(way);
      for (const auto& group : groups_) check(group);
    } catch (const std::exception& error) {
      log_.add(std::string("the simulation ended: ") + error.what());
    }
    return log_.findings();
  }

 private:
  using OneBench = std::unique_ptr<Bench<Above, Below>>;
  /// Benches with one way of the target below.
  struct Group {
    Way way;
    std::vector<OneBench> endings;
    OneBench ahead;
    OneBench beating;
  };

  std::vector<Way> ways() const {
    if (std::is_same_v<Below, NoneBelow>) return {Way::AtOnce};
    if (!options_.below.empty()) return options_.below;
    return std::is_same_v<Below, WarpProtocol> ? warpsWays() : linesWays();
  }
  OneBench bench(const Scenario& scenario) {
    const std::string name = "conformance" + std::to_string(count_++);
    return std::make_unique<Bench<Above, Below>>(name.c_str(), make_, options_, scenario, log_);
  }
  void add(Way way) {
    Group group;
    group.way = way;
    for (const Ending ending : kEndings) group.endings.push_back(bench({way, ending}));
    group.ahead = bench({way, Ending::Completed});
    group.beating = bench({way, Ending::Completed});
    groups_.push_back(std::move(group));
  }

  std::string nameOfGroup(const Group& group) const {
    return std::is_same_v<Below, NoneBelow> ? ""
                                            : std::string(" (below: ") + nameOf(group.way) + ')';
  }
  void check(const Group& group) {
    std::vector<std::vector<sc_core::sc_time>> all;
    for (const Ending ending : kEndings) {
      all.push_back(checkTwice(*group.endings[static_cast<unsigned>(ending)],
                               nameOf(ending) + nameOfGroup(group)));
    }
    const std::vector<sc_core::sc_time>& times = all.front();
    log_.scenario("when annotated" + nameOfGroup(group));
    group.ahead->run(stream_, true);
    compare(*group.ahead, times);
    log_.scenario("while another process wakes every cycle" + nameOfGroup(group));
    heartbeat_.run(true);
    group.beating->run(stream_, false);
    heartbeat_.run(false);
    compare(*group.beating, times);
  }
  /// Returns the times of the first run.
  std::vector<sc_core::sc_time> checkTwice(Bench<Above, Below>& bench, const std::string& name) {
    log_.scenario(name);
    bench.run(stream_, false);
    const std::vector<sc_core::sc_time> times = bench.times();
    if (!log_.clean()) return times;
    log_.scenario("a second time, " + name);
    bench.run(stream_, false);
    if (options_.repeats) compare(bench, times);
    return times;
  }
  /// Reports only the first difference, which says enough.
  void compare(const Bench<Above, Below>& bench, const std::vector<sc_core::sc_time>& expected) {
    if (!log_.clean() || !options_.sameTimes) return;
    const auto& times = bench.times();
    const auto at = std::mismatch(times.begin(), times.end(), expected.begin());
    if (at.first == times.end()) return;
    log_.add("access " + std::to_string(at.first - times.begin()) + " has its data " +
             at.first->to_string() + " after the start; expected " + at.second->to_string());
  }

  const Make<Made>& make_;
  const Options& options_;
  const Stream stream_;
  Log log_;
  Heartbeat heartbeat_;
  unsigned count_ = 0;
  std::vector<Group> groups_;
};

/// Keeps each suite until the process ends: modules that took part in a simulation must not be
/// destroyed before.
template <class Above, class Below, class Made>
Findings check(const Make<Made>& make, const Options& options, Stream (*stream)(const Options&)) {
  static std::vector<std::shared_ptr<void>> kept;
  const auto own = std::make_shared<Options>(options);
  const auto suite = std::make_shared<Suite<Above, Below>>(make, *own, stream(*own));
  kept.push_back(own);
  kept.push_back(suite);
  return suite->run();
}

}  // namespace

Findings checkWarpStage(const Make<Stage<WarpProtocol, WarpProtocol>>& make,
                        const Options& options) {
  return check<WarpProtocol, WarpProtocol>(make, options, warpStream);
}

Findings checkWarpTarget(const Make<Target<WarpProtocol>>& make, const Options& options) {
  return check<WarpProtocol, NoneBelow>(make, options, warpStream);
}

Findings checkCoalescer(const Make<Stage<WarpProtocol, Line>>& make, const Options& options) {
  Options global = options;
  global.space = MemorySpace::Global;
  return check<WarpProtocol, Line>(make, global, warpStream);
}

Findings checkLineStage(const Make<Stage<Line, Line>>& make, const Options& options) {
  return check<Line, Line>(make, options, lineStream);
}

Findings checkLineTarget(const Make<Target<Line>>& make, const Options& options) {
  return check<Line, NoneBelow>(make, options, lineStream);
}

}  // namespace fermata::conformance
