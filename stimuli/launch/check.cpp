#include <fermata/stimuli/launch/check.h>

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include <fermata/stimuli/ptx/half.h>

namespace fermata::launch {
namespace {

/// A half-precision number, converted to the number it stands for.
struct Half {
  std::uint16_t bits;
  float operator+() const { return ptx::f16ToFloat(bits); }
};

template <class T>
T elementAt(const std::uint8_t* bytes, std::uint64_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}

/// Compares integers exactly unless a tolerance is given: 64 bits do not fit a double.
template <class T>
bool agree(T got, T expected, const Check& check) {
  if (got == expected) return true;
  const auto a = static_cast<double>(got);
  const auto b = static_cast<double>(expected);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (check.absolute == 0 && check.relative == 0) return false;
  return std::abs(a - b) <= check.absolute + check.relative * std::abs(b);
}

template <class T>
void compareElements(const Check& check, const PlannedBuffer& buffer, const std::uint8_t* got,
                     const std::uint8_t* expected) {
  std::uint64_t wrong = 0;
  std::uint64_t first = 0;
  for (std::uint64_t i = 0; i < buffer.count; ++i) {
    if (agree(+elementAt<T>(got, i), +elementAt<T>(expected, i), check)) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return;
  const std::string gotText = fmt::format("{}", +elementAt<T>(got, first));
  const std::string expectedText = fmt::format("{}", +elementAt<T>(expected, first));
  throw CheckError(
      fmt::format(
          "{}:{}: buffer '{}' is wrong at index {}: got {}, expected {} ({} of {} elements differ)",
          check.where.file, check.where.line, buffer.name, first, gotText, expectedText, wrong,
          buffer.count),
      buffer.name, first, gotText, expectedText);
}

}  // namespace

void compareBuffer(const Check& check, const PlannedBuffer& buffer, const std::uint8_t* got,
                   const std::vector<std::uint8_t>& expected) {
  // In the order of ElementType.
  constexpr decltype(&compareElements<float>) kCompare[] = {
      compareElements<std::uint8_t>,  compareElements<std::int8_t>,
      compareElements<std::uint16_t>, compareElements<std::int16_t>,
      compareElements<std::uint32_t>, compareElements<std::int32_t>,
      compareElements<std::uint64_t>, compareElements<std::int64_t>,
      compareElements<Half>,          compareElements<float>,
      compareElements<double>};
  kCompare[static_cast<std::size_t>(buffer.type)](check, buffer, got, expected.data());
}

}  // namespace fermata::launch
