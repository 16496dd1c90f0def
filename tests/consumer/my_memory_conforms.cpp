#include <fermata/models/conformance/suite.h>
#include <fermata/models/transaction/late_target.h>

#include <iostream>

using namespace fermata;

class MyMemory : public LateLineTarget {
 public:
  explicit MyMemory(const sc_core::sc_module_name& name) : LateLineTarget(name) {}
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += sc_core::sc_time(40, sc_core::SC_NS);
  }

 private:
  void requested(tlm::tlm_generic_payload& payload) override {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    acknowledge(payload, sc_core::sc_time(4, sc_core::SC_NS));
    respond(payload, sc_core::sc_time(40, sc_core::SC_NS));
  }
};

int sc_main(int, char**) {
  const conformance::Findings findings = conformance::checkLineTarget([](const char* name) {
    return conformance::targetOf<conformance::Line>(std::make_shared<MyMemory>(name));
  });
  for (const std::string& finding : findings) std::cout << finding << '\n';
  std::cout << findings.size() << " findings\n";
  return findings.empty() ? 0 : 1;
}
