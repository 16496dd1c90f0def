// Targets made of the exported base classes conform in every behaviour: the example of the
// documentation, and targets with back-pressure.
#include <fermata/models/transaction/late_target.h>

#include "tests/conformance/support.h"

using namespace fermata;
using namespace fermata::conformance;
using test::conforms;

namespace {

sc_core::sc_time ns(std::uint64_t time) {
  return {static_cast<double>(time), sc_core::SC_NS};
}

/// Serves one request at a time, and takes the next when it begins to serve the previous one.
template <class Types>
class Queued : public LateTarget<Types> {
 public:
  explicit Queued(const sc_core::sc_module_name& name) : LateTarget<Types>(name) {}
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}

 private:
  void requested(tlm::tlm_generic_payload& payload) override {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const sc_core::sc_time begin = std::max(free_, now);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    free_ = begin + ns(7 + payload.get_data_length() % 5);
    this->acknowledge(payload, begin - now + ns(1));
    this->respond(payload, free_ - now + ns(30));
  }
  sc_core::sc_time free_;
};

/// Leaves odd lanes for the second try; accepts no other request until the outcome is known.
class Leaving : public LateWarpTarget {
 public:
  explicit Leaving(const sc_core::sc_module_name& name) : LateWarpTarget(name) {}
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}

 private:
  void requested(tlm::tlm_generic_payload& payload) override {
    WarpAccess& access = warpAccess(payload);
    const LaneMask left = access.tries == 1 ? access.asked & 0xaaaaaaaaU : 0;
    access.outcome.leave(left, LeftCause::Bank);
    access.outcome.data = 12;
    tell(payload, ns(3));
    if (left != 0) return;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    respond(payload, ns(15));
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(late_targets)

BOOST_AUTO_TEST_CASE(of_lines) {
  conforms<Queued<Line>>(checkLineTarget, {});
}

BOOST_AUTO_TEST_CASE(of_warps) {
  conforms<Queued<WarpProtocol>>(checkWarpTarget, {});
}

BOOST_AUTO_TEST_CASE(that_leaves_lanes) {
  conforms<Leaving>(checkWarpTarget, {});
}

BOOST_AUTO_TEST_SUITE_END()
