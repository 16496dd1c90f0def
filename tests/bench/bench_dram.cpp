// Speed of the DRAM: host time per request, with requests as fast as the DRAM takes them.
#include <benchmark/benchmark.h>

#include <random>
#include <systemc>
#include <vector>

#include <fermata/models/memory/dram.h>
#include <fermata/models/memory/line_requester.h>

namespace {

using fermata::Clock;
using fermata::Cycle;
using fermata::Dram;
using fermata::DramChannel;
using fermata::LineRequester;

const Clock kClock(sc_core::sc_time(1, sc_core::SC_NS));
constexpr unsigned kRequests = 20000;

enum class Traffic { Stream, Random, RandomWrites };

/// Returns the address of request `i`, and whether it writes.
std::pair<std::uint64_t, bool> request(Traffic traffic, unsigned i, std::mt19937_64& random) {
  if (traffic == Traffic::Stream) return {std::uint64_t{i} * 128, false};
  const std::uint64_t address = random() % (std::uint64_t{1} << 30) / 128 * 128;
  return {address, traffic == Traffic::RandomWrites && random() % 2 == 0};
}

/// Keeps the queues of a DRAM full and counts what it serves.
class Bench : public sc_core::sc_module, private LineRequester::Client {
 public:
  explicit Bench(const sc_core::sc_module_name& name)
      : sc_module(name), asker_("asker", kClock, *this, 128, 8), dram_("dram", kClock, {}) {
    asker_.out.bind(dram_.in);
  }
  void run(Traffic traffic) {
    traffic_ = traffic;
    random_.seed(1);
    sent_ = answered_ = 0;
    send();
    while (answered_ != kRequests) sc_core::sc_start(kClock.time(10000));
  }

 private:
  void send() {
    for (; sent_ < kRequests && asker_.room(); ++sent_) {
      const auto [address, write] = request(traffic_, sent_, random_);
      asker_.send(asker_.open(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, 128),
                  0);
    }
  }
  void answered(tlm::tlm_generic_payload&, Cycle) override { ++answered_; }
  void roomFreed(Cycle) override { send(); }

  LineRequester asker_;
  Dram dram_;
  Traffic traffic_ = Traffic::Stream;
  std::mt19937_64 random_;
  unsigned sent_ = 0;
  unsigned answered_ = 0;
};

Bench& bench() {
  static Bench instance("bench");
  return instance;
}

void perRequest(benchmark::State& state) {
  state.counters["per_request"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kRequests,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// Measures the whole DRAM through its socket: six channels and the SystemC kernel.
void module(benchmark::State& state, Traffic traffic) {
  for (auto iteration : state) bench().run(traffic);
  perRequest(state);
}

/// Measures one channel, run at each cycle in which it may have served a request, as Dram does.
void channel(benchmark::State& state, Traffic traffic) {
  const Dram::Parameters p;
  std::mt19937_64 random(1);
  std::vector<DramChannel::Served> served;
  for (auto iteration : state) {
    DramChannel queue({p.banks, p.bankGroups, p.queue, p.patience, p.timing});
    unsigned sent = 0;
    unsigned ended = 0;
    for (Cycle now = 0; ended < kRequests; now = queue.nextServed() + 1) {
      served.clear();
      queue.run(now, served);
      ended += static_cast<unsigned>(served.size());
      for (; sent < kRequests && !queue.full(); ++sent) {
        const auto [address, write] = request(traffic, sent, random);
        const std::uint64_t block = address / 256;
        queue.add({static_cast<unsigned>(block % p.banks), block / p.banks / 16, 2, write}, now);
      }
      queue.run(now, served);
    }
  }
  perRequest(state);
}

}  // namespace

int sc_main(int argc, char** argv) {
  const std::pair<const char*, Traffic> all[] = {{"stream", Traffic::Stream},
                                                 {"random", Traffic::Random},
                                                 {"random_writes", Traffic::RandomWrites}};
  bench();
  for (const auto& [name, traffic] : all) {
    benchmark::RegisterBenchmark((std::string("channel/") + name).c_str(), channel, traffic)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((std::string("module/") + name).c_str(), module, traffic)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
