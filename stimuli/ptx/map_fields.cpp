#include <fermata/stimuli/ptx/map_fields.h>

#include <iterator>

namespace fermata::ptx {

namespace {

/// Types by the numbers that tensormap.replace has for them (PTX ISA).
constexpr TensorType kReplacedTypes[] = {
    TensorType::U8,      TensorType::U16,      TensorType::U32,      TensorType::S32,
    TensorType::U64,     TensorType::S64,      TensorType::F16,      TensorType::F32,
    TensorType::F32Ftz,  TensorType::F64,      TensorType::Bf16,     TensorType::Tf32,
    TensorType::Tf32Ftz, TensorType::PackedU4, TensorType::PaddedU4, TensorType::PaddedU6};

/// Returns the swizzle with other atoms: 0 to 3 for 16 bytes, 32, 32 with a flip, 64.
TensorSwizzle withAtom(TensorSwizzle swizzle, std::uint64_t atom) {
  if (swizzle < TensorSwizzle::Span128) return swizzle;
  return static_cast<TensorSwizzle>(static_cast<unsigned>(TensorSwizzle::Span128) + atom);
}

}  // namespace

bool replaceField(TensorMap& map, MapField field, unsigned k, std::uint64_t value) {
  const auto word = static_cast<std::uint32_t>(value);
  switch (field) {
    case MapField::Address:
      map.address = value;
      return true;
    case MapField::Rank:  // counted from 0
      map.rank = word + 1;
      return word < TensorMap::kMostRank;
    case MapField::Box:
      map.box[k] = word;
      return word != 0 && word <= 256;
    case MapField::Dim:
      map.dims[k] = word;
      return word != 0;
    case MapField::Stride:
      if (k >= map.strides.size()) return false;
      map.strides[k] = value;
      return value < TensorMap::kMostStride;
    case MapField::Step:
      map.steps[k] = word;
      return word != 0 && word <= 8;
    case MapField::Element:
      if (value >= std::size(kReplacedTypes)) return false;
      map.type = kReplacedTypes[value];
      return true;
    case MapField::Interleave:
      map.interleave = static_cast<TensorInterleave>(value);
      return value <= 2;
    case MapField::Swizzle:
      map.swizzle = static_cast<TensorSwizzle>(value);
      return value <= 3;
    case MapField::Fill:
      map.fillsNan = value != 0;
      return value <= 1;
    case MapField::Atom:
      map.swizzle = withAtom(map.swizzle, value);
      return value <= 3;
  }
  return false;
}

}  // namespace fermata::ptx
