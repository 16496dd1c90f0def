// Decodes copies of blocks and their reductions (cp.async.bulk, cp.reduce.async.bulk), and begins
// their pieces.
#include <fermata/stimuli/ptx/bulk_copies.h>
#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/memory_access.h>

namespace fermata::ptx {
namespace {

void executeBlock(Warp& warp, const Instruction& i, LaneMask mask) {
  const unsigned lane = firstLane(mask);
  const std::uint32_t size = rowOf<std::uint32_t>(warp, i.c)[lane];
  if (size % TensorBox::kChunk != 0)
    failAt(warp, i, lane, "a block of {} bytes; expected a multiple of 16", size);
  const auto shared =
      static_cast<std::uint32_t>(laneValue(warp, i.b, i.wideData, lane) + i.bulk.sharedOffset);
  const std::uint64_t width = i.space == MemorySpace::Shared && i.copyStep == CopyStep::Bulk
                                  ? 0xffffffffU
                                  : ~std::uint64_t{0};
  const std::uint64_t other =
      (laneValue(warp, i.a, i.wideBase, lane) + static_cast<std::uint64_t>(i.offset)) & width;
  if (other % TensorBox::kChunk != 0)
    failAtAddress(warp, i, lane, FaultKind::Misaligned, other,
                  "a block at address {:#x}; expected a multiple of 16", other);
  BulkShape shape;
  shape.chunks = size / TensorBox::kChunk;
  shape.ctas = ctasOf(warp, i, lane);
  if (i.bulk.reduction != 0) {
    shape.combine = combinationOf(warp, i, lane, i.bulk.type);
    shape.elementBytes = static_cast<std::uint8_t>(bytesOf(i.bulk.type));
  }
  executePiece(warp, i, mask, shape, [&](std::uint32_t k) {
    return BulkChunk{{other + std::uint64_t{k} * TensorBox::kChunk, 0, TensorBox::kChunk},
                     shared + k * TensorBox::kChunk};
  });
}

}  // namespace

void takeSharedEnd(Decoding& d, std::size_t k) {
  d.address(d.addressOperand(k), MemorySpace::Shared);
  d.i.b = d.i.a;
  d.i.bulk.sharedOffset = static_cast<std::uint32_t>(d.i.offset);
  d.i.wideData = d.i.wideBase;
}

void takeCtas(Decoding& d, std::size_t k, bool multicasts) {
  if (!multicasts) return;
  d.i.vector[0] = d.source(k, Type::B16);
  d.i.bulk.multicasts = true;
}

AtomicOp takeReduction(Decoding& d) {
  const auto op = d.takeEnum<AtomicOp>({"add", "min", "max", "inc", "dec"});
  if (op) return *op;
  const auto logic = d.takeEnum<AtomicOp>({"and", "or", "xor"}, AtomicOp::And);
  if (!logic) d.unsupported("expected an operation such as .add");
  return *logic;
}

void emitBulk(Decoding& d, std::size_t barrier, bool pairs) {
  d.i.bytesPerLane = WarpInstruction::kMaxBytesPerLane;
  const bool ofGroup = d.i.copyStep == CopyStep::BulkOut;
  d.emit(InstructionClass::Memory);
  if (ofGroup) return;
  d.i.handler = pairs ? &executePairCompletion : &executeCompletion;
  emitArrival(d, barrier, CopyStep::Complete);
}

namespace {

bool takePolicyHint(Decoding& d) {
  return d.take("L2::cache_hint");
}

/// Decodes [shared], [source], bytes, [mbarrier]{, CTAs} or [global], [shared], bytes. `space`:
/// of the source.
void decodeBlock(Decoding& d, MemorySpace space, bool in) {
  const bool multicasts = in && space == MemorySpace::Global && d.take("multicast::cluster");
  const std::size_t operands = (in ? 4 : 3) + (multicasts ? 1 : 0);
  const bool reduces = d.i.bulk.reduction != 0;
  const std::size_t policies = !(in && reduces) && takePolicyHint(d) ? 1 : 0;
  d.finishModifiers();
  d.expectOperands(operands + policies);
  const std::uint8_t reduction = d.i.bulk.reduction;
  const Type type = d.i.bulk.type;
  takeSharedEnd(d, in ? 0 : 1);
  d.address(d.addressOperand(in ? 1 : 0), in ? space : MemorySpace::Global);
  takeCtas(d, 4, multicasts);
  d.i.bulk.reduction = reduction;
  d.i.bulk.type = type;
  d.i.c = d.source(2, Type::U32);
  if (policies != 0) d.source(operands, Type::B64);
  d.i.space = space;
  d.i.copyStep = in ? CopyStep::Bulk : CopyStep::BulkOut;
  d.i.handler = &executeBlock;
  emitBulk(d, 3);
}

/// True if shared memory combines elements of the type (PTX ISA, cp.reduce.async.bulk).
bool combinesAcross(AtomicOp op, Type type) {
  if (op >= AtomicOp::And) return bytesOf(type) == 4;
  if (op == AtomicOp::Add && type == Type::U64) return true;
  return type == Type::U32 || type == Type::S32;
}

void decodePrefetchBlock(Decoding& d) {
  if (!d.take("L2") || !d.take("global")) d.unsupported("expected .L2.global");
  const std::size_t policies = takePolicyHint(d) ? 1 : 0;
  d.finishModifiers();
  d.expectOperands(2 + policies);
  d.addressOperand(0);
  d.source(1, Type::U32);
  emitNothing(d);
}

}  // namespace

void decodeBulkCopy(Decoding& d) {
  const bool prefetches = d.take("prefetch");
  if (d.take("tensor")) return prefetches ? decodeTensorPrefetch(d) : decodeTensorCopy(d);
  if (prefetches) return decodePrefetchBlock(d);
  const bool out = d.take("bulk_group");
  if (out) {
    if (!d.take("global") || !d.take("shared::cta")) d.unsupported();
    return decodeBlock(d, MemorySpace::Shared, false);
  }
  const bool fromShared = !d.has("global");
  const bool toShared = d.take("shared::cluster") || (!fromShared && d.take("shared::cta"));
  if (!toShared || !d.take(fromShared ? "shared::cta" : "global") ||
      !d.take("mbarrier::complete_tx::bytes") || (fromShared && d.has("multicast::cluster")))
    d.unsupported();
  decodeBlock(d, fromShared ? MemorySpace::Shared : MemorySpace::Global, true);
}

void decodeBulkReduction(Decoding& d) {
  if (d.take("tensor")) return decodeTensorReduction(d);
  const bool across = d.take("shared::cluster");
  if ((!across && !d.take("global")) || !d.take("shared::cta") ||
      !d.take(across ? "mbarrier::complete_tx::bytes" : "bulk_group"))
    d.unsupported(
        "expected .global.shared::cta.bulk_group or "
        ".shared::cluster.shared::cta.mbarrier::complete_tx::bytes");
  const AtomicOp op = takeReduction(d);
  if (!across) d.take("noftz");
  const Type type = d.takeType();
  if (combination(op, type) == nullptr || (across && !combinesAcross(op, type))) d.unsupported();
  d.i.bulk.reduction = static_cast<std::uint8_t>(static_cast<unsigned>(op) + 1);
  d.i.bulk.type = type;
  decodeBlock(d, MemorySpace::Shared, across);
}

}  // namespace fermata::ptx
