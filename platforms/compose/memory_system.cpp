#include <fermata/platforms/compose/memory_system.h>

#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/parameters.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace fermata::platforms {

namespace {

L2Cache::Parameters l2Of(const PlatformParameters& p) {
  L2Cache::Parameters l2 = p.l2;
  l2.shape.lineBytes = p.l1.shape.lineBytes;
  l2.policyValues = p.policyValues;
  l2.verify = p.verify;
  return l2;
}

/// Calls `visit(offset, bytes)` for the pieces of a range, a line each, for untimed accesses.
template <class Visit>
void forEachPiece(const DeviceBytes& range, Visit visit) {
  constexpr std::size_t piece = 128;
  for (std::size_t at = 0; at < range.bytes; at += piece)
    visit(at, static_cast<unsigned>(std::min(piece, range.bytes - at)));
}

sc_core::sc_time commonPeriod(const Clock& a, const Clock& b) {
  return sc_core::sc_time::from_value(std::lcm(a.period().value(), b.period().value()));
}

struct DebugPayload : tlm::tlm_generic_payload {
  DebugPayload(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
               unsigned bytes) {
    set_command(command);
    set_address(address);
    set_data_ptr(data);
    set_data_length(bytes);
    set_streaming_width(bytes);
  }
};

}  // namespace

MemorySystem::MemorySystem(const sc_core::sc_module_name& name, const Clock& clock,
                           const PlatformParameters& p, unsigned sms, Probe* probe,
                           Connector& connector)
    : sc_module(name),
      interconnect("interconnect", clock, p.interconnect, sms),
      phase_(commonPeriod(clock, Clock::fromMegahertz(p.dramFrequencyMhz))),
      verify_(p.verify),
      copies_(p.l2.copies) {
  if (p.globalMemory == GlobalMemory::Caches) composeL2(clock, p, probe, connector);
  LineInitiatorSocket& out = l2 != nullptr ? l2->out : interconnect.out;
  if (connector.bindMemory(out)) {
    if (l2 != nullptr) l2->reportMemory();
    return;
  }
  Dram::Parameters parameters = p.dram;
  parameters.verify = p.verify && l2 != nullptr;
  dram =
      std::make_unique<Dram>("dram", Clock::fromMegahertz(p.dramFrequencyMhz), parameters, probe);
  connector.joinLine(out, dram->in);
}

void MemorySystem::composeL2(const Clock& clock, const PlatformParameters& p, Probe* probe,
                             Connector& connector) {
  l2 = std::make_unique<L2Cache>("l2", clock, l2Of(p), l2Sets(p), probe);
  connector.joinLine(interconnect.out, l2->in);
}

void MemorySystem::begin() {
  known_ = 0;
  if (l2 != nullptr) l2->clear();
  if (dram != nullptr) dram->closeRows();
}

void MemorySystem::betweenGrids(const Workload& workload) {
  if (!verify_ && !copies_) return;
  l2->writes().clear();
  const std::vector<DeviceBytes> ranges = workload.deviceMemory();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const bool holds = verify_ && ranges[i].data != nullptr;
    if (holds && i < known_) compare(ranges[i]);
    if (holds && i >= known_) store(ranges[i]);
    if (copies_ && i >= known_ && ranges[i].copied) l2->warm(ranges[i].address, ranges[i].bytes);
  }
  known_ = ranges.size();
}

void MemorySystem::store(const DeviceBytes& range) {
  std::vector<std::uint8_t> bytes(range.data, range.data + range.bytes);
  forEachPiece(range, [&](std::size_t at, unsigned length) {
    DebugPayload payload(tlm::TLM_WRITE_COMMAND, range.address + at, bytes.data() + at, length);
    if (l2->transport_dbg(payload) == length) return;
    SC_REPORT_FATAL("fermata/memory",
                    "verify needs a memory whose debug transport writes and reads");
  });
}

void MemorySystem::compare(const DeviceBytes& range) {
  std::vector<std::uint8_t> found(range.bytes);
  forEachPiece(range, [&](std::size_t at, unsigned length) {
    DebugPayload payload(tlm::TLM_READ_COMMAND, range.address + at, found.data() + at, length);
    l2->transport_dbg(payload);
  });
  compared_ += range.bytes;
  const auto differs = std::mismatch(found.begin(), found.end(), range.data);
  if (differs.first == found.end()) return;
  const auto at = static_cast<std::uint64_t>(differs.first - found.begin());
  SC_REPORT_ERROR("fermata/memory", ("verification failed: after the kernel the memory holds " +
                                     std::to_string(*differs.first) + " at address " +
                                     std::to_string(range.address + at) + ", the executor " +
                                     std::to_string(*differs.second))
                                        .c_str());
}

}  // namespace fermata::platforms
