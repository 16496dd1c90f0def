#include <fermata/platforms/program/search/mapping_notations.h>

#include <fermata/models/indexing/c_expression.h>
#include <fermata/models/indexing/linear.h>

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace fermata::platforms {

namespace {

using indexing::LinearIndexer;

constexpr const char* kNoLayout = "not one swizzle or layout";

Notations cannotSay(const std::string& reason) {
  return {{"CuTe", "cannot say it: " + reason}, {"Triton", "cannot say it: " + reason}};
}

bool isOneBit(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

unsigned highestBit(std::uint32_t value) {
  return 31U - static_cast<unsigned>(__builtin_clz(value));
}

/// Returns the text of the only swizzle that has these banks, or nothing: each bank bit is the
/// address bit of its number, and neighbours are XORed with the bits `shift` above them.
std::string asSwizzle(const LinearIndexer& mapping) {
  const std::vector<std::uint32_t>& rows = mapping.bankMatrix().rows;
  unsigned bits = 0;
  unsigned base = 0;
  unsigned shift = 0;
  for (unsigned bit = 0; bit < rows.size(); ++bit) {
    const std::uint32_t more = rows[bit] ^ std::uint32_t{1} << bit;
    if (more == 0) continue;
    if (!isOneBit(more) || highestBit(more) <= bit) return "";
    if (bits == 0) {
      base = bit;
      shift = highestBit(more) - bit;
    }
    if (bit != base + bits || highestBit(more) != bit + shift) return "";
    ++bits;
  }
  if (bits > shift) return "";
  return fmt::format("swizzle b={} m={} s={}", bits, base + highestBit(mapping.shape().wordBytes),
                     shift);
}

/// Returns the tensor index at each power of two of places, in elements: a place is the bank, with
/// the row above it. The tensor is the largest power of two of words that the memory holds. Empty
/// if the banks of such a tensor depend on one another, or if elements are longer than words.
std::vector<std::uint64_t> basesOf(const LinearIndexer& mapping, std::uint32_t elementBytes) {
  indexing::Shape shape = mapping.shape();
  if (shape.wordBytes < elementBytes || shape.words < shape.banks) return {};
  const unsigned bits = highestBit(shape.words);
  shape.words = std::uint32_t{1} << bits;
  indexing::gf2::Matrix places{bits, mapping.bankMatrix().rows};
  for (std::uint32_t& row : places.rows) row &= indexing::gf2::columnMask(bits);
  if (indexing::gf2::rank(places) != places.rows.size()) return {};
  const LinearIndexer part(shape, places, "", {});
  for (const std::uint32_t row : part.rowMatrix().rows) places.rows.push_back(row);
  const std::optional<indexing::gf2::Matrix> words = indexing::gf2::inverse(places);
  if (!words) return {};
  const unsigned within = highestBit(shape.wordBytes / elementBytes);
  std::vector<std::uint64_t> bases;
  for (unsigned bit = 0; bit < within; ++bit) bases.push_back(std::uint64_t{1} << bit);
  for (unsigned bit = 0; bit < bits; ++bit)
    bases.push_back(std::uint64_t{multiply(*words, std::uint32_t{1} << bit)} << within);
  return bases;
}

/// Returns a permutation of index bits as a layout of CuTe, "(256,32):(32,1)": bits that stay side
/// by side are a mode. Empty if a base has several bits.
std::string layoutOf(const std::vector<std::uint64_t>& bases) {
  std::vector<unsigned> placeOf(bases.size(), 0);  // bit of the place, by bit of the index
  for (unsigned bit = 0; bit < bases.size(); ++bit) {
    if (!isOneBit(bases[bit])) return "";
    placeOf[static_cast<unsigned>(__builtin_ctzll(bases[bit]))] = bit;
  }
  std::vector<std::uint64_t> shape;
  std::vector<std::uint64_t> stride;
  for (std::size_t bit = 0; bit < placeOf.size(); ++bit) {
    if (bit == 0 || placeOf[bit] != placeOf[bit - 1] + 1) {
      shape.push_back(1);
      stride.push_back(std::uint64_t{1} << placeOf[bit]);
    }
    shape.back() *= 2;
  }
  return fmt::format("({}):({})", fmt::join(shape, ","), fmt::join(stride, ","));
}

Notations linearWords(const SearchRequest& request, const LinearIndexer& mapping) {
  const std::string swizzle = asSwizzle(mapping);
  if (!swizzle.empty()) {
    Notations words = kernelWords(request, mapping.shape(), swizzle);
    if (!words.empty()) return words;
  }
  const std::vector<std::uint64_t> bases = basesOf(mapping, request.elementBytes);
  if (bases.empty()) return cannotSay(kNoLayout);
  const std::string layout = layoutOf(bases);
  return {{"CuTe",
           layout.empty() ? fmt::format("cannot say it: {}", kNoLayout) : layout + " of index i"},
          {"Triton", fmt::format("SharedLinearLayout(offset_bases=[[{}]]) for {} elements",
                                 fmt::join(bases, "], ["), std::uint64_t{1} << bases.size())}};
}

void addPadding(Notations& words, const PaddingForm& form) {
  words.push_back(
      {"CuTe", fmt::format("({0},n):(1,{1}) of index i", form.row, form.row + form.more)});
  words.push_back(
      {"Triton", isOneBit(form.row) && isOneBit(form.more)
                     ? fmt::format("PaddedSharedLayout.with_identity_for([[{}, {}]], shape, order)",
                                   form.row, form.more)
                     : "cannot say it: PaddedSharedLayout takes powers of two"});
}

/// Returns the padding that leaves banks unused, if a mapping is a remainder by fewer banks.
std::optional<PaddingForm> fewerBanks(const indexing::Indexer& mapping, std::uint32_t banks,
                                      std::uint32_t elementBytes) {
  const indexing::Shape& shape = mapping.shape();
  if (shape.banks >= banks || shape.wordBytes % elementBytes != 0) return std::nullopt;
  if (mapping.bankInC("w") != indexing::remainderInC("w", shape.banks)) return std::nullopt;
  const std::uint64_t elements = shape.wordBytes / elementBytes;
  return PaddingForm{elements * shape.banks, elements * (banks - shape.banks)};
}

Notations kernelNotations(const SearchRequest& request, const indexing::Indexer& mapping,
                          std::uint32_t banks) {
  const std::string text = mapping.text();
  Notations words = kernelWords(request, mapping.shape(), text);
  if (const auto form = paddingForm(text, mapping.shape(), request.elementBytes)) {
    addPadding(words, *form);
    return words;
  }
  if (!words.empty()) return words;
  if (const auto* linear = dynamic_cast<const LinearIndexer*>(&mapping))
    return linearWords(request, *linear);
  if (mapping.bankInC("w") == indexing::remainderInC("w", banks))
    return kernelWords(request, mapping.shape(), "swizzle b=0 m=0 s=0");
  if (const auto form = fewerBanks(mapping, banks, request.elementBytes)) {
    addPadding(words, *form);
    words.push_back({"C", form->index()});
    return words;
  }
  const std::uint32_t others = mapping.shape().banks;
  return cannotSay(others == banks ? kNoLayout
                                   : fmt::format("no index of a kernel makes {} banks", others));
}

}  // namespace

Notations mappingNotations(const SearchRequest& request, const indexing::Indexer& mapping,
                           std::uint32_t banks) {
  Notations words = kernelNotations(request, mapping, banks);
  const std::string bank = mapping.bankInC("w");
  words.push_back({"bank", bank.empty() ? "its family has no formula in C" : bank});
  return words;
}

}  // namespace fermata::platforms
