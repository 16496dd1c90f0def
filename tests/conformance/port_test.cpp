// The core's own initiator above every kind of target that the suite puts below a stage: it loses
// nothing, and sends nothing too early. The checker on its edge finds errors.
#include <fermata/models/conformance/answerer.h>
#include <fermata/models/conformance/stream.h>
#include <fermata/models/core/memory_port.h>
#include <fermata/models/transaction/protocol_checker.h>

#include "tests/support/test.h"

using namespace fermata;
using namespace fermata::conformance;

namespace {

/// Sends a stream through a port as the core's load and store units do.
class Core : public MemoryPort::Client, public Ticked {
 public:
  Core(ClockDomain& domain, const Options& options)
      : port("port", domain, *this), domain_(domain), stream_(warpStream(options)) {
    domain.add(*this);
    for (std::uint32_t i = 0; i < stream_.size(); ++i) open(i);
  }

  MemoryPort port;
  std::size_t served = 0;

 private:
  void open(std::uint32_t index) {
    WarpAccess& access = port.open();
    access.slot = index % 8;
    access.instruction.pc = index;
    access.instruction.active = stream_[index].lanes;
    access.instruction.space = MemorySpace::Shared;
    access.instruction.operation = stream_[index].operation;
    access.instruction.bytesPerLane = static_cast<std::uint8_t>(stream_[index].bytes);
    access.instruction.address = stream_[index].address;
    toSend_.push_back(&access);
  }
  Cycle tick(Cycle now) override {
    port.deliver(now);
    Cycle next = port.nextDue();
    if (toSend_.empty() || !pathFree_) return next;
    const Cycle from = std::max(freeFrom_, domain_.clock().cycles(at(*toSend_.front())));
    if (from <= now) {
      send(now);
      next = std::min(port.nextDue(), now + 1);
    } else {
      next = std::min(next, from);
    }
    return next;
  }
  sc_core::sc_time at(const WarpAccess& access) const { return stream_[access.instruction.pc].at; }
  void send(Cycle now) {
    WarpAccess& access = *toSend_.front();
    toSend_.pop_front();
    const MemoryPort::Sent sent = port.send(access, now);
    pathFree_ = sent.accepted;
    freeFrom_ = now + sent.occupancy;
    if (sent.served) {
      BOOST_TEST(sent.arrives >= now);
      finish(access);
    }
  }
  void finish(WarpAccess& access) {
    BOOST_TEST(access.unserved == 0U);
    ++served;
    port.close(access);
  }
  void responded(WarpAccess& access, Cycle now) override {
    if (access.unserved == 0) return;
    toSend_.push_front(&access);  // before later accesses of its warp
    domain_.wake(now + 1);
  }
  void arrived(WarpAccess& access, Cycle) override { finish(access); }
  void again(WarpAccess&, Cycle) override {}
  void pathFree(MemoryPath, Cycle cycle) override {
    pathFree_ = true;
    freeFrom_ = std::max(freeFrom_, cycle);
    domain_.wake(cycle);
  }
  void due(Cycle cycle) override { domain_.wake(cycle); }

  ClockDomain& domain_;
  const Stream stream_;
  std::deque<WarpAccess*> toSend_;
  bool pathFree_ = true;
  Cycle freeFrom_ = 0;
};

std::vector<int> ways() {
  std::vector<int> all;
  for (const Way way : warpsWays()) all.push_back(static_cast<int>(way));
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(port)

BOOST_DATA_TEST_CASE(loses_nothing, bdata::make(ways()), way) {
  BOOST_TEST_CONTEXT(nameOf(static_cast<Way>(way))) {
    Options options;
    options.accesses = 400;
    Log log;
    Ledger ledger(log);
    ledger.clear(options.accesses);
    ClockDomain domain("domain", Clock(options.period));
    Core core(domain, options);
    ProtocolChecker checker("checker");
    ProtocolChecker globalChecker("global_checker");
    Answerer<WarpProtocol> shared("shared", options, static_cast<Way>(way), log, &ledger);
    Answerer<WarpProtocol> global("global", options, Way::AtOnce, log);
    core.port.shared.bind(checker.in);
    checker.out.bind(shared.in);
    core.port.global.bind(globalChecker.in);
    globalChecker.out.bind(global.in);
    domain.wake(0);
    sc_core::sc_start();
    domain.rethrow();
    ledger.checkLanes(warpStream(options));
    for (const std::string& finding : log.findings()) BOOST_ERROR(finding);
    BOOST_TEST(core.served == options.accesses);
    BOOST_TEST(core.port.inFlight() == 0U);
    BOOST_TEST(checker.inFlight() == 0U);
    BOOST_TEST(shared.open() == 0U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
