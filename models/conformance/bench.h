// One scenario: a module of its own between the suite's initiator and, for a stage, its target.
#pragma once

#include <fermata/models/conformance/answerer.h>
#include <fermata/models/conformance/driver.h>
#include <fermata/models/conformance/suite.h>
#include <fermata/models/transaction/protocol_checker.h>

#include <type_traits>

namespace fermata::conformance {

struct Scenario {
  Way below = Way::AtOnce;  ///< way of the target below a stage
  Ending ending = Ending::Completed;
};

/// Target below a stage with its checker; empty for NoneBelow.
template <class Below>
struct Underside {
  Underside(const Stage<WarpProtocol, Below>& made, const Options& options, Way way, Log& log)
      : Underside(made.out, options, way, log) {}
  Underside(const Stage<Line, Below>& made, const Options& options, Way way, Log& log)
      : Underside(made.out, options, way, log) {}
  Underside(tlm::tlm_initiator_socket<32, Below>& out, const Options& options, Way way, Log& log)
      : ledger(log), checker("below"), answerer("answerer", options, way, log, &ledger) {
    out.bind(checker.in);
    checker.out.bind(answerer.in);
  }
  void restart(std::size_t accesses) {
    ledger.clear(accesses);
    answerer.restart();
  }
  void checkEnd(const Options& options, const Stream& stream, Log& log) const {
    if (answerer.open() != 0) log.add("a request is still open below");
    if (!options.passesAll) return;
    if (std::is_same_v<Below, WarpProtocol>) {
      ledger.checkLanes(stream);
    } else {
      ledger.checkLines(stream);
    }
  }

  Ledger ledger;
  BasicProtocolChecker<Below> checker;
  Answerer<Below> answerer;
};
template <>
struct Underside<NoneBelow> {
  template <class Made>
  Underside(const Made&, const Options&, Way, Log&) {}
  void restart(std::size_t) {}
  void checkEnd(const Options&, const Stream&, Log&) const {}
};

template <class Above, class Below>
class Bench : public sc_core::sc_module {
 public:
  using Made =
      std::conditional_t<std::is_same_v<Below, NoneBelow>, Target<Above>, Stage<Above, Below>>;

  Bench(const sc_core::sc_module_name& name, const Make<Made>& make, const Options& options,
        const Scenario& scenario, Log& log)
      : sc_module(name),
        options_(options),
        ending_(scenario.ending),
        log_(log),
        driver_("driver", options, log),
        checker_("above"),
        made_(make("module")),
        below_(made_, options, scenario.below, log) {
    driver_.out.bind(checker_.in);
    checker_.out.bind(made_.in);
  }

  /// Sends the stream from the next multiple of the period on. Waits until everything was answered
  /// and makes sure that nothing more comes.
  void run(const Stream& stream, bool ahead);
  const std::vector<sc_core::sc_time>& times() const { return driver_.times(); }

 private:
  const Options& options_;
  Ending ending_;
  Log& log_;
  Driver<Above> driver_;
  BasicProtocolChecker<Above> checker_;
  Made made_;
  Underside<Below> below_;
};

template <class Above, class Below>
void Bench<Above, Below>::run(const Stream& stream, bool ahead) {
  const auto period = options_.period.value();
  const auto quiet = std::max(sc_core::sc_time_stamp(), driver_.quiet());
  const auto cycles = quiet.value() / period + 2;
  below_.restart(stream.size());
  driver_.start(stream, sc_core::sc_time::from_value(cycles * period), ending_, ahead);
  const auto some = sc_core::sc_time::from_value(period * options_.patience);
  std::uint64_t before = 0;
  do {  // the driver pauses the simulation when it has finished
    before = driver_.progress();
    sc_core::sc_start(some, sc_core::SC_EXIT_ON_STARVATION);
  } while (!driver_.finished() && driver_.progress() != before);
  sc_core::sc_start(some, sc_core::SC_EXIT_ON_STARVATION);
  driver_.checkEnd();
  if (driver_.finished()) below_.checkEnd(options_, stream, log_);
}

}  // namespace fermata::conformance
