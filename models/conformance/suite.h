// The conformance suite: is this module a good citizen of the protocols (warp_protocol.h, and the
// TLM-2.0 base protocol behind the coalescer)? README.md has an example to copy.
//
// The suite makes many of the module, each for one scenario: what stands below it (options.h, Way)
// and how responses are ended (driver.h, Ending). Each is sent the same seeded stream of loads and
// stores, with a protocol checker on every edge. What it may find:
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
//   still has lanes left       retries do not get ahead; `leaves lanes that this try was not asked
//                              for`: of those served before
//   is never served below,     a stage loses lanes, or has them served twice; `no line below
//   is served twice below      holds it`, `is asked for twice below`: a module that makes lines
//   its payload is still held  acquired and not released
//   still open below           a response from below was never ended
//   when annotated             the times of the answers differ from those that the same requests
//                              get when the time is waited for: the same arrival must mean the same
//   while another process      they differ when the kernel has something to do in every cycle: the
//   wakes every cycle          module looks at more than the time at which it is asked
//   a second time              they differ when the stream comes again, after everything was
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

/// A module, or several behind each other, as the suite sees it: what it is asked at and, of a
/// stage, what it asks at.
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

/// Called once for each scenario, before the simulation starts: all that it makes must be made
/// alike. Each scenario is a module of its own, within which names are free to choose.
template <class Made>
using Make = std::function<Made(const char* name)>;

/// Of a module whose sockets are called `in` and `out`.
template <class Above, class Below, class Module>
Stage<Above, Below> stageOf(std::shared_ptr<Module> module) {
  return {module, module->in, module->out};
}
template <class Above, class Module>
Target<Above> targetOf(std::shared_ptr<Module> module) {
  return {module, module->in};
}

using Line = tlm::tlm_base_protocol_types;

/// Each runs the simulation: one call a process, before sc_start has been called. Empty: conforms.
/// Reports of severity error are findings, and nothing else, while it runs.
Findings checkWarpStage(const Make<Stage<WarpProtocol, WarpProtocol>>& make,
                        const Options& options = {});
Findings checkWarpTarget(const Make<Target<WarpProtocol>>& make, const Options& options = {});
/// Warps above, lines below. Options::space is taken as global.
Findings checkCoalescer(const Make<Stage<WarpProtocol, Line>>& make, const Options& options = {});
Findings checkLineStage(const Make<Stage<Line, Line>>& make, const Options& options = {});
Findings checkLineTarget(const Make<Target<Line>>& make, const Options& options = {});

}  // namespace fermata::conformance
