#include <fermata/platforms/program/search/search_words.h>

#include <fmt/format.h>

#include <cstdio>

#include <fermata/platforms/program/search/layout_limits.h>

namespace fermata::platforms {

namespace {

unsigned log2(std::uint32_t powerOfTwo) {
  return static_cast<unsigned>(__builtin_ctz(powerOfTwo));
}

/// Returns an empty text if the swizzle would split elements.
std::string swizzleIndex(const SwizzleForm& form, std::uint32_t elementBytes) {
  const unsigned element = log2(elementBytes);
  if (form.base < element) return "";
  const std::uint64_t mask = ((std::uint64_t{1} << form.bits) - 1) << (form.base - element);
  return fmt::format("i ^ ((i >> {}) & {:#x})", form.shift, mask);
}

/// Adds what a mode of TMA is to a tensor map and to a matrix descriptor.
void addEngineWords(Notations& words, unsigned bytes, std::uint32_t elementBytes) {
  words.push_back({"TMA", fmt::format("CU_TENSOR_MAP_SWIZZLE_{}B, boxes of rows of {} elements",
                                      bytes, bytes / elementBytes)});
  words.push_back({"atom", fmt::format("GMMA::Layout_K_SW{0}_Atom<T>, or Layout_MN_SW{0}_Atom<T> "
                                       "of rows along M or N",
                                       bytes)});
}

Notations swizzleWords(const SwizzleForm& form, std::uint32_t elementBytes) {
  if (form.bits == 0) return {{"", "no swizzle: the index stays as it is"}};
  const std::string index = swizzleIndex(form, elementBytes);
  if (index.empty()) return {};
  const unsigned base = form.base - log2(elementBytes);
  Notations words{{"CuTe", fmt::format("cute::Swizzle<{},{},{}>", form.bits, base, form.shift)}};
  if (form.base == 4 && form.shift == 3 && form.bits <= 3)
    addEngineWords(words, 16U << form.bits, elementBytes);
  // Triton XORs a vector's number within its row with the row's number; their bits lie `shift`
  // apart.
  const std::uint64_t row = std::uint64_t{1} << (base + form.shift);
  words.push_back(
      {"Triton",
       fmt::format(
           "SwizzledSharedLayout(vec={}, per_phase=1, max_phase={}) for rows of {} "
           "elements{}",
           1U << base, 1U << form.bits, row,
           form.shift > form.bits ? "; per_phase=2 for rows of half as many, and so on" : "")});
  words.push_back({"C", index});
  return words;
}

/// Rows of kernels are not known: what they would have to be is said.
Notations paddingWords(const SearchRequest& request, const PaddingForm& form) {
  Notations words;
  if (isLeadingDimension(request, form.row)) {
    words = {{"", fmt::format("leading dimension {}, not {}", form.row + form.more, form.row)}};
  } else if (request.layouts.empty()) {
    words = {{"", fmt::format("rows of {} elements: leading dimension {}", form.row,
                              form.row + form.more)}};
  }
  words.push_back({"C", form.index()});
  return words;
}

}  // namespace

std::optional<SwizzleForm> swizzleForm(const std::string& mapping) {
  SwizzleForm form;
  unsigned mode = 0;
  if (std::sscanf(mapping.c_str(), "swizzle b=%u m=%u s=%u", &form.bits, &form.base, &form.shift) ==
      3) {
    return form;
  }
  if (std::sscanf(mapping.c_str(), "tma %u", &mode) != 1 || mode < 16) return std::nullopt;
  return SwizzleForm{log2(mode / 16), 4, 3};
}

std::optional<PaddingForm> paddingForm(const std::string& mapping, const indexing::Shape& shape,
                                       std::uint32_t elementBytes) {
  unsigned row = 0;
  unsigned words = 0;
  if (std::sscanf(mapping.c_str(), "pad row=%u words=%u", &row, &words) != 2 || words == 0)
    return std::nullopt;
  const std::uint64_t rowBytes = std::uint64_t{row} * shape.wordBytes;
  const std::uint64_t bytes = std::uint64_t{words} * shape.wordBytes;
  if (rowBytes % elementBytes != 0 || bytes % elementBytes != 0) return std::nullopt;
  return PaddingForm{rowBytes / elementBytes, bytes / elementBytes};
}

std::string PaddingForm::index() const {
  return fmt::format("i + i / {}", row) + (more == 1 ? "" : fmt::format(" * {}", more));
}

std::string linesOf(const Notations& notations) {
  std::string lines;
  for (const Notation& one : notations)
    lines += one.name.empty() ? fmt::format("  {}\n", one.text)
                              : fmt::format("  {:<8}{}\n", one.name, one.text);
  return lines;
}

Notations kernelWords(const SearchRequest& request, const indexing::Shape& shape,
                      const std::string& mapping) {
  if (const auto form = swizzleForm(mapping)) return swizzleWords(*form, request.elementBytes);
  const auto form = paddingForm(mapping, shape, request.elementBytes);
  return form ? paddingWords(request, *form) : Notations();
}

std::string indexWords(const SearchRequest& request, const indexing::Shape& shape,
                       const std::string& mapping) {
  if (const auto form = swizzleForm(mapping))
    return form->bits == 0 ? "" : swizzleIndex(*form, request.elementBytes);
  const auto form = paddingForm(mapping, shape, request.elementBytes);
  if (!form) return "";
  if (isLeadingDimension(request, form->row))
    return fmt::format("leading dimension {}", form->row + form->more);
  return form->index();
}

}  // namespace fermata::platforms
