// Target that the suite puts below a stage or behind an initiator. It answers in any way that the
// protocol allows.
#pragma once

#include <fermata/models/conformance/ledger.h>
#include <fermata/models/timing/has_process.h>
#include <fermata/models/transaction/warp_order.h>
#include <fermata/models/transaction/warp_protocol.h>

#include <deque>
#include <map>
#include <set>

namespace fermata::conformance {

/// Answers depend on the request alone, not on its time, so that two runs can be compared. `Types`:
/// WarpProtocol, or tlm::tlm_base_protocol_types.
template <class Types>
class Answerer : public sc_core::sc_module, public tlm::tlm_fw_transport_if<Types> {
 public:
  FERMATA_HAS_PROCESS(Answerer);
  tlm::tlm_target_socket<32, Types> in;

  /// `options` must outlive the answerer.
  Answerer(const sc_core::sc_module_name& name, const Options& options, Way way, Log& log,
           Ledger* ledger = nullptr);

  /// Starts a new stream: accesses are its elements from 0 on.
  void restart() { order_ = {}; }
  /// Number of tries that have not been answered, or whose response has not been ended.
  std::size_t open() const { return open_.size(); }

 private:
  using Payload = tlm::tlm_generic_payload;
  struct Answer {
    Payload* payload;
    tlm::tlm_phase phase;
  };

  static constexpr bool warps();
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
  void b_transport(Payload&, sc_core::sc_time&) override;
  unsigned transport_dbg(Payload&) override { return 0; }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }

  tlm::tlm_sync_enum answer(Payload&, Way, tlm::tlm_phase&, sc_core::sc_time& delay);
  tlm::tlm_sync_enum complete(Payload&, sc_core::sc_time& delay);
  tlm::tlm_sync_enum returnResponse(Payload&, tlm::tlm_phase&, sc_core::sc_time& delay);
  tlm::tlm_sync_enum respondNested(Payload&, Way, sc_core::sc_time& delay);
  tlm::tlm_sync_enum endRequest(Payload&, Way, tlm::tlm_phase&, sc_core::sc_time& delay);
  tlm::tlm_sync_enum tell(Payload&, Way, tlm::tlm_phase&, sc_core::sc_time& delay);
  Way wayOf() const;
  void serve(Payload&);
  LaneMask leave(WarpAccess&);
  void endResponse(Payload&);
  void plan(Payload&, const tlm::tlm_phase&, const sc_core::sc_time& delay);
  void act();
  void send(Answer answer);
  bool respond(Payload&, sc_core::sc_time delay);
  void arm();
  sc_core::sc_time latency() const;
  sc_core::sc_time known() const;
  sc_core::sc_time cycles(std::uint64_t quarters) const;

  const Options& options_;
  Way way_;
  Log& log_;
  Ledger* ledger_;
  WarpOrder order_;
  std::uint64_t dice_ = 0;  ///< random number for the request that is being answered
  std::set<Payload*> open_;
  std::multimap<sc_core::sc_time, Answer> answers_;
  sc_core::sc_event due_;
  Payload* responding_ = nullptr;  ///< its response has not been ended
  std::deque<Payload*> waiting_;
};

extern template class Answerer<WarpProtocol>;
extern template class Answerer<tlm::tlm_base_protocol_types>;

}  // namespace fermata::conformance
