// The DRAM with payloads of any kind: blocking and debug transport, and payloads that it must
// refuse.
#include <fermata/models/memory/dram.h>

#include "tests/support/line_master.h"
#include "tests/support/test.h"

using namespace fermata;

namespace {

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));

}  // namespace

BOOST_AUTO_TEST_SUITE(dram_payloads)

namespace {

struct Access : tlm::tlm_generic_payload {
  Access(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t>& data) {
    set_command(command);
    set_address(address);
    set_data_ptr(data.data());
    set_data_length(static_cast<unsigned>(data.size()));
    set_streaming_width(static_cast<unsigned>(data.size()));
  }
};

/// A DRAM, with or without data, for calls of transport.
struct Called {
  explicit Called(bool verify) : dram("dram", kClock, parameters(verify)), master("master") {
    master.out.bind(dram.in);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static Dram::Parameters parameters(bool verify) {
    Dram::Parameters p;
    p.verify = verify;
    return p;
  }
  Cycle blocking(tlm::tlm_generic_payload& payload) {
    sc_core::sc_time delay(7, sc_core::SC_NS);
    master.out->b_transport(payload, delay);
    BOOST_TEST(payload.is_response_ok());
    return kClock.cycles(delay) - 7;
  }

  Dram dram;
  test::LineMaster master;
};

}  // namespace

BOOST_AUTO_TEST_CASE(blocking_and_debug_transport_see_the_same_bytes) {
  Called called(true);
  std::vector<std::uint8_t> out{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<std::uint8_t> back(8);
  Access write(tlm::TLM_WRITE_COMMAND, 4092, out);
  Access read(tlm::TLM_READ_COMMAND, 4092, back);
  BOOST_TEST(called.blocking(write) == 12 + 4 + 2U);
  BOOST_TEST(called.dram.transport_dbg(read) == 8U);
  BOOST_TEST(back == out, tt::per_element());
  out[3] = 77;
  BOOST_TEST(called.dram.transport_dbg(write) == 8U);
  BOOST_TEST(called.blocking(read) == 12 + 12 + 2 + 132U);
  BOOST_TEST(back == out, tt::per_element());
  Access end(tlm::TLM_READ_COMMAND, ~0ULL - 2, back);
  BOOST_TEST(called.dram.transport_dbg(end) == 3U);  // end of the address space
  Access none(tlm::TLM_IGNORE_COMMAND, 0, back);
  BOOST_TEST(called.dram.transport_dbg(none) == 0U);
}

BOOST_AUTO_TEST_CASE(without_verify_data_arrays_are_not_looked_at) {
  Called called(false);
  std::vector<std::uint8_t> data{9, 9};
  Access read(tlm::TLM_READ_COMMAND, 0, data);
  BOOST_TEST(called.dram.transport_dbg(read) == 0U);
  called.blocking(read);
  BOOST_TEST(data[0] == 9);
}

namespace {

struct BadPayload {
  const char* what;
  std::function<void(tlm::tlm_generic_payload&)> spoil;
  tlm::tlm_response_status status;
};
std::uint8_t oneEnable = TLM_BYTE_ENABLED;
const BadPayload kBadPayloads[] = {
    {"ignore", [](auto& p) { p.set_command(tlm::TLM_IGNORE_COMMAND); },
     tlm::TLM_COMMAND_ERROR_RESPONSE},
    {"no bytes", [](auto& p) { p.set_data_length(0); }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"a stream", [](auto& p) { p.set_streaming_width(4); }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"no enables",
     [](auto& p) {
       p.set_byte_enable_ptr(&oneEnable);
       p.set_byte_enable_length(0);
     },
     tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
    {"beyond the end", [](auto& p) { p.set_address(~0ULL - 6); }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"no data", [](auto& p) { p.set_data_ptr(nullptr); }, tlm::TLM_GENERIC_ERROR_RESPONSE},
    {"the last byte is there", [](auto& p) { p.set_address(~0ULL - 7); }, tlm::TLM_OK_RESPONSE},
};

/// Sends one malformed payload and records its answer.
struct Spoiler : sc_core::sc_module, tlm::tlm_bw_transport_if<>, tlm::tlm_mm_interface {
  SC_HAS_PROCESS(Spoiler);
  tlm::tlm_initiator_socket<> out{"out"};
  std::vector<std::uint8_t> data = std::vector<std::uint8_t>(8, 42);
  tlm::tlm_generic_payload sent{this};
  bool answered = false;

  Spoiler(const sc_core::sc_module_name& name, const BadPayload& bad) : sc_module(name) {
    out.bind(*this);
    SC_METHOD(send);
    sent.set_command(tlm::TLM_READ_COMMAND);
    sent.set_data_ptr(data.data());
    sent.set_data_length(8);
    sent.set_streaming_width(8);
    bad.spoil(sent);
  }
  void send() {
    sent.acquire();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    out->nb_transport_fw(sent, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    answered = true;
    sent.release();
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(tlm::tlm_generic_payload*) override {}
};

}  // namespace

BOOST_DATA_TEST_CASE(bad_payloads_are_answered_with_an_error,
                     bdata::xrange(std::size(kBadPayloads)), index) {
  const BadPayload& bad = kBadPayloads[index];
  BOOST_TEST_CONTEXT(bad.what) {
    Dram dram("dram", kClock, Called::parameters(true));
    Spoiler spoiler("spoiler", bad);
    LineProtocolChecker checker("checker");
    spoiler.out.bind(checker.in);
    checker.out.bind(dram.in);
    sc_core::sc_start();
    BOOST_TEST(spoiler.answered);
    BOOST_TEST(spoiler.sent.get_response_status() == bad.status);
    BOOST_TEST(spoiler.sent.get_ref_count() == 0);
    const bool ok = bad.status == tlm::TLM_OK_RESPONSE;
    BOOST_TEST(dram.counts().reads == (ok ? 1U : 0U));
    BOOST_TEST(spoiler.data[0] == (ok ? 0 : 42));
    spoiler.sent.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay;
    spoiler.out->b_transport(spoiler.sent, delay);
    BOOST_TEST(spoiler.sent.get_response_status() == bad.status);
  }
}

BOOST_AUTO_TEST_SUITE_END()
