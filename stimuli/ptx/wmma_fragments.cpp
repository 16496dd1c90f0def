#include <fermata/stimuli/ptx/wmma_fragments.h>

#include <algorithm>

#include <fermata/stimuli/ptx/matrix_decoding.h>

namespace fermata::ptx {
namespace {

constexpr unsigned kRegistersOfHalves = 8;  // registers of a or b of f16 in every shape (PTX ISA)

void addPlaces(const WmmaShape& shape, const MatrixForm& form, bool isA, Fragment& f) {
  const unsigned depth = depthOf(form.factor), across = isA ? form.m / 8U : 1;
  const unsigned parts = (isA ? shape.splitsA : shape.splitsB) ? shape.products : 1;
  for (unsigned p = 0; p < parts; ++p) {
    for (unsigned r = 0; r < across * (form.k / depth); ++r)
      f.places.push_back({8 * (p * across + r % across), depth * (r / across)});
  }
  f.extentX = 8 * across * parts;
  f.extentY = form.k;
}

void addPlacesOfSum(const WmmaShape& shape, const MatrixForm& form, Fragment& f) {
  const unsigned perEight = form.sum == Sum::F16 ? 1 : 2;
  for (unsigned p = 0; p < shape.products; ++p) {
    for (unsigned r = 0; r < form.m / 8 * perEight; ++r) {
      f.places.push_back({(shape.splitsA ? p * form.m : 0U) + 8 * (r / perEight),
                          (shape.splitsB ? 8 * p : 0U) + r % perEight});
    }
  }
  f.extentX = form.m * (shape.splitsA ? shape.products : 1U);
  f.extentY = 8 * (shape.splitsB ? shape.products : 1U);
}

template <class... Kinds>
constexpr std::uint8_t some(Kinds... kinds) {
  return static_cast<std::uint8_t>(((1U << static_cast<unsigned>(kinds)) | ...));
}
template <class Kind>
bool isIn(std::uint8_t kinds, Kind kind) {
  return (kinds >> static_cast<unsigned>(kind) & 1U) != 0;
}

constexpr std::uint8_t kFactors16 = some(Factor::F16, Factor::Bf16, Factor::Byte);
constexpr std::uint8_t kSums16 = some(Sum::F32, Sum::F16, Sum::S32);

}  // namespace

const std::vector<WmmaShape>& wmmaShapes() {
  static const std::vector<WmmaShape> shapes = {
      {"m16n16k16", 16, 16, 2, false, true, false, kFactors16, kSums16},
      {"m32n8k16", 16, 16, 2, true, false, false, kFactors16, kSums16},
      {"m8n32k16", 16, 16, 2, true, false, true, kFactors16, kSums16},
      {"m16n16k8", 16, 8, 2, false, true, false, some(Factor::Tf32), some(Sum::F32)},
      {"m8n8k4", 8, 4, 1, false, false, false, some(Factor::F64), some(Sum::F64)},
      {"m8n8k32", 8, 32, 1, false, false, false, some(Factor::Nibble), some(Sum::S32)},
      {"m8n8k128", 8, 128, 1, false, false, false, some(Factor::Bit), some(Sum::S32)}};
  return shapes;
}

bool isOf(const WmmaShape& shape, Factor factor) {
  return isIn(shape.factors, factor);
}

std::optional<Fragment> fragmentOf(const WmmaShape& shape, std::string_view role,
                                   std::string_view type) {
  Fragment f;
  MatrixForm form;
  form.m = shape.m;
  form.k = shape.k;
  f.isSum = role == "c" || role == "d";
  if (f.isSum) {
    const auto sum = sumNamed(type);
    if (!sum || !isIn(shape.sums, *sum)) return std::nullopt;
    form.sum = *sum;
    addPlacesOfSum(shape, form, f);
    f.elementBits = *sum == Sum::F16 ? 16 : *sum == Sum::F64 ? 64 : 32;
    f.type = *sum == Sum::F64 ? Type::B64 : Type::B32;
    f.registers = static_cast<unsigned>(f.places.size());
    f.rows = shape.transposed ? Fragment::Rows::Elements : Fragment::Rows::Lanes;
    return f;
  }
  const auto factor = factorNamed(type);
  if (!factor || !isOf(shape, *factor)) return std::nullopt;
  form.factor = *factor;
  addPlaces(shape, form, (role == "a") != shape.transposed, f);
  f.elementBits = bitsOf(*factor);
  f.type = *factor == Factor::F64 ? Type::B64 : Type::B32;
  f.step = f.perRegister();
  f.registers =
      *factor == Factor::F16 ? kRegistersOfHalves : static_cast<unsigned>(f.places.size());
  f.rows = role == "a" ? Fragment::Rows::Lanes : Fragment::Rows::Elements;
  return f;
}

unsigned registersOf(const WmmaShape& shape, std::string_view role, const MatrixForm& form) {
  if (form.factor == Factor::F16) return kRegistersOfHalves;
  Fragment f;
  addPlaces(shape, form, (role == "a") != shape.transposed, f);
  return static_cast<unsigned>(f.places.size());
}

std::uint8_t swappedSigns(std::uint8_t flags) {
  const auto rest = static_cast<std::uint8_t>(flags & ~(kSignedA | kSignedB));
  return static_cast<std::uint8_t>(rest | ((flags & kSignedA) != 0 ? kSignedB : 0) |
                                   ((flags & kSignedB) != 0 ? kSignedA : 0));
}

}  // namespace fermata::ptx
