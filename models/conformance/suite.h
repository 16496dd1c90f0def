// The conformance suite: is this module a good citizen of the protocols (warp_protocol.h, and the
// TLM-2.0 base protocol behind the coalescer)? README.md has an example to copy.
//
// The suite makes many instances of the module, one per scenario: a way to answer below it
// (options.h, Way) and a way to end responses (driver.h, Ending). Each gets one seeded stream of
// loads and stores, with a protocol checker on every edge. Possible findings:
//
//   above: ..., below: ...     the checker on that edge: phases out of order, in the wrong
//                              direction or twice, a request before the last one was acknowledged,
//                              a response before the last one was ended, no response status, lanes
//                              left that were not asked for (protocol_checker.h)
//   is never answered          a request or a response is lost; `is never acknowledged`: neither
//                              END_REQ nor anything that implies it came
//   is never told that         lanes are left until TRY_AGAIN, and it does not come
//   another try makes sense
//   is answered but is not     a second response, or one to a try whose lanes were left
//   under way
//   before it took effect      the annotated delay of the request is ignored
//   without a response status, fails with ...
//   still has lanes left       retries make no progress; `leaves lanes that this try was not asked
//                              for`: lanes served before
//   is never served below,     a stage loses lanes, or has them served twice; `no line below
//   is served twice below      holds it`, `is asked for twice below`: a module that makes lines
//   its payload is still held  acquired and not released
//   still open below           a response from below was never ended
//   when annotated             the times of the answers differ from those that the same requests
//                              get when the time is waited for: the same arrival must mean the same
//   while another process      times differ when the kernel has something to do in every cycle: the
//   wakes every cycle          module looks at more than the time at which it is asked
//   a second time              times differ when the stream comes again, after everything was
//                              answered: the module has not come to rest, or looks at absolute time
//   the simulation ended       by an exception or a fatal report
//
// Not checked: b_transport, the debug transport, DMI; the data. Atomics are not sent.
#pragma once

#include <fermata/models/conformance/findings.h>
#include <fermata/models/conformance/options.h>
#include <fermata/models/transaction/warp_protocol.h>

#include <functional>
#include <memory>

namespace fermata::conformance {

struct NoneBelow {};

/// A stage as the suite sees it, one module or several in a row: the socket that takes requests and
/// the socket that makes requests below.
template <class Above, class Below>
struct Stage {
  std::shared_ptr<void> module;  ///< kept as long as the simulation
  tlm::tlm_target_socket<32, Above>& in;
  tlm::tlm_initiator_socket<32, Below>& out;
};
template <class Above>
struct Target {
  std::shared_ptr<void> module;
  tlm::tlm_target_socket<32, Above>& in;
};

/// Makes a module. Called once per scenario, before the simulation starts; every call must make an
/// equal one. Each scenario is a module of its own, within which names are free to choose.
template <class Made>
using Make = std::function<Made(const char* name)>;

/// Returns the sockets of a module that calls them `in` and `out`.
template <class Above, class Below, class Module>
Stage<Above, Below> stageOf(std::shared_ptr<Module> module) {
  return {module, module->in, module->out};
}
template <class Above, class Module>
Target<Above> targetOf(std::shared_ptr<Module> module) {
  return {module, module->in};
}

using Line = tlm::tlm_base_protocol_types;

/// Each function runs the simulation: one call per process, before sc_start has been called.
/// Returns no findings if the module conforms. Reports of severity error only become findings while
/// it runs.
Findings checkWarpStage(const Make<Stage<WarpProtocol, WarpProtocol>>& make,
                        const Options& options = {});
Findings checkWarpTarget(const Make<Target<WarpProtocol>>& make, const Options& options = {});
/// Checks a stage with warps above and lines below. Takes Options::space as global.
Findings checkCoalescer(const Make<Stage<WarpProtocol, Line>>& make, const Options& options = {});
Findings checkLineStage(const Make<Stage<Line, Line>>& make, const Options& options = {});
Findings checkLineTarget(const Make<Target<Line>>& make, const Options& options = {});

}  // namespace fermata::conformance
