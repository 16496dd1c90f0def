// An L2 of 1 KB, direct-mapped, with an initiator above it. A test binds a memory below.
#pragma once

#include <fermata/models/memory/l2_cache.h>

#include <cstdint>
#include <vector>

namespace fermata::test {

using Bytes = std::vector<std::uint8_t>;

/// Returns a sector filled with one value.
inline Bytes sectorOf(std::uint8_t value) {
  return Bytes(kSectorBytes, value);
}

class L2Bench : public LineRequester::Client {
 public:
  static constexpr std::uint32_t kSet = 1024;  ///< bytes from a line to the next line of its set

  /// Returns parameters of an L2 that verifies and answers after 10 cycles of 1 ns.
  static L2Cache::Parameters parametersOf(WritePolicy policy) {
    L2Cache::Parameters p;
    p.shape = {kSet, 128, 1};
    p.writePolicy = policy;
    p.latency = 10;
    p.verify = true;
    return p;
  }
  explicit L2Bench(const L2Cache::Parameters& parameters)
      : l2("l2", clock, parameters, SetIndex(parameters.shape, ""), nullptr) {
    asker.out.bind(l2.in);
  }

  void pass(unsigned cycles) { sc_core::sc_start(clock.time(cycles)); }
  void write(std::uint64_t address, const Bytes& bytes) {
    auto& payload =
        asker.open(tlm::TLM_WRITE_COMMAND, address, static_cast<std::uint32_t>(bytes.size()));
    for (std::uint32_t i = 0; i < bytes.size(); ++i) asker.enable(payload, i, bytes[i]);
    LineRequester::of(payload).whole = bytes.size() == kSectorBytes ? 1 : 0;
    asker.send(payload, 0);
  }
  void ask(std::uint64_t address, std::uint32_t bytes = kSectorBytes) {
    asker.send(asker.open(tlm::TLM_READ_COMMAND, address, bytes), 0);
  }
  /// Returns the data of a timed read.
  Bytes timed(std::uint64_t address) {
    ask(address);
    pass(1000);
    return read;
  }

  const Clock clock{sc_core::sc_time(1, sc_core::SC_NS)};
  LineRequester asker{"asker", clock, *this, 128, 100};
  L2Cache l2;
  Bytes read;  ///< data of the timed read that was answered last

 private:
  void answered(tlm::tlm_generic_payload& line, Cycle) override {
    if (line.is_read())
      read.assign(line.get_data_ptr(), line.get_data_ptr() + line.get_data_length());
  }
  void roomFreed(Cycle) override {}
};

}  // namespace fermata::test
