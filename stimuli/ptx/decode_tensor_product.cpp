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

/// Refuses what the ISA has and the model has not.
void refuseOthers(const Decoding& d) {
  if (d.has("sp")) d.unsupported("sparse products of tcgen05 are not supported; expected none");
  if (d.has("ashift")) d.unsupported("a shift of a is not supported; expected none");
}

/// Takes the hint which factor the unit keeps: a, or one of four of b.
void takeCollector(Decoding& d, bool ofB) {
  for (const std::string_view buffer : {"a", "b0", "b1", "b2", "b3"}) {
    for (const std::string_view use : {"fill", "use", "lastuse", "discard"}) {
      if ((buffer != "a") == ofB && d.take(fmt::format("collector::{}::{}", buffer, use))) return;
    }
  }
}

/// Takes the operands behind the instruction descriptor; returns the next one's number.
std::size_t takeScales(Decoding& d, TensorOperands& fields) {
  if (fields.scaling != 0) {
    d.i.vector[0] = plainTensorAddress(d, 4);
    d.i.vector[1] = plainTensorAddress(d, 5);
    return 6;
  }
  if (d.operand(4).kind != Operand::Kind::Vector) return 4;
  const unsigned count = fields.pairs ? 8 : 4;
  const auto masks = fragment(d, d.operand(4), count);
  std::vector<Row>& rows = d.builder().code().matrixRows;
  fields.rows = static_cast<std::uint32_t>(rows.size());
  for (unsigned k = 0; k < count; ++k) rows.push_back(d.source(*masks[k], Type::B32));
  fields.disables = true;
  return 5;
}

}  // namespace

void decodeTensorProduct(Decoding& d) {
  refuseOthers(d);
  TensorOperands fields{};
  fields.keepsB = d.take("ws");
  fields.pairs = takeCtaGroup(d);
  if (fields.keepsB && fields.pairs) d.unsupported(".ws is of one CTA; expected .cta_group::1");
  const TensorKind kind = takeKind(d);
  fields.form = static_cast<std::uint8_t>(kind);
  fields.scaling = takeScaling(d, kind);
  if (fields.keepsB && kind > TensorKind::F8f6f4)
    d.unsupported(".ws has no scales of blocks; expected .kind::f16, tf32, i8 or f8f6f4");
  takeCollector(d, fields.keepsB);
  d.finishModifiers();
  d.expectOperands(5, 7);
  fields.aInTensor = d.operand(1).kind == Operand::Kind::Address;
  takeTensorAddress(d, 0);
  d.i.d = d.i.a;
  d.i.a = fields.aInTensor ? plainTensorAddress(d, 1) : d.source(1, Type::B64);
  d.i.b = d.source(2, Type::B64);
  d.i.c = d.source(3, Type::U32);
  const std::size_t next = takeScales(d, fields);
  const bool shifts = !fields.keepsB && kind <= TensorKind::Tf32 && d.operandCount() == next + 2;
  d.expectOperands(next + (shifts ? 2 : 1));
  d.i.p = d.predicate(d.operand(next));
  if (shifts)
    fields.shift =
        static_cast<std::uint8_t>(d.immediate(d.operand(next + 1), 15, "the scale of d"));
  d.i.tensor = fields;
  d.i.handler = &executeTensorProduct;
  emitTensorWork(d, fields.aInTensor ? kProductOfTensor : kProductOfShared);
}

}  // namespace fermata::ptx
