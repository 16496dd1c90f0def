// An SM with caches and a vendor's memory, composed by hand. The host writes the kernel's buffers
// into that memory by debug transport, and compares them when the kernel has ended.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <iostream>
#include <unordered_map>

#include <fermata/models/core/sm_core.h>
#include <fermata/models/memory/address_generation_unit.h>
#include <fermata/models/memory/crossbar.h>
#include <fermata/models/memory/interconnect.h>
#include <fermata/models/memory/l1_cache.h>
#include <fermata/models/memory/l2_cache.h>
#include <fermata/models/memory/scratchpad.h>
#include <fermata/models/probe/caches.h>
#include <fermata/stimuli/launch/catalog.h>

using namespace fermata;

/// A memory as somebody else wrote it: loosely timed, plain TLM-2.0.
class VendorMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<VendorMemory> socket{"socket"};
  std::uint64_t requests = 0;

  explicit VendorMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &VendorMemory::transport);
    socket.register_transport_dbg(this, &VendorMemory::access);
  }

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    ++requests;
    access(payload);
    delay += sc_core::sc_time(200, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned access(tlm::tlm_generic_payload& payload) {
    const std::uint8_t* enable = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (enable != nullptr && enable[i % payload.get_byte_enable_length()] == 0) continue;
      std::uint8_t& kept = bytes_[payload.get_address() + i];
      std::uint8_t& data = payload.get_data_ptr()[i];
      (payload.is_write() ? kept : data) = payload.is_write() ? data : kept;
    }
    return payload.get_data_length();
  }

  std::unordered_map<std::uint64_t, std::uint8_t> bytes_;
};

/// The host: reaches device memory through the interconnect and the L2, without time.
class Host : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Host> socket{"socket"};

  explicit Host(const sc_core::sc_module_name& name) : sc_module(name) {}

  /// Writes buffers that are new, and compares the others with what the executor left in them.
  void visit(const Workload& workload) {
    const std::vector<DeviceBytes> buffers = workload.deviceMemory();
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const DeviceBytes& buffer = buffers[i];
      std::vector<std::uint8_t> bytes(buffer.data, buffer.data + buffer.bytes);
      move(i < known_ ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, buffer.address, bytes);
      if (!std::equal(bytes.begin(), bytes.end(), buffer.data))
        SC_REPORT_ERROR("host", "device memory differs from the executor's");
    }
    known_ = buffers.size();
  }

 private:
  void move(tlm::tlm_command command, std::uint64_t address, std::vector<std::uint8_t>& bytes) {
    constexpr std::size_t kPiece = 128;  // within one line of the L2
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
      const auto length = static_cast<unsigned>(std::min(kPiece, bytes.size() - at));
      tlm::tlm_generic_payload payload;
      payload.set_command(command);
      payload.set_address(address + at);
      payload.set_data_ptr(&bytes[at]);
      payload.set_data_length(length);
      payload.set_streaming_width(length);
      if (socket->transport_dbg(payload) != length) SC_REPORT_ERROR("host", "no debug transport");
    }
  }

  std::size_t known_ = 0;
};

int sc_main(int, char**) {
  const auto kernel = launch::openLaunch("matmul", {{"n", "64"}});
  const std::shared_ptr<const indexing::Indexer> indexer = indexing::build("ami 33", {33, 12288});

  // verify: the bytes travel, and each load is compared with what the executor saw.
  SmCore::Parameters core;
  core.verify = true;
  Crossbar::Parameters crossbarParameters;
  crossbarParameters.banks = indexer->shape().banks;
  Scratchpad::Parameters scratchpadParameters;
  scratchpadParameters.shape.banks = indexer->shape().banks;
  scratchpadParameters.rows = indexer->rows();
  scratchpadParameters.verify = true;
  L1Cache::Parameters l1Parameters;
  l1Parameters.shape = {16384, 128, 4};
  l1Parameters.verify = true;
  L2Cache::Parameters l2Parameters;
  l2Parameters.shape = {786432, 128, 8};
  l2Parameters.verify = true;

  CacheCounters caches;
  ClockDomain domain("domain", Clock::fromMegahertz(700));
  SmCore sm("sm", domain, core, &caches);
  AddressGenerationUnit agu("agu", domain.clock(), {}, indexer);
  Crossbar crossbar("crossbar", domain.clock(), crossbarParameters, &caches);
  Scratchpad scratchpad("scratchpad", domain.clock(), scratchpadParameters);
  L1Cache l1("l1", domain.clock(), l1Parameters, SetIndex(l1Parameters.shape, ""),
             indexing::build("mod 32", {32, l1Parameters.shape.bytes / 4}), &caches);
  Interconnect interconnect("interconnect", domain.clock(), {}, 2);
  L2Cache l2("l2", domain.clock(), l2Parameters, SetIndex(l2Parameters.shape, ""), &caches);
  VendorMemory memory("memory");
  Host host("host");

  sm.port.shared.bind(agu.in);
  agu.out.bind(crossbar.in);
  crossbar.out.bind(scratchpad.in);
  sm.port.global.bind(l1.in);
  l1.out.bind(interconnect.in(0));
  host.socket.bind(interconnect.in(1));
  interconnect.out().bind(l2.in);
  l2.out.bind(memory.socket);

  // Nothing is under way between grids: the L1 begins anew, and the host may look.
  sm.betweenGrids([&](const Workload& workload) {
    l1.invalidate();
    host.visit(workload);
  });
  sm.start(*kernel);
  sc_core::sc_start();
  domain.rethrow();
  if (!sm.finished()) {
    std::cerr << "deadlock: " << sm.describeWait() << '\n';
    return 1;
  }
  kernel->checkResults();
  std::cout << sm.cycles() << " cycles, " << caches.counts().totals().of(CacheEvent::L2Hit)
            << " hits in the L2, " << memory.requests << " requests to memory, "
            << l1.compared() + scratchpad.compared() << " lanes verified\n";
  return 0;
}
