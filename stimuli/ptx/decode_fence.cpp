// Decodes membar fence, and advice to caches, which take none here: prefetch discard applypriority
// createpolicy.
#include <fermata/stimuli/ptx/decoders.h>

namespace fermata::ptx {
namespace {

/// Takes a proxy and ignores it: one SM, whose accesses act in the order of their execution, needs
/// no proxy fence.
void takeProxy(Decoding& d) {
  if (d.take("alias")) return;
  if (d.take("tensormap::generic")) {
    if (d.takeOneOf({"cta", "cluster", "gpu", "sys"}).empty())
      d.unsupported("expected a scope such as .gpu");
    return;
  }
  if (!d.take("async")) d.unsupported("expected .alias or .async");
  d.takeOneOf({"global", "shared::cta", "shared::cluster"});
}

}  // namespace

void decodePrefetch(Decoding& d) {
  takeQualifiers(d);
  takeSpace(d);
  d.take("tensormap");
  for (const std::string_view level : {"L1", "L2", "L2::evict_last", "L2::evict_normal"})
    d.take(level);
  d.finishModifiers();
  d.expectOperands(1);
  d.addressOperand(0);
  emitNothing(d);
}

/// Decodes discard and applypriority, which advise about a cache line.
void decodeAdvice(Decoding& d) {
  d.take("global");
  const bool priority = d.mnemonic() == "applypriority";
  if (!d.take(priority ? "L2::evict_normal" : "L2")) d.unsupported();
  d.finishModifiers();
  d.expectOperands(2);
  d.addressOperand(0);
  if (d.immediate(d.operand(1), 128, "the size") != 128)
    d.fail(d.operand(1).at, "expected a size of 128");
  emitNothing(d);
}

void decodeFence(Decoding& d) {
  const bool ofMap = d.has("tensormap::generic") && d.has("acquire");  // [map], its size
  if (d.take("proxy")) {
    takeProxy(d);
  } else {
    d.take("mbarrier_init");
    d.takeOneOf({"sync_restrict::shared::cta", "sync_restrict::shared::cluster"});
    if (d.takeOneOf({"cta", "gl", "sys", "gpu", "cluster"}).empty())
      d.unsupported("expected a scope such as .cta");
  }
  d.takeOneOf({"sc", "acq_rel", "acquire", "release"});
  d.finishModifiers();
  d.expectOperands(ofMap ? 2 : 0);
  d.i.fence = true;
  d.i.handler = &executeFence;
  d.emit(InstructionClass::Integer);
}

void decodePolicy(Decoding& d) {
  const bool ofRange = d.take("range");
  if (!ofRange && !d.take("fractional")) d.unsupported("expected .fractional or .range");
  if (ofRange) d.take("global");
  unsigned priorities = 0;
  while (
      !d.takeOneOf({"L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"})
           .empty())
    ++priorities;
  if (priorities < 1 || priorities > 2 || d.takeType() != Type::B64) d.unsupported();
  d.finishModifiers();
  if (ofRange) {
    d.expectOperands(4);
    d.address(d.operand(1), MemorySpace::Global);
    d.source(2, Type::U32);
    d.source(3, Type::U32);
    d.i = {};
  } else {
    d.expectOperands(1, 2);
    if (d.operandCount() == 2) d.source(1, Type::F32);
  }
  d.i.handler = regularHandler("mov", Type::U64);
  d.i.a = d.builder().constant(std::uint64_t{0}, true);
  d.i.d = d.destination(0, Type::B64);
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx
