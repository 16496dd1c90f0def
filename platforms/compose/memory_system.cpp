#include <fermata/platforms/compose/memory_system.h>

#include <fermata/platforms/compose/cache_checks.h>
#include <fermata/platforms/compose/gpc_text.h>
#include <fermata/platforms/compose/parameters.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace fermata::platforms {

namespace {

/// Calls `visit(offset, bytes)` for the lines of a range, for untimed accesses.
template <class Visit>
void forEachLine(const DeviceBytes& range, std::uint32_t lineBytes, Visit visit) {
  for (std::size_t at = 0; at < range.bytes;) {
    const std::size_t toEnd = lineBytes - (range.address + at) % lineBytes;
    const std::size_t bytes = std::min(toEnd, range.bytes - at);
    visit(at, static_cast<unsigned>(bytes));
    at += bytes;
  }
}

sc_core::sc_time commonPeriod(const Clock& a, const Clock& b) {
  return sc_core::sc_time::from_value(std::lcm(a.period().value(), b.period().value()));
}

/// Returns each value `times` times, one behind the other.
template <class Value>
std::vector<Value> repeated(const std::vector<Value>& values, unsigned times) {
  std::vector<Value> all;
  for (const Value& value : values) all.insert(all.end(), times, value);
  return all;
}

/// Returns the places of ports, as many for each SM.
Interconnect::Places placesOf(const Gpcs& gpcs, unsigned portsOfSm) {
  return {repeated(gpcs.gpcOf(), portsOfSm), repeated(gpcs.partOf(), portsOfSm)};
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

/// l2.write_latency, if given, is that of a write to either half of the L2.
Interconnect::Parameters interconnectOf(const PlatformParameters& p) {
  Interconnect::Parameters net = p.interconnect;
  net.nearWrites = p.l2.writeLatency != 0;
  return net;
}

}  // namespace

MemorySystem::MemorySystem(const sc_core::sc_module_name& name, const Clock& clock,
                           const PlatformParameters& p, unsigned sms, Probe* probe,
                           Connector& connector, const Interconnect::Islands& islands)
    : sc_module(name),
      slices_(p.globalMemory == GlobalMemory::Caches ? l2Slices(p) : SliceMap()),
      waysOfSm_(p.core.issue.instructions.bytes == 0 ? 1 : 2),
      interconnect("interconnect", clock, interconnectOf(p), sms * waysOfSm_, slices_,
                   repeated(islands, waysOfSm_), placesOf(gpcsOf(p), waysOfSm_)),
      phase_(commonPeriod(clock, Clock::fromMegahertz(p.dramFrequencyMhz))),
      verify_(p.verify),
      copies_(p.l2.copies) {
  if (p.globalMemory == GlobalMemory::Caches) composeL2(clock, p, probe, connector);
  if (bindForeign(connector)) return;
  Dram::Parameters parameters = p.dram;
  parameters.verify = p.verify && hasL2();
  dram = std::make_unique<Dram>("dram", Clock::fromMegahertz(p.dramFrequencyMhz), parameters, probe,
                                slices_.slices());
  for (unsigned i = 0; i < slices_.slices(); ++i) connector.joinLine(toMemory(i), dram->input(i));
}

void MemorySystem::composeL2(const Clock& clock, const PlatformParameters& p, Probe* probe,
                             Connector& connector) {
  const SetIndex sets = l2Sets(p, slices_);
  for (unsigned i = 0; i < slices_.slices(); ++i) {
    const std::string name = slices_.slices() == 1 ? "l2" : "l2_" + std::to_string(i);
    l2.push_back(std::make_unique<L2Cache>(name.c_str(), clock, l2Slice(p), sets, probe));
    connector.joinLine(interconnect.out(i), l2[i]->in);
  }
}

LineInitiatorSocket& MemorySystem::toMemory(unsigned slice) {
  return hasL2() ? l2[slice]->out : interconnect.out();
}

/// Binds the connector's memory, if it has one.
bool MemorySystem::bindForeign(Connector& connector) {
  const unsigned slices = slices_.slices();
  if (slices != 1) merge = std::make_unique<LineMerge>("merge", slices);
  if (!connector.bindMemory(merge != nullptr ? merge->out : toMemory(0))) {
    merge.reset();
    return false;
  }
  for (unsigned i = 0; i < slices && merge != nullptr; ++i) toMemory(i).bind(merge->in(i));
  for (const auto& slice : l2) slice->reportMemory();
  return true;
}

bool MemorySystem::quiet() const {
  if (!hasL2()) return interconnect.quiet();
  return std::all_of(l2.begin(), l2.end(), [](const auto& slice) { return slice->quiet(); });
}

const WriteOrder& MemorySystem::writes() {
  for (const auto& slice : l2) writes_.takeFrom(slice->writes());
  return writes_;
}

void MemorySystem::begin() {
  known_ = 0;
  for (const auto& slice : l2) slice->clear();
  if (dram != nullptr) dram->closeRows();
}

void MemorySystem::betweenGrids(const Workload& workload) {
  if (!verify_ && !copies_) return;
  for (const auto& slice : l2) slice->writes().clear();
  writes_.clear();
  const std::vector<DeviceBytes> ranges = workload.deviceMemory();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const bool holds = verify_ && ranges[i].data != nullptr;
    if (holds && i < known_) compare(ranges[i]);
    if (holds && i >= known_) store(ranges[i]);
    if (copies_ && i >= known_ && ranges[i].copied) warm(ranges[i]);
  }
  known_ = ranges.size();
}

void MemorySystem::warm(const DeviceBytes& range) {
  forEachLine(range, slices_.lineBytes(), [&](std::size_t at, unsigned) {
    sliceOf(range.address + at).warm(range.address + at);
  });
}

void MemorySystem::store(const DeviceBytes& range) {
  std::vector<std::uint8_t> bytes(range.data, range.data + range.bytes);
  forEachLine(range, slices_.lineBytes(), [&](std::size_t at, unsigned length) {
    DebugPayload payload(tlm::TLM_WRITE_COMMAND, range.address + at, bytes.data() + at, length);
    if (sliceOf(range.address + at).transport_dbg(payload) == length) return;
    SC_REPORT_FATAL("fermata/memory",
                    "verify needs a memory whose debug transport writes and reads");
  });
}

void MemorySystem::compare(const DeviceBytes& range) {
  std::vector<std::uint8_t> found(range.bytes);
  forEachLine(range, slices_.lineBytes(), [&](std::size_t at, unsigned length) {
    DebugPayload payload(tlm::TLM_READ_COMMAND, range.address + at, found.data() + at, length);
    sliceOf(range.address + at).transport_dbg(payload);
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
