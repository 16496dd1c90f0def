#include <fermata/models/memory/line_pool.h>
#include <fermata/models/memory/line_requester.h>

#include <algorithm>

namespace fermata {

void LinePool::grow() {
  auto line = std::make_unique<Line>(this);
  line->data.resize(lineBytes_);
  line->enabled.resize(lineBytes_);
  line->payload.set_extension(new LineOrigin);  // the payload owns its extensions
  if (instructions_) line->payload.set_extension(new LineRequest);
  line->payload.set_data_ptr(line->data.data());
  line->payload.set_data_length(lineBytes_);
  line->payload.set_streaming_width(lineBytes_);
  line->payload.set_byte_enable_length(lineBytes_);
  line->payload.set_byte_enable_ptr(line->enabled.data());
  idle_.push_back(&line->payload);
  lines_.push_back(std::move(line));
}

tlm::tlm_generic_payload& LinePool::acquire(LineJoin& join, std::uint64_t address) {
  if (idle_.empty()) grow();
  tlm::tlm_generic_payload& line = *idle_.back();
  idle_.pop_back();
  line.acquire();
  LineOrigin& origin = *line.get_extension<LineOrigin>();
  origin.join = &join;
  origin.answered = false;
  if (instructions_) {
    LineRequest& request = *line.get_extension<LineRequest>();
    request.program = join.access->program;
    request.pc = join.access->instruction.pc;
  }
  line.set_address(address);
  line.set_dmi_allowed(false);
  line.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  const WarpInstruction& instruction = join.access->instruction;
  const bool load = instruction.operation == MemoryOperation::Load;
  line.set_command(load ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
  // A load enables every byte; a store only the bytes that fillStore() enables.
  static const unsigned char all = TLM_BYTE_ENABLED;
  static const unsigned char none = TLM_BYTE_DISABLED;
  line.set_byte_enable_ptr(const_cast<unsigned char*>(load ? &all : &none));
  line.set_byte_enable_length(1);
  if (!load && instruction.hasData) fillStore(line, instruction);
  return line;
}

void LinePool::fillStore(tlm::tlm_generic_payload& line, const WarpInstruction& instruction) const {
  Line& own = *std::find_if(lines_.begin(), lines_.end(), [&](const auto& l) {
                 return &l->payload == &line;
               })->get();
  std::fill(own.enabled.begin(), own.enabled.end(), std::uint8_t{TLM_BYTE_DISABLED});
  for (LaneMask m = instruction.active; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t offset = instruction.address[lane] - line.get_address();
    if (offset >= lineBytes_) continue;
    for (std::uint32_t b = 0; b < instruction.bytesPerLane; ++b) {
      own.data[offset + b] = instruction.data[lane][b];
      own.enabled[offset + b] = TLM_BYTE_ENABLED;
    }
  }
  line.set_byte_enable_ptr(own.enabled.data());
  line.set_byte_enable_length(lineBytes_);
}

}  // namespace fermata
