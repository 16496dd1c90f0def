// Ports that send requests through an interconnect to slices of memory, each in its cycle.
#pragma once

#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/line_requester.h>
#include <fermata/models/transaction/protocol_checker.h>

#include "tests/support/test.h"

namespace fermata::test::slices {

inline const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));
inline constexpr std::uint32_t kLine = 128;

struct Request {
  unsigned port;
  Cycle at;
  bool write;
  std::uint64_t line;
  bool silent = false;
};

struct Came {
  Cycle at;
  std::uint64_t line;
};

/// Takes a request every `interval` cycles and answers each `interval` cycles after its arrival.
class Memory : public LateLineTarget {
 public:
  Memory(const sc_core::sc_module_name& name, Cycle interval)
      : LateLineTarget(name), interval_(interval) {}
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += kClock.time(interval_);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    debugged.push_back(payload.get_address());
    return payload.get_data_length();
  }
  std::vector<Came> came;
  std::vector<std::uint64_t> debugged;

 private:
  void requested(tlm::tlm_generic_payload& payload) override {
    came.push_back({kClock.now(), payload.get_address() / kLine});
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (interval_ != 1) acknowledge(payload, kClock.time(interval_ - 1));
    respond(payload, kClock.time(interval_));
  }
  Cycle interval_;
};

class Bench : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Bench);
  /// `intervals`: of the memory behind each slice.
  Bench(const Interconnect::Parameters& parameters, unsigned ports,
        const std::vector<Cycle>& intervals, std::vector<Request> requests,
        const std::string& mapping = "", const std::vector<unsigned>& groups = {})
      : sc_module(sc_core::sc_module_name("bench")),
        map(static_cast<unsigned>(intervals.size()), kLine, mapping),
        net("net", kClock, parameters, ports, map, {}, {groups, {}}),
        requests_(std::move(requests)) {
    std::stable_sort(requests_.begin(), requests_.end(),
                     [](const Request& a, const Request& b) { return a.at < b.at; });
    for (unsigned i = 0; i < intervals.size(); ++i) {
      memories.push_back(
          std::make_unique<Memory>(("memory" + std::to_string(i)).c_str(), intervals[i]));
      join(net.out(i), memories.back()->in);
    }
    for (unsigned i = 0; i < ports; ++i) {
      clients_.push_back(std::make_unique<Client>());
      askers_.push_back(std::make_unique<LineRequester>(("asker" + std::to_string(i)).c_str(),
                                                        kClock, *clients_.back(), kLine, 1000));
      join(askers_.back()->out, net.in(i));
    }
    SC_METHOD(ask);
  }
  void run() {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    std::size_t answers = 0, arrivals = 0;
    for (const auto& client : clients_) answers += client->answers.size();
    for (const auto& memory : memories) arrivals += memory->came.size();
    BOOST_TEST(answers == requests_.size());
    BOOST_TEST(arrivals == requests_.size());
    BOOST_TEST(net.quiet());
    for (const LineProtocolChecker& checker : checkers_) BOOST_TEST(checker.inFlight() == 0U);
  }
  /// Cycles in which requests came to a slice, or answers to a port, in order.
  std::vector<Cycle> cameTo(unsigned slice) const {
    std::vector<Cycle> cycles;
    for (const Came& came : memories[slice]->came) cycles.push_back(came.at);
    return cycles;
  }
  const std::vector<Cycle>& answersTo(unsigned port) const { return clients_[port]->answers; }

  SliceMap map;
  Interconnect net;
  std::vector<std::unique_ptr<Memory>> memories;

 private:
  struct Client : LineRequester::Client {
    void answered(tlm::tlm_generic_payload&, Cycle now) override { answers.push_back(now); }
    void roomFreed(Cycle) override {}
    std::vector<Cycle> answers;
  };
  template <class From, class To>
  void join(From& from, To& to) {
    checkers_.emplace_back(("checker" + std::to_string(checkers_.size())).c_str());
    from.bind(checkers_.back().in);
    checkers_.back().out.bind(to);
  }
  /// Sends each request in its cycle.
  void ask() {
    for (; next_ != requests_.size(); ++next_) {
      const Request& request = requests_[next_];
      const sc_core::sc_time at = kClock.time(request.at);
      if (at > sc_core::sc_time_stamp()) return next_trigger(at - sc_core::sc_time_stamp());
      LineRequester& asker = *askers_[request.port];
      const auto command = request.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
      tlm::tlm_generic_payload& payload = asker.open(command, request.line * kLine, kLine);
      LineRequester::of(payload).silent = request.silent;
      asker.send(payload, request.at);
    }
  }

  std::vector<Request> requests_;
  std::size_t next_ = 0;  ///< the request to send next
  std::vector<std::unique_ptr<Client>> clients_;
  std::vector<std::unique_ptr<LineRequester>> askers_;
  std::list<LineProtocolChecker> checkers_;
};

inline Interconnect::Parameters net(unsigned queue) {
  Interconnect::Parameters p;
  p.latency = 4;
  p.bytesPerCycle = 32;
  p.queue = queue;
  return p;
}

using Cycles = std::vector<Cycle>;

inline void checkAre(const Cycles& found, const Cycles& expected) {
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace fermata::test::slices
