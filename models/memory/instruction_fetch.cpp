#include <fermata/models/memory/instruction_fetch.h>

namespace fermata {

InstructionFetch::InstructionFetch(const sc_core::sc_module_name& name, const Clock& clock,
                                   std::uint32_t lineBytes, unsigned queue)
    : sc_module(name),
      lineBytes_(lineBytes),
      requester_("requester", clock, *this, lineBytes, queue) {}

void InstructionFetch::fetch(const InstructionLine& line, Cycle now) {
  const std::uint32_t bytes = lineBytes_ / line.parts;
  tlm::tlm_generic_payload& read =
      requester_.open(tlm::TLM_READ_COMMAND, line.address + line.part * bytes, bytes);
  LineRequest& request = LineRequester::of(read);
  request.line = line.address / lineBytes_;
  request.program = line.program;
  request.pc = line.pc;
  request.joins = line.parts != 1;
  requester_.send(read, now);
}

void InstructionFetch::answered(tlm::tlm_generic_payload& line, Cycle now) {
  client_->fetched(line.get_address(), now);
}

}  // namespace fermata
