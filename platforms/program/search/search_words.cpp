#include <fermata/platforms/program/search/search_words.h>

#include <fmt/format.h>

#include <cstdio>

namespace fermata::platforms {

namespace {

unsigned log2(std::uint32_t powerOfTwo) {
  return static_cast<unsigned>(__builtin_ctz(powerOfTwo));
}

std::string swizzleWords(const SwizzleForm& form, std::uint32_t elementBytes) {
  const unsigned element = log2(elementBytes);
  if (form.bits == 0) return "  no swizzle: the index stays as it is\n";
  if (form.base < element) return "";  // it would split elements
  const unsigned base = form.base - element;
  std::string text =
      fmt::format("  CuTe    cute::Swizzle<{},{},{}>\n", form.bits, base, form.shift);
  if (form.base == 4 && form.shift == 3 && form.bits <= 3) {
    text += fmt::format("  TMA     CU_TENSOR_MAP_SWIZZLE_{}B\n", 16U << form.bits);
  }
  // Triton XORs a vector's number within its row with the row's number; their bits lie `shift`
  // apart.
  const std::uint64_t row = std::uint64_t{1} << (base + form.shift);
  text += fmt::format(
      "  Triton  SwizzledSharedLayout(vec={}, per_phase=1, max_phase={}) for rows of {} "
      "elements{}\n",
      1U << base, 1U << form.bits, row,
      form.shift > form.bits ? "; per_phase=2 for rows of half as many, and so on" : "");
  text += fmt::format("  C       offset ^ ((offset >> {}) & {:#x})\n", form.shift,
                      ((std::uint64_t{1} << form.bits) - 1) << base);
  return text;
}

std::string paddingWords(unsigned row, unsigned words, const indexing::Shape& shape,
                         std::uint32_t elementBytes) {
  if (words == 0) return "";
  const std::uint64_t rowBytes = std::uint64_t{row} * shape.wordBytes;
  const std::uint64_t bytes = std::uint64_t{words} * shape.wordBytes;
  if (rowBytes % elementBytes != 0 || bytes % elementBytes != 0) return "";
  return fmt::format("  rows of {} elements: leading dimension + {}\n", rowBytes / elementBytes,
                     bytes / elementBytes);
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

std::string kernelWords(const std::string& mapping, const indexing::Shape& shape,
                        std::uint32_t elementBytes) {
  if (const auto form = swizzleForm(mapping)) return swizzleWords(*form, elementBytes);
  unsigned row = 0;
  unsigned words = 0;
  if (std::sscanf(mapping.c_str(), "pad row=%u words=%u", &row, &words) != 2) return "";
  return paddingWords(row, words, shape, elementBytes);
}

}  // namespace fermata::platforms
