// st.async: a store to another CTA of the cluster, whose bytes an mbarrier there counts. red.async:
// the same with an operation. A store is a copy from registers, and its count follows the warp's
// earlier copies; an operation acts at once.
#include <algorithm>
#include <cstring>

#include <fermata/stimuli/ptx/clusters.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>

namespace fermata::ptx {
namespace {

void executeAsyncStore(Warp& warp, const Instruction& i, LaneMask mask) {
  WarpInstruction& out = *warp.machine->out;
  laneAddresses(warp, i, mask, out);
  PendingCopy& copy = beginCopy(warp, i, mask, out);
  copy.group = PendingCopy::kNoGroup;
  for (const unsigned lane : lanesIn(mask)) {
    laneWindow(warp, i, lane, out);
    copy.to[lane] = out.address[lane];
    storeElements(warp, i, lane, copy.data[lane].data());
  }
  out.active = 0;  // reads no memory
}

/// Counts the bytes of the store before.
void executeBytes(Warp& warp, const Instruction& i, LaneMask mask) {
  executeCopyArrival(warp, i, mask);
  PendingCopy& copy = warp.copies.pending.newest();
  copy.what = PendingCopy::What::Bytes;
  copy.group = PendingCopy::kNoGroup;
  copy.bytes.fill(i.registerBytes);
}

/// Decodes [address], data, [mbarrier].
void decodeStoreOfRegisters(Decoding& d) {
  d.take("weak");
  d.take("shared::cluster");
  const unsigned elements = takeElements(d);
  const Type type = d.takeType();
  d.finishModifiers();
  const unsigned bytes = bytesOf(type) * elements;
  if (bytesOf(type) < 4 || isHalf(type) || bytes > WarpInstruction::kMaxBytesPerLane)
    d.unsupported("expected elements of 32 or 64 bits, 16 bytes at most");
  d.expectOperands(3);
  const auto data = Decoding::elementsOf(d.operand(1));
  if (data.size() != elements)
    d.fail(d.operand(1).at, "a vector of {} elements; expected {}", data.size(), elements);
  d.address(d.addressOperand(0), MemorySpace::Shared);
  for (unsigned e = 0; e < elements; ++e) d.i.vector[e] = d.source(*data[e], type);
  d.i.elements = static_cast<std::uint8_t>(elements);
  d.i.wideData = bytesOf(type) == 8;
  d.i.bytesPerLane = static_cast<std::uint8_t>(bytes);
  d.i.operation = MemoryOperation::Store;
  d.i.copyStep = CopyStep::Begin;
  d.i.handler = &executeAsyncStore;
  d.emit(InstructionClass::Memory);
  d.i.registerBytes = static_cast<std::uint8_t>(bytes);
  d.i.handler = &executeBytes;
  emitArrival(d, 2, CopyStep::Arrive);
}

}  // namespace

void decodeAsyncStore(Decoding& d) {
  d.take("async");
  if (!d.take("mbarrier::complete_tx::bytes") || !d.has("shared::cluster"))
    d.unsupported("expected .shared::cluster.mbarrier::complete_tx::bytes");
  if (d.mnemonic() == "st") return decodeStoreOfRegisters(d);
  emitBytes(d, 2, decodeReductionAnd(d, 1));
}

}  // namespace fermata::ptx
