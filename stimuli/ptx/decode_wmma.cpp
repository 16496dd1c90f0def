// Decodes wmma.load wmma.store wmma.mma.
//
// A wmma product is one or two products of mma, m16 or m8 by n8, and has their fragments. Each
// product has half of the columns of m16n16, or half of the rows of m32n8; m8n32 is computed as its
// transpose, m32n8. Registers of f16 that an mma does not need hold copies.
//
// A load becomes what a compiler emits: the addresses of the lanes, and plain loads of elements
// that lie together (two of f16, four of 8 bits, two sums). Where the layout parts the elements,
// each is loaded alone, and then they are packed.
#include <array>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/matrix_decoding.h>
#include <fermata/stimuli/ptx/wmma_fragments.h>

namespace fermata::ptx {
namespace {

struct Access {
  Fragment fragment;
  bool together = false;  ///< the elements of a register lie together
  MemorySpace space = MemorySpace::Generic;
  bool isLoad = true;
  std::vector<const Operand*> registers;
};

const WmmaShape& takeShape(Decoding& d) {
  const WmmaShape* found = nullptr;
  for (const WmmaShape& each : wmmaShapes()) {
    if (found == nullptr && d.take(each.name)) found = &each;
  }
  if (found == nullptr) d.unsupported();
  return *found;
}

/// Takes "row" (returns true) or "col".
bool takeLayout(Decoding& d) {
  const bool row = d.take("row");
  if (!row && !d.take("col")) d.unsupported("expected .row or .col");
  return row;
}

Access takeAccess(Decoding& d) {
  Access access;
  access.isLoad = d.take("load");
  if (!access.isLoad) d.take("store");
  const std::string_view role = d.takeOneOf({"a", "b", "c", "d"});
  if (role.empty() || (role == "d") == access.isLoad) d.unsupported();
  takeAligned(d);
  const bool row = takeLayout(d);
  const WmmaShape& shape = takeShape(d);
  const std::string_view space = d.takeOneOf({"global", "shared", "shared::cta"});
  access.space = space.empty()       ? MemorySpace::Generic
                 : space == "global" ? MemorySpace::Global
                                     : MemorySpace::Shared;
  const std::string_view opcode = d.statement().opcode;
  const std::string_view type = opcode.substr(opcode.rfind('.') + 1);
  d.take(type);
  d.finishModifiers();
  const auto fragment = fragmentOf(shape, role, type);
  if (!fragment) d.unsupported();
  access.fragment = *fragment;
  access.together = row == (access.fragment.rows == Fragment::Rows::Lanes);
  if (access.fragment.elementBits < 8 && !access.together)
    d.unsupported("a is .row and b is .col where elements are less than a byte");
  return access;
}

/// Emits the lanes' addresses of element {place.x, 0} or, if elements lie apart, of element
/// {place.x, place.y}, and returns their register.
RegisterPlace addresses(Decoding& d, const Access& access, const Fragment::Place& place,
                        std::size_t operand) {
  d.address(d.addressOperand(operand), access.space);
  const bool wide = d.i.wideBase;
  const RegisterPlace to = d.builder().temporary(wide, d.statement().at);
  d.i.handler = &executeTileAddress;
  d.i.space = MemorySpace::None;
  d.i.offset = 0;
  d.i.d = to.row;
  d.i.wideData = wide;
  d.writes(to.id);
  d.i.tile.lanesAcross = !access.together;
  d.i.elements = static_cast<std::uint8_t>(access.fragment.step);
  d.i.tile.elementBits = static_cast<std::uint8_t>(access.fragment.elementBits);
  d.i.tile.at = access.together ? place.x : place.y;
  const std::size_t stride = operand + (access.isLoad ? 1 : 2);
  d.i.b = d.operandCount() > stride
              ? d.source(stride, Type::B32)
              : d.builder().constant(access.fragment.extent(access.together), false);
  d.emit(InstructionClass::Integer);
  return to;
}

/// Base addresses by the coordinate that the stride counts; other elements are at offsets from
/// them. The constructor emits all of them before any load, since a load may overwrite the register
/// of the base.
class Addresses {
 public:
  Addresses(Decoding& d, const Access& access) : d_(d), access_(access) {
    const unsigned apart = access.together ? 1 : access.fragment.perRegister();
    for (const Fragment::Place& place : access.fragment.places) {
      for (unsigned e = 0; e < apart; ++e) {
        std::optional<RegisterPlace>& base = baseOf({place.x, place.y + e});
        if (!base) base = addresses(d, access, {place.x, place.y + e}, operand());
      }
    }
  }
  /// Sets the address fields for an access to the element.
  void use(const Fragment::Place& place) {
    const RegisterPlace& base = *baseOf(place);
    const Operand& at = d_.operand(operand());
    d_.address(at, access_.space);
    d_.i.a = base.row;
    d_.i.wideBase = d_.builder().code().slots[base.id].words == 2;
    d_.reads(base.id);
    const std::uint32_t along = access_.together ? place.y : place.x;
    d_.i.offset += along * access_.fragment.elementBits / 8;
  }

 private:
  std::size_t operand() const { return access_.isLoad ? 1 : 0; }
  std::optional<RegisterPlace>& baseOf(const Fragment::Place& place) {
    return bases_[access_.together ? place.x : place.y];
  }

  Decoding& d_;
  const Access& access_;
  std::array<std::optional<RegisterPlace>, 32> bases_;
};

void memoryFields(Decoding& d, const Access& access, Type type, unsigned elements) {
  const unsigned bytes = bytesOf(type) * elements;
  d.i.operation = access.isLoad ? MemoryOperation::Load : MemoryOperation::Store;
  d.i.elements = static_cast<std::uint8_t>(elements);
  d.i.bytesPerLane = static_cast<std::uint8_t>(bytes);
  d.i.wideData = type == Type::B64;
  d.i.registerBytes = type == Type::B64 ? 8 : 4;
  d.i.handler = d.require(access.isLoad ? laneTable().load(d.i.space, type)
                                        : laneTable().store(d.i.space, type));
}

/// Emits an access to whole registers, `count` of them side by side.
void plainAccess(Decoding& d, const Access& access, Addresses& at, unsigned first, unsigned count) {
  const Fragment& f = access.fragment;
  const Type type = f.elementBits == 64 ? Type::B64 : Type::B32;
  at.use(f.places[first]);
  memoryFields(d, access, type, count);
  const auto used = static_cast<unsigned>(f.places.size());
  for (unsigned r = 0; r < count; ++r) {
    const Operand& one = *access.registers[first + r];
    d.i.vector[r] = access.isLoad ? d.destination(one, f.type) : d.source(one, f.type);
  }
  const unsigned copies = f.registers / used - 1;
  if (copies != 0) {
    d.i.inner = d.i.handler;
    d.i.handler = &executeCopiedLoad;
    d.i.copies = static_cast<std::uint8_t>(copies);
    for (unsigned copy = 1; copy <= copies; ++copy)
      d.i.vector[copy] = d.destination(*access.registers[first + copy * used], f.type);
  }
  d.emit(InstructionClass::Memory);
}

Type elementType(const Fragment& f) {
  return f.elementBits == 8 ? Type::B8 : Type::B16;
}

/// Emits loads of the elements of a register one by one, then packs them.
void packedLoad(Decoding& d, const Access& access, Addresses& at, unsigned r) {
  const Fragment& f = access.fragment;
  std::array<RegisterPlace, 4> parts;
  for (unsigned e = 0; e < f.perRegister(); ++e) {
    at.use({f.places[r].x, f.places[r].y + e});
    memoryFields(d, access, elementType(f), 1);
    parts[e] = d.builder().temporary(false, d.statement().at);
    d.i.vector[0] = parts[e].row;
    d.writes(parts[e].id);
    d.emit(InstructionClass::Memory);
  }
  for (unsigned copy = r; copy < f.registers; copy += static_cast<unsigned>(f.places.size())) {
    d.i.handler = &executePack;
    d.i.elementBytes = static_cast<std::uint8_t>(f.elementBits / 8);
    d.i.elements = static_cast<std::uint8_t>(f.perRegister());
    d.i.d = d.destination(*access.registers[copy], f.type);
    for (unsigned e = 0; e < f.perRegister(); ++e) {
      d.i.vector[e] = parts[e].row;
      d.reads(parts[e].id);
    }
    d.emit(InstructionClass::Integer);
  }
}

/// Emits stores of the two halves of a register one by one. Only sums are stored, so there are no
/// smaller elements.
void packedStore(Decoding& d, const Access& access, Addresses& at, unsigned r) {
  const Fragment& f = access.fragment;
  const RegisterPlace upper = d.builder().temporary(false, d.statement().at);
  d.i.handler = regularHandler("shr", Type::U32);
  d.i.a = d.source(*access.registers[r], f.type);
  d.i.b = d.builder().constant(16, false);
  d.i.d = upper.row;
  d.writes(upper.id);
  d.emit(InstructionClass::Integer);
  for (unsigned e = 0; e < 2; ++e) {
    at.use({f.places[r].x, f.places[r].y + e});
    memoryFields(d, access, elementType(f), 1);
    d.i.vector[0] = e == 0 ? d.source(*access.registers[r], f.type) : upper.row;
    if (e == 1) d.reads(upper.id);
    d.emit(InstructionClass::Memory);
  }
}

}  // namespace

void decodeWmmaAccess(Decoding& d) {
  Access access = takeAccess(d);
  const Fragment& f = access.fragment;
  d.expectOperands(2, 3);
  access.registers = fragment(d, d.operand(access.isLoad ? 0 : 1), f.registers);
  Addresses at(d, access);
  for (unsigned r = 0; r < f.places.size();) {
    if (f.perRegister() > 1 && !access.together) {
      access.isLoad ? packedLoad(d, access, at, r) : packedStore(d, access, at, r);
      ++r;
      continue;
    }
    const unsigned count = f.isSum && f.perRegister() == 1 && access.together ? 2 : 1;
    plainAccess(d, access, at, r, count);
    r += count;
  }
}

/// Decodes wmma.mma{.xor.popc|.and.popc}.sync.aligned.ALAYOUT.BLAYOUT.SHAPE.D{.A.B}.C{.satfinite}.
void decodeWmmaProduct(Decoding& d) {
  d.take("mma");
  takeAligned(d);
  takeLayout(d);
  takeLayout(d);
  const WmmaShape& shape = takeShape(d);
  const bool clamps = d.take("satfinite");
  MatrixTypes types = takeMatrixTypes(d);
  if (types.form.factor == Factor::F64) d.take("rn");
  d.finishModifiers();
  if (!isOf(shape, types.form.factor) || (clamps && types.form.sum != Sum::S32)) d.unsupported();
  const bool rowByColumn = d.statement().opcode.find(".row.col.") != std::string::npos;
  if (bitsOf(types.form.factor) < 8 && !rowByColumn) d.unsupported("expected .row.col");
  if (clamps && types.form.factor == Factor::Bit) d.unsupported();
  if (clamps) types.flags |= kClampSum;
  if (shape.transposed) types.flags = swappedSigns(types.flags);
  types.form.m = shape.m;
  types.form.k = shape.k;
  const MatrixForm& form = types.form;
  const Handler handler = d.require(matrixHandler(form));
  d.expectOperands(4);
  const unsigned a = registersOf(shape, "a", form), b = registersOf(shape, "b", form);
  auto left = fragment(d, d.operand(1), a), right = fragment(d, d.operand(2), b);
  if (shape.transposed) left.swap(right);
  const unsigned sums = rowsOfSum(form, form.sum), results = rowsOfSum(form, form.result);
  const auto c = fragment(d, d.operand(3), shape.products * sums);
  const auto result = fragment(d, d.operand(0), shape.products * results);
  std::vector<MatrixProduct> products(shape.products);
  for (unsigned p = 0; p < shape.products; ++p) {
    products[p].operands = {part(left, shape.splitsA ? p * rowsOfA(form) : 0, rowsOfA(form)),
                            part(right, shape.splitsB ? p * rowsOfB(form) : 0, rowsOfB(form)),
                            part(c, p * sums, sums), part(result, p * results, results)};
    products[p].handler = handler;
    products[p].fields.flags = types.flags;
    products[p].work = workOf(form);
  }
  emitProducts(d, form, products);
}

}  // namespace fermata::ptx
