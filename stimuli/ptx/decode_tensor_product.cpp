// Decodes tcgen05.mma.
#include <fermata/stimuli/ptx/message.h>
#include <fermata/stimuli/ptx/tensor_decoding.h>
#include <fermata/stimuli/ptx/tensor_product.h>

namespace fermata::ptx {
namespace {

/// Takes the blocks of k that have a scale each; 0 without scales.
std::uint8_t takeScaling(Decoding& d, TensorKind kind) {
  const bool scales = d.take("block_scale");
  if (scales != isScaled(kind))
    d.unsupported("'.block_scale' is of the kinds mx..., which need it");
  if (!scales) return 0;
  const bool eight = kind == TensorKind::Mxf8f6f4;
  const std::string_view size =
      d.takeOneOf({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block32", "block16"});
  std::uint8_t blocks = eight ? 1 : 2;
  if (size == "scale_vec::1X") blocks = 1;
  if (size == "scale_vec::2X") blocks = 2;
  if (size == "scale_vec::4X" || size == "block16") blocks = 4;
  const bool fits =
      eight ? blocks == 1 : blocks == 2 || (blocks == 4 && kind == TensorKind::Mxf4nvf4);
  if (!fits || (size.empty() && kind == TensorKind::Mxf4nvf4))
    d.unsupported("expected scales of {}",
                  eight ? "32 elements (1X)" : "16 or 32 elements (4X, 2X)");
  return blocks;
}

TensorKind takeKind(Decoding& d) {
  for (std::size_t k = 0; k < std::size(kTensorKinds); ++k) {
    if (d.take(kTensorKinds[k])) return static_cast<TensorKind>(k);
  }
  d.unsupported("expected a kind such as .kind::f16");
}

/// Refuses a shift of the rows of a where the ISA has none.
void checkRowShift(const Decoding& d, const TensorOperands& fields) {
  if (fields.keepsB || fields.scaling != 0)
    d.unsupported("'.ashift' is of products without .ws and scales of blocks");
  if (!fields.aInTensor) d.unsupported("'.ashift' is of an a in tensor memory");
  if (d.has("collector::a::fill") || d.has("collector::a::use"))
    d.unsupported("'.ashift' has no .collector::a::fill or use");
}

/// Takes the hint which factor the unit keeps: a, or one of four of b.
void takeCollector(Decoding& d, bool ofB) {
  for (const std::string_view buffer : {"a", "b0", "b1", "b2", "b3"}) {
    for (const std::string_view use : {"fill", "use", "lastuse", "discard"}) {
      if ((buffer != "a") == ofB && d.take(fmt::format("collector::{}::{}", buffer, use))) return;
    }
  }
}

/// Takes the operands from k on, behind the instruction descriptor; returns the next one's number.
std::size_t takeScales(Decoding& d, std::size_t k, TensorOperands& fields) {
  if (fields.scaling != 0) {
    d.i.vector[0] = plainTensorAddress(d, k);
    d.i.vector[1] = plainTensorAddress(d, k + 1);
    return k + 2;
  }
  if (d.operand(k).kind != Operand::Kind::Vector) return k;
  const unsigned count = fields.pairs ? 8 : 4;
  const auto masks = fragment(d, d.operand(k), count);
  std::vector<Row>& rows = d.builder().code().matrixRows;
  fields.rows = static_cast<std::uint32_t>(rows.size());
  for (const Operand* const mask : masks) rows.push_back(d.source(*mask, Type::B32));
  fields.disables = true;
  return k + 1;
}

std::uint16_t workOf(const TensorOperands& fields) {
  if (fields.sparse) return fields.aInTensor ? kSparseOfTensor : kSparseOfShared;
  return fields.aInTensor ? kProductOfTensor : kProductOfShared;
}

}  // namespace

void decodeTensorProduct(Decoding& d) {
  TensorOperands fields{};
  fields.keepsB = d.take("ws");
  fields.sparse = d.take("sp");
  fields.pairs = takeCtaGroup(d);
  if (fields.keepsB && fields.pairs) d.unsupported(".ws is of one CTA; expected .cta_group::1");
  const TensorKind kind = takeKind(d);
  fields.form = static_cast<std::uint8_t>(kind);
  fields.scaling = takeScaling(d, kind);
  if (fields.keepsB && kind > TensorKind::F8f6f4)
    d.unsupported(".ws has no scales of blocks; expected .kind::f16, tf32, i8 or f8f6f4");
  const std::size_t more = fields.sparse ? 1 : 0;  // operands
  d.expectOperands(5 + more, 7 + more);
  fields.aInTensor = d.operand(1).kind == Operand::Kind::Address;
  fields.shiftsRows = d.take("ashift");
  if (fields.shiftsRows) checkRowShift(d, fields);
  takeCollector(d, fields.keepsB);
  d.finishModifiers();
  takeTensorAddress(d, 0);
  d.i.d = d.i.a;
  d.i.a = fields.aInTensor ? plainTensorAddress(d, 1) : d.source(1, Type::B64);
  d.i.b = d.source(2, Type::B64);
  if (fields.sparse) d.i.vector[2] = plainTensorAddress(d, 3);
  d.i.c = d.source(3 + more, Type::U32);
  const std::size_t next = takeScales(d, 4 + more, fields);
  const bool shifts = !fields.keepsB && kind <= TensorKind::Tf32 && d.operandCount() == next + 2;
  d.expectOperands(next + (shifts ? 2 : 1));
  d.i.p = d.predicate(d.operand(next));
  if (shifts)
    fields.shift =
        static_cast<std::uint8_t>(d.immediate(d.operand(next + 1), 15, "the scale of d"));
  d.i.tensor = fields;
  d.i.handler = &executeTensorProduct;
  emitTensorWork(d, workOf(fields));
}

}  // namespace fermata::ptx
