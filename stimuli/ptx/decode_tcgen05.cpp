// Decodes tcgen05, the tensor unit of sm_100: which decoder takes which operation.
#include <fermata/stimuli/ptx/bulk_copies.h>
#include <fermata/stimuli/ptx/tensor_decoding.h>

namespace fermata::ptx {
namespace {

struct Operation {
  std::string_view name;
  Decoder* decode;
};

// Order matters to the memory model, which has none here: one SM executes in order.
void decodeFenceOfThreads(Decoding& d) {
  d.finishModifiers();
  d.expectOperands(0);
  emitNothing(d);
}

constexpr Operation kOperations[] = {
    {"alloc", &decodeTensorAllocate},
    {"dealloc", &decodeTensorFree},
    {"relinquish_alloc_permit", &decodeTensorRelinquish},
    {"ld", &decodeTensorLoad},
    {"st", &decodeTensorStore},
    {"wait::ld", &decodeTensorWait},
    {"wait::st", &decodeTensorWait},
    {"cp", &decodeTensorCopyIn},
    {"shift", &decodeTensorShift},
    {"mma", &decodeTensorProduct},
    {"commit", &decodeTensorCommit},
    {"fence::before_thread_sync", &decodeFenceOfThreads},
    {"fence::after_thread_sync", &decodeFenceOfThreads},
};

/// The arrival follows the products and copies that the warp began before.
void executeCommit(Warp& warp, const Instruction& i, LaneMask mask) {
  executeProductArrival(warp, i, mask);
  if (!i.tensor.multicasts) return;
  PendingCopy& copy = warp.copies.pending.newest();
  const unsigned all = warp.machine->clusterCtas;
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t ctas = rowOf<std::uint32_t>(warp, i.vector[0])[lane] & 0xffffU;
    if (ctas == 0 || ctas >> all != 0)
      failAt(warp, i, lane,
             "arrivals at the CTAs of mask {:#x}; expected some of the {} of a cluster", ctas, all);
    copy.ctas[lane] = static_cast<std::uint16_t>(ctas);
  }
}

}  // namespace

void decodeTcgen05(Decoding& d) {
  for (const Operation& operation : kOperations) {
    if (d.take(operation.name)) return operation.decode(d);
  }
  d.unsupported();
}

bool takeCtaGroup(Decoding& d) {
  if (d.take("cta_group::2")) return true;
  if (!d.take("cta_group::1")) d.unsupported("expected .cta_group::1 or .cta_group::2");
  return false;
}

void takeTensorAddress(Decoding& d, std::size_t k) {
  d.address(d.addressOperand(k), MemorySpace::Shared);
  d.i.space = MemorySpace::None;
}

Row plainTensorAddress(Decoding& d, std::size_t k) {
  const Row kept = d.i.a;
  const std::int64_t offset = d.i.offset;
  takeTensorAddress(d, k);
  if (d.i.offset != 0) d.fail(d.operand(k).at, "expected an address without an offset");
  const Row row = d.i.a;
  d.i.a = kept;
  d.i.offset = offset;
  return row;
}

void emitTensorAccess(Decoding& d, unsigned columns) {
  d.tensorWork = static_cast<std::uint16_t>(columns);
  d.streams = true;
  d.emit(InstructionClass::Tensor);
}

void emitTensorWork(Decoding& d, std::uint16_t work) {
  d.tensorWork = work;
  d.i.space = MemorySpace::Shared;
  d.i.bytesPerLane = 16;
  d.i.copyStep = CopyStep::Bulk;
  d.streams = true;
  d.emit(InstructionClass::Memory);
}

// All tokens, since an earlier turn of a loop may have begun an access that stands behind the wait.
void decodeTensorWait(Decoding& d) {
  takeAligned(d);
  d.finishModifiers();
  d.expectOperands(0);
  for (const RegisterId token : d.builder().tensorTokens(d.statement().at)) d.reads(token);
  emitNothing(d);
}

void decodeTensorCommit(Decoding& d) {
  takeCtaGroup(d);
  if (!d.take("mbarrier::arrive::one")) d.unsupported("expected .mbarrier::arrive::one");
  const bool shared = d.take("shared::cluster");
  const bool multicasts = d.take("multicast::cluster");
  if (d.takeType() != Type::B64) d.unsupported("expected .b64");
  d.finishModifiers();
  d.expectOperands(multicasts ? 2 : 1);
  if (multicasts) d.i.vector[0] = d.source(1, Type::B16);
  d.address(d.addressOperand(0), MemorySpace::Shared);
  d.i.b = d.i.a;
  d.i.wideData = d.i.wideBase;
  const auto offset = static_cast<std::uint32_t>(d.i.offset);
  d.i.tensor = {};
  d.i.tensor.sharedOffset = shared ? offset : offset - static_cast<std::uint32_t>(kSharedWindow);
  d.i.tensor.multicasts = multicasts;
  d.i.handler = &executeCommit;
  d.i.copyStep = CopyStep::Complete;
  d.i.operation = MemoryOperation::Store;
  d.i.bytesPerLane = 8;
  d.tensorWork = kCopyToTensor;
  d.emit(InstructionClass::Memory);
}

}  // namespace fermata::ptx
