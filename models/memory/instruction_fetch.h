// Fetches lines of instructions for the core of an SM, as reads of the TLM-2.0 base protocol.
#pragma once

#include <fermata/models/memory/line_requester.h>
#include <fermata/models/transaction/instruction_memory.h>

namespace fermata {

class InstructionFetch : public sc_core::sc_module,
                         public InstructionMemory,
                         private LineRequester::Client {
 public:
  /// `lineBytes`: bytes of a read. `queue`: reads that may wait for `out()`, 1 or more.
  InstructionFetch(const sc_core::sc_module_name& name, const Clock& clock, std::uint32_t lineBytes,
                   unsigned queue);

  LineInitiatorSocket& out() { return requester_.out; }
  /// True if every read has been answered.
  bool quiet() const { return requester_.open() == 0; }

  void setClient(InstructionMemory::Client& client) override { client_ = &client; }
  void fetch(const InstructionLine& line, Cycle now) override;

 private:
  void answered(tlm::tlm_generic_payload& line, Cycle now) override;
  void roomFreed(Cycle) override {}

  std::uint32_t lineBytes_;
  InstructionMemory::Client* client_ = nullptr;
  LineRequester requester_;
};

}  // namespace fermata
