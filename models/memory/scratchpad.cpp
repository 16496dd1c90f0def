#include <fermata/models/memory/scratchpad.h>

namespace fermata {

namespace {

std::uint32_t byteAddress(const WarpAccess& access, unsigned lane, unsigned byte) {
  return access.windowBase + static_cast<std::uint32_t>(access.instruction.address[lane]) + byte;
}

ArrivalOrder::Access placeOf(const WarpAccess& access) {
  return {access.sequence + 1, access.slot};
}

}  // namespace

Scratchpad::Scratchpad(const sc_core::sc_module_name& name, const Clock& clock,
                       const Parameters& parameters)
    : WarpTarget(name), parameters_(parameters), latency_(clock.time(parameters.latency)) {
  if (parameters.verify)
    storage_.resize(std::size_t{parameters.shape.banks} * parameters.rows *
                    parameters.shape.bankBytes);
}

void Scratchpad::judgeLater() {
  if (parameters_.verify) order_.emplace(parameters_.shape.bytes);
}

void Scratchpad::judge() {
  if (!order_) return;
  if (const auto wrong = order_->unexplained())
    SC_REPORT_ERROR("fermata/scratchpad", wrong->c_str());
}

void Scratchpad::serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (parameters_.verify) carryOut(warpAccess(payload));
  delay += latency_;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned Scratchpad::transport_dbg(tlm::tlm_generic_payload& payload) {
  const bool carries = payload.get_command() != tlm::TLM_IGNORE_COMMAND;
  if (parameters_.verify && carries) {
    forget(warpAccess(payload));
    carryOut(warpAccess(payload));
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return payload.get_data_length();
}

// Carries out the lanes of this try. They act in rising order, so the highest lane wins a byte that
// several lanes store to. An earlier try may have served a higher lane, of another lane group: that
// lane wins, too (servedAbove).
void Scratchpad::carryOut(WarpAccess& access) {
  const WarpInstruction& instruction = access.instruction;
  if (!instruction.hasData) return;
  for (LaneMask m = access.asked; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    switch (instruction.operation) {
      case MemoryOperation::Load:
        compare(access, lane, instruction.data);
        break;
      case MemoryOperation::Store:
        store(access, lane, instruction.data);
        break;
      case MemoryOperation::Atomic:
        compare(access, lane, instruction.before);
        store(access, lane, instruction.data);
        break;
    }
  }
}

// Forgets the order of the bytes of a window that is cleared.
void Scratchpad::forget(const WarpAccess& access) {
  if (!order_) return;
  for (LaneMask m = access.asked; m != 0; m &= m - 1) {
    for (unsigned b = 0; b < access.instruction.bytesPerLane; ++b) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (const auto wrong = order_->forget(byteAddress(access, lane, b)))
        SC_REPORT_ERROR("fermata/scratchpad", wrong->c_str());
    }
  }
}

std::size_t Scratchpad::cell(const WarpAccess& access, unsigned lane, unsigned byte) const {
  const BytePlace place = bytePlace(access, lane, byte, parameters_.shape.bankBytes);
  const std::size_t word =
      std::size_t{access.bank[place.word][lane]} * parameters_.rows + access.row[place.word][lane];
  return word * parameters_.shape.bankBytes + place.byte;
}

std::uint8_t Scratchpad::stored(const WarpAccess& access, unsigned lane, unsigned byte) const {
  return storage_.at(cell(access, lane, byte));
}

LaneMask Scratchpad::servedAbove(const WarpAccess& access, unsigned lane) {
  if (access.tries <= 1) return 0;
  const LaneMask upToLane = (LaneMask{2} << lane) - 1;
  return access.instruction.active & ~access.unserved & ~upToLane;
}

bool Scratchpad::isStoredBy(LaneMask lanes, const WarpAccess& access, unsigned lane,
                            unsigned byte) {
  const WarpInstruction& instruction = access.instruction;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const std::uint64_t first = instruction.address[static_cast<unsigned>(__builtin_ctz(m))];
    if (instruction.address[lane] + byte - first < instruction.bytesPerLane) return true;
  }
  return false;
}

void Scratchpad::store(const WarpAccess& access, unsigned lane,
                       const WarpInstruction::LaneData& data) {
  const LaneMask above = servedAbove(access, lane);
  for (unsigned b = 0; b < access.instruction.bytesPerLane; ++b) {
    if (above != 0 && isStoredBy(above, access, lane, b)) continue;
    if (order_ && !order_->write(byteAddress(access, lane, b), placeOf(access), data[lane][b]))
      continue;
    storage_.at(cell(access, lane, b)) = data[lane][b];
  }
}

void Scratchpad::compare(const WarpAccess& access, unsigned lane,
                         const WarpInstruction::LaneData& expected) {
  ++compared_;
  for (unsigned b = 0; b < access.instruction.bytesPerLane; ++b) {
    const std::uint8_t found = stored(access, lane, b);
    if (found == expected[lane][b]) continue;
    if (order_) {
      const std::uint32_t at = byteAddress(access, lane, b);
      if (order_->isOvertaken(at, placeOf(access))) continue;
      order_->doubt(
          at, placeOf(access), expected[lane][b],
          mismatchText(access, lane, b, parameters_.shape.bankBytes, found, expected[lane][b]));
      continue;
    }
    reportMismatch(access, lane, b, parameters_.shape.bankBytes, found, expected[lane][b]);
    return;
  }
}

}  // namespace fermata
