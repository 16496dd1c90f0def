// ldmatrix stmatrix.
#include <fermata/stimuli/ptx/decoding.h>
#include <fermata/stimuli/ptx/matrix_ops.h>

namespace fermata::ptx {
namespace {

void takeAligned(Decoding& d) {
  if (!d.take("sync") || !d.take("aligned")) d.unsupported("expected .sync.aligned");
}

/// A base in the shared space, or a generic address of it.
void sharedAddress(Decoding& d, const Operand& operand, bool named) {
  if (operand.kind != Operand::Kind::Address || operand.elements.size() != 1)
    d.fail(operand.at, "expected an address such as [%rd1+16]");
  d.address(operand, named ? MemorySpace::Shared : MemorySpace::Generic);
  if (d.i.space == MemorySpace::Generic) d.i.flags |= kGenericAddress;
  if (d.i.space != MemorySpace::Generic && d.i.space != MemorySpace::Shared)
    d.fail(operand.at, "expected an address in shared memory");
  d.i.space = MemorySpace::Shared;
}

void decodeMatrixMemory(Decoding& d) {
  const bool isLoad = d.mnemonic() == "ldmatrix";
  takeAligned(d);
  if (!d.take("m8n8")) d.unsupported("expected .m8n8");
  const std::string_view count = d.takeOneOf({"x1", "x2", "x4"});
  if (count.empty()) d.unsupported("expected .x1, .x2 or .x4");
  if (d.take("trans")) d.i.flags |= kTransposed;
  const bool named = !d.takeOneOf({"shared", "shared::cta"}).empty();
  if (d.takeType() != Type::B16) d.unsupported("expected .b16");
  d.finishModifiers();
  d.expectOperands(2);
  d.i.elements = static_cast<std::uint8_t>(count[1] - '0');
  d.i.bytesPerLane = 16;
  d.i.operation = isLoad ? MemoryOperation::Load : MemoryOperation::Store;
  d.i.handler = isLoad ? &executeLoadMatrix : &executeStoreMatrix;
  sharedAddress(d, d.operand(isLoad ? 1 : 0), named);
  const Operand& data = d.operand(isLoad ? 0 : 1);
  const bool bare = data.kind != Operand::Kind::Vector && d.i.elements == 1;
  if (!bare && (data.kind != Operand::Kind::Vector || data.elements.size() != d.i.elements))
    d.fail(data.at, "expected " + std::to_string(d.i.elements) + " registers in braces");
  for (unsigned e = 0; e < d.i.elements; ++e) {
    const Operand& element = bare ? data : data.elements[e];
    d.i.vector[e] = isLoad ? d.destination(element, Type::B32) : d.source(element, Type::B32);
  }
  d.emit(InstructionClass::Memory);
}

}  // namespace

FamilyDecoder matrixDecoder(std::string_view mnemonic) {
  return mnemonic == "ldmatrix" || mnemonic == "stmatrix" ? &decodeMatrixMemory : nullptr;
}

}  // namespace fermata::ptx
